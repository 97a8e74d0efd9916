package parquet_test

import (
	"bytes"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record/parquet"
)

// FuzzExport exports input in every format, with the schema of the input and with one
// that does not fit it. What can be decoded must be in the columns, and JSON must become
// the same file as its MessagePack.
func FuzzExport(f *testing.F) {
	for _, v := range []any{person{Name: "x", Tags: []string{"a"}}, []any{1, "x", nil}, map[int]any{1: 2.5, 2: msgpack.Ext{Type: 3}}} {
		data, err := msgpack.Marshal(v)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data, uint8(parquet.MessagePack))
	}
	f.Add([]byte("{\"a\":[1,{\"b\":null}]}\n{\"a\":2.5}\n"), uint8(parquet.JSON))
	f.Add([]byte("{\"name\":\"a\\n\",\"age\":-0,\"rate\":1e3,\"tags\":[]}\r\n{\"born\":12345678901234567890}"), uint8(parquet.JSON))
	f.Add(people(f, 3, nil), uint8(parquet.Record))
	s := personSchema(f)
	f.Fuzz(func(t *testing.T, data []byte, format uint8) {
		for _, o := range []parquet.Options{{}, {Schema: s}} {
			o.Format, o.Procs, o.RowGroup = parquet.Format(format%3), 1, 64<<10
			heaptest.AtMost(t, 64<<20+5000*len(data), func() {
				var out bytes.Buffer
				report, err := parquet.Export(&out, bytes.NewReader(data), &o)
				if err != nil {
					return
				}
				rows, _ := readBack(t, out.Bytes())
				if int64(len(rows)) != report.Rows {
					t.Errorf("%d rows, reported %d", len(rows), report.Rows)
				}
			})
			if o.Format == parquet.MessagePack && decodable(data) {
				check(t, o, data)
			}
			if o.Format == parquet.JSON {
				checkJSON(t, data, o.Schema)
			}
		}
		if _, err := parquet.InferSchema(bytes.NewReader(data), &parquet.Options{Format: parquet.Format(format % 3)}); err != nil {
			return
		}
	})
}
