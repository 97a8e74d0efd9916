package array

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/binary"
)

// TestTooLarge has counts, shapes and headers that no file can have.
func TestTooLarge(t *testing.T) {
	f := opened[uint64](t, made(t, NPY.WithShape(1, 3), []uint64{1, 2, 3}...))
	raw := opened[uint64](t, made(t, Raw(binary.LittleEndian), []uint64{1, 2, 3}...), Options{Format: Raw(binary.LittleEndian)})
	counts := map[string]error{"rows": f.Grow(math.MaxInt / 3 * 3), "elements": raw.Grow(math.MaxInt)}
	if math.MaxInt > math.MaxInt32 {
		counts["bytes"] = raw.Grow(math.MaxInt / 4)
	}
	for name, err := range counts {
		if !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "more elements are too many") {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := f.Grow(4); !errors.Is(err, ErrShape) {
		t.Errorf("part of a row: %v", err)
	}
	if f.Len() != 3 || raw.Len() != 3 {
		t.Errorf("lengths %d and %d", f.Len(), raw.Len())
	}

	ones := slices.Repeat([]int{1}, maxDimensions+1)
	if err := Write(io.Discard, []uint64{1}, NPY.WithShape(ones...)); !errors.Is(err, ErrLimit) || !strings.Contains(err.Error(), "65 dimensions, more than 64") {
		t.Errorf("dimensions: %v", err)
	}
	if err := Write(io.Discard, []uint64{1}, NPY.WithShape(ones[1:]...)); err != nil {
		t.Errorf("as many dimensions as possible: %v", err)
	}
	if err := Write(io.Discard, []uint64{1}, NPY.WithShape(-1, -1)); !errors.Is(err, ErrShape) {
		t.Errorf("negative dimensions: %v", err)
	}
	if _, err := Open[uint64](f.s.path, &Options{Format: NPY.WithOrder(bigger{binary.BigEndian}), ReadOnly: true}); !errors.Is(err, ErrOptions) {
		t.Errorf("custom order: %v", err)
	}
}

// TestShapeAcrossPages has a long description before the shape, so that a new length would change two pages.
func TestShapeAcrossPages(t *testing.T) {
	header := v1("{'descr': '<u2', 'fortran_order': False, " + strings.Repeat(" ", page-10-len("{'descr': '<u2', 'fortran_order': False, 'shape': (9")) + "'shape': (99,), }" + strings.Repeat(" ", 40))
	if at := strings.Index(header, "99"); at != page-1 {
		t.Fatalf("the shape is at %d", at)
	}
	path := filepath.Join(t.TempDir(), "a")
	file := header + strings.Repeat("\x01\x00", 99)
	if err := os.WriteFile(path, []byte(file), 0o666); err != nil {
		t.Fatal(err)
	}
	for way, options := range access {
		f := opened[uint16](t, path, options)
		for name, err := range map[string]error{"Append": f.Append(1), "Grow": f.Grow(1)} {
			if !errors.Is(err, ErrHeaderFull) || f.Len() != 99 {
				t.Errorf("%s, %s: %v, length %d", way, name, err, f.Len())
			}
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
		if b, err := os.ReadFile(path); err != nil || string(b) != file {
			t.Errorf("%s: the file changed", way)
		}
	}
}

// TestClosedSystemFile closes the os.File of an open array.
func TestClosedSystemFile(t *testing.T) {
	for _, format := range formats() {
		f, err := Open[uint32](made(t, format, make([]uint32, 100)...), &Options{Format: format, NoMmap: true})
		if err != nil {
			t.Fatal(err)
		}
		if err := f.s.f.Close(); err != nil {
			t.Fatal(err)
		}
		dst := make([]uint32, 10)
		_, read := f.ReadAt(dst, 0)
		_, write := f.WriteAt(dst, 0)
		for name, err := range map[string]error{
			"ReadAt": read, "WriteAt": write, "Append": f.Append(1), "long Append": f.Append(make([]uint32, 10_000)...), "Grow": f.Grow(3),
			"Sync": f.Sync(), "Close": f.Close(),
		} {
			var e *Error
			if !errors.As(err, &e) || !errors.Is(err, os.ErrClosed) {
				t.Errorf("%v, %s: %v", format, name, err)
			}
		}
		if f.Len() != 100 {
			t.Errorf("%v: length %d", format, f.Len())
		}
		if f, err = Open[uint32](f.s.path, &Options{Format: format, NoMmap: true}); err != nil {
			t.Fatal(err)
		}
		if err := f.s.f.Close(); err != nil {
			t.Fatal(err)
		}
		func() {
			defer func() {
				if err, ok := recover().(error); !ok || !errors.Is(err, os.ErrClosed) {
					t.Errorf("%v: At panicked with %v", format, err)
				}
			}()
			f.At(7)
		}()
	}
}

// TestWriteZeros adds zeros as on a file system that cannot reserve blocks.
func TestWriteZeros(t *testing.T) {
	f := opened[byte](t, made[byte](t, Raw(binary.LittleEndian), 1, 2, 3), Options{Format: Raw(binary.LittleEndian)})
	const end = writePiece + 100
	if err := f.s.writeZeros(3, end); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(f.s.path)
	if want := append([]byte{1, 2, 3}, make([]byte, end-3)...); err != nil || !bytes.Equal(b, want) {
		t.Errorf("%d bytes, %v, want %d", len(b), err, len(want))
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
	if err := f.s.writeZeros(3, end); !errors.Is(err, os.ErrClosed) {
		t.Errorf("after Close: %v", err)
	}
}

// TestEntriesNPZ reads entries that have more or less than an array, and writes some that cannot be written.
func TestEntriesNPZ(t *testing.T) {
	var array, b bytes.Buffer
	if err := Write(&array, []int64{1, -2}, NPY); err != nil {
		t.Fatal(err)
	}
	w := zip.NewWriter(&b)
	for name, content := range map[string]string{
		"more": array.String() + "x", "two": array.String() + array.String(), "less": array.String()[:array.Len()-1], "none": "", "text": "text",
	} {
		e, err := w.Create(name + ".npy")
		if err == nil {
			_, err = io.WriteString(e, content)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]struct {
		reason error
		text   string
	}{
		"more": {ErrTrailing, "trailing data after the array"}, "two": {ErrTrailing, "trailing data after the array"},
		"less": {ErrTruncated, ""}, "none": {ErrTruncated, "the entry is empty"}, "text": {ErrFormat, ""},
	} {
		_, _, err := ReadNPZ[int64](z, name)
		var e *Error
		if !errors.As(err, &e) || e.File != name || !errors.Is(err, want.reason) || errors.Is(err, io.EOF) || !strings.Contains(err.Error(), want.text) {
			t.Errorf("%s: %v, want %v", name, err, want.reason)
		}
		if _, err := StatNPZ(z, name); errors.Is(err, io.EOF) {
			t.Errorf("%s: StatNPZ: %v", name, err)
		}
	}
	w = zip.NewWriter(io.Discard)
	if err := WriteNPZ(w, "x", []int64{1, 2}, NPY.WithShape(3)); !errors.Is(err, ErrShape) {
		t.Errorf("wrong shape: %v", err)
	}
	if err := WriteNPZ(w, strings.Repeat("x", 1<<16), []int64{1}, NPY); err == nil {
		t.Error("a name that is too long was written")
	}
}
