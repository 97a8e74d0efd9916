package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// frameEnds returns the offsets at which a frame of the file ends, and for each the
// number of records before it.
func frameEnds(t *testing.T, file []byte) (ends []int, records []int) {
	t.Helper()
	n := 0
	f := open(t, file)
	ends, records = []int{0, f.header.size}, []int{0, 0}
	for b, err := range f.Blocks(f.Range()) {
		if err != nil {
			t.Fatal(err)
		}
		n += b.Records
		ends, records = append(ends, int(b.end())), append(records, n)
	}
	start, length, ok, err := findIndex(&fileSource{r: bytes.NewReader(file), size: int64(len(file))}, int64(len(file)))
	if err != nil || !ok {
		t.Fatal("no index", err)
	}
	return append(ends, int(start+length), len(file)), append(records, n, n)
}

// TestCuts cuts a file of 40 blocks at every position: the records of all whole blocks
// before the cut are there, and no others, without an error.
func TestCuts(t *testing.T) {
	t.Parallel()
	// Three blocks are full, and the others have two short records, so that the file has few positions. Each position
	// is another file to read.
	var buf bytes.Buffer
	w, err := NewWriter(&buf, &Options{BlockSize: minBlock})
	if err != nil {
		t.Fatal(err)
	}
	var records []msgpack.Raw
	add := func(r msgpack.Raw) {
		records = append(records, r)
		if err := w.WriteRaw(r); err != nil {
			t.Fatal(err)
		}
	}
	for i := range 40 {
		if i == 5 || i == 20 || i == 39 {
			for _, r := range numbered(3, i) {
				add(wire.AppendBin(nil, bytes.Repeat(r, 8)))
			}
		} else {
			add(wire.AppendInt(nil, int64(1000*i)))
			add(wire.AppendString(nil, "ab"))
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	file := buf.Bytes()
	ends, counts := frameEnds(t, file)
	if len(ends) != 40+4 {
		t.Fatalf("the file has %d frames", len(ends))
	}
	step := 1
	if few() {
		step = 61
	}
	dir := t.TempDir()
	for cut := 0; cut <= len(file); cut += step {
		i, exact := slices.BinarySearch(ends, cut)
		if !exact {
			i--
		}
		f := open(t, file[:cut])
		equal := 0 // records are compared as they come, because collecting them takes most of the time
		for got, err := range All[msgpack.Raw](f) {
			if err != nil || equal >= counts[i] || !bytes.Equal(got, records[equal]) {
				t.Fatalf("cut at %d: wrong record %d of %d, %v", cut, equal, counts[i], err)
			}
			equal++
		}
		if equal != counts[i] {
			t.Fatalf("cut at %d: %d records, want %d", cut, equal, counts[i])
		}
		report, err := f.Report()
		if err != nil || report.Torn != int64(cut-ends[i]) || report.Records != int64(counts[i]) {
			t.Fatalf("cut at %d: report %+v, %v, want %d torn", cut, report, err, cut-ends[i])
		}
		s := NewScanner(bytes.NewReader(file[:cut]), nil)
		for equal = 0; s.Scan(); equal++ {
			if equal >= counts[i] || !bytes.Equal(s.Raw(), records[equal]) {
				t.Fatalf("cut at %d: Scanner has a wrong record %d of %d", cut, equal, counts[i])
			}
		}
		if s.Err() != nil || equal != counts[i] || s.Report().Torn != report.Torn {
			t.Fatalf("cut at %d: Scanner has %d records, %v, %+v, want %d", cut, equal, s.Err(), s.Report(), counts[i])
		}
		if cut%197 == 0 || exact {
			checkAppend(t, filepath.Join(dir, "cut"), file[:cut], records[:counts[i]])
		}
	}
}

// checkAppend appends to a torn file, twice, and reads it.
func checkAppend(t *testing.T, path string, file []byte, want []msgpack.Raw) {
	t.Helper()
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		w, err := Append(path, &Options{BlockSize: minBlock})
		if err != nil {
			t.Fatalf("append to %d bytes: %v", len(file), err)
		}
		if w.Len() != int64(len(want)) {
			t.Fatalf("append to %d bytes: Len %d, want %d", len(file), w.Len(), len(want))
		}
		more := numbered(30, 10_000*(i+1))
		for _, r := range more {
			if err := w.WriteRaw(r); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		want = slices.Concat(want, more)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	checkFile(t, whole, want)
	if report, err := open(t, whole).Report(); err != nil || !report.Indexed || report.Torn > 0 {
		t.Fatalf("after append: %+v, %v", report, err)
	}
}

// TestZeros checks files that end with zeros, as some file systems leave them, and with zeros before something else.
func TestZeros(t *testing.T) {
	records := numbered(100, 0)
	file := withoutTables(t, writeTo(t, Options{}, 10, records))
	for _, n := range []int{1, 8, 53, 54, 4096, 200_000} {
		padded := append(bytes.Clone(file), make([]byte, n)...)
		checkFile(t, padded, records)
		if report, err := open(t, padded).Report(); err != nil || report.Torn != int64(n) {
			t.Fatalf("%d zeros: %+v, %v", n, report, err)
		}
		padded[len(padded)-1] = 1
		if report, err := open(t, padded).Report(); err != nil || report.Torn != int64(n) || report.Records != 100 {
			t.Fatalf("%d zeros and a one: %+v, %v", n, report, err)
		}
	}
	if f := open(t, make([]byte, 1000)); f.Len() != 0 {
		t.Fatal("a file of zeros has records")
	}
}

// TestChanges changes every byte of small files to every other value, or every bit. Either all records
// are read, or a prefix of them and ErrCorrupt.
func TestChanges(t *testing.T) {
	// Short records, because a file is read for each value of each byte.
	short := func(n, number int) (list []msgpack.Raw) {
		for i := range n {
			list = append(list, wire.AppendString(wire.AppendInt([]byte{0x92}, int64(number+i)), "ab"[:i%3]))
		}
		return list
	}
	a, b := short(9, 0), short(5, 1000)
	path := filepath.Join(t.TempDir(), "a")
	first := writeTo(t, Options{}, 3, a)
	if err := os.WriteFile(path, first, 0o666); err != nil {
		t.Fatal(err)
	}
	w, err := Append(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range b {
		w.WriteRaw(r)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	appended, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	all := slices.Concat(a, b)
	for _, c := range []struct {
		name string
		bits bool // only changes of single bits
		file []byte
		want []msgpack.Raw
	}{
		{"closed", false, first, a},
		{"appended", true, appended, all},
		{"appended, without tables", true, withoutTables(t, appended), all}, // more bits at the end look like a tear
		{"joined", true, slices.Concat(first, writeTo(t, Options{}, 0, b)), all},
		{"joined, torn", true, slices.Concat(first, withoutTables(t, writeTo(t, Options{}, 0, b)), make([]byte, 20)), all},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := open(t, c.file)
			if got, err := collect(All[msgpack.Raw](f)); err != nil || !same(got, c.want) {
				t.Fatal(len(got), err)
			}
			changed := bytes.Clone(c.file)
			for i := range changed {
				for delta := 1; delta < 256; delta++ {
					if (c.bits || few()) && delta&(delta-1) != 0 {
						continue
					}
					changed[i] = c.file[i] ^ byte(delta)
					checkChanged(t, changed, c.want, i, delta)
				}
				changed[i] = c.file[i]
			}
		})
	}
}

func checkChanged(t *testing.T, changed []byte, want []msgpack.Raw, i, delta int) {
	t.Helper()
	var got []msgpack.Raw
	f, err := NewFile(bytes.NewReader(changed), int64(len(changed)), nil)
	if err == nil {
		got, err = collect(All[msgpack.Raw](f))
	}
	if len(got) > len(want) || !same(got, want[:len(got)]) {
		t.Fatalf("byte %d ^ %#x: wrong records", i, delta)
	}
	if err == nil && len(got) < len(want) || err != nil && !errors.Is(err, ErrCorrupt) {
		t.Fatalf("byte %d ^ %#x: %d of %d records, error %v", i, delta, len(got), len(want), err)
	}
	if delta&(delta-1) != 0 {
		return
	}
	scanned, s := scanAll(changed)
	if !same(scanned, got) || (s.Err() == nil) != (err == nil) {
		t.Fatalf("byte %d ^ %#x: Scanner has %d records, %v, All %d, %v", i, delta, len(scanned), s.Err(), len(got), err)
	}
}
