package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/octet-go/octet/internal/reference/randtype"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/record/parquet"
	"github.com/octet-go/octet/transcode"
)

// check exports messages with the schema, or with that of the messages, and requires that
// all values are in the file.
func check(t testing.TB, o parquet.Options, stream []byte) parquet.Report {
	t.Helper()
	o.Format = parquet.MessagePack
	var out bytes.Buffer
	report, err := parquet.Export(&out, bytes.NewReader(stream), &o)
	if err != nil {
		t.Fatal(err)
	}
	rows, _ := readBack(t, out.Bytes())
	i := 0
	for d := msgpack.NewDecoder(bytes.NewReader(stream)); d.More(); i++ {
		var want any
		if err := d.Decode(&want); err != nil {
			t.Fatal(err)
		}
		var got any
		if got = rows[i]; report.Schema.Root.Type.Kind != msgpack.FormUnion && (report.Schema.Root.Type.Kind != msgpack.FormStruct || len(report.Schema.Root.Type.Fields) == 0) {
			got = rows[i][0]
		}
		lossy := len(report.Lost) > 0
		if want == nil && lossy {
			continue
		}
		if !same(report.Schema.Root, want, got, lossy) {
			t.Fatalf("record %d: %.1000q became %.1000q, lost %.1000q", i, fmt.Sprintf("%#v", want), fmt.Sprintf("%#v", got), fmt.Sprint(report.Lost))
		}
	}
	if i != len(rows) || int64(i) != report.Rows {
		t.Fatalf("%d records became %d rows, reported as %d", i, len(rows), report.Rows)
	}
	return report
}

// few reports whether tests should try some of many cases: with -short, and without OCTET_LONG=1.
func few() bool { return testing.Short() || os.Getenv("OCTET_LONG") == "" }

func TestRandomTypes(t *testing.T) {
	types, lossless := uint64(200), uint64(0)
	if few() {
		types = 60
	}
	types = randtype.Count(t, types)
	for seed := range randtype.Seeds(t, types) {
		r := randtype.FromSeed(seed)
		typ := r.Type()
		s, err := schema.OfType(typ, nil)
		if err != nil {
			continue
		}
		var stream []byte
		for range 5 {
			if data, err := msgpack.Marshal(r.Value(typ).Interface()); err == nil {
				stream = append(stream, data...)
			}
		}
		if !decodable(stream) {
			continue
		}
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			if report := check(t, parquet.Options{Schema: s}, stream); len(report.Lost) == 0 {
				lossless++
			}
			if report := check(t, parquet.Options{Procs: 1}, stream); len(report.Lost) > 0 {
				for _, l := range report.Lost {
					if !strings.Contains(l.Reason, "JSON") && !strings.Contains(l.Reason, "more than once") && !strings.Contains(l.Reason, "nil instead") {
						t.Errorf("lost with the schema of all records: %v", l)
					}
				}
			}
		})
	}
	if lossless < types/3 {
		t.Errorf("only %d of %d types lost nothing", lossless, types)
	}
}

// decodable reports whether all values can be decoded into any, whose maps cannot have all
// keys, and whether no key occurs twice, of which any keeps the last and columns the first.
func decodable(stream []byte) bool {
	c, err := msgpack.New(msgpack.Options{RejectDuplicates: true})
	if err != nil {
		return false
	}
	d := c.NewDecoder(bytes.NewReader(stream))
	for d.More() {
		var v any
		if d.Decode(&v) != nil {
			return false
		}
	}
	return true
}

func TestOddInput(t *testing.T) {
	deep := strings.Repeat("\x91", 500) + "\xc0"
	for name, c := range map[string]struct {
		values []any
		lost   string // of the report, or "" for nothing
	}{
		"kinds":        {values: []any{map[string]any{"a": 1}, map[string]any{"a": "x"}, map[string]any{"a": []any{true}}}},
		"nil":          {values: []any{map[string]any{"a": nil}, map[string]any{}}},
		"nil record":   {values: []any{map[string]any{"a": 1}, nil}, lost: "nil instead of a record"},
		"no maps":      {values: []any{1, "x", nil, []any{}}},
		"ints":         {values: []any{1, 2, -3}},
		"huge":         {values: []any{map[string]any{"a": uint64(math.MaxUint64)}, map[string]any{"a": 3}}},
		"huge, signed": {values: []any{map[string]any{"a": uint64(math.MaxUint64)}, map[string]any{"a": -3}}},
		"inexact":      {values: []any{map[string]any{"a": int64(1<<53 + 1)}, map[string]any{"a": 1.5}}},
		"exact":        {values: []any{map[string]any{"a": 7}, map[string]any{"a": 1.5}, map[string]any{"a": float32(0.1)}}},
		"NaN":          {values: []any{map[string]any{"a": math.NaN()}, map[string]any{"a": math.Copysign(0, -1)}, map[string]any{"a": math.Inf(1)}}},
		"NaN in JSON":  {values: []any{map[string]any{"a": math.NaN()}, map[string]any{"a": "x"}}},
		"not UTF-8":    {values: []any{map[string]any{"a": "\xff"}, map[string]any{"a": "x"}}},
		"ext":          {values: []any{map[string]any{"a": msgpack.Ext{Type: 5, Data: []byte{1}}}, map[string]any{"a": msgpack.Ext{Type: -7}}}},
		"ext and time": {values: []any{map[string]any{"a": msgpack.Ext{Type: 5, Data: []byte{1}}}, map[string]any{"a": time.Unix(5, 7)}}},
		"far time":     {values: []any{map[string]any{"a": time.Time{}}, map[string]any{"a": time.Unix(5, 7)}}},
		"empty":        {values: []any{map[string]any{"a": []any{}, "b": map[string]any{}, "c": "", "d": []byte{}}}},
		"nested empty": {values: []any{map[string]any{"a": []any{[]any{}, nil, []any{1}}}, map[string]any{"a": []any{}}}},
		"integer keys": {values: []any{map[string]any{"a": map[int]string{1: "x", -2: "y"}}, map[string]any{"a": map[int]string{}}}},
		"mixed keys":   {values: []any{map[string]any{"a": map[any]any{1: "x", "y": 2}}}},
		"names":        {values: []any{map[string]any{"": 1, "A": 2, "a": 3, "a.b": 4, "\xfe": 5, "_": 6, "list": 7}}},
		"deep":         {values: []any{map[string]any{"a": msgpack.Raw(deep)}}},
		"nothing":      {},
	} {
		t.Run(name, func(t *testing.T) {
			var stream []byte
			for _, v := range c.values {
				stream, _ = msgpack.MarshalAppend(stream, v)
			}
			report := check(t, parquet.Options{}, stream)
			if got := fmt.Sprint(report.Lost); !strings.Contains(got, c.lost) || c.lost == "" && got != "[]" {
				t.Errorf("lost %v, want %q", report.Lost, c.lost)
			}
		})
	}
}

// person is the struct whose schema the tests use.
type person struct {
	Name string    `msgpack:"name"`
	Age  int8      `msgpack:"age"`
	Rate float32   `msgpack:"rate"`
	Born time.Time `msgpack:"born"`
	Tags []string  `msgpack:"tags"`
}

func personSchema(t testing.TB) *schema.Schema { return schemaOf[person](t) }

func TestLost(t *testing.T) {
	var stream []byte
	for _, v := range []any{
		person{Name: "Ada", Born: time.Unix(1, 2), Tags: []string{"x"}},
		map[string]any{"name": 5, "age": 300, "rate": 0.1, "born": time.Time{}, "tags": []any{"a", 1, nil}, "more": 1},
		map[string]any{"name": "\xff", "more": 2},
		[]any{1},
	} {
		stream, _ = msgpack.MarshalAppend(stream, v)
	}
	stream = append(stream, "\x82\xa3age\x01\xa3age\x01"...)
	report := check(t, parquet.Options{Schema: personSchema(t)}, stream)
	var got []string
	for _, l := range report.Lost {
		got = append(got, l.String())
	}
	want := `record: array does not fit struct: 1 value, first in record 3
age: int out of range for int of 8 bits: 1 value, first in record 1
age: key occurs more than once: 1 value, first in record 4
born: time outside of the years 1678 to 2261: 1 value, first in record 1
more: there is no column for this key: 2 values, first in record 1
name: int does not fit str: 1 value, first in record 1
name: str that is not UTF-8: 1 value, first in record 2
rate: float 64 that is not exact as float of 32 bits: 1 value, first in record 1
tags[]: int does not fit str: 1 value, first in record 1`
	if text := strings.Join(got, "\n"); text != want {
		t.Errorf("got\n%s\nwant\n%s", text, want)
	}
	if report.LostValues() != 10 {
		t.Errorf("%d values", report.LostValues())
	}
}

func TestInvalidInput(t *testing.T) {
	for name, c := range map[string]struct {
		format parquet.Format
		data   string
		want   error
	}{
		"truncated":   {parquet.MessagePack, "\x81\xa1a\x01\x81\xa1a", wire.ErrTruncated},
		"reserved":    {parquet.MessagePack, "\x81\xa1a\xc1", wire.ErrReserved},
		"JSON":        {parquet.JSON, "{\"a\":1}\n{\"a\":", transcode.ErrTruncated},
		"JSON mark":   {parquet.JSON, "{\"a\":1}\n\ufeff{}", transcode.ErrSyntax},
		"JSON syntax": {parquet.JSON, "{\"a\":1}\n{a}", transcode.ErrSyntax},
	} {
		for _, s := range []*schema.Schema{nil, personSchema(t)} {
			_, err := parquet.Export(new(bytes.Buffer), strings.NewReader(c.data), &parquet.Options{Format: c.format, Schema: s})
			if !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestReservedByte checks where an error says that a record with a reserved byte is.
func TestReservedByte(t *testing.T) {
	long := strings.Repeat("\x05", 20_000)
	for data, want := range map[string]string{
		"\xc1":                         "record at offset 0: at byte 0 of it",
		"\x05\xc1":                     "record at offset 1: at byte 0 of it",
		"\x81\xa1a\x01\xc1\x05":        "record at offset 4: at byte 0 of it",
		"\x05\x91\xc1\x05":             "record at offset 1: at byte 1 of it",
		"\x05\x93\x01\xc1\x01":         "record at offset 1: at byte 2 of it",
		long + "\x81\xa1a\xc1":         "record at offset 20000: at byte 3 of it",
		"\xdc\x4e\x21" + long + "\xc1": "record at offset 0: at byte 20003 of it",
	} {
		for _, r := range []io.Reader{strings.NewReader(data), iotest.OneByteReader(strings.NewReader(data))} {
			_, err := parquet.Export(io.Discard, r, &parquet.Options{Format: parquet.MessagePack, Schema: personSchema(t)})
			if !errors.Is(err, wire.ErrReserved) || !strings.Contains(err.Error(), want+": ") {
				t.Errorf("%d bytes, %q: %v, want %s", len(data), data[max(0, len(data)-5):], err, want)
			}
		}
	}
}

// TestManyRowGroups compares files that were made by different numbers of processors.
func TestManyRowGroups(t *testing.T) {
	var stream []byte
	for i := range 40_000 {
		stream, _ = msgpack.MarshalAppend(stream, person{Name: fmt.Sprint("person ", i), Age: int8(i), Born: time.Unix(int64(i), 5), Tags: []string{"a", "b"}[:i%3%2]})
	}
	var first []byte
	for _, procs := range []int{1, 2, 7} {
		var out bytes.Buffer
		report, err := parquet.Export(&out, bytes.NewReader(stream), &parquet.Options{Format: parquet.MessagePack, Schema: personSchema(t), RowGroup: 64 << 10, Procs: procs})
		if err != nil || report.Rows != 40_000 || report.RowGroups < 20 {
			t.Fatal(report, err)
		}
		if first == nil {
			first = out.Bytes()
		} else if !bytes.Equal(first, out.Bytes()) {
			t.Errorf("%d processors make another file", procs)
		}
	}
	rows, names := readBack(t, first)
	if fmt.Sprint(names) != "[name age rate born tags]" || len(rows) != 40_000 || rows[39_999][0] != "person 39999" {
		t.Error(names, len(rows), rows[39_999])
	}
}

// TestWriterFails requires the error of a writer that fails after each number of bytes.
func TestWriterFails(t *testing.T) {
	stream := bytes.Repeat([]byte("\x81\xa1a\xa3abc"), 200_000)
	var whole bytes.Buffer
	o := &parquet.Options{Format: parquet.MessagePack, RowGroup: 64 << 10, Compression: parquet.Uncompressed}
	if _, err := parquet.Export(&whole, bytes.NewReader(stream), o); err != nil {
		t.Fatal(err)
	}
	for _, limit := range []int{0, 3, whole.Len() / 2, whole.Len() - 1} {
		w := &failing{left: limit}
		if _, err := parquet.Export(w, bytes.NewReader(stream), o); !errors.Is(err, os.ErrClosed) {
			t.Errorf("after %d of %d bytes: %v", limit, whole.Len(), err)
		}
	}
}

// failing is a writer that accepts some bytes.
type failing struct{ left int }

func (f *failing) Write(b []byte) (int, error) {
	if len(b) > f.left {
		return 0, os.ErrClosed
	}
	f.left -= len(b)
	return len(b), nil
}

// schemaOf returns the schema of a type.
func schemaOf[T any](t testing.TB) *schema.Schema {
	s, err := schema.Of[T](nil)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// peakMemory returns the largest heap while f runs, after garbage collections, above that
// before.
func peakMemory(t testing.TB, f func()) (peak uint64) {
	t.Helper()
	live := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	before := live()
	done, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-done:
				return
			default:
				peak = max(peak, live())
			}
		}
	}()
	f()
	close(done)
	<-stopped
	return peak - min(before, peak)
}
