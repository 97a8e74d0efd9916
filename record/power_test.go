package record

import (
	"errors"
	"path/filepath"
	"testing"

	"github.com/octet-go/octet/internal/faulty"
)

// TestPowerLoss cuts the power of a disk after Create, Append and Sync.
func TestPowerLoss(t *testing.T) {
	faulty.TestDisks(t, func(t *testing.T, disk *faulty.Disk) {
		path := filepath.Join(disk.Dir, "a.rec")
		check := func(want int) {
			t.Helper()
			f, err := Open(filepath.Join(disk.Cut(t), "a.rec"), nil)
			if err != nil {
				t.Fatal(err)
			}
			n := 0
			for v, err := range All[int](f) {
				if err != nil || v != n {
					t.Fatalf("record %d is %d, %v", n, v, err)
				}
				n++
			}
			if err := f.Close(); err != nil || n != want {
				t.Errorf("after a power loss, %d records, %v, want %d", n, err, want)
			}
		}
		w, err := Create(path, nil)
		if err != nil {
			t.Fatal(err)
		}
		check(0)
		for _, n := range []int{1, 10_000} {
			for i := range n {
				if err := w.Write(int(w.Len())); err != nil {
					t.Fatal(i, err)
				}
			}
			if err := w.Sync(); err != nil {
				t.Fatal(err)
			}
			check(int(w.Len()))
		}
		n := int(w.Len()) + 1
		if err := errors.Join(w.Write(n-1), w.Close()); err != nil {
			t.Fatal(err)
		}
		if w, err = Append(path, nil); err != nil {
			t.Fatal(err)
		}
		check(n)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	})
}
