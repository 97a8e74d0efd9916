package msgpack

import (
	"bytes"
	"errors"
	"io"
	"math"
	"strings"
)

const (
	firstBuffer   = 4 << 10         // bytes; most messages are shorter
	longBuffer    = 64 << 10        // to which buffers grow for faster reading alone
	minRead       = 512             // the room that a read should have
	maxUnread     = math.MaxInt / 4 // which can still be doubled where an int has 32 bits
	maxEmptyReads = 100             // as in bufio
)

var errReadCount = errors.New("msgpack: the reader returned an impossible count")

// unread returns the bytes that have been read and not passed.
func (d *Decoder) unread() []byte { return d.buf[d.start:d.end] }

// exhausted reports whether all that will come is in the buffer, as far as that
// is known before the reader says so.
func (d *Decoder) exhausted() bool {
	return d.readErr == io.EOF || d.rest != nil && d.rest.Len() == 0
}

// more reads more of the value at d.start, which the end of the input must not
// cut short.
func (d *Decoder) more() error {
	err := d.fill()
	if err == io.EOF && (d.start < d.end || d.skipping || len(d.open) > 0) {
		return d.truncated()
	}
	return err
}

// fill reads one byte at least into the buffer.
func (d *Decoder) fill() error {
	if err := d.makeRoom(); err != nil {
		return err
	}
	n, err := d.read(d.buf[d.end:])
	d.full = n == len(d.buf)-d.end
	d.end += n
	return err
}

// read reads one byte at least, or fails. An error that comes with bytes is kept
// for the next call.
func (d *Decoder) read(b []byte) (int, error) {
	if err := d.readErr; err != nil {
		d.readErr = nil
		return 0, err
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

// makeRoom sees to it that there is room behind what is unread: minRead bytes,
// unless the reader has fewer left.
//
// The unread bytes are moved only where about as many have been passed, or where
// the buffer doubles, so that moving takes linear time in all.
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

// bufferSize returns how long the buffer should be to hold the unread bytes and
// about as many more.
func (d *Decoder) bufferSize(unread int) int {
	size := len(d.buf)
	switch {
	case size > maxScratch && d.last < size/4 && unread < size/4:
		size = longBuffer // values as long as it was for do not seem to come any more
	case size < longBuffer && d.full:
		size *= 2
	}
	size = max(size, unread+max(unread, minRead), firstBuffer)
	if d.rest != nil && size > len(d.buf) {
		return max(len(d.buf), min(size, unread+d.rest.Len()+minRead))
	}
	return size
}

// A lener is a reader that says how many bytes it has left.
type lener interface{ Len() int }

// inMemory returns r if it has all its bytes in memory, so that it can be
// believed how many there are; otherwise nil.
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

// remaining returns how many bytes to expect from r, 0 if it does not say. What
// stands behind the word of an unknown reader may be a claim of its input.
func remaining(r io.Reader) int {
	if r := inMemory(r); r != nil {
		return r.Len()
	}
	if r, ok := r.(lener); ok {
		return max(0, min(r.Len(), maxScratch))
	}
	return 0
}
