//go:build linux

package array

import (
	"math/rand/v2"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/octet-go/octet/internal/faulty"
)

// TestPowerLoss cuts the power of a disk at random points of Append, Grow and Sync.
// Afterwards the file opens, and has all elements of the calls before the last
// Sync.
func TestPowerLoss(t *testing.T) {
	for kind := range killKinds {
		if testing.Short() && kind != "npy" && kind != "raw" {
			continue
		}
		t.Run(kind, func(t *testing.T) {
			faulty.TestDisks(t, func(t *testing.T, disk *faulty.Disk) { losePower(t, disk, kind) })
		})
	}
}

func losePower(t *testing.T, disk *faulty.Disk, kind string) {
	k := killKinds[kind]
	k.options.Format = k.format
	path := filepath.Join(disk.Dir, "a")
	f, err := Create[uint64](path, 0, k.format)
	if err != nil {
		t.Fatal(err)
	}
	add := func(n int) {
		t.Helper()
		values := make([]uint64, n)
		for i := range values {
			values[i] = elementAt(f.Len() + i)
		}
		if err := f.Append(values...); err != nil {
			t.Fatal(err)
		}
	}
	add(1000)
	if err := f.Close(); err != nil { // without Sync
		t.Fatal(err)
	}
	if f, err = Open[uint64](path, &k.options); err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	add(10)
	r := rand.New(rand.NewPCG(1, 9))
	for range 6 {
		if view, _ := f.Slice(); view != nil {
			view[0]++
		} else if _, err := f.WriteAt([]uint64{f.At(0) + 1}, 0); err != nil {
			t.Fatal(err)
		}
		first := f.At(0)
		if err := f.Sync(); err != nil {
			t.Fatal(err)
		}
		synced, appended := f.Len(), f.Len()
		checkPower(t, disk, k.options, synced, appended, first)
		for range r.IntN(4) {
			add(1 + r.IntN([]int{3, 2000, 30_000}[r.IntN(3)]))
		}
		// The system may write any page at any time: here the one with the length, before
		// the size of the file.
		if err := unix.SyncFileRange(int(f.s.f.Fd()), 0, page, unix.SYNC_FILE_RANGE_WRITE|unix.SYNC_FILE_RANGE_WAIT_AFTER); err != nil {
			t.Fatal(err)
		}
		checkPower(t, disk, k.options, synced, f.Len(), first)
	}
}

// checkPower opens the file that the disk has if its power is cut now. It has at
// least the elements that were synced, and at most those that were appended.
func checkPower(t *testing.T, disk *faulty.Disk, options Options, synced, appended int, first uint64) {
	t.Helper()
	f, err := Open[uint64](filepath.Join(disk.Cut(t), "a"), &options)
	if err != nil {
		t.Fatalf("after %d elements were synced and %d appended: %v", synced, appended, err)
	}
	defer f.Close()
	if f.Len() < synced || f.Len() > appended || f.At(0) != first {
		t.Fatalf("length %d, want %d to %d; element 0 is %d, want %d", f.Len(), synced, appended, f.At(0), first)
	}
	for i, v := range f.All() {
		if i > 0 && v != elementAt(i) && (i < synced || v != 0) {
			t.Fatalf("element %d of %d is %#x, want %#x; %d were synced", i, f.Len(), v, elementAt(i), synced)
		}
	}
}
