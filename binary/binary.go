package binary

import (
	"encoding/binary"
	"io"
	"slices"

	"github.com/octet-go/octet/internal/block"
	"github.com/octet-go/octet/internal/mem"
)

// Size returns the number of bytes that [Write] would write for v, which must
// be a fixed-size value, a slice of fixed-size values, or a pointer to either.
// For any other value, and for a nil pointer, it returns -1.
func Size(v any) int {
	a, word := argumentOf(v)
	p, n, ok := a.values(word)
	if !ok || a.form == byPointer && p.IsNil() {
		return -1
	}
	return n * a.elem.size
}

// Append appends the binary representation of data to buf and returns the
// extended buffer. If data is not a type that [Write] accepts, it returns nil
// and an error.
func Append(buf []byte, order ByteOrder, data any) ([]byte, error) {
	a, word := argumentOf(data)
	if size, e := a.single(word, order); size > 0 {
		start := len(buf)
		buf = grow(buf, size)
		block.MoveNumber(a.ops[e], mem.Bytes(buf[start:]), 0, word, 0)
		return buf, nil
	}
	p, n, ok := a.values(word)
	if !ok {
		return nil, errNotFixedSize("Append", a.typ)
	}
	start, size := len(buf), n*a.elem.size
	buf = grow(buf, size)
	a.elem.encode(mem.Bytes(buf[start:]), p, n, order)
	return buf, nil
}

// Encode stores the binary representation of data in buf, as [Write] would
// write it, and returns the number of bytes stored. It returns an error if buf
// is too small.
func Encode(buf []byte, order ByteOrder, data any) (int, error) {
	a, word := argumentOf(data)
	if size, e := a.single(word, order); size > 0 && size <= len(buf) {
		block.MoveNumber(a.ops[e], mem.Bytes(buf), 0, word, 0)
		return size, nil
	}
	p, n, ok := a.values(word)
	if !ok {
		return 0, errNotFixedSize("Encode", a.typ)
	}
	size := n * a.elem.size
	if len(buf) < size {
		return 0, errBufferTooSmall
	}
	a.elem.encode(mem.Bytes(buf), p, n, order)
	return size, nil
}

// Decode decodes the bytes at the start of buf into data, as [Read] would, and
// returns the number of bytes consumed. If buf is too small, the error is
// [ErrTruncated].
func Decode(buf []byte, order ByteOrder, data any) (int, error) {
	a, word := argumentOf(data)
	if size, e := a.single(word, order); size > 0 && size <= len(buf) && a.form == byPointer {
		a.elem.loadNumber(mem.Bytes(buf), word, e)
		return size, nil
	}
	p, n, ok := a.target(word)
	if !ok {
		if a.form == byValue && a.basic && len(buf) < a.elem.size {
			return 0, tooShort(buf)
		}
		return 0, errInvalidType("Decode", a.typ)
	}
	size := n * a.elem.size
	if len(buf) < size {
		return 0, tooShort(buf)
	}
	if a.full.fixed != nil && n > 0 {
		return decodeReflected(buf[:size], order, data)
	}
	a.elem.decode(mem.Bytes(buf), p, n, order)
	return size, nil
}

// decodeReflected decodes into a type with an unexported field. It decodes the
// fields before that one and then panics with the same value as
// encoding/binary, because programs may recover from it.
func decodeReflected(buf []byte, order ByteOrder, data any) (int, error) {
	return binary.Decode(slices.Clone(buf), order, data)
}

// grow extends buf by n bytes, whose contents are undefined.
func grow(buf []byte, n int) []byte {
	if n > cap(buf)-len(buf) {
		buf = slices.Grow(buf, n)
	}
	return buf[:len(buf)+n]
}

// encode stores n values.
func (l *layout) encode(wire, values mem.Ptr, n int, order ByteOrder) {
	e := endianOf(order)
	switch {
	case n == 1 && e != custom && l.number > 0 && !values.IsNil():
		block.MoveNumber(l.ops[e], wire, 0, values, 0)
	case n == 1 && e != custom && l.coders[e].plan.Encode.Exists():
		l.coders[e].plan.Encode.One(wire, values)
	case n*l.size == 0:
	case values.IsNil():
		panicNil(values)
	case n == 1 && e != custom:
		l.coders[e].plan.EncodeSteps(wire, values)
	case e != custom:
		l.coders[e].plan.EncodeAll(wire, values, n)
	default:
		l.coders[swapped].plan.EncodeCustom(wire, values, n, order)
	}
}

// decode loads n values.
func (l *layout) decode(wire, values mem.Ptr, n int, order ByteOrder) {
	e := endianOf(order)
	switch {
	case n == 1 && e != custom && l.number > 0 && !values.IsNil():
		l.loadNumber(wire, values, e)
	case n == 1 && e != custom && l.coders[e].plan.Decode.Exists():
		l.coders[e].plan.Decode.One(values, wire)
	case n*l.size == 0:
	case values.IsNil():
		panicNil(values)
	case n == 1 && e != custom:
		l.coders[e].plan.DecodeSteps(wire, values)
	case e != custom:
		l.coders[e].plan.DecodeAll(wire, values, n)
	default:
		l.coders[swapped].plan.DecodeCustom(wire, values, n, order)
	}
}

// loadNumber loads one number or bool.
func (l *layout) loadNumber(wire, value mem.Ptr, e endian) {
	block.MoveNumber(l.ops[e], value, 0, wire, 0)
	if l.isBool {
		mem.Store8(value, 0, min(mem.Load8(value, 0), 1))
	}
}

// panicNil panics like a dereference of p, which must be nil.
func panicNil(p mem.Ptr) { *mem.At[byte](p) = 0 }

// Write writes the binary representation of data to w.
//
// Data must be a fixed-size value, a slice of fixed-size values, or a pointer
// to either. A bool is encoded as one byte, 1 or 0. A number has its own size
// and the given byte order; a complex number is its real part, then its
// imaginary part. Array and slice elements and struct fields follow each other
// without padding. Blank fields (_) are written as zeros.
//
// Write calls the Write method of w once for data of up to 64 KiB, and
// otherwise in pieces of at least 32 KiB. It does not allocate.
//
// Like encoding/binary, Write ignores the number of bytes that the last call
// reports: w must return an error if it writes fewer bytes than it was given.
func Write(w io.Writer, order ByteOrder, data any) error {
	if b, ok := data.([]byte); ok && len(b) > 0 {
		// This call also tells escape analysis that slices, unlike values and
		// pointers, may reach a writer that keeps them.
		_, err := w.Write(b)
		return err
	}
	a, word := argumentOf(data)
	p, n, ok := a.values(word)
	if !ok {
		return errNotFixedSize("Write", a.typ)
	}
	if a.form >= bySlice && n > 0 && a.elem.isImage(order) {
		_, err := w.Write(mem.Slice(p, n*a.elem.size))
		return err
	}
	// Like encoding/binary, ignore the number of bytes written.
	_, err := writeValues(w, order, a.elem, p, n, oneCall)
	return err
}

// isImage reports whether the encoding of the values is the same as their
// memory.
func (l *layout) isImage(order ByteOrder) bool {
	e := endianOf(order)
	if e == custom {
		e = swapped
	}
	return l.coders[e].plan.IsImage()
}

// Read reads binary data from r into data, which must be a pointer to a
// fixed-size value, a slice of fixed-size values, or a pointer to such a slice.
//
// A byte other than 0 decodes to true. Blank fields (_) are skipped and keep
// their values, like padding. Read panics if a struct has other unexported
// fields.
//
// The error is [io.EOF] if no bytes were read, and [io.ErrUnexpectedEOF] if the
// input ended after some bytes. In both cases data is unchanged, except that
// data of more than 64 KiB contains the values that arrived. If the reader
// returns no bytes and no error 100 times in a row, the error is
// [io.ErrNoProgress].
func Read(r io.Reader, order ByteOrder, data any) error {
	a, word := argumentOf(data)
	p, n, ok := a.target(word)
	if !ok {
		if a.form == byValue && a.basic {
			// Consume the bytes first, because encoding/binary finds the
			// invalid type only after reading.
			if err := discard(r, a.elem.size); err != nil {
				return err
			}
		}
		return errInvalidType("Read", a.typ)
	}
	if a.full.fixed != nil && n > 0 {
		buf := make([]byte, n*a.elem.size)
		if _, err := readFull(r, buf); err != nil {
			return err
		}
		_, err := decodeReflected(buf, order, data)
		return err
	}
	return readValues(r, order, a.elem, p, n)
}
