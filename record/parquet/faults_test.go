package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/faulty"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/parquet"
	"github.com/octet-go/octet/transcode"
)

// formats returns the same records in each format.
func formats(t *testing.T, n int) map[parquet.Format][]byte {
	t.Helper()
	var packed, file bytes.Buffer
	enc := msgpack.NewEncoder(&packed)
	w, err := record.NewWriter(&file, &record.Options{BlockSize: 1024})
	for i := range n {
		v := map[string]any{"id": i, "name": strings.Repeat("n", i%20)}
		err = errors.Join(err, enc.Encode(v), w.Write(v))
	}
	err = errors.Join(err, enc.Flush(), w.Close())
	json, conversion := transcode.AppendJSONValues(nil, packed.Bytes(), nil)
	if err := errors.Join(err, conversion); err != nil {
		t.Fatal(err)
	}
	return map[parquet.Format][]byte{parquet.Record: file.Bytes(), parquet.MessagePack: packed.Bytes(), parquet.JSON: json}
}

// TestFaultySources reads every format from readers that fail at every position.
func TestFaultySources(t *testing.T) {
	var sources []faulty.Source
	for format, input := range formats(t, 20) {
		o := parquet.Options{Format: format, Procs: 2}
		s, err := parquet.InferSchema(bytes.NewReader(input), &o)
		if err != nil {
			t.Fatal(err)
		}
		sources = append(sources, faulty.Source{
			Name: "Export " + format.String(), Input: input, ToEnd: true, Prefixes: true,
			Read: func(r io.Reader) (any, error) {
				with := o
				if format == parquet.JSON {
					r = start{r} // the columns are made from the first records
				} else {
					with.Schema = s
				}
				report, err := parquet.Export(io.Discard, r, &with)
				return report.Rows, err
			},
		}, faulty.Source{
			Name: "InferSchema " + format.String(), Input: input, ToEnd: true, Prefixes: true,
			Read: func(r io.Reader) (any, error) {
				s, err := parquet.InferSchema(r, &o)
				return fmt.Sprint(s), err
			},
		})
	}
	faulty.TestSources(t, sources)
}

// A start is a reader at the start of a file.
type start struct{ io.Reader }

func (start) Seek(int64, int) (int64, error) { return 0, nil }

// TestFaultySinks writes to writers that fail at every position.
func TestFaultySinks(t *testing.T) {
	input := formats(t, 20)[parquet.MessagePack]
	faulty.TestSinks(t, []faulty.Sink{{Name: "Export", Write: func(w io.Writer) error {
		_, err := parquet.Export(w, bytes.NewReader(input), &parquet.Options{Format: parquet.MessagePack, Procs: 2})
		return err
	}}})
}
