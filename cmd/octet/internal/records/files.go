package records

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/internal/output"
	"github.com/octet-go/octet/record"
)

// newFiles are the record files that a command makes, in order. Each has a temporary name
// until it is complete, because the beginning of a record file can be read like a whole one.
// If the command fails, the files are removed. After an interrupt, the goroutine that writes
// them may still wait for its input or for the disk; nothing that it does then leaves a file.
type newFiles struct {
	mu    sync.Mutex
	names []string
	begun struct{ name, temporary string } // the last file
	dir   *os.Root                         // that of all files, which may be renamed
	last  *record.Writer                   // of the last file; nil if the command has none
	open  bool                             // last is of follow
	ended bool
}

// begin returns the temporary name of a new file.
func (n *newFiles) begin(name string) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.temporary(name)
}

func (n *newFiles) temporary(name string) (string, error) {
	if n.ended {
		return "", failure.ErrInterrupted
	}
	switch _, err := os.Lstat(name); {
	case err == nil:
		return "", Explain(name, fs.ErrExist)
	case !errors.Is(err, fs.ErrNotExist): // such as a name that is too long, while the temporary one is not
		return "", Explain(name, err)
	}
	n.begun.name, n.begun.temporary = name, output.Temporary(name)
	if n.dir == nil {
		n.dir = output.DirectoryOf(name)
	}
	return n.begun.temporary, nil
}

// create makes a file, which close completes.
func (n *newFiles) create(name string, o record.Options) (*record.Writer, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	path, err := n.temporary(name)
	if err != nil {
		return nil, err
	}
	w, err := record.Create(path, &o)
	if err != nil {
		return nil, Explain(name, err)
	}
	n.last = w
	return w, nil
}

// follow makes a file that others may read while it is written. It has its own name from the beginning.
func (n *newFiles) follow(name string, o record.Options) (w *record.Writer, err error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ended {
		return nil, failure.ErrInterrupted
	}
	if w, err = record.Create(name, &o); err == nil {
		n.names, n.last, n.open = append(n.names, name), w, true
	}
	return w, Explain(name, err)
}

// close completes a file.
func (n *newFiles) close(w *record.Writer, name string) error {
	if err := w.Close(); err != nil || n.open {
		return Explain(name, err)
	}
	return n.publish()
}

// publish gives the file that was begun its name.
func (n *newFiles) publish() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ended {
		return failure.ErrInterrupted
	}
	if err := output.Publish(n.begun.temporary, n.begun.name); err != nil {
		return Explain(n.begun.name, err)
	}
	n.names = append(n.names, n.begun.name)
	return nil
}

// explain returns an error without the temporary name, which the user does not know.
func (n *newFiles) explain(err error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	return source{n.begun.temporary, n.begun.name}.explain(err)
}

// list returns the names of the files, or the first and the last one.
func (n *newFiles) list() string {
	switch last := len(n.names) - 1; {
	case last <= 0:
		return strings.Join(n.names, "")
	case last == 1:
		return n.names[0] + " and " + n.names[1]
	default:
		return fmt.Sprintf("%d files, %s to %s", last+1, n.names[0], n.names[last])
	}
}

// remove removes the files.
func (n *newFiles) remove() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended = true
	for _, name := range append(n.names, n.begun.temporary) {
		if err := output.Remove(n.dir, name); err != nil && !errors.Is(err, fs.ErrNotExist) && n.last != nil {
			n.last.Close() // Windows does not remove a file that is open
			_ = output.Remove(n.dir, name)
		}
	}
}

// abandon removes the files after an interrupt that the goroutine has not noticed. It
// does not wait for the disk, as closing the file would, unless it cannot remove a file
// that is open.
func (n *newFiles) abandon() {
	n.mu.Lock()
	ended := n.ended
	n.mu.Unlock()
	if ended {
		return // the goroutine has removed them
	}
	n.remove()
}

// release closes the directory when the command has ended.
func (n *newFiles) release() {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.dir != nil {
		n.dir.Close()
	}
}

// keep completes the last file after an interrupt that the goroutine has not noticed.
func (n *newFiles) keep() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended = true
	if !n.open {
		return nil
	}
	if err := n.last.Close(); !errors.Is(err, record.ErrClosed) { // the goroutine may just have closed it
		return Explain(n.names[len(n.names)-1], err)
	}
	return nil
}

// numberedName returns the name of an output file: out.rec, out-1.rec and so on. The number has at least width digits.
func numberedName(name string, n int64, width int) string {
	if n == 0 {
		return name
	}
	ext := filepath.Ext(name)
	if ext == filepath.Base(name) { // the name begins with its only period
		ext = ""
	}
	return fmt.Sprintf("%s-%0*d%s", strings.TrimSuffix(name, ext), width, n, ext)
}
