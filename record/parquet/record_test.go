package parquet_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/record"
	"github.com/octet-go/octet/record/parquet"
	"github.com/octet-go/octet/record/zstd"
)

// people returns a record file.
func people(t testing.TB, n int, o *record.Options) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := record.NewWriter(&b, o)
	if err != nil {
		t.Fatal(err)
	}
	for i := range n {
		if err := w.Write(&person{Name: fmt.Sprint("person ", i), Age: int8(i), Born: time.Unix(int64(i), 0), Tags: []string{"x"}}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestRecordFile requires the columns of the schema in the file, and those of the records
// if there is none or if it is not wanted.
func TestRecordFile(t *testing.T) {
	codec, err := zstd.New(zstd.Default)
	if err != nil {
		t.Fatal(err)
	}
	with := people(t, 1000, &record.Options{Schema: personSchema(t), Compressor: codec})
	without := people(t, 1000, nil)
	for name, c := range map[string]struct {
		file []byte
		o    parquet.Options
		bits int // of age
	}{
		"schema":    {with, parquet.Options{Decompressor: codec}, 8},
		"inferred":  {with, parquet.Options{Decompressor: codec, Infer: true}, 64},
		"no schema": {without, parquet.Options{}, 64},
		"joined":    {append(bytes.Clone(with), with...), parquet.Options{Decompressor: codec}, 8},
	} {
		var out bytes.Buffer
		report, err := parquet.Export(&out, bytes.NewReader(c.file), &c.o)
		if err != nil || len(report.Lost) > 0 || report.Schema.Root.Type.Fields[1].Type.Bits != c.bits {
			t.Fatal(name, report, err)
		}
		rows, _ := readBack(t, out.Bytes())
		if last := rows[len(rows)-1]; len(rows)%1000 != 0 || last[0] != "person 999" || !last[3].(time.Time).Equal(time.Unix(999, 0)) {
			t.Error(name, len(rows), last)
		}
	}
	empty := people(t, 0, &record.Options{Schema: personSchema(t)})
	for name, file := range map[string][]byte{"no records": empty, "joined": append(bytes.Clone(empty), empty...), "torn": with[:len(with)/2]} {
		var out bytes.Buffer
		report, err := parquet.Export(&out, bytes.NewReader(file), &parquet.Options{Decompressor: codec})
		if err != nil || report.Rows != 0 {
			t.Fatal(name, report, err)
		}
		if _, names := readBack(t, out.Bytes()); !slices.Equal(names, []string{"name", "age", "rate", "born", "tags"}) {
			t.Errorf("%s: columns %q", name, names)
		}
	}
	if _, err := parquet.Export(io.Discard, bytes.NewReader(with), nil); !errors.Is(err, record.ErrCompressed) {
		t.Error("without a Decompressor:", err)
	}
	if _, err := parquet.Export(io.Discard, io.LimitReader(bytes.NewReader(without), 1<<40), nil); !errors.Is(err, parquet.ErrSeek) {
		t.Error("without Seek:", err)
	}
	if _, err := parquet.Export(io.Discard, strings.NewReader("no record file"), nil); !errors.Is(err, record.ErrFormat) {
		t.Error("another file:", err)
	}
}

// TestTornAndDamaged: the end that a crash leaves is normal and reported, and damage is an
// error.
func TestTornAndDamaged(t *testing.T) {
	file := people(t, 10_000, &record.Options{Schema: personSchema(t), BlockSize: 1 << 10})
	torn := file[:len(file)/2]
	report, err := parquet.Export(io.Discard, bytes.NewReader(torn), nil)
	if err != nil || report.Torn == 0 || report.Rows == 0 {
		t.Error("torn:", report, err)
	}
	damaged := bytes.Clone(file)
	damaged[len(file)/2] ^= 1
	if _, err := parquet.Export(io.Discard, bytes.NewReader(damaged), nil); !errors.Is(err, record.ErrCorrupt) {
		t.Error("damaged:", err)
	}
}

// TestMemory exports streams of 8 and 32 MiB with small row groups, and requires that
// the longer one takes as little memory.
func TestMemory(t *testing.T) {
	one, err := msgpack.Marshal(person{Name: strings.Repeat("x", 900), Tags: []string{"a"}})
	if err != nil {
		t.Fatal(err)
	}
	o := &parquet.Options{Format: parquet.MessagePack, RowGroup: 1 << 20, Procs: 2, Schema: personSchema(t)}
	for _, size := range []int{8 << 20, 32 << 20} {
		r := &repeated{one: one, left: size / len(one)}
		peak := peakMemory(t, func() {
			if report, err := parquet.Export(io.Discard, r, o); err != nil || report.Rows != int64(size/len(one)) {
				t.Error(report, err)
			}
		})
		if peak > 48<<20 {
			t.Errorf("%d bytes of memory for a stream of %d", peak, size)
		}
	}
}

// TestHostileRecord exports a record that would fill many more values of columns than it
// has bytes.
func TestHostileRecord(t *testing.T) {
	type wide struct {
		A []struct {
			A, B, C, D, E, F, G, H, I, J, K, L, M, N, O, P, Q, R, S, T, U, V, W, X, Y, Z string
		}
	}
	s := schemaOf[wide](t)
	before := "\x80\x81\xa1A\x90"
	stream := append([]byte(before+"\x81\xa1A\xdd\x00\x80\x00\x00"), bytes.Repeat([]byte{0x80}, 8<<20)...)
	peak := heaptest.Allocated(func() {
		_, err := parquet.Export(io.Discard, bytes.NewReader(stream), &parquet.Options{Format: parquet.MessagePack, Schema: s, Procs: 1})
		e, ok := errors.AsType[*parquet.Error](err)
		if !ok || !errors.Is(err, parquet.ErrLimit) || e.Record != 2 || e.Offset != int64(len(before)) {
			t.Error(err)
		}
	})
	if peak > 800<<20 {
		t.Errorf("%d bytes allocated", peak)
	}
}

// repeated is a stream of one record many times.
type repeated struct {
	one  []byte
	rest []byte
	left int
}

func (r *repeated) Read(b []byte) (n int, err error) {
	for n < len(b) {
		if len(r.rest) == 0 {
			if r.left == 0 {
				return n, io.EOF
			}
			r.left--
			r.rest = r.one
		}
		c := copy(b[n:], r.rest)
		n, r.rest = n+c, r.rest[c:]
	}
	return n, nil
}
