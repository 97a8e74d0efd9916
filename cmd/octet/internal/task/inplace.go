package task

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/internal/output"
)

// An InPlace is the file that a command is rewriting. After an interrupt, the
// goroutine that rewrites it may still run or wait for its input; the file must
// nevertheless stay as it was, without a temporary file beside it.
type InPlace struct {
	mu      sync.Mutex
	file    *output.File
	stopped bool
}

// Create begins to rewrite the named file, with what is written to the result. One
// file is rewritten at a time. stdout stands for the name "-".
func (p *InPlace) Create(path string, stdout io.Writer) (io.Writer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return nil, failure.ErrInterrupted
	}
	if path != "-" && !output.IsReplaced(path) {
		// The command would empty the file that it reads, or read from a pipe what it has written to it.
		return nil, failure.Accessing(path, errors.New("cannot be replaced: not the name of a regular file"))
	}
	out, err := output.Create(context.Background(), path, stdout)
	if err != nil {
		return nil, failure.Accessing(path, err)
	}
	p.file = out
	return accessWriter{out}, nil
}

// An accessWriter returns errors of writing as errors of the tool, so that they differ
// from those of reading and name the file.
type accessWriter struct{ file *output.File }

func (w accessWriter) Write(b []byte) (int, error) {
	n, err := w.file.Write(b)
	if err != nil {
		err = failure.Accessing(w.file.Name, err)
	}
	return n, err
}

// Commit replaces the file, unless ctx is canceled. Before that, it closes what the command
// has read from the file, because Windows does not replace a file that is open.
func (p *InPlace) Commit(ctx context.Context, read ...interface{ Close() }) error {
	for _, in := range read {
		in.Close()
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return failure.ErrInterrupted
	}
	file := p.file
	p.file = nil
	err := file.Commit(ctx)
	if errors.Is(err, context.Canceled) {
		return failure.ErrInterrupted
	}
	if err != nil {
		return failure.Accessing(file.Name, err)
	}
	return nil
}

// Discard leaves the file as it was.
func (p *InPlace) Discard() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file != nil {
		p.file.Discard()
		p.file = nil
	}
}

// stop discards the file. After stop, Create and Commit fail.
func (p *InPlace) stop() {
	p.mu.Lock()
	p.stopped = true
	p.mu.Unlock()
	p.Discard()
}
