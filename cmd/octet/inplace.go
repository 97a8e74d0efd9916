package main

import (
	"io"
	"sync"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/output"
)

// An inPlace is the file that a command is rewriting. After an interrupt, the
// goroutine that rewrites it may still run or wait for its input; the file must
// nevertheless stay as it was, without a temporary file beside it.
type inPlace struct {
	mu      sync.Mutex
	file    *output.File
	stopped bool
}

// create begins to rewrite the named file, with what is written to the result. One
// file is rewritten at a time.
func (p *inPlace) create(a *app, path string) (io.Writer, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return nil, failure.ErrInterrupted
	}
	out, err := output.Create(path, a.Stdout)
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

// commit replaces the file.
func (p *inPlace) commit() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.stopped {
		return failure.ErrInterrupted
	}
	file := p.file
	p.file = nil
	if err := file.Commit(); err != nil {
		return failure.Accessing(file.Name, err)
	}
	return nil
}

// discard leaves the file as it was.
func (p *inPlace) discard() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.file != nil {
		p.file.Discard()
		p.file = nil
	}
}

// stop discards the file. After stop, create and commit fail.
func (p *inPlace) stop() {
	p.mu.Lock()
	p.stopped = true
	p.mu.Unlock()
	p.discard()
}
