package disk

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

const create = os.O_RDWR | os.O_CREATE

// TestLock requires that a file has one lock, whatever its name, until it is closed.
func TestLock(t *testing.T) {
	dir := t.TempDir()
	path, link, moved := filepath.Join(dir, "a"), filepath.Join(dir, "link"), filepath.Join(dir, "moved")
	names := []string{path}
	owner, err := OpenLocked(OS, path, create)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Link(path, link); err == nil {
		names = append(names, link)
	}
	refused := func() {
		t.Helper()
		for _, name := range names {
			f, err := OpenLocked(OS, name, create)
			if err != ErrLocked {
				t.Errorf("a second lock, by %s: %v", filepath.Base(name), err)
				f.Close()
			}
		}
	}
	refused()
	if b := make([]byte, 4); true {
		f, err := OS.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		_, written := f.WriteAt([]byte("text"), 0)
		_, read := f.ReadAt(b, 0)
		if err := errors.Join(written, read, f.Close()); err != nil || string(b) != "text" {
			t.Errorf("a reader and writer without the lock: %q, %v", b, err)
		}
	}
	refused()
	if err := os.Rename(path, moved); err == nil {
		names[0] = moved
		refused()
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		f, err := OpenLocked(OS, name, create)
		if err != nil {
			t.Fatal(err)
		}
		f.Close()
	}
}

// TestLockRace lets many goroutines lock a file and remove it. At most one has the file that is at the path.
func TestLockRace(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	var group sync.WaitGroup
	var owners, wins atomic.Int32
	for range 8 {
		group.Go(func() {
			for i := range 500 {
				f, err := OpenLocked(OS, path, create)
				if err == ErrLocked {
					continue
				}
				if err != nil {
					t.Error(err)
					return
				}
				if owners.Add(1) != 1 {
					t.Error("two owners")
				}
				wins.Add(1)
				if _, there, err := isAt(OS, f, path); !there || err != nil {
					t.Errorf("the file was removed: %v", err)
				}
				owners.Add(-1)
				if i%2 == 0 {
					Discard(OS, f)
				} else if err := f.Close(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if wins.Load() == 0 {
		t.Error("nobody got the lock")
	}
}

// A fleeting is a Disk that finds a file, which is removed before it is opened, a number of times.
type fleeting struct {
	Disk
	times int
}

func (d *fleeting) OpenFile(path string, flag int, perm fs.FileMode) (File, error) {
	if d.times--; d.times >= 0 {
		return nil, &fs.PathError{Op: "open", Path: path, Err: fs.ErrNotExist}
	}
	return d.Disk.OpenFile(path, flag, perm)
}

// TestOpenLockedAgain makes a file where another one is removed at the same time, as file systems in user space
// tell it. A file that is to be opened, or that cannot be made, does not exist.
func TestOpenLockedAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	f, err := OpenLocked(&fleeting{OS, 3}, path, create)
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
	if _, err := OpenLocked(&fleeting{OS, 3}, path, os.O_RDWR); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not made: %v", err)
	}
	if _, err := OpenLocked(OS, filepath.Join(path+"b", "c"), create); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file in no folder: %v", err)
	}
}

// TestHold locks files for this process alone, as on a file system without locks.
func TestHold(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	var files [3]*os.File
	for i := range files {
		name := path
		if i == 2 {
			name += "2"
		}
		f, err := os.OpenFile(name, create, 0o666)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		files[i] = f
	}
	for i, want := range []error{nil, ErrLocked, nil} {
		if err := hold(files[i]); err != want {
			t.Errorf("file %d: %v, want %v", i, err, want)
		}
	}
	release(files[1]) // has no lock
	if err := hold(files[1]); err != ErrLocked {
		t.Errorf("after release of another open file: %v", err)
	}
	release(files[0])
	if err := hold(files[1]); err != nil {
		t.Errorf("after release: %v", err)
	}
	release(files[1])
	release(files[2])
}

// TestDiscard requires that the file is gone and closed.
func TestDiscard(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	f, err := OpenLocked(OS, path, create|os.O_EXCL)
	if err != nil {
		t.Fatal(err)
	}
	Discard(OS, f)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the file is left: %v", err)
	}
	if _, err := f.Stat(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("the file is open: %v", err)
	}
}

// TestDiscardReplaced renames a file and puts another one in its place, which Discard must not remove.
func TestDiscardReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	f, err := OpenLocked(OS, path, create|os.O_EXCL)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(path, path+".moved"); err != nil {
		f.Close()
		t.Skip(err) // as Windows does
	}
	if err := os.WriteFile(path, []byte("other"), 0o666); err != nil {
		t.Fatal(err)
	}
	Discard(OS, f)
	if b, err := os.ReadFile(path); err != nil || string(b) != "other" {
		t.Errorf("the other file: %q, %v", b, err)
	}
	if _, err := f.Stat(); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("the file is open: %v", err)
	}
}

// TestNotRegular opens what is not a regular file. Opening a pipe would wait for a writer.
func TestNotRegular(t *testing.T) {
	dir := t.TempDir()
	paths := []string{dir, os.DevNull}
	if path := filepath.Join(dir, "pipe"); makePipe(path) == nil {
		paths = append(paths, path)
	}
	if path := "/proc/self/comm"; runtime.GOOS == "linux" { // its size is 0
		paths = append(paths, path)
	}
	for _, path := range paths {
		for _, flag := range []int{os.O_RDONLY, os.O_RDWR, create} {
			f, err := OS.OpenFile(path, flag, 0o666)
			var e *fs.PathError
			if !errors.Is(err, ErrNotRegular) || !errors.As(err, &e) || e.Path != path {
				t.Errorf("%s: %v, %v", path, f, err)
			}
		}
	}
}

// unlockable is a disk whose files cannot be locked, such as those of a server for files without one for locks.
type unlockable struct{ Disk }

type unlockableFile struct{ File }

var errNoLocks = errors.New("no locks available")

func (d unlockable) OpenFile(path string, flag int, perm fs.FileMode) (File, error) {
	f, err := d.Disk.OpenFile(path, flag, perm)
	if err != nil {
		return nil, err
	}
	return unlockableFile{f}, nil
}

func (unlockableFile) Lock() error { return errNoLocks }

// TestLockFails opens files that cannot be locked. A new one is removed, and an old one stays.
func TestLockFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if _, err := OpenLocked(unlockable{OS}, path, os.O_RDWR|os.O_CREATE|os.O_EXCL); err != errNoLocks {
		t.Error(err)
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the new file stays: %v", err)
	}
	if err := os.WriteFile(path, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLocked(unlockable{OS}, path, os.O_RDWR|os.O_CREATE); err != errNoLocks {
		t.Error(err)
	}
	if b, err := os.ReadFile(path); err != nil || string(b) != "old" {
		t.Errorf("%q, %v", b, err)
	}
}
