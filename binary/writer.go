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

// A Writer writes values one after the other. Its methods return it, so that a
// message is one expression, and the first error stays until the end:
//
//	n, err := binary.NewWriter(w, binary.BigEndian).Uint8(2).Uint16(uint16(len(token))).ByteSlice(token).End()
//
// Values are collected in 512 bytes inside the Writer, so that w gets few large
// writes; [Writer.End] or [Writer.Flush] sends the last of them. No method
// allocates, and a Writer that is not shared can stay on the stack with all that
// it is given: w only ever sees memory from the heap.
type Writer struct {
	w       io.Writer
	order   ByteOrder
	err     error // the first
	written int   // bytes that w took
	n       int   // bytes that wait in buf; all of it once there is an error
	endian  endian
	buf     [smallSize]byte
}

// NewWriter returns a Writer to w in the given order. Without w or order, its End
// returns an error; a nil *[bytes.Buffer], *[bytebuf.Buffer], *[bufio.Writer] or *Writer
// is no writer.
func NewWriter(w io.Writer, order ByteOrder) *Writer {
	wr := &Writer{w: w, order: order, endian: endianOf(order)}
	if order == nil {
		wr.fail(errNoOrder)
	}
	return wr
}

// Reset makes w as NewWriter would have made it, whatever it was before. What
// waited to be written is lost.
func (w *Writer) Reset(to io.Writer, order ByteOrder) {
	w.w, w.order, w.endian = to, order, endianOf(order)
	w.err, w.written, w.n = nil, 0, 0
	if order == nil {
		w.fail(errNoOrder)
	}
}

// End sends what waits, and returns how many bytes have been written since the
// beginning, and the first error. More values may follow.
func (w *Writer) End() (written int, err error) {
	w.Flush()
	return w.written, w.err
}

// Flush sends what waits.
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
	case *bytes.Buffer: // it copies what it is given, at once and keeping no pointer
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

// Write sends what waits and then b, without copying it if it is large. It makes w
// an [io.Writer].
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
	errNoWriter  = errors.New("binary: Writer without an io.Writer")
	errNoReader  = errors.New("binary: Reader without an io.Reader")
	errNoOrder   = errors.New("binary: no byte order")
	errCount     = errors.New("binary: the writer returned an impossible count")
	errReadCount = errors.New("binary: the reader returned an impossible count")
)

// missing reports whether v is nothing to write to or read from: nil, or a nil
// pointer to a type whose methods cannot do without. Those of other types may.
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

// send gives b, which is from the heap, to the writer.
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

// sendCopy gives the first n bytes of buf to the writer, in memory that it may see.
func (w *Writer) sendCopy(n int) {
	b := getScratch(n)
	copy(b, w.buf[:n])
	w.send(b)
	putScratch(b)
}

// took notes what became of a write of n bytes.
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
	w.n = smallSize // no room: values take the slow path and are dropped there
}

// room reports whether buf has room for n bytes more, which are one value.
func (w *Writer) room(n int) bool { return n <= smallSize-w.n || w.makeRoom() }

// makeRoom sends what waits. It reports whether there is no error.
func (w *Writer) makeRoom() bool {
	w.Flush()
	return w.err == nil
}
