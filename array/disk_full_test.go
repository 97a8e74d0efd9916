//go:build linux

package array

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/sys/unix"
)

// TestFullDisk fills a file system of 1 MiB. Each call that needs more space is
// an error, and nothing faults.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := unix.Mount("tmpfs", dir, "tmpfs", 0, "size=1m"); err != nil {
		t.Skipf("a small file system cannot be mounted: %v", err)
	}
	defer func() {
		if err := unix.Unmount(dir, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	left := func() int {
		var s unix.Statfs_t
		if err := unix.Statfs(dir, &s); err != nil {
			t.Fatal(err)
		}
		return int(s.Bfree) * int(s.Bsize)
	}
	for name, format := range formats() {
		for way, options := range access {
			t.Run(fmt.Sprintf("%s/%s", name, way), func(t *testing.T) {
				path := filepath.Join(dir, "a")
				defer os.Remove(path)
				if _, err := Create[uint64](path, 1<<20, format); !errors.Is(err, unix.ENOSPC) {
					t.Errorf("Create: %v", err)
				}
				if _, err := os.Stat(path); err == nil {
					t.Fatal("a Create that failed left a file")
				}
				f, err := Create[uint64](path, 10, format)
				if err != nil {
					t.Fatal(err)
				}
				f.Close()
				options.Format = format
				f = opened[uint64](t, path, options)
				free := left()
				if err := f.Grow(1 << 20); !errors.Is(err, unix.ENOSPC) {
					t.Errorf("Grow: %v", err)
				}
				if err := f.Append(make([]uint64, 1<<20)...); !errors.Is(err, unix.ENOSPC) {
					t.Errorf("Append: %v", err)
				}
				if got := left(); got < free-8192 || f.Len() != 10 {
					t.Errorf("calls that failed took %d bytes; length %d", free-got, f.Len())
				}
				if err := f.Grow(10_000); err != nil {
					t.Fatal(err)
				}
				if err := f.Guard(func() {
					s, _ := f.Slice() // there is one if the file is mapped and has the order of the machine
					for i := range s {
						s[i] = uint64(i)
					}
				}); err != nil {
					t.Errorf("a store after Grow: %v", err)
				}
				// In ever smaller steps until the disk is full.
				n := f.Len()
				for _, step := range []int{1000, 30, 1} {
					for err = nil; err == nil; {
						values := make([]uint64, step)
						values[step-1] = uint64(n + step - 1)
						if err = f.Append(values...); err == nil {
							n += step
						}
					}
				}
				if !errors.Is(err, unix.ENOSPC) || f.Len() != n || f.At(n-1) != uint64(n-1) || n < (1<<20-64<<10)/8 {
					t.Errorf("Append until the disk is full: %v, length %d of %d", err, f.Len(), n)
				}
				if err := f.Close(); err != nil {
					t.Fatal(err)
				}
				f = opened[uint64](t, path, options)
				if f.Len() != n || f.At(n-1) != uint64(n-1) {
					t.Errorf("length %d after opening, want %d", f.Len(), n)
				}
				f.Close()
			})
		}
	}
}
