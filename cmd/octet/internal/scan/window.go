package scan

import (
	"errors"
	"io"
)

const (
	firstSize  = 4 << 10  // number of input bytes in memory at first, because many inputs are short
	windowSize = 64 << 10 // and as soon as there are more
	keptBytes  = 64       // number of consumed bytes that are kept for faults
	bytesAfter = 32       // number of bytes after a fault that its window shows
)

// errNoProgress is the error for a reader that repeatedly returns neither bytes
// nor an error. Without it, the scanner would loop forever.
var errNoProgress = errors.New("reader returned no data and no error too many times")

// errReadCount is the error for a reader that violates the rules of package io.
var errReadCount = errors.New("reader returned an invalid count")

// A window is a buffer that holds a part of the input. buf[lo:hi] is unread. At
// least keptBytes bytes before lo, if there are so many, have been consumed and are
// kept.
type window struct {
	r      io.Reader
	buf    []byte
	lo, hi int
	base   int64 // offset in the input of buf[0]
	err    error // the error of the reader, such as io.EOF
}

// offset returns the offset of the next unread byte in the input.
func (w *window) offset() int64 { return w.base + int64(w.lo) }

// unread returns the bytes that are in memory and not consumed.
func (w *window) unread() []byte { return w.buf[w.lo:w.hi] }

// fill reads until at least n bytes are unread. It does not wait for more bytes
// than it needs, so that a value from a slow pipe is processed as soon as it
// arrives. At the end of the input it returns io.EOF; fewer than n bytes are
// then unread.
func (w *window) fill(n int) error {
	for empty := 0; w.hi-w.lo < n; {
		if w.err != nil {
			return w.err
		}
		if w.lo+n > len(w.buf) || w.hi == len(w.buf) {
			w.slide()
		}
		got, err := w.r.Read(w.buf[w.hi:])
		if got < 0 || got > len(w.buf)-w.hi {
			got, err = 0, errReadCount
		}
		w.hi += got
		w.err = err
		if got > 0 {
			empty = 0
		} else if empty++; empty == 100 {
			w.err = errNoProgress
		}
	}
	return nil
}

// slide moves the unread bytes to the front of the buffer, after a few consumed
// ones. The first buffer is replaced by a larger one.
func (w *window) slide() {
	from, old := max(0, w.lo-keptBytes), w.buf
	if len(old) < windowSize {
		w.buf = make([]byte, windowSize)
	}
	copy(w.buf, old[from:w.hi])
	w.base += int64(from)
	w.lo -= from
	w.hi -= from
}

// around returns the bytes in memory around the offset, and the offset of the
// first of them.
func (w *window) around(offset int64) ([]byte, int64) {
	at := min(max(offset-w.base, 0), int64(w.hi))
	from := max(at-keptBytes/2, 0)
	to := min(at+bytesAfter, int64(w.hi))
	return append([]byte(nil), w.buf[from:to]...), w.base + from
}
