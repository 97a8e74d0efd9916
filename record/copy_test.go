package record

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// TestCopy joins files of every kind. The result has one header and one index.
func TestCopy(t *testing.T) {
	o := Options{BlockSize: minBlock}
	a, b := numbered(300, 0), numbered(100, 500)
	m := newMarker()
	hostile := copies(t, m)
	inputs := [][]byte{
		writeTo(t, o, 0, a), withoutTables(t, writeTo(t, o, 0, b)), writeTo(t, o, 0, nil),
		slices.Concat(writeTo(t, o, 0, a), writeTo(t, o, 0, b)), markedFile(t, m, o, raws(hostile)...),
	}
	var buf bytes.Buffer
	w, err := NewWriter(&buf, &o)
	if err != nil {
		t.Fatal(err)
	}
	want := []msgpack.Raw{{7}}
	w.Write(7) // ends up in a block of its own
	for _, in := range inputs {
		f := open(t, in)
		n, err := w.Copy(f, f.Range())
		if err != nil || n != f.Len() {
			t.Fatalf("%d of %d records, %v", n, f.Len(), err)
		}
	}
	want = slices.Concat(want, a, b, a, b, hostile)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	checkFile(t, buf.Bytes(), want)
	if r, err := open(t, buf.Bytes()).Report(); err != nil || r.Parts != 1 || !r.Indexed {
		t.Errorf("%+v, %v", r, err)
	}

	damaged := bytes.Clone(inputs[0])
	damaged[len(damaged)/2] ^= 1
	if w, err = NewWriter(&buf, &o); err != nil {
		t.Fatal(err)
	}
	f := open(t, damaged)
	if n, err := w.Copy(f, f.Range()); !errors.Is(err, ErrCorrupt) || n == 0 || n != w.Len() {
		t.Errorf("%d records, %v", n, err)
	}
	// A frame that has the marker of the destination is made anew.
	w.out.find = newFinder(marker([]byte("xxxxxxxxxxxxxxxx")))
	if _, err := w.Copy(open(t, inputs[0]), Range{0, 2000, 0}); err != nil {
		t.Error(err)
	}
	if err := w.Close(); err != nil {
		t.Error(err)
	}
}

// TestCopyNames fails to read and to write. Only the error about the other file has its name.
func TestCopyNames(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	if err := os.WriteFile(path, writeTo(t, Options{BlockSize: minBlock}, 0, numbered(10_000, 0)), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	w, err := NewWriter(&fullWriter{room: 20_000}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, failed := w.Copy(f, f.Range())
	if closed := w.Close(); failed == nil || failed != closed {
		t.Errorf("Copy: %v, Close: %v", failed, closed)
	}
	if w, err = NewWriter(io.Discard, nil); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	if _, err := w.Copy(f, f.Range()); !errors.Is(err, ErrClosed) || strings.Contains(err.Error(), path) {
		t.Errorf("a closed Writer: %v", err)
	}
	if w, err = NewWriter(io.Discard, &Options{MaxBlock: minBlock}); err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if _, err := w.Copy(f, f.Range()); !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), path) {
		t.Errorf("a block that is too large: %v", err)
	}
}

// TestRecover damages one block after the other.
func TestRecover(t *testing.T) {
	t.Parallel()
	records := numbered(40, 0)
	o := Options{Metadata: map[string]any{"k": "v"}}
	file := writeTo(t, o, 4, records)
	f := open(t, file)
	blocks, err := collect(f.Blocks(f.Range()))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	try := func(name string, damaged []byte, want []msgpack.Raw, places int64) {
		t.Helper()
		if err := os.WriteFile(path, damaged, 0o666); err != nil {
			t.Fatal(err)
		}
		os.Remove(path + ".copy")
		r, err := Recover(path, path+".copy", nil)
		if err != nil || r.Damaged != places || r.Records != int64(len(want)) || int64(len(want))+r.Lost > int64(len(records)) {
			t.Fatalf("%s: %+v, %v, want %d records", name, r, err, len(want))
		}
		copied, err := Open(path+".copy", nil)
		if err != nil {
			t.Fatal(err)
		}
		defer copied.Close()
		got, err := collect(All[msgpack.Raw](copied))
		if err != nil || !same(got, want) {
			t.Fatalf("%s: the copy has %d records, %v", name, len(got), err)
		}
		if only, err := Recover(path, "", nil); err != nil || only.Records != r.Records || only.Lost != r.Lost {
			t.Fatalf("%s: without a copy: %+v, %v", name, only, err)
		}
	}
	try("whole", file, records, 0)
	try("torn", withoutTables(t, file)[:blocks[9].Offset+70], records[:36], 0)
	for i, b := range blocks {
		rest := slices.Concat(records[:b.Ordinal], records[b.Ordinal+int64(b.Records):])
		for _, at := range []int64{0, 8, 20, 30, 50, 60, 80, int64(b.Stored) + 50} {
			damaged := bytes.Clone(file)
			damaged[b.Offset+at] ^= 0x40
			try("changed byte", damaged, rest, 1)
			clear(damaged[b.Offset+at : b.end()])
			try("zeros", damaged, rest, 1)
		}
		if i > 0 {
			try("missing block", slices.Delete(bytes.Clone(file), int(b.Offset), int(b.end())), rest, min(1, int64(len(blocks)-1-i)))
		}
	}
	for _, at := range []int{0, 5, 10, 25, 40} { // the file header
		damaged := bytes.Clone(file)
		damaged[at] ^= 0x40
		try("file header", damaged, records, 1)
	}
	try("overwritten start", append([]byte("something else"), file[blocks[2].Offset:]...), records[8:], 1)
	try("text", []byte("this is another file, and a rather long text for one"), nil, 1)

	if _, err := Recover(path, path, nil); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if _, err := Recover(filepath.Join(dir, "missing"), "", nil); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}

// TestRecoverHostile bounds the time for a file whose many headers all claim the
// rest of the file.
func TestRecoverHostile(t *testing.T) {
	m := newMarker()
	file := markedFile(t, m, Options{}, []byte{1})
	const n = 20_000
	for i := range int64(n) {
		b := make([]byte, blockHeaderSize)
		h := blockHeader{stored: uint32((n - i - 1) * blockHeaderSize), raw: 1 << 20, records: 1, ordinal: 1 + i, crc: 1}
		h.stored = max(h.stored, minFrame)
		h.put(b, &m)
		file = append(file, b...)
	}
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	r, err := Recover(path, "", nil)
	if err != nil || r.Records != 1 || r.Damaged != 1 {
		t.Errorf("%+v, %v", r, err)
	}
}

// TestWriteSlice compares with Write, in one file and in blocks.
func TestWriteSlice(t *testing.T) {
	var values []map[string]int
	for i := range 2000 {
		values = append(values, map[string]int{"value": i})
	}
	var a, b bytes.Buffer
	one, err := NewWriter(&a, &Options{BlockSize: minBlock})
	if err != nil {
		t.Fatal(err)
	}
	many, err := NewWriter(&b, &Options{BlockSize: minBlock})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range values {
		if err := one.Write(v); err != nil {
			t.Fatal(err)
		}
	}
	if err := WriteSlice(many, values); err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(one.Close(), many.Close()); err != nil {
		t.Fatal(err)
	}
	want, err := collect(All[msgpack.Raw](open(t, a.Bytes())))
	if err != nil {
		t.Fatal(err)
	}
	if a.Len() != b.Len() {
		t.Errorf("%d and %d bytes", a.Len(), b.Len())
	}
	checkFile(t, b.Bytes(), want)
	if err := WriteSlice(many, []chan int{nil}); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Error(err)
	}
}
