package array

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/binary"
	"github.com/octet-go/octet/internal/disk"
)

// sink keeps the compiler from removing a load.
var sink uint32

// needsAddresses skips the test if the system does not report the address of a
// fault. Emulators such as qemu-user do not.
func needsAddresses(t *testing.T) {
	t.Helper()
	path := made(t, NPY, make([]uint32, 10_000)...)
	f := opened[uint32](t, path)
	if _, err := f.Slice(); err != nil || os.Truncate(path, page) != nil {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			t.Skipf("the system does not report the address of a fault: %v", r)
		}
	}()
	_ = f.Guard(func() { sink = f.At(9999) })
}

// TestReserveCutShort cuts an array short that has reserved bytes after it. No call makes the file longer again, because the
// elements that are gone would then be zeros.
func TestReserveCutShort(t *testing.T) {
	needsAddresses(t)
	for name, format := range formats() {
		for way, options := range access {
			for call, do := range map[string]func(f *File[uint32]) error{
				"Append":      func(f *File[uint32]) error { return f.Append(1) },
				"long Append": func(f *File[uint32]) error { return f.Append(make([]uint32, 10_000)...) },
				"Grow":        func(f *File[uint32]) error { return f.Grow(10) },
				"Sync":        func(f *File[uint32]) error { return f.Sync() },
				"Close":       func(f *File[uint32]) error { return f.Close() },
			} {
				path := made(t, format, make([]uint32, 50_000)...)
				options.Format = format
				f := opened[uint32](t, path, options)
				if err := f.Append(1, 2, 3); err != nil {
					t.Fatal(err)
				}
				if err := os.Truncate(path, 3*page); err != nil {
					t.Skipf("an open file cannot be truncated on this system: %v", err)
				}
				reserved := f.s.size > f.s.end()
				if err := do(f); !errors.Is(err, ErrTruncated) && (call != "Close" || reserved) {
					t.Errorf("%s, %s, %s: %v", name, way, call, err)
				}
				f.Close()
				if info, err := os.Stat(path); err != nil || info.Size() != 3*page {
					t.Errorf("%s, %s, %s: the file has %d bytes, %v", name, way, call, info.Size(), err)
				}
			}
		}
	}
}

// TestReserveCutOff cuts off the reserved bytes after an array, and nothing else. Elements that are then appended can be in
// the last page of the mapping, but not in the file. If Append does not notice, Sync and Close do, also if the appended
// elements have filled the reserve.
func TestReserveCutOff(t *testing.T) {
	for way, options := range access {
		for _, more := range []int64{1, 5, 10} {
			path := made(t, NPY, []uint32{0}...)
			f := opened[uint32](t, path, options)
			if err := f.Append(1); err != nil {
				t.Fatal(err)
			}
			if n := (f.s.size-f.s.end())/4 - 10; n > 0 {
				if err := f.Append(make([]uint32, n)...); err != nil {
					t.Fatal(err)
				}
			}
			whole := f.s.end()
			if err := os.Truncate(path, whole); err != nil {
				t.Skipf("an open file cannot be truncated on this system: %v", err)
			}
			want := ErrTruncated
			err := f.Append(make([]uint32, more)...)
			if info, statErr := os.Stat(path); statErr != nil || info.Size() > whole {
				want = nil // it wrote them
			}
			if err != nil {
				t.Errorf("%s, %d elements: %v", way, more, err)
			}
			if err := f.Sync(); !errors.Is(err, want) {
				t.Errorf("%s, Sync after %d elements: %v", way, more, err)
			}
			if err := f.Close(); !errors.Is(err, want) {
				t.Errorf("%s, Close after %d elements: %v", way, more, err)
			}
		}
	}
}

// TestCutShort truncates the file under an open array. Every access is an error
// or, under Guard, ends work with one.
func TestCutShort(t *testing.T) {
	needsAddresses(t)
	for name, format := range formats() {
		for way, options := range access {
			t.Run(name+"/"+way, func(t *testing.T) {
				const n = 50_000
				path := made(t, format, make([]uint32, n)...)
				options.Format = format
				f := opened[uint32](t, path, options)
				view, _ := f.Slice()
				const left = 3 * page
				if err := os.Truncate(path, left); err != nil {
					t.Skipf("an open file cannot be truncated on this system: %v", err)
				}
				dst := make([]uint32, 10_000)
				if n, err := f.ReadAt(dst, 0); !errors.Is(err, ErrTruncated) || int64(n) != (left-f.s.Offset)/4 {
					t.Errorf("ReadAt: %d, %v", n, err)
				}
				if n, err := f.ReadAt(dst[:10], n-10); n != 0 || !errors.Is(err, ErrTruncated) {
					t.Errorf("ReadAt at the end: %d, %v", n, err)
				}
				if n, err := f.ReadAt(dst[:10], 5); n != 10 || err != nil {
					t.Errorf("ReadAt of what is left: %d, %v", n, err)
				}
				for call, err := range map[string]error{
					"WriteAt":     func() error { _, err := f.WriteAt(dst, 0); return err }(),
					"Append":      f.Append(dst...),
					"Append of 1": f.Append(1),
					"Grow":        f.Grow(10),
					"At":          f.Guard(func() { sink = f.At(n - 1) }),
					"All":         f.Guard(func() { f.All()(func(_ int, v uint32) bool { sink += v; return true }) }),
					"Chunks":      f.Guard(func() { f.Chunks(1000)(func(s []uint32) bool { return s[0] == s[len(s)-1] }) }),
				} {
					if !errors.Is(err, ErrTruncated) || !strings.Contains(err.Error(), path) {
						t.Errorf("%s: %v", call, err)
					}
				}
				if view != nil {
					sum := uint32(0)
					err := f.Guard(func() {
						for _, v := range view {
							sum += v
						}
					})
					if !errors.Is(err, ErrTruncated) {
						t.Errorf("Slice: %v", err)
					}
					if err := f.Guard(func() { view[n-1] = 1 }); !errors.Is(err, ErrTruncated) {
						t.Errorf("store: %v", err)
					}
					if _, err := f.WriteAt(view, 0); !errors.Is(err, ErrTruncated) {
						t.Errorf("WriteAt from the mapping: %v", err)
					}
				}
				if f.Len() != n {
					t.Errorf("the length changed to %d", f.Len())
				}
				if info, err := os.Stat(path); err != nil || info.Size() != left {
					t.Errorf("the size changed to %d, %v", info.Size(), err)
				}
			})
		}
	}
}

// TestGuard checks what Guard does with other panics, and that a store to a
// read-only file is an error.
func TestGuard(t *testing.T) {
	needsAddresses(t)
	path := made(t, NPY, make([]uint64, 1000)...)
	f := opened[uint64](t, path, Options{ReadOnly: true})
	other := opened[uint64](t, path, Options{NoMmap: true})
	if err := f.Guard(func() {}); err != nil {
		t.Errorf("nothing happened: %v", err)
	}
	boom := errors.New("boom")
	for name, work := range map[string]func(){
		"panic":               func() { panic(boom) },
		"nil pointer":         func() { _ = *(*int)(nil) },
		"index":               func() { f.At(-1) },
		"failure of another":  func() { panic(other.s.failure("read", boom)) },
		"panic in an inner f": func() { _ = other.Guard(func() { panic(boom) }) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s did not pass through Guard", name)
				}
			}()
			_ = f.Guard(work)
		}()
	}
	if view, _ := f.Slice(); view != nil {
		err := f.Guard(func() { view[0] = 1 })
		if !errors.Is(err, ErrFault) || f.At(0) != 0 {
			t.Errorf("a store to a read-only file: %v", err)
		}
	}
}

// A syncer is a file with another Sync.
type syncer struct {
	disk.File
	sync func() error
}

func (s syncer) Sync() error { return s.sync() }

// A nameSyncer is a disk with another SyncName.
type nameSyncer struct {
	disk.Disk
	sync func(path string) error
}

func (s nameSyncer) SyncName(path string) error { return s.sync(path) }

// TestFailedSync makes a Sync fail.
func TestFailedSync(t *testing.T) {
	for _, format := range []Format{NPY, Raw(binary.LittleEndian)} {
		f := opened[uint64](t, made(t, format, []uint64{1, 2}...), Options{Format: format})
		boom := errors.New("boom")
		file := f.s.f
		f.s.f = syncer{file, func() error { return boom }}
		if err := f.Sync(); !errors.Is(err, boom) {
			t.Errorf("Sync: %v", err)
		}
		f.s.f = file
		for name, err := range map[string]error{
			"Append": f.Append(3), "Grow": f.Grow(1), "Sync": f.Sync(),
			"WriteAt": func() error { _, err := f.WriteAt([]uint64{7}, 0); return err }(),
		} {
			if !errors.Is(err, ErrSync) || !errors.Is(err, boom) {
				t.Errorf("%s after a Sync that failed: %v", name, err)
			}
		}
		if f.Len() != 2 || f.At(0) != 1 {
			t.Error("the elements changed")
		}
		if err := f.Close(); !errors.Is(err, ErrSync) {
			t.Errorf("Close: %v", err)
		}
	}
}

// TestSyncName checks that the first Sync also syncs the directory that the file is
// in, if it was created and if it was opened, even if the program has changed its
// directory. If that fails, Sync fails.
func TestSyncName(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a")
	for _, open := range []func() (*File[uint64], error){
		func() (*File[uint64], error) { return Create[uint64]("a", 1, NPY) },
		func() (*File[uint64], error) { return Open[uint64]("a", nil) },
	} {
		t.Chdir(dir)
		f, err := open()
		if err != nil {
			t.Fatal(err)
		}
		t.Chdir(t.TempDir())
		var order []string
		f.s.f = syncer{f.s.f, func() error { order = append(order, "content"); return nil }}
		f.s.disk = nameSyncer{f.s.disk, func(path string) error { order = append(order, path); return nil }}
		err1, err2 := f.Sync(), f.Sync()
		want := []string{"content", path, "content"}
		if real, err := filepath.EvalSymlinks(filepath.Dir(path)); err == nil && len(order) > 1 && order[1] != path {
			want[1] = filepath.Join(real, "a") // the directory for temporary files can be a link
		}
		if err := errors.Join(err1, err2); err != nil || !slices.Equal(order, want) {
			t.Errorf("Sync: %v, synced %q, want %q", err, order, want)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f := opened[uint64](t, path)
	boom := errors.New("boom")
	f.s.disk = nameSyncer{f.s.disk, func(string) error { return boom }}
	if err := f.Sync(); !errors.Is(err, boom) {
		t.Errorf("Sync of a directory that fails: %v", err)
	}
	if err := f.Append(1); !errors.Is(err, ErrSync) {
		t.Errorf("Append afterwards: %v", err)
	}
}
