// Package output writes files that are either complete or not there.
//
// A [File] gathers what is written in a temporary file beside its destination,
// and takes the destination's place on Commit. Until then, and after Discard,
// the destination is what it was before. It may be read in the meantime, so a
// file can be rewritten in one go.
//
// What cannot be replaced is written directly: standard output, devices, pipes.
package output

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
)

// A File is a destination that is being written.
type File struct {
	io.Writer        // what is written goes here
	Name      string // of the destination, for messages
	target    string // its path
	temporary *os.File
	direct    *os.File // a destination that cannot be replaced
}

// Create prepares to write the file of this name. "-" and the names that a
// system has for standard output mean stdout.
//
// Errors come from the os package, [ErrDirectory] apart; none of them leaves
// anything behind.
func Create(name string, stdout io.Writer) (*File, error) {
	switch name {
	case "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return &File{Writer: stdout, Name: "standard output"}, nil
	}
	// A link stays a link: what it points to is replaced.
	target, err := filepath.EvalSymlinks(name)
	if err != nil {
		target = name
	}
	old, err := os.Stat(target)
	switch {
	case err == nil && old.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrDirectory}
	case err == nil && (!old.Mode().IsRegular() || isPseudo(name)):
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0)
		return &File{Writer: f, Name: name, direct: f}, err
	case err == nil:
		// A file that may not be written may not be replaced either, though the
		// system would allow it.
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		f.Close()
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	f, err := createBeside(target)
	if err != nil {
		return nil, err
	}
	if old != nil {
		keepOwner(f, old)
		if err := f.Chmod(old.Mode().Perm()); err != nil {
			f.Close()
			os.Remove(f.Name())
			return nil, err
		}
	}
	return &File{Writer: f, Name: name, target: target, temporary: f}, nil
}

// ErrDirectory is the error for a destination that is a directory.
var ErrDirectory error = syscall.EISDIR

// isPseudo reports whether a name leads to an open file of some process rather
// than to a place in a directory.
func isPseudo(name string) bool {
	name = filepath.Clean(name)
	return strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/dev/std") || strings.HasPrefix(name, "/proc/")
}

// createBeside makes the temporary file. Unlike os.CreateTemp it leaves the
// permissions of a new file to the umask.
func createBeside(target string) (*os.File, error) {
	dir, base := filepath.Split(target)
	for try := 0; ; try++ {
		name := fmt.Sprintf("%s.%s.%08x.tmp", dir, base, rand.Uint32())
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) || try == 100 {
			return f, err
		}
	}
}

// Commit makes the destination hold what has been written. On an error it is
// what it was before.
func (f *File) Commit() error {
	if f.direct != nil {
		return f.direct.Close()
	}
	if f.temporary == nil {
		return nil
	}
	// Without it, a crash soon after could leave an empty file in place of the
	// old one.
	err := f.temporary.Sync()
	if closed := f.temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Rename(f.temporary.Name(), f.target)
	}
	if err != nil {
		os.Remove(f.temporary.Name())
	}
	return err
}

// Discard gives up what has been written. It may be called while another
// goroutine is writing, whose Write then fails.
func (f *File) Discard() {
	if f.direct != nil {
		f.direct.Close()
	}
	if f.temporary != nil {
		f.temporary.Close()
		os.Remove(f.temporary.Name())
	}
}

// Direct reports whether what is written is there at once, not on Commit.
func (f *File) Direct() bool { return f.temporary == nil }
