package parquet_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/octet-go/octet/examples/events"
	"github.com/octet-go/octet/record/parquet"
)

// TestEvents exports the events of examples/events, which three versions of a struct have
// written to one file. The file has the schema of the first one, in which the fields of the
// others are lost; all of them are columns with Infer.
func TestEvents(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.rec")
	if err := events.Sample(path); err != nil {
		t.Fatal(err)
	}
	file, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	report, err := parquet.Export(new(bytes.Buffer), bytes.NewReader(file), nil)
	if err != nil || report.LostValues() != 3 {
		t.Errorf("with the first schema: %v, %v", report.Lost, err)
	}
	var out bytes.Buffer
	report, err = parquet.Export(&out, bytes.NewReader(file), &parquet.Options{Infer: true})
	if err != nil || report.LostValues() != 0 {
		t.Fatal(report.Lost, err)
	}
	rows, names := readBack(t, out.Bytes())
	got := fmt.Sprint(names, rows[0][0], rows[0][2:], rows[2][2:], rows[3][2:])
	if want := "[user time cost tags from]ada[100 <nil> <nil>] [50 [sale] <nil>] [75 [sale web] [FR Paris]]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
