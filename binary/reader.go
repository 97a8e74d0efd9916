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

// A Reader reads values one after the other. The first error stays: from then on
// every value is zero, and [Reader.End] tells.
//
//	r := binary.NewReader(conn, binary.BigEndian)
//	id := r.Uint32()
//	name := r.Uint16String()
//	_, err := r.End()
//
// The error is [io.EOF] if the input ended where a value would have begun, and
// [io.ErrUnexpectedEOF] if it ended within one. It is [io.ErrNoProgress] if the
// input returned no bytes and no error 100 times in a row, and an error too if it
// returned a count that is negative or larger than the slice it was given.
//
// From a reader that has its bytes in memory (*[bytes.Buffer], *[bytebuf.Buffer],
// *[bytes.Reader], *[strings.Reader], *[bufio.Reader], *Reader) it takes exactly the
// bytes of its values. From any other it takes up to 512 at a time, and so perhaps some that
// come after the last value, unless [Reader.Limit] says where that ends; they are
// had by reading on from the Reader, which is an [io.Reader] itself.
//
// A length in the input allocates no more than about twice what then arrives.
type Reader struct {
	r      io.Reader
	order  ByteOrder
	err    error // the first
	endian endian
	base   int64 // bytes that went before buf
	last   int64 // where the limit is, counted from the beginning
	pos    int   // buf[pos:end] has been read and not been taken yet
	stop   int   // as far as values may go: end or the limit
	end    int
	buf    [smallSize]byte
}

// noLimit is the limit of a Reader that has none.
const noLimit = math.MaxInt64

// NewReader returns a Reader from r in the given order. Without r or order, its
// End returns an error; a nil pointer to one of the types named above is no reader.
func NewReader(r io.Reader, order ByteOrder) *Reader {
	rd := &Reader{r: r, order: order, endian: endianOf(order), last: noLimit}
	if order == nil {
		rd.err = errNoOrder
	}
	return rd
}

// Reset makes r as NewReader would have made it, whatever it was before. What it
// has read ahead is lost.
func (r *Reader) Reset(from io.Reader, order ByteOrder) {
	r.r, r.order, r.endian, r.err = from, order, endianOf(order), nil
	r.base, r.last, r.pos, r.stop, r.end = 0, noLimit, 0, 0, 0
	if order == nil {
		r.err = errNoOrder
	}
}

// End returns how many bytes have been taken since the beginning, and the first
// error. Bytes of a value that could not be read whole do not count, save for its
// length prefix. More values may be read after it.
func (r *Reader) End() (n int, err error) { return int(r.taken()), r.err }

// taken returns how many bytes values have taken.
func (r *Reader) taken() int64 { return r.base + int64(r.pos) }

// Limit lets the values that follow take n bytes at most, as if the input ended
// there. Within a limit, a limit can only be nearer: a frame inside a frame that
// claims to reach beyond it is [io.ErrUnexpectedEOF].
func (r *Reader) Limit(n int) {
	switch left := r.Left(); {
	case n < 0:
		r.fail(ErrLength)
	case left >= 0 && n > left:
		r.fail(io.ErrUnexpectedEOF)
	default:
		r.setLast(r.taken() + min(int64(n), noLimit-1-r.taken())) // a sum beyond would be negative
	}
}

// Unlimit lifts the limit. After a frame inside a frame, set that of the outer one
// again to what [Reader.Left] was before, less the inner frame.
func (r *Reader) Unlimit() { r.setLast(noLimit) }

// Left returns how many bytes are left to the limit, -1 if there is none.
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

// Skip takes n bytes for nothing.
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

// Peek returns the next n bytes, 512 at most, without taking them. They are fewer
// if the input or the limit ends before; that is no error yet. They are valid
// until the next call.
func (r *Reader) Peek(n int) []byte {
	n = min(max(n, 0), smallSize)
	if left := r.Left(); left >= 0 {
		n = min(n, left)
	}
	if n > r.stop-r.pos && r.err == nil {
		if err := r.fill(n); err != nil && err != io.EOF {
			r.fail(err)
		}
	}
	return r.buf[r.pos:min(r.pos+n, r.stop)]
}

// Read takes up to len(b) bytes, as the [io.Reader] that r is. At a limit it
// returns [io.EOF].
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
	r.stop = r.pos // values take the slow path and are zero there
}

// failFrom fails with what became of a value that began at start, of which some
// bytes may have been taken.
func (r *Reader) failFrom(start int64, err error) {
	r.fail(midway(err, r.taken() > start))
	r.base = start - int64(r.pos)
}

// have makes the next n bytes, 512 at most, those from buf[pos] on. It reports
// whether there are so many.
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

// fill reads until n bytes are there. io.EOF says that the input or the limit
// ended before.
func (r *Reader) fill(n int) error {
	r.base += int64(r.pos)
	r.end = copy(r.buf[:], r.buf[r.pos:r.end])
	r.pos = 0
	r.setLast(r.last)
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

// read reads into buf from at on until it has n bytes, and returns how many it
// read. Readers that copy at once what is in memory may see buf, which can be on
// the stack; others get memory from the heap.
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

// ahead returns how many bytes to ask an unknown reader for, to be in buf from at on.
func (r *Reader) ahead(at int) int { return int(min(int64(smallSize), r.last-r.base)) - at }
