package binary

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/internal/mem"
)

// ByteSlice reads n bytes into a new slice.
func (r *Reader) ByteSlice(n int) []byte { return readSlice[byte](r, n) }

// String reads n bytes as a string.
func (r *Reader) String(n int) string {
	if 0 <= n && n <= r.stop-r.pos {
		s := string(r.buf[r.pos : r.pos+n])
		r.pos += n
		return s
	}
	return mem.String(r.ByteSlice(n)) // no other reference to the bytes exists
}

// Uint16String reads the length of a string as a uint16, and the string.
func (r *Reader) Uint16String() string { return mem.String(r.prefixed(uint64(r.Uint16()))) }

// UvarintString reads the length of a string as a uvarint, and the string.
func (r *Reader) UvarintString() string { return mem.String(r.prefixed(r.Uvarint())) }

// Uint16ByteSlice reads the length of a byte slice as a uint16, and the slice.
func (r *Reader) Uint16ByteSlice() []byte { return r.prefixed(uint64(r.Uint16())) }

// UvarintByteSlice reads the length of a byte slice as a uvarint, and the slice.
func (r *Reader) UvarintByteSlice() []byte { return r.prefixed(r.Uvarint()) }

// prefixed reads the n bytes that follow a length prefix.
func (r *Reader) prefixed(n uint64) []byte {
	if r.err != nil {
		return nil
	}
	if n > math.MaxInt {
		r.fail(ErrLength)
		return nil
	}
	b := r.ByteSlice(int(n))
	if r.err == io.EOF {
		r.err = io.ErrUnexpectedEOF // the prefix is part of the value
	}
	return b
}

// Int8Slice reads n numbers of one byte.
func (r *Reader) Int8Slice(n int) []int8 { return readSlice[int8](r, n) }

// Int16Slice reads n numbers of 2 bytes.
func (r *Reader) Int16Slice(n int) []int16 { return readSlice[int16](r, n) }

// Int32Slice reads n numbers of 4 bytes.
func (r *Reader) Int32Slice(n int) []int32 { return readSlice[int32](r, n) }

// Int64Slice reads n numbers of 8 bytes.
func (r *Reader) Int64Slice(n int) []int64 { return readSlice[int64](r, n) }

// Uint16Slice reads n numbers of 2 bytes.
func (r *Reader) Uint16Slice(n int) []uint16 { return readSlice[uint16](r, n) }

// Uint32Slice reads n numbers of 4 bytes.
func (r *Reader) Uint32Slice(n int) []uint32 { return readSlice[uint32](r, n) }

// Uint64Slice reads n numbers of 8 bytes.
func (r *Reader) Uint64Slice(n int) []uint64 { return readSlice[uint64](r, n) }

// Float32Slice reads n numbers of 4 bytes.
func (r *Reader) Float32Slice(n int) []float32 { return readSlice[float32](r, n) }

// Float64Slice reads n numbers of 8 bytes.
func (r *Reader) Float64Slice(n int) []float64 { return readSlice[float64](r, n) }

// readSlice reads n numbers into a new slice. It returns nil if the input ends
// before. The slice doubles as numbers arrive, because n may be false.
func readSlice[T Number](r *Reader, n int) []T {
	width := mem.SizeOf[T]()
	if n < 0 || n > math.MaxInt/width {
		r.fail(ErrLength)
	}
	if r.err != nil {
		return nil
	}
	s, start := []T{}, r.taken()
	for len(s) < n {
		more := n - len(s)
		if size := max(len(s)*width, smallSize); !r.holds(more * width) {
			more = min(more, size/width)
		}
		part := len(s)
		s = slices.Grow(s, more)[:part+more]
		if err := r.full(mem.SliceBytes(s[part:])); err != nil {
			r.failFrom(start, err)
			return nil
		}
	}
	if e := endianOf(r.order); width > 1 && e != native {
		b := mem.SliceStart(s)
		numberLayouts[width].decode(b, b, n, r.order)
	}
	return s
}

// holds reports whether at least n bytes are certainly available.
func (r *Reader) holds(n int) bool {
	if int64(n) > r.last-r.taken() {
		return false
	}
	there := r.stop - r.pos
	if missing(r.r) {
		return n <= there
	}
	switch from := r.r.(type) {
	case *bytes.Buffer:
		there += from.Len()
	case *bytebuf.Buffer:
		there += from.Len()
	case *bytes.Reader:
		there += from.Len()
	case *strings.Reader:
		there += from.Len()
	}
	return n <= there
}

// full fills b, which must be on the heap. It uses the bytes that have been
// read ahead first.
func (r *Reader) full(b []byte) error {
	n := copy(b, r.buf[r.pos:r.stop])
	r.pos += n
	if b = b[n:]; len(b) == 0 {
		return nil
	}
	if left := r.last - r.taken(); left < int64(len(b)) {
		return midway(io.EOF, left > 0)
	}
	if missing(r.r) {
		return errNoReader
	}
	n, err := readFull(r.r, b)
	r.base += int64(n)
	return err
}
