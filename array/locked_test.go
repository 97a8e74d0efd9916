package array

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"github.com/octet-go/octet/binary"
)

// TestLocked opens an array that is open. Whoever could change it is refused, so that no element of an Append is lost.
func TestLocked(t *testing.T) {
	switch runtime.GOOS {
	case "linux", "windows", "darwin", "freebsd", "netbsd", "openbsd", "dragonfly":
	default:
		t.Skip("this system has no locks")
	}
	for _, format := range formats() {
		path := filepath.Join(t.TempDir(), "a")
		first, err := Create[uint64](path, 0, format)
		if err != nil {
			t.Fatal(err)
		}
		refused := func() {
			t.Helper()
			second, err := Open[uint64](path, &Options{Format: format})
			if !errors.Is(err, ErrLocked) {
				t.Errorf("%v: a second File: %v", format, err)
				second.Close()
			}
			if _, err := Create[uint64](path, 0, format); !errors.Is(err, fs.ErrExist) {
				t.Errorf("%v: Create: %v", format, err)
			}
			reader, err := Open[uint64](path, &Options{Format: format, ReadOnly: true})
			if err != nil || reader.Len() != first.Len() {
				t.Fatalf("%v: a reader: %v", format, err)
			}
			reader.Close()
		}
		refused()
		if err := errors.Join(first.Append(1, 2), first.Close()); err != nil {
			t.Fatal(err)
		}
		if first, err = Open[uint64](path, &Options{Format: format}); err != nil {
			t.Fatalf("%v: after Close: %v", format, err)
		}
		refused()
		if err := errors.Join(first.Append(3), first.Close()); err != nil {
			t.Fatal(err)
		}
		last := opened[uint64](t, path, Options{Format: format, ReadOnly: true})
		got := make([]uint64, last.Len())
		if _, err := last.ReadAt(got, 0); err != nil || !slices.Equal(got, []uint64{1, 2, 3}) {
			t.Errorf("%v: %v, %v", format, got, err)
		}
	}
}

// TestOtherNote opens raw files that end like a file whose Append was interrupted, but have another note: that of
// another place, or of another length. All of their bytes are elements.
func TestOtherNote(t *testing.T) {
	whole := func(size, at int64) []byte {
		b := note(size, at)
		return append(bytes.Repeat([]byte("element."), page/8), b...)
	}
	changed := whole(100, page)
	changed[page+33] ^= 1
	for name, file := range map[string][]byte{
		"of a file inside another": append(bytes.Repeat([]byte("element."), page/8), whole(100, page)...),
		"with another length":      changed,
		"with a larger length":     whole(2*page, page),
	} {
		for _, o := range []Options{{}, {ReadOnly: true}} {
			path := filepath.Join(t.TempDir(), "a")
			if err := os.WriteFile(path, file, 0o666); err != nil {
				t.Fatal(err)
			}
			o.Format = Raw(binary.LittleEndian)
			f := opened[byte](t, path, o)
			if f.Len() != len(file) {
				t.Errorf("a note %s: %d elements of %d", name, f.Len(), len(file))
			}
			if err := f.Close(); err != nil {
				t.Fatal(err)
			}
			if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, file) {
				t.Errorf("a note %s: %d bytes are left of %d, %v", name, len(now), len(file), err)
			}
		}
	}
	path := filepath.Join(t.TempDir(), "a")
	if err := os.WriteFile(path, whole(100, page), 0o666); err != nil {
		t.Fatal(err)
	}
	if f := opened[byte](t, path, Options{Format: Raw(binary.LittleEndian)}); f.Len() != 100 {
		t.Errorf("our note: %d elements, want 100", f.Len())
	}
}
