// Package output replaces files atomically.
//
// A [File] writes to a temporary file in the directory of its destination.
// Commit renames the temporary file to the destination. Until then, and after
// Discard, the destination is unchanged. It can be read in the meantime, so a
// program can convert a file in place.
//
// A destination that cannot be replaced, such as standard output, a device or a
// pipe, is written directly.
package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/octet-go/octet/internal/durable"
	"github.com/octet-go/octet/internal/interrupt"
)

// A File is an output file that is being written.
type File struct {
	io.Writer        // the temporary file, or the destination if it is written directly
	Name      string // the destination, for messages
	target    string // the path that Commit replaces
	temporary *os.File
	directory *os.Root // that of temporary
	direct    *os.File // a destination that cannot be replaced
	syncName  func(path string) error
}

// Create starts writing the named file. The name "-" and the names of standard
// output on the system, such as /dev/stdout, mean stdout. To open a named pipe waits for
// its reader; if ctx is canceled before, the error is the one of ctx.
//
// Errors come from the os package, except [ErrDirectory]. After an error, no
// temporary file is left.
func Create(ctx context.Context, name string, stdout io.Writer) (*File, error) {
	if isStdout(name) {
		return &File{Writer: stdout, Name: "standard output"}, nil
	}
	// A symbolic link is kept; its target is replaced.
	target := durable.Target(name)
	old, err := os.Stat(target)
	switch {
	case err == nil && old.IsDir():
		return nil, &fs.PathError{Op: "open", Path: name, Err: ErrDirectory}
	case err == nil && isDirect(name, old):
		f, err := interrupt.Await(ctx, func() (*os.File, error) { return os.OpenFile(name, os.O_WRONLY|os.O_TRUNC, 0) })
		return &File{Writer: f, Name: name, direct: f}, err
	case err == nil:
		// Renaming could replace a read-only file, so check that the file is
		// writable.
		f, err := os.OpenFile(target, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		f.Close()
	case !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	t, err := createBeside(target)
	if err != nil {
		return nil, err
	}
	f := &File{Writer: t, Name: name, target: target, temporary: t, directory: DirectoryOf(target), syncName: durable.Name}
	if old != nil {
		if err := durable.Like(t, old); err != nil {
			f.Discard()
			return nil, err
		}
	}
	return f, nil
}

// DirectoryOf opens the directory of a file for [Remove]. It returns nil if the user cannot read it.
func DirectoryOf(name string) *os.Root {
	dir, _ := os.OpenRoot(filepath.Dir(name))
	return dir
}

// Remove removes a file of a directory, which may have been renamed since [DirectoryOf] opened it.
func Remove(directory *os.Root, name string) error {
	if directory == nil {
		return os.Remove(name)
	}
	return directory.Remove(filepath.Base(name))
}

// ErrDirectory is returned if the destination is a directory.
var ErrDirectory error = syscall.EISDIR

// IsReplaced reports whether Create writes a temporary file, which replaces the named file when it is complete. Otherwise Create
// empties the file, or writes to standard output.
func IsReplaced(name string) bool {
	old, err := os.Stat(name)
	return !isStdout(name) && (err != nil || !isDirect(name, old))
}

func isStdout(name string) bool {
	switch name {
	case "-", "/dev/stdout", "/dev/fd/1", "/proc/self/fd/1":
		return true
	}
	return false
}

// isDirect reports whether a file with such a name cannot be replaced.
func isDirect(name string, old fs.FileInfo) bool { return !old.Mode().IsRegular() || isPseudo(name) }

// isPseudo reports whether name refers to an open file of a process instead of
// a directory entry.
func isPseudo(name string) bool {
	name = filepath.Clean(name)
	return strings.HasPrefix(name, "/dev/fd/") || strings.HasPrefix(name, "/dev/std") || strings.HasPrefix(name, "/proc/")
}

// createBeside creates the temporary file in the directory of target. Unlike
// os.CreateTemp, it applies the umask to the permissions of a new file.
func createBeside(target string) (*os.File, error) {
	for try := 0; ; try++ {
		f, err := os.OpenFile(Temporary(target), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) || try == 100 {
			return f, err
		}
	}
}

// Temporary returns a name for a temporary file in the directory of target. Each call returns another one.
func Temporary(target string) string {
	dir, base := filepath.Split(target)
	return durable.Beside(dir+"."+base, fmt.Sprintf(".%08x.tmp", rand.Uint32()))
}

// Publish gives a temporary file, which was synced, the name of a file that does not exist. If there is one, it is kept,
// and the error is [fs.ErrExist]. If the directory cannot be synced, the file is removed.
func Publish(temporary, name string) error { return publish(temporary, name, durable.Name) }

func publish(temporary, name string, syncName func(path string) error) error {
	err := renameNew(temporary, name)
	if errors.Is(err, errors.ErrUnsupported) {
		err = linkNew(temporary, name, os.Link)
	}
	if err != nil {
		return err
	}
	if err = syncName(name); err != nil && !errors.Is(err, fs.ErrPermission) {
		os.Remove(name)
		return err
	}
	return nil
}

// linkNew is renameNew on systems and file systems without it. Where there are no hard links either, it replaces a file
// that is created while it runs.
func linkNew(temporary, name string, link func(temporary, name string) error) error {
	err := link(temporary, name)
	if err == nil {
		return os.Remove(temporary)
	}
	switch _, taken := os.Lstat(name); {
	case taken == nil:
		return &os.LinkError{Op: "link", Old: temporary, New: name, Err: fs.ErrExist}
	case errors.Is(taken, fs.ErrNotExist):
		return os.Rename(temporary, name)
	}
	return err
}

// ErrNotDurable is returned by Commit if the destination was replaced, but may
// have its old content after a power loss.
var ErrNotDurable = errors.New("replaced, but the directory could not be synced")

// Commit replaces the destination with what was written. If ctx is canceled before that,
// the error is the one of ctx; see [interrupt.Err] for signals that have not arrived. If Commit returns an error other than [ErrNotDurable], the
// destination is unchanged. After it returns nil, what was written survives a power loss;
// before, either that or the old content does. This does not apply to a destination that is
// written directly, to systems and file systems that cannot sync a directory, and to a
// directory that the user may not read.
func (f *File) Commit(ctx context.Context) error {
	if f.direct != nil {
		return f.direct.Close()
	}
	if f.temporary == nil {
		return nil
	}
	// Without Sync, a crash soon after the rename could leave an empty file in
	// place of the old one.
	err := f.temporary.Sync()
	if closed := f.temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = interrupt.Err(ctx) // to sync may have taken long
	}
	if err == nil {
		err = os.Rename(f.temporary.Name(), f.target)
	}
	if err != nil {
		f.Discard()
		return err
	}
	f.release()
	if err := f.syncName(f.target); err != nil && !errors.Is(err, fs.ErrPermission) {
		return fmt.Errorf("%w: %w", ErrNotDurable, err)
	}
	return nil
}

// Discard removes what was written. It may be called while another goroutine is
// writing; its Write then fails.
func (f *File) Discard() {
	if f.direct != nil {
		f.direct.Close()
	}
	if f.temporary != nil {
		f.temporary.Close()
		Remove(f.directory, f.temporary.Name())
		f.release()
	}
}

func (f *File) release() {
	if f.directory != nil {
		f.directory.Close()
	}
}

// Direct reports whether writes go directly to the destination instead of a
// temporary file.
func (f *File) Direct() bool { return f.temporary == nil }
