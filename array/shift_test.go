package array_test

import (
	"path/filepath"
	"slices"
	"testing"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/binary"
)

// TestShift writes elements of the slice of a file to another index, and reads elements into another part of the slice,
// where both overlap. The result must be that of copy, also for a slice from before the file has grown.
func TestShift(t *testing.T) {
	for _, format := range []array.Format{array.NPY, array.Raw(binary.NativeEndian)} {
		f, err := array.Create[uint64](filepath.Join(t.TempDir(), "shift"), 1<<15, format)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		s, err := f.Slice()
		if err != nil {
			t.Skip("files are not mapped on this system")
		}
		if err := f.Grow(1 << 15); err != nil { // which maps the file again
			t.Fatal(err)
		}
		all, err := f.Slice()
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range []int{1, 2, 1000, 1<<13 - 1, 1 << 13, 1<<13 + 1, 20_000} { // 1<<13 elements are one piece
			for _, shift := range []int{-1 << 13, -1000, -1, 0, 1, 3, 1000, 1 << 13} {
				from := max(-shift, 0)
				for _, call := range []struct {
					name string
					do   func() (int, error)
				}{
					{"WriteAt", func() (int, error) { return f.WriteAt(s[from:from+n], from+shift) }},
					{"ReadAt", func() (int, error) { return f.ReadAt(s[from+shift:][:n], from) }},
				} {
					for i := range all {
						all[i] = uint64(i)
					}
					want := slices.Clone(all)
					copy(want[from+shift:], want[from:from+n])
					if done, err := call.do(); done != n || err != nil || !slices.Equal(all, want) {
						t.Errorf("%v: %s of %d elements from %d to %d differs from copy: %d, %v", format, call.name, n, from, from+shift, done, err)
					}
				}
			}
		}
	}
}
