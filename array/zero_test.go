package array

import (
	"errors"
	"testing"

	"github.com/octet-go/octet/internal/disk"
)

// TestZero calls the methods of a zero File and a zero Reader.
func TestZero(t *testing.T) {
	var f File[uint32]
	const text = "zero File; use Open or Create"
	two := make([]uint32, 2)
	for name, call := range map[string]func() error{
		"Append":  func() error { return f.Append(1) },
		"Close":   f.Close,
		"Grow":    func() error { return f.Grow(1) },
		"Guard":   func() error { return f.Guard(func() { t.Error("Guard called work") }) },
		"ReadAt":  func() error { _, err := f.ReadAt(two, 0); return err },
		"Slice":   func() error { _, err := f.Slice(); return err },
		"Sync":    f.Sync,
		"WriteAt": func() error { _, err := f.WriteAt(two, 0); return err },
	} {
		var e *Error
		if err := call(); !errors.As(err, &e) || e.Op == "" || e.Err.Error() != text {
			t.Errorf("%s: %v, want %s", name, err, text)
		}
	}
	for _, call := range []func(){
		func() {
			for range f.All() {
			}
		},
		func() {
			for range f.Chunks(1) {
			}
		},
		func() { f.At(0) }, func() { f.Index(0) }, func() { f.Info() }, func() { f.Len() },
	} {
		wantPanic(t, "array: "+text, call)
	}

	var r Reader[uint32]
	if n, err := r.Read(two); n != 0 || err == nil || err.Error() != "array: read: zero Reader; use NewReader" {
		t.Errorf("Read: %d, %v", n, err)
	}
	wantPanic(t, "array: zero Reader; use NewReader", func() { r.Info() })
}

// TestNoSlice names the reason why a file has no slice. Without an error, a loop over
// the slice sees every element.
func TestNoSlice(t *testing.T) {
	if !disk.CanMap {
		t.Skip("files are not mapped on this system")
	}
	swapped, native := NPY.WithOrder(orderOf(!nativeBig)), NPY.WithOrder(orderOf(nativeBig))
	swappedText := "the file is " + orderName(orderOf(!nativeBig)) + ", the machine is not"
	for name, c := range map[string]struct {
		err  error
		text string
	}{
		"swapped":        {sliceError[uint16](t, swapped, Options{}, 1, 2), swappedText},
		"swapped, empty": {sliceError[uint16](t, swapped, Options{}), swappedText},
		"bool":           {sliceError(t, native, Options{}, true), "a byte of the file may be no Go bool"},
		"not mapped":     {sliceError[byte](t, native, Options{NoMmap: true}, 1), "the file is not mapped"},
		"empty":          {sliceError[uint16](t, native, Options{}), ""},
		"mapped":         {sliceError[uint16](t, native, Options{}, 1, 2), ""},
	} {
		if c.text == "" && c.err == nil {
			continue
		}
		var e *Error
		if !errors.As(c.err, &e) || !errors.Is(c.err, ErrNoSlice) || e.Op != "slice" || e.File == "" || e.Err.Error() != ErrNoSlice.Error()+": "+c.text {
			t.Errorf("%s: %v, want %q", name, c.err, c.text)
		}
	}
}

// sliceError writes a file with elements and returns the error of Slice. A slice without an
// error must have the elements.
func sliceError[T Element](t *testing.T, format Format, o Options, elements ...T) error {
	t.Helper()
	f := opened[T](t, made(t, format, elements...), o)
	s, err := f.Slice()
	if (s == nil) != (err != nil) || err == nil && len(s) != len(elements) {
		t.Errorf("%d elements and the error %v", len(s), err)
	}
	return err
}
