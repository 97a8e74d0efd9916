package conversion

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/companion"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// TestParquet starts a script instead of octet-parquet, which prints its arguments and
// input.
func TestParquet(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program of the test is a shell script")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\necho \"$@\"\ncat\nexit $CODE\n"
	if err := os.WriteFile(filepath.Join(dir, companion.Parquet.Name()), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	for _, c := range []struct {
		r      Conversion
		code   string
		stdout string
		want   failure.Code
	}{
		{Conversion{Output: "a.parquet"}, "0", "--output=a.parquet -\nin", failure.OK},
		{Conversion{Output: "a.PARQUET", Inputs: []string{"b.rec", "-"}, Quiet: true}, "0", "--output=a.PARQUET --quiet b.rec -\nin", failure.OK},
		{Conversion{Output: "-", ToName: Parquet, FromName: "json", NoProgress: true, Inputs: []string{"-x"}}, "4", "--output=- --from=json --progress=never ./-x\nin", failure.Data},
		{Conversion{Output: "a.parquet", Schema: "s.json", Lossy: true}, "0", "--output=a.parquet --schema=s.json --lossy -\nin", failure.OK},
		{Conversion{Output: "a.parquet", Infer: true}, "0", "--output=a.parquet --infer -\nin", failure.OK},
		{Conversion{Output: "a.parquet", Compress: true}, "0", "", failure.Usage},
		{Conversion{Output: "a.msgpack", Schema: "s.json"}, "0", "", failure.Usage},
		{Conversion{Output: "-", Infer: true}, "0", "", failure.Usage},
		{Conversion{Output: "a.rec", Lossy: true}, "0", "", failure.Usage},
	} {
		t.Setenv("CODE", c.code)
		r, stdout, _ := conversion("in")
		c.r.Console = r.Console
		err := c.r.Run(context.Background())
		if got := failure.CodeOf(err); got != c.want || stdout.String() != c.stdout {
			t.Errorf("%+v: code %d, %v, %q", c, got, err, stdout)
		}
	}
}

// TestParquetMissing requires the command that installs the program.
func TestParquetMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	r, _, _ := conversion("")
	r.Output = "a.parquet"
	err := r.Run(context.Background())
	if failure.CodeOf(err) != failure.Access || !strings.Contains(err.Error(), "go install github.com/octet-go/octet/record/parquet/octet-parquet@latest") {
		t.Errorf("%#v", err)
	}
}
