package records

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/record"
)

// newFiles are the record files that a command makes, in order. If it fails, they are
// removed. After an interrupt, the goroutine that writes them may still wait for its
// input or for the disk; nothing that it does then leaves a file.
type newFiles struct {
	mu    sync.Mutex
	names []string
	open  *record.Writer // of the last file, unless package record has made it
	ended bool
}

// create makes a file.
func (n *newFiles) create(name string, o record.Options) (*record.Writer, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.ended {
		return nil, failure.ErrInterrupted
	}
	w, err := record.Create(name, &o)
	if err != nil {
		return nil, Explain(name, err)
	}
	n.names, n.open = append(n.names, name), w
	return w, nil
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

// made adds a file that package record has made.
func (n *newFiles) made(name string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !slices.Contains(n.names, name) {
		n.names = append(n.names, name)
	}
}

// remove removes the files.
func (n *newFiles) remove() {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended = true
	for _, name := range n.names {
		os.Remove(name)
	}
}

// abandon removes the files after an interrupt that the goroutine has not noticed. It
// does not wait for the disk, as closing the file would.
func (n *newFiles) abandon() {
	n.mu.Lock()
	ended := n.ended
	n.mu.Unlock()
	if ended {
		return // the goroutine has removed them
	}
	n.remove()
}

// keep completes the last file after an interrupt that the goroutine has not noticed.
func (n *newFiles) keep() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.ended = true
	if n.open == nil {
		return nil
	}
	if err := n.open.Close(); !errors.Is(err, record.ErrClosed) { // the goroutine may just have closed it
		return Explain(n.names[len(n.names)-1], err)
	}
	return nil
}

// numberedName returns the name of an output file: out.rec, out-1.rec and so on.
func numberedName(name string, n int64) string {
	if n == 0 {
		return name
	}
	ext := filepath.Ext(name)
	if ext == filepath.Base(name) { // the name begins with its only period
		ext = ""
	}
	return fmt.Sprintf("%s-%d%s", strings.TrimSuffix(name, ext), n, ext)
}
