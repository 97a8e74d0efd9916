// Package disk is the storage below packages record and array: the calls that they make to files and directories, as
// interfaces. [OS] is that of the operating system. Package disk/sim has one in memory for tests, which loses what was
// not synced.
package disk

import (
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/octet-go/octet/internal/durable"
)

// A Disk has files. Its methods are those of package os with the same names, unless they say something else.
type Disk interface {
	// OpenFile opens a regular file. It does not wait for the other end of a pipe: for anything that is not a regular
	// file, or that has bytes but no size, as in /proc, the error matches [ErrNotRegular].
	OpenFile(path string, flag int, perm fs.FileMode) (File, error)
	Stat(path string) (fs.FileInfo, error)
	SameFile(a, b fs.FileInfo) bool
	Rename(from, to string) error
	Remove(path string) error
	// SyncName makes the name of a file, or that it has none, survive a power loss. It syncs the directory that
	// contains the file.
	SyncName(path string) error
}

// A File is an open file. Its methods are those of [os.File] with the same names, unless they say something else.
type File interface {
	io.ReaderAt
	io.WriterAt
	io.Closer
	Name() string
	Stat() (fs.FileInfo, error)
	Truncate(size int64) error
	// Sync makes the content and the size survive a power loss, with what was stored through mappings.
	Sync() error

	// From returns a writer that begins at an offset. There can be one at a time.
	From(offset int64) (io.Writer, error)
	// Lock takes the only lock that a file has, for as long as the file is open. If another open file has it, in this
	// process or another one, the error is [ErrLocked]; some systems only know this process. Those who do not ask for the lock can use the file as before.
	Lock() error
	// Reserve allocates blocks for the bytes from size, the size of the file, to end. The size stays the same, so that
	// a later Truncate changes it in one step. If this cannot be done here, the error is [ErrNoReserve].
	Reserve(size, end int64) error
	// Map maps the beginning of the file. The mapping may be longer than the file: memory past the end is accessible
	// as soon as the file has grown. It is valid until Close.
	Map(size int64, write bool) ([]byte, error)
}

var (
	// ErrNotRegular says that something is not a regular file.
	ErrNotRegular = errors.New("not a regular file")
	// ErrLocked says that a file is locked.
	ErrLocked = errors.New("file is locked")
	// ErrNoReserve says that the system or the file system cannot reserve blocks. The caller can write zeros instead.
	ErrNoReserve = errors.New("blocks cannot be reserved")
)

// OpenLocked opens a file and takes its lock. Before that, another one may have opened, locked and removed it; then
// OpenLocked opens what is at the path now. A file that it made with O_EXCL, and cannot lock, it removes. If another one
// has locked such a file first and written to it, the error matches [fs.ErrExist].
func OpenLocked(d Disk, path string, flag int) (File, error) {
	for gone := 0; ; {
		f, err := d.OpenFile(path, flag, 0o666)
		if errors.Is(err, fs.ErrNotExist) && flag&os.O_CREATE != 0 && gone < maxGone {
			gone++
			continue
		}
		if err != nil {
			return nil, err
		}
		var info fs.FileInfo
		there := false
		if err = f.Lock(); err == nil {
			info, there, err = isAt(d, f, path)
		}
		switch {
		case err == nil && !there:
			f.Close()
		case flag&os.O_EXCL != 0 && err != ErrLocked:
			return made(d, f, info, err)
		case err != nil:
			f.Close()
			return nil, err
		default:
			return f, nil
		}
	}
}

// maxGone is how often OpenLocked tries again to make a file that is said not to exist. A file system of another
// machine, or in user space, finds a file and then opens it, and the file may have been removed between the two. If the
// folder does not exist, trying again does not help.
const maxGone = 100

// made returns a file that OpenLocked has made, or why it cannot be used, which may be the error that it gets.
func made(d Disk, f File, info fs.FileInfo, err error) (File, error) {
	if info == nil {
		info, _ = f.Stat()
	}
	switch {
	case info == nil: // another program may have written to it
	case info.Size() > 0:
		err = &fs.PathError{Op: "open", Path: f.Name(), Err: fs.ErrExist}
	case err != nil:
		Discard(d, f)
		return nil, err
	default:
		return f, nil
	}
	f.Close()
	return nil, err
}

// isAt reports whether the path names the file. It also describes the file.
func isAt(d Disk, f File, path string) (mine fs.FileInfo, at bool, err error) {
	if mine, err = f.Stat(); err != nil {
		return nil, false, err
	}
	there, err := d.Stat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return mine, false, nil
	}
	return mine, err == nil && d.SameFile(mine, there), err
}

// Discard closes and removes a file that is locked and has nothing of value. It removes it first, so that nobody else
// has opened it when it is removed. If its path names another file now, Discard only closes it.
func Discard(d Disk, f File) {
	var left error
	if _, there, err := isAt(d, f, f.Name()); there || err != nil {
		left = d.Remove(f.Name())
	}
	f.Close()
	if left != nil {
		d.Remove(f.Name()) // Windows removes no file that is open, and so none that somebody else has opened
	}
}

// OS is the storage of the operating system.
var OS Disk = system{}

type system struct{}

func (system) Stat(path string) (fs.FileInfo, error) { return os.Stat(path) }
func (system) SameFile(a, b fs.FileInfo) bool        { return os.SameFile(a, b) }
func (system) Rename(from, to string) error          { return os.Rename(from, to) }
func (system) Remove(path string) error              { return os.Remove(path) }
func (system) SyncName(path string) error            { return durable.Name(path) }

func (system) OpenFile(path string, flag int, perm fs.FileMode) (File, error) {
	// Opening a device can have an effect, and opening a pipe waits, unless nonBlocking forbids it.
	if info, err := os.Stat(path); err == nil {
		if err := mustBeRegular(path, info); err != nil {
			return nil, err
		}
	}
	f, err := os.OpenFile(path, flag|nonBlocking, perm)
	if err != nil {
		return nil, err
	}
	info, err := f.Stat()
	if err == nil && info.Size() == 0 && hasByte(f) {
		info, err = f.Stat() // another process may have just written it
		if err == nil && info.Size() == 0 {
			err = &fs.PathError{Op: "open", Path: path, Err: ErrNotRegular}
		}
	}
	if err == nil {
		err = mustBeRegular(path, info)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &file{File: f}, nil
}

func hasByte(f *os.File) bool {
	n, _ := f.ReadAt(make([]byte, 1), 0)
	return n > 0
}

func mustBeRegular(path string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	err := ErrNotRegular
	if info.IsDir() {
		err = errDirectory
	}
	return &fs.PathError{Op: "open", Path: path, Err: err}
}

// errDirectory matches ErrNotRegular.
var errDirectory error = directoryError{}

type directoryError struct{}

func (directoryError) Error() string        { return "is a directory" }
func (directoryError) Is(target error) bool { return target == ErrNotRegular }

// A file is a File of the operating system.
type file struct {
	*os.File
	maps   [][]byte
	locked bool
}

func (f *file) From(offset int64) (io.Writer, error) {
	// The writer is an os.File because package binary is faster with one.
	_, err := f.Seek(offset, io.SeekStart)
	return f.File, err
}

// Stat returns an error that matches [fs.ErrClosed] if the file is closed, also on Windows.
func (f *file) Stat() (fs.FileInfo, error) {
	info, err := f.File.Stat()
	if err == nil {
		return info, nil
	}
	if _, closed := f.File.ReadAt(make([]byte, 1), 0); errors.Is(closed, fs.ErrClosed) {
		err = &fs.PathError{Op: "stat", Path: f.Name(), Err: fs.ErrClosed}
	}
	return nil, err
}

func (f *file) Map(size int64, write bool) ([]byte, error) {
	b, err := mapFile(f.File, size, write)
	if err == nil {
		f.maps = append(f.maps, b)
	}
	return b, err
}

func (f *file) Sync() error {
	for _, b := range f.maps {
		if err := syncMap(b); err != nil {
			return err
		}
	}
	return f.File.Sync()
}

func (f *file) Close() error {
	var errs []error
	for _, b := range f.maps {
		errs = append(errs, unmap(b))
	}
	f.maps = nil
	if f.locked {
		unlock(f.File)
	}
	errs = append(errs, f.File.Close())
	if f.locked {
		release(f.File) // of a closed file, so that it is not written when another one has the lock
	}
	return errors.Join(errs...)
}

func (f *file) Lock() error {
	err := lock(f.File)
	f.locked = f.locked || err == nil
	if err != nil && err != ErrLocked {
		err = &fs.PathError{Op: "lock", Path: f.Name(), Err: err}
	}
	return err
}

func (f *file) Reserve(size, end int64) error { return reserve(f.File, size, end) }
