// Package tally counts the bytes of streams while they are read or written, keeps the
// errors of the streams, and flushes a writer before each read. A command thus shows its
// progress, and tells a disk that fails from content that is wrong.
package tally

import (
	"io"
	"sync/atomic"
)

// A Reader counts the bytes that are read from R. Its methods may be called while
// another goroutine reads.
type Reader struct {
	R   io.Reader
	Sum *atomic.Int64 // counts too, if it is not nil; may be shared with other Readers
	n   atomic.Int64
	err atomic.Value // holds a fault
}

// A fault is an error of a stream. An atomic.Value takes values of one type only.
type fault struct{ error }

// Read implements [io.Reader].
func (r *Reader) Read(p []byte) (int, error) {
	n, err := r.R.Read(p)
	r.n.Add(int64(n))
	if r.Sum != nil {
		r.Sum.Add(int64(n))
	}
	if err != nil && err != io.EOF {
		r.err.CompareAndSwap(nil, fault{err})
	}
	return n, err
}

// N returns the number of bytes that were read.
func (r *Reader) N() int64 { return r.n.Load() }

// Reset makes the Reader count from 0 again.
func (r *Reader) Reset() { r.n.Store(0) }

// Err returns the first error of the stream, or nil. The end of the stream is not an
// error.
func (r *Reader) Err() error { return load(&r.err) }

// A Writer counts the bytes that are written to W. Its methods may be called while
// another goroutine writes.
type Writer struct {
	W   io.Writer
	n   atomic.Int64
	err atomic.Value // holds a fault
}

// Write implements [io.Writer].
func (w *Writer) Write(p []byte) (int, error) {
	n, err := w.W.Write(p)
	w.n.Add(int64(n))
	if err != nil {
		w.err.CompareAndSwap(nil, fault{err})
	}
	return n, err
}

// N returns the number of bytes that were written.
func (w *Writer) N() int64 { return w.n.Load() }

// Err returns the first error of the stream, or nil.
func (w *Writer) Err() error { return load(&w.err) }

func load(v *atomic.Value) error {
	if f, ok := v.Load().(fault); ok {
		return f.error
	}
	return nil
}
