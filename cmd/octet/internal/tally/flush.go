package tally

import (
	"bufio"
	"io"
)

// Buffered returns a buffered writer to w and a reader of r that flushes the
// buffer before each read. With a slow input, results appear before the program
// waits for more input.
func Buffered(w io.Writer, r io.Reader) (*bufio.Writer, io.Reader) {
	b := bufio.NewWriterSize(w, 64<<10)
	return b, Flushing(b, r)
}

// Flushing returns a reader of r that flushes the buffer before each read.
func Flushing(b *bufio.Writer, r io.Reader) io.Reader { return &flusher{b, r} }

type flusher struct {
	w *bufio.Writer
	r io.Reader
}

func (f *flusher) Read(p []byte) (int, error) {
	if err := f.w.Flush(); err != nil {
		return 0, err
	}
	return f.r.Read(p)
}
