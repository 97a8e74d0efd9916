package binary

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/internal/mem"
)

// A Writer writes values one after another. Its methods return the Writer, so
// that a message can be one expression. After the first error, nothing more is
// written; [Writer.End] returns that error:
//
//	n, err := binary.NewWriter(w, binary.BigEndian).Uint8(2).Uint16(uint16(len(token))).ByteSlice(token).End()
//
// The Writer collects values in an internal buffer of 512 bytes, so that w
// receives few large writes. [Writer.End] and [Writer.Flush] write the rest of
// the buffer. No method allocates. A Writer that does not escape can stay on
// the stack with everything that is passed to it, because w only receives heap
// memory.
type Writer struct {
	w       io.Writer
	order   ByteOrder
	err     error // the first error
	written int   // number of bytes that w accepted
	n       int   // number of bytes in buf; smallSize after an error
	endian  endian
	buf     [smallSize]byte
}

// NewWriter returns a Writer that writes to w in the given byte order. If w or
// order is nil, End returns an error. A nil *[bytes.Buffer], *[bytebuf.Buffer],
// *[bufio.Writer] or *Writer counts as a nil w.
func NewWriter(w io.Writer, order ByteOrder) *Writer {
	wr := &Writer{w: w, order: order, endian: endianOf(order)}
	if order == nil {
		wr.fail(errNoOrder)
	}
	return wr
}

// Reset makes w equivalent to the result of NewWriter, regardless of its state.
// Buffered bytes are lost.
func (w *Writer) Reset(to io.Writer, order ByteOrder) {
	w.w, w.order, w.endian = to, order, endianOf(order)
	w.err, w.written, w.n = nil, 0, 0
	if order == nil {
		w.fail(errNoOrder)
	}
}

// End writes the buffered bytes. It returns the number of bytes written since
// the start, and the first error. More values may be written after a call of
// End.
func (w *Writer) End() (written int, err error) {
	w.Flush()
	return w.written, w.err
}

// Flush writes the buffered bytes.
func (w *Writer) Flush() *Writer {
	if w.err != nil || w.n == 0 {
		return w
	}
	if missing(w.w) {
		w.fail(errNoWriter)
		return w
	}
	n := w.n
	w.n = 0
	switch to := w.w.(type) {
	case *bytes.Buffer: // it copies the bytes and keeps no pointer to them
		written, err := to.Write(mem.HideBytes(w.buf[:n]))
		w.took(n, written, err)
	case *bytebuf.Buffer:
		copy(to.Reserve(n), w.buf[:n])
		to.Commit(n)
		w.took(n, n, nil)
	default:
		w.sendCopy(n)
	}
	return w
}

// Write writes the buffered bytes and then b. It does not copy b if b is large.
// It implements [io.Writer].
func (w *Writer) Write(b []byte) (int, error) {
	if len(b) <= smallSize-w.n {
		w.n += copy(w.buf[w.n:], b)
		return len(b), nil
	}
	w.Flush()
	before := w.written
	w.send(b)
	return w.written - before, w.err
}

var (
	errNoWriter  = errors.New("binary: Writer has no io.Writer")
	errNoReader  = errors.New("binary: Reader has no io.Reader")
	errNoOrder   = errors.New("binary: nil ByteOrder")
	errCount     = errors.New("binary: writer returned invalid count from Write")
	errReadCount = errors.New("binary: reader returned invalid count from Read")
)

// missing reports whether v cannot be written to or read from: it is nil, or a
// nil pointer to a type whose methods do not work with nil. The methods of
// other types may work with nil pointers.
func missing(v any) bool {
	if _, p := mem.HideAny(v); !p.IsNil() {
		return false
	}
	switch v.(type) {
	case nil, *bytes.Buffer, *bytebuf.Buffer, *bytes.Reader, *strings.Reader, *bufio.Reader, *bufio.Writer, *Reader, *Writer:
		return true
	}
	return false
}

// send writes b, which must be on the heap.
func (w *Writer) send(b []byte) {
	switch {
	case w.err != nil:
	case missing(w.w):
		w.fail(errNoWriter)
	default:
		n, err := w.w.Write(b)
		w.took(len(b), n, err)
	}
}

// sendCopy writes a heap copy of the first n bytes of buf.
func (w *Writer) sendCopy(n int) {
	b := getScratch(n)
	copy(b, w.buf[:n])
	w.send(b)
	putScratch(b)
}

// took records the result of a write of n bytes.
func (w *Writer) took(n, written int, err error) {
	switch {
	case written < 0 || written > n:
		written = min(max(written, 0), n)
		if err == nil {
			err = errCount
		}
	case err == nil && written < n:
		err = io.ErrShortWrite
	}
	w.written += written
	if err != nil {
		w.fail(err)
	}
}

func (w *Writer) fail(err error) {
	if w.err == nil {
		w.err = err
	}
	w.n = smallSize // leaves no room, so values take the slow path, which drops them
}

// room ensures that buf has room for a value of n bytes. It reports whether it
// succeeded.
func (w *Writer) room(n int) bool { return n <= smallSize-w.n || w.makeRoom() }

// makeRoom writes the buffered bytes. It reports whether it succeeded.
func (w *Writer) makeRoom() bool {
	w.Flush()
	return w.err == nil
}
