package binary

import (
	"bufio"
	"bytes"
	"io"
	"math"
	"strings"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/internal/mem"
)

// A Reader reads values one after another. After the first error, every value
// is zero; [Reader.End] returns that error.
//
//	r := binary.NewReader(conn, binary.BigEndian)
//	id := r.Uint32()
//	name := r.Uint16String()
//	_, err := r.End()
//
// The error is [io.EOF] if the input ended before a value, and
// [io.ErrUnexpectedEOF] if it ended inside one. It is [io.ErrNoProgress] if the
// input returned no bytes and no error 100 times in a row. An input that
// returns a negative count, or a count larger than the slice it was given, is
// also an error.
//
// If the underlying reader holds its bytes in memory (*[bytes.Buffer],
// *[bytebuf.Buffer], *[bytes.Reader], *[strings.Reader], *[bufio.Reader],
// *Reader), the Reader consumes exactly the bytes of its values. From any other
// reader it reads up to 512 bytes ahead, so it may consume bytes after the last
// value, unless [Reader.Limit] marks the end. The Reader is itself an
// [io.Reader]; use it to read these bytes.
//
// A false length in the input does not cause a large allocation: the Reader
// allocates in total at most about five times the number of bytes that arrive.
type Reader struct {
	r      io.Reader
	order  ByteOrder
	err    error // the first error
	endian endian
	base   int64 // number of bytes before buf
	last   int64 // the limit, counted from the start of the input
	pos    int   // buf[pos:end] has been read but not consumed
	stop   int   // the end of the data that values may use: end or the limit
	end    int
	buf    [smallSize]byte
}

// noLimit means that the Reader has no limit.
const noLimit = math.MaxInt64

// NewReader returns a Reader that reads from r in the given byte order. If r or
// order is nil, End returns an error. A nil pointer to one of the types named
// above counts as a nil r.
func NewReader(r io.Reader, order ByteOrder) *Reader {
	rd := &Reader{r: r, order: order, endian: endianOf(order), last: noLimit}
	if order == nil {
		rd.err = errNoOrder
	}
	return rd
}

// Reset makes r equivalent to the result of NewReader, regardless of its state.
// Bytes that were read ahead are lost.
func (r *Reader) Reset(from io.Reader, order ByteOrder) {
	r.r, r.order, r.endian, r.err = from, order, endianOf(order), nil
	r.base, r.last, r.pos, r.stop, r.end = 0, noLimit, 0, 0, 0
	if order == nil {
		r.err = errNoOrder
	}
}

// End returns the number of bytes consumed so far and the first error. Bytes of
// an incomplete value do not count, except for its length prefix. More values
// may be read after a call of End.
func (r *Reader) End() (n int, err error) { return int(r.taken()), r.err }

// taken returns the number of bytes consumed by values.
func (r *Reader) taken() int64 { return r.base + int64(r.pos) }

// Limit limits the following values to n bytes, as if the input ended there.
// Inside a limit, a new limit can only be smaller: a nested frame that claims
// to extend past the outer frame results in [io.ErrUnexpectedEOF].
func (r *Reader) Limit(n int) {
	switch left := r.Left(); {
	case n < 0:
		r.fail(ErrLength)
	case left >= 0 && n > left:
		r.fail(io.ErrUnexpectedEOF)
	default:
		r.setLast(r.taken() + min(int64(n), noLimit-1-r.taken())) // a larger sum would overflow
	}
}

// Unlimit removes the limit. After a nested frame, restore the limit of the
// outer frame: set it to the value that [Reader.Left] had before the nested
// frame, minus the length of that frame.
func (r *Reader) Unlimit() { r.setLast(noLimit) }

// Left returns the number of bytes before the limit, or -1 if there is no
// limit.
func (r *Reader) Left() int {
	if r.last == noLimit {
		return -1
	}
	return int(r.last - r.taken())
}

func (r *Reader) setLast(last int64) {
	r.last = last
	if r.err == nil {
		r.stop = int(min(int64(r.end), last-r.base))
	}
}

// Skip discards n bytes.
func (r *Reader) Skip(n int) {
	if n < 0 {
		r.fail(ErrLength)
	}
	start := r.taken()
	for n > 0 && r.err == nil {
		b := getScratch(min(n, chunkSize))
		if err := r.full(b); err != nil {
			r.failFrom(start, err)
		}
		n -= len(b)
		putScratch(b)
	}
}

// Peek returns the next n bytes, at most 512, without consuming them. It
// returns fewer bytes if the input or the limit ends before; this is not an
// error. If the input fails, Peek returns the bytes that arrived before, and End
// returns the error. The bytes are valid until the next call. A Reader that consumes exactly the
// bytes of its values leaves them in the underlying reader, unless that is a
// [*bufio.Reader] with a buffer of fewer than n bytes.
func (r *Reader) Peek(n int) []byte {
	n = min(max(n, 0), smallSize)
	if left := r.Left(); left >= 0 {
		n = min(n, left)
	}
	if n > r.stop-r.pos && r.err == nil {
		if b, ok := r.peekMemory(n); ok {
			return b
		}
	}
	return r.readAhead(n)
}

// readAhead returns the next n bytes, or fewer if the input or the limit ends before.
func (r *Reader) readAhead(n int) []byte {
	var err error
	if n > r.stop-r.pos && r.err == nil {
		err = r.fill(n)
	}
	b := r.buf[r.pos:min(r.pos+n, r.stop)]
	if err != nil && err != io.EOF {
		r.fail(err)
	}
	return b
}

// peekMemory is Peek for readers that hold their bytes in memory, from which a Reader
// takes the bytes of its values only. It copies the bytes behind those that were read
// ahead, where the next value overwrites them. It reports whether it could.
func (r *Reader) peekMemory(n int) (_ []byte, ok bool) {
	if missing(r.r) {
		return nil, false
	}
	r.compact()
	b := r.buf[r.end:n]
	var there []byte
	switch from := r.r.(type) {
	case *bytes.Buffer:
		there, _ = from.Peek(len(b))
	case *bytebuf.Buffer:
		there, _ = from.Peek(len(b))
	case *bytes.Reader:
		got, _ := from.ReadAt(mem.HideBytes(b), from.Size()-int64(from.Len()))
		return r.buf[:r.end+got], true
	case *strings.Reader:
		got, _ := from.ReadAt(mem.HideBytes(b), from.Size()-int64(from.Len()))
		return r.buf[:r.end+got], true
	case *bufio.Reader:
		if len(b) > from.Size() {
			return nil, false
		}
		var err error
		if there, err = from.Peek(len(b)); err != nil && err != io.EOF {
			r.fail(err)
		}
	case *Reader:
		n := len(b)
		if left := from.Left(); left >= 0 {
			n = min(n, left)
		}
		there = from.readAhead(n)
		if from.err != nil {
			r.fail(from.err)
		}
	default:
		return nil, false
	}
	return r.buf[:r.end+copy(b, there)], true
}

// Read reads up to len(b) bytes into b. It implements [io.Reader]. At a limit
// it returns [io.EOF].
func (r *Reader) Read(b []byte) (int, error) {
	if r.err != nil || len(b) == 0 {
		return 0, r.err
	}
	if r.pos < r.stop {
		n := copy(b, r.buf[r.pos:r.stop])
		r.pos += n
		return n, nil
	}
	left := r.last - r.taken()
	if left == 0 {
		return 0, io.EOF
	}
	if missing(r.r) {
		r.fail(errNoReader)
		return 0, r.err
	}
	b = b[:min(int64(len(b)), left)]
	n, err := r.r.Read(b)
	if n < 0 || n > len(b) {
		n, err = 0, errReadCount
	}
	r.base += int64(n)
	if err != nil && err != io.EOF {
		r.fail(err)
	}
	return n, err
}

func (r *Reader) fail(err error) {
	if r.err == nil {
		r.err = err
	}
	r.stop = r.pos // makes values take the slow path, which returns zero
}

// failFrom records the error for a value that began at start, of which some
// bytes may have been consumed.
func (r *Reader) failFrom(start int64, err error) {
	r.fail(midway(err, r.taken() > start))
	r.base = start - int64(r.pos)
}

// have ensures that buf[pos:] contains the next n bytes, at most 512. It
// reports whether it succeeded.
func (r *Reader) have(n int) bool { return n <= r.stop-r.pos || r.fetch(n) }

func (r *Reader) fetch(n int) bool {
	if r.err != nil {
		return false
	}
	if err := r.fill(n); err != nil {
		r.fail(midway(err, r.pos < r.stop))
		return false
	}
	return true
}

// fill reads until n bytes are available. It returns io.EOF if the input or the
// limit ends before.
func (r *Reader) fill(n int) error {
	r.compact()
	if left := r.last - r.base; left < int64(n) {
		return midway(io.EOF, left > 0)
	}
	got, err := r.read(r.end, n)
	r.end += got
	r.setLast(r.last)
	if r.end >= n {
		return nil
	}
	if err == nil || err == io.ErrUnexpectedEOF && got > 0 {
		err = io.EOF
	}
	return err
}

// compact moves the bytes that were read ahead to the start of buf.
func (r *Reader) compact() {
	r.base += int64(r.pos)
	r.end = copy(r.buf[:], r.buf[r.pos:r.end])
	r.pos = 0
	r.setLast(r.last)
}

// read reads into buf, starting at at, until it has read n bytes, and returns
// the number of bytes read. Readers that copy from memory read directly into
// buf, which can be on the stack. Other readers get heap memory.
func (r *Reader) read(at, n int) (int, error) {
	if missing(r.r) {
		return 0, errNoReader
	}
	need := n - at
	switch from := r.r.(type) {
	case *bytes.Buffer:
		return copy(r.buf[at:], from.Next(need)), nil
	case *bytebuf.Buffer:
		return copy(r.buf[at:], from.Next(need)), nil
	case *bytes.Reader:
		return from.Read(mem.HideBytes(r.buf[at:n]))
	case *strings.Reader:
		return from.Read(mem.HideBytes(r.buf[at:n]))
	case *bufio.Reader:
		if need <= from.Buffered() {
			b, _ := from.Peek(need)
			got := copy(r.buf[at:], b)
			return from.Discard(got)
		}
	case *Reader:
	default:
		need = r.ahead(at)
	}
	b := getScratch(need)
	got, err := readAtLeast(r.r, b, n-at)
	copy(r.buf[at:], b[:got])
	putScratch(b)
	return got, err
}

// ahead returns the number of bytes to request from an unknown reader if they
// are stored in buf from at on.
func (r *Reader) ahead(at int) int { return int(min(int64(smallSize), r.last-r.base)) - at }
