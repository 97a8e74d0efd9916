package msgpack

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
)

const (
	firstBuffer   = 512             // bytes; most messages are shorter
	longBuffer    = 64 << 10        // bytes; only a long value makes a buffer longer
	minRead       = 128             // bytes of room for a read
	memoryRoom    = 16              // bytes of room for a read that finds the end of an input in memory
	wholeInput    = 32 << 10        // bytes; a shorter input in memory is read at once
	maxUnread     = math.MaxInt / 4 // bytes; can be doubled even if an int has 32 bits
	maxEmptyReads = 100             // as in bufio
)

var (
	errReadCount = errors.New("msgpack: reader returned invalid count from Read")
	errNoReader  = errors.New("Decoder without a reader: call Reset")
)

// unread returns the bytes that were read ahead.
func (d *Decoder) unread() []byte { return d.buf[d.start:d.end] }

// exhausted reports whether the buffer is known to hold the whole rest of the
// input.
func (d *Decoder) exhausted() bool {
	return d.readErr == io.EOF || d.memory != nil && d.memory.Len() == 0
}

// more reads more bytes of the value at d.start. The end of the input inside a
// value is an error.
func (d *Decoder) more() error {
	err := d.fill()
	if err != nil && (d.start < d.end || d.skipping || len(d.open) > 0) {
		return d.ended(err)
	}
	return err
}

// ended returns the error for an input that ended with err inside a value. It does not
// match io.EOF.
func (d *Decoder) ended(err error) error {
	switch {
	case err == io.EOF:
		return d.truncated()
	case errors.Is(err, io.EOF): // a reader that wraps io.EOF
		e := &Error{Op: opUnmarshal, Offset: d.base + int64(d.end), Err: err}
		return e.fromOutside()
	}
	return err
}

// fill reads at least one byte into the buffer.
func (d *Decoder) fill() error {
	if err := d.makeRoom(); err != nil {
		return err
	}
	n, err := d.read(d.buf[d.end:])
	d.full = n == len(d.buf)-d.end
	d.end += n
	return err
}

// read reads at least one byte into b, or fails. An error that comes with bytes is
// kept for the next call.
func (d *Decoder) read(b []byte) (int, error) {
	n, err := d.tryRead(b)
	d.failed = err != nil && err != io.EOF
	return n, err
}

func (d *Decoder) tryRead(b []byte) (int, error) {
	if err := d.readErr; err != nil {
		d.readErr = nil
		return 0, err
	}
	if d.r == nil {
		return 0, &Error{Op: opUnmarshal, Err: errNoReader}
	}
	for range maxEmptyReads {
		n, err := d.r.Read(b)
		switch {
		case n < 0 || n > len(b):
			return 0, errReadCount
		case n > 0:
			d.readErr = err
			return n, nil
		case err != nil:
			return 0, err
		}
	}
	return 0, io.ErrNoProgress
}

// makeRoom makes room for minRead bytes after the unread ones, or for as many as
// the reader has left.
//
// It moves the unread bytes only if about as many have been read or if the
// buffer doubles, so that moving takes linear time in total.
func (d *Decoder) makeRoom() error {
	unread := d.end - d.start
	if unread == 0 {
		d.base += int64(d.start)
		d.start, d.end = 0, 0
	}
	if unread > 0 && len(d.buf)-d.end >= minRead {
		return nil
	}
	if unread > maxUnread {
		return d.malformed(0, ErrLimit)
	}
	if size := d.bufferSize(unread); size != len(d.buf) || d.lent {
		buf := make([]byte, size)
		copy(buf, d.unread())
		d.buf, d.lent = buf, false
	} else if d.start > 0 {
		copy(d.buf, d.unread())
	}
	d.base += int64(d.start)
	d.start, d.end = 0, unread
	return nil
}

// bufferSize returns the length of a buffer for the unread bytes and about as many
// more. If a header inside the value announces more than that, it is believed only up to
// a few times the bytes that have arrived.
func (d *Decoder) bufferSize(unread int) int {
	size := len(d.buf)
	switch {
	case size == 0:
		size = firstBuffer
	case size > maxScratch && d.last < size/4 && unread < size/4:
		size = longBuffer // the values have become shorter
	case size < longBuffer && d.full:
		size *= 2
	}
	size = max(size, unread+max(unread, minRead))
	if need := d.scan.Pos + minRead; need <= uint64(4*unread) {
		size = max(size, int(need))
	} else {
		size = max(size, 3*unread)
	}
	if d.memory == nil || size < len(d.buf) {
		return size
	}
	// No longer than the rest of the input, and as before if that fits. Otherwise
	// by a quarter longer, because the input may grow after each call.
	rest := unread + d.memory.Len() + memoryRoom
	grown := max(rest, len(d.buf)+len(d.buf)/4)
	switch {
	case rest <= len(d.buf):
		return len(d.buf)
	case rest <= wholeInput:
		return grown
	}
	return min(size, grown)
}

// A lener is a reader that knows how many bytes it has left.
type lener interface{ Len() int }

// inMemory returns r if it is known to have all its bytes in memory, so that its
// Len can be trusted, and nil otherwise.
func inMemory(r io.Reader) lener {
	switch r := r.(type) {
	case *bytes.Reader:
		return r
	case *bytes.Buffer:
		return r
	case *strings.Reader:
		return r
	}
	return nil
}

// remaining returns how many bytes to expect from r, or 0 if this is not known. An
// unknown reader may pass on a claim of its input, so its count is limited.
func remaining(r io.Reader) int {
	if r := inMemory(r); r != nil {
		return r.Len()
	}
	if r, ok := r.(lener); ok {
		return max(0, min(r.Len(), maxScratch))
	}
	return 0
}
