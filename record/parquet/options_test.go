package parquet_test

import (
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/record/parquet"
)

func TestOptions(t *testing.T) {
	for name, o := range map[string]parquet.Options{
		"Format":       {Format: 3},
		"Compression":  {Compression: 4},
		"RowGroup":     {RowGroup: 1},
		"RowGroup, 2":  {RowGroup: 1<<30 + 1},
		"Procs":        {Procs: -1},
		"Infer":        {Infer: true, Schema: personSchema(t)},
		"empty schema": {Format: parquet.JSON, Schema: &schema.Schema{}},
	} {
		if _, err := parquet.Export(io.Discard, strings.NewReader(""), &o); !errors.Is(err, parquet.ErrOptions) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestCompressions requires the same rows with every compression.
func TestCompressions(t *testing.T) {
	for _, c := range []parquet.Compression{parquet.Snappy, parquet.Zstd, parquet.Gzip, parquet.Uncompressed} {
		var out strings.Builder
		if _, err := parquet.Export(&out, strings.NewReader(strings.Repeat("{\"a\":\"abc\"}\n", 1000)), &parquet.Options{Format: parquet.JSON, Compression: c}); err != nil {
			t.Fatal(err)
		}
		rows, _ := readBack(t, []byte(out.String()))
		if len(rows) != 1000 || rows[999][0] != "abc" {
			t.Error(c, len(rows))
		}
	}
}

// TestColumns requires an error for a schema whose types are shared, so that it has few of
// them and very many columns.
func TestColumns(t *testing.T) {
	wide := personSchema(t).Root
	for range 12 {
		wide = schema.Value{Type: &schema.Type{Kind: wide.Type.Kind, Fields: []schema.Field{{Name: "a", Value: wide}, {Name: "b", Value: wide}}}}
	}
	_, err := parquet.Export(io.Discard, strings.NewReader(""), &parquet.Options{Format: parquet.JSON, Schema: &schema.Schema{Root: wide}})
	if !errors.Is(err, parquet.ErrColumns) {
		t.Error(err)
	}
}
