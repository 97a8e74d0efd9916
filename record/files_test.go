package record

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/heaptest"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// few reports whether tests should skip some of many positions: with -short, without OCTET_LONG=1, and
// under the race detector.
func few() bool { return testing.Short() || heaptest.Race || os.Getenv("OCTET_LONG") == "" }

// numbered returns n records that are maps with their number and text of a random
// length.
func numbered(n, first int) []msgpack.Raw {
	r := rand.New(rand.NewPCG(1, uint64(first)))
	list := make([]msgpack.Raw, n)
	for i := range list {
		b := wire.AppendMapHeader(nil, 2)
		b = wire.AppendString(b, "n")
		b = wire.AppendInt(b, int64(first+i))
		b = wire.AppendString(b, "text")
		list[i] = wire.AppendString(b, string(bytes.Repeat([]byte{'x'}, r.IntN(60))))
	}
	return list
}

// writeTo writes the records and closes the file. flush is the number of records
// after which it ends a block, if it is not 0.
func writeTo(t testing.TB, o Options, flush int, records []msgpack.Raw) []byte {
	t.Helper()
	var buf bytes.Buffer
	w, err := NewWriter(&buf, &o)
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range records {
		if err := w.WriteRaw(r); err != nil {
			t.Fatal(err)
		}
		if flush > 0 && i%flush == flush-1 {
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return buf.Bytes()
}

// withoutTables cuts off the index and the seek table.
func withoutTables(t testing.TB, file []byte) []byte {
	t.Helper()
	start, _, ok, err := findIndex(&fileSource{r: bytes.NewReader(file), size: int64(len(file))}, int64(len(file)))
	if !ok || err != nil {
		t.Fatal("the file has no index", err)
	}
	return file[:start:start]
}

// first returns the only element of o, or nil.
func first(o []Options) *Options {
	if len(o) == 0 {
		return nil
	}
	return &o[0]
}

func open(t testing.TB, file []byte, o ...Options) *File {
	t.Helper()
	f, err := NewFile(bytes.NewReader(file), int64(len(file)), first(o))
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// collect returns the values up to the first error.
func collect[T any](seq iter.Seq2[T, error]) (list []T, err error) {
	for v, err := range seq {
		if err != nil {
			return list, err
		}
		list = append(list, v)
	}
	return list, nil
}

// scanAll returns what a Scanner reads.
func scanAll(file []byte, o ...Options) (list []msgpack.Raw, s *Scanner) {
	s = NewScanner(bytes.NewReader(file), first(o))
	for s.Scan() {
		list = append(list, slices.Clone(s.Raw()))
	}
	return list, s
}

func same(a, b []msgpack.Raw) bool { return slices.EqualFunc(a, b, slices.Equal) }

// checkFile reads a file with every function and compares the results with the records.
func checkFile(t *testing.T, file []byte, want []msgpack.Raw, o ...Options) {
	t.Helper()
	f := open(t, file, o...)
	got, err := collect(All[msgpack.Raw](f))
	if err != nil || !same(got, want) {
		t.Fatalf("All: %d records, %v, want %d", len(got), err, len(want))
	}
	if f.Len() != int64(len(want)) {
		t.Fatalf("Len %d, want %d", f.Len(), len(want))
	}
	if got, s := scanAll(file, o...); s.Err() != nil || !same(got, want) {
		t.Fatalf("Scanner: %d records, %v, want %d", len(got), s.Err(), len(want))
	}
	for i := 0; i < len(want); i += 1 + len(want)/50 {
		if got, err := At[msgpack.Raw](f, int64(i)); err != nil || !slices.Equal(got, want[i]) {
			t.Fatalf("At(%d): % x, %v, want % x", i, got, err, want[i])
		}
	}
	for _, i := range []int64{-1, int64(len(want))} {
		if _, err := At[msgpack.Raw](f, i); !errors.Is(err, ErrNotFound) {
			t.Fatalf("At(%d): %v", i, err)
		}
	}
	for _, n := range []int{0, 1, 2, 3, 7, 40, 1000} {
		checkRanges(t, f, f.Split(n), want, fmt.Sprintf("Split(%d)", n))
	}
}

// checkRanges requires that the ranges together have each record once, in order.
func checkRanges(t *testing.T, f *File, ranges []Range, want []msgpack.Raw, name string) {
	t.Helper()
	var all []msgpack.Raw
	for _, r := range ranges {
		got, err := collect(In[msgpack.Raw](f, r))
		if err != nil {
			t.Fatalf("%s, %+v: %v", name, r, err)
		}
		all = append(all, got...)
		blocks := 0
		for b, err := range f.Blocks(r) {
			if err != nil || b.Offset < r.Start || b.Offset >= r.End {
				t.Fatalf("%s, %+v: block %+v, %v", name, r, b, err)
			}
			inBlock, err := collect(InBlock[msgpack.Raw](f, b))
			if err != nil || !same(inBlock, got[min(blocks, len(got)):min(blocks+b.Records, len(got))]) {
				t.Fatalf("%s, %+v: InBlock(%+v) has %d other records, %v", name, r, b, len(inBlock), err)
			}
			blocks += b.Records
		}
		if blocks != len(got) {
			t.Fatalf("%s, %+v: blocks have %d records, In has %d", name, r, blocks, len(got))
		}
	}
	if !same(all, want) {
		t.Fatalf("%s: %d records, want %d", name, len(all), len(want))
	}
}

// copies returns records that contain parts of different lengths of the blocks, headers
// and markers of a file with this marker.
func copies(t *testing.T, m marker) []msgpack.Raw {
	inner := markedFile(t, m, Options{BlockSize: minBlock}, wire.AppendBin(nil, m[:]), wire.AppendString(nil, name))
	var list []msgpack.Raw
	for i := range 60 {
		list = append(list, wire.AppendBin(nil, bytes.Repeat(inner, 1+i%5)[i:]))
	}
	for i := range markerSize {
		list = append(list, wire.AppendBin(nil, m[i:]), wire.AppendBin(nil, append(m[:i:i], m[:]...)), wire.AppendString(nil, name+name[:i%9]))
	}
	big := bytes.Repeat(m[:], 20_000) // more than two raw zstd blocks, divided everywhere
	return append(list, wire.AppendBin(nil, big), wire.AppendBin(nil, bytes.Repeat([]byte(name), 40_000)))
}

func raws(list []msgpack.Raw) [][]byte {
	var bytes [][]byte
	for _, r := range list {
		bytes = append(bytes, r)
	}
	return bytes
}

// fixChecksums corrects the checksum of everything that looks like a header, so that
// the checksums do not reveal a change.
func fixChecksums(b []byte) {
	magic := binary.LittleEndian.AppendUint32(nil, magicRecord)
	for at := 0; ; at++ {
		i := bytes.Index(b[at:], magic)
		if i < 0 {
			return
		}
		at += i
		frame := b[at:]
		if len(frame) < minFileHeader {
			return
		}
		size := int64(binary.LittleEndian.Uint32(frame[4:])) + skippableHeader
		switch {
		case frame[8] == kindBlock && len(frame) >= blockHeaderSize:
			stored := int64(binary.LittleEndian.Uint32(frame[25:]))
			if stored <= int64(len(frame)-blockHeaderSize) {
				binary.LittleEndian.PutUint32(frame[45:], checksum(frame[blockHeaderSize:][:stored]))
			}
			binary.LittleEndian.PutUint32(frame[49:], checksum(frame[:49]))
		case (frame[8] == kindFile || frame[8] == kindIndex) && size > 12 && size <= int64(len(frame)):
			binary.LittleEndian.PutUint32(frame[size-4:], checksum(frame[:size-4]))
		}
	}
}
