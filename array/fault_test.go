package array

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/binary"
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

// TestFailedSync makes a Sync fail.
func TestFailedSync(t *testing.T) {
	for _, format := range []Format{NPY, Raw(binary.LittleEndian)} {
		f := opened[uint64](t, made(t, format, []uint64{1, 2}...), Options{Format: format})
		boom := errors.New("boom")
		sync := f.s.syncFile
		f.s.syncFile = func() error { return boom }
		if err := f.Sync(); !errors.Is(err, boom) {
			t.Errorf("Sync: %v", err)
		}
		f.s.syncFile = sync
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
		f.s.syncFile = func() error { order = append(order, "content"); return nil }
		f.s.syncName = func(path string) error { order = append(order, path); return nil }
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
	f.s.syncName = func(string) error { return boom }
	if err := f.Sync(); !errors.Is(err, boom) {
		t.Errorf("Sync of a directory that fails: %v", err)
	}
	if err := f.Append(1); !errors.Is(err, ErrSync) {
		t.Errorf("Append afterwards: %v", err)
	}
}

// TestSyncBeforeLength checks that, after a Sync, a longer file is synced before
// its header claims the new length.
func TestSyncBeforeLength(t *testing.T) {
	for name, grow := range map[string]func(f *File[uint64]) error{
		"Append":      func(f *File[uint64]) error { return f.Append(1) },
		"long Append": func(f *File[uint64]) error { return f.Append(make([]uint64, 10_000)...) },
		"Grow":        func(f *File[uint64]) error { return f.Grow(10_000) },
	} {
		path := made(t, NPY, []uint64{1, 2}...)
		f := opened[uint64](t, path)
		syncs := 0
		f.s.syncFile = func() error {
			syncs++
			info, err := Stat(path)
			if size, _ := sizeOf(f.s.f); err != nil || info.Len != 2 || size <= 144 {
				t.Errorf("%s: at Sync, the header says %v, %v; the size is %d", name, info, err, size)
			}
			return nil
		}
		if err := grow(f); err != nil || syncs != 1 {
			t.Errorf("%s: %v, %d syncs", name, err, syncs)
		}
	}
}
