package binary

import (
	"encoding/binary"
	"io"
	"slices"

	"github.com/octet-go/octet/internal/mem"
)

// Size returns how many bytes [Write] would write for v, which is a fixed-size
// value, a slice of them or a pointer to either. It returns -1 for anything else
// and for a nil pointer.
func Size(v any) int {
	a, word := argumentOf(v)
	p, n, ok := a.values(word)
	if !ok || a.form == byPointer && p.IsNil() {
		return -1
	}
	return n * a.elem.size
}

// Append appends the binary representation of data, see [Write], to buf and
// returns the extended buffer. Given something else than [Write] takes, it
// returns nil and an error.
func Append(buf []byte, order ByteOrder, data any) ([]byte, error) {
	a, word := argumentOf(data)
	p, n, ok := a.values(word)
	if !ok {
		return nil, errNotFixedSize("Append", a.typ)
	}
	start, size := len(buf), n*a.elem.size
	buf = grow(buf, size)
	a.elem.encode(mem.Bytes(buf[start:]), p, n, order)
	return buf, nil
}

// Encode stores the binary representation of data, see [Write], in buf and returns
// how many bytes that took. It is an error if buf is too small.
func Encode(buf []byte, order ByteOrder, data any) (int, error) {
	a, word := argumentOf(data)
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

// Decode decodes the bytes at the beginning of buf into data, see [Read], and
// returns how many it took. It is an error if buf is too small.
func Decode(buf []byte, order ByteOrder, data any) (int, error) {
	a, word := argumentOf(data)
	p, n, ok := a.target(word)
	if !ok {
		if a.form == byValue && a.basic && len(buf) < a.elem.size {
			return 0, errBufferTooSmall
		}
		return 0, errInvalidType("Decode", a.typ)
	}
	size := n * a.elem.size
	if len(buf) < size {
		return 0, errBufferTooSmall
	}
	if a.full.fixed != nil && n > 0 {
		return decodeReflected(buf[:size], order, data)
	}
	a.elem.decode(mem.Bytes(buf), p, n, order)
	return size, nil
}

// decodeReflected decodes into a type with a field that is not exported, up to
// that field: there, encoding/binary panics by way of reflection, and programs
// that recover from it see the very same panic.
func decodeReflected(buf []byte, order ByteOrder, data any) (int, error) {
	return binary.Decode(slices.Clone(buf), order, data)
}

// grow returns buf with n bytes more, whose contents are left to the caller.
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
	case n == 1 && e != custom && l.coders[e].encode.Exists():
		l.coders[e].encode.One(wire, values)
	case n*l.size == 0:
	case values.IsNil():
		panicNil(values)
	case n == 1 && e != custom:
		l.coders[e].encodeSteps(wire, values)
	case e != custom:
		l.coders[e].encodeAll(wire, values, n)
	default:
		l.coders[swapped].encodeCustom(wire, values, n, order)
	}
}

// decode loads n values.
func (l *layout) decode(wire, values mem.Ptr, n int, order ByteOrder) {
	e := endianOf(order)
	switch {
	case n == 1 && e != custom && l.coders[e].decode.Exists():
		l.coders[e].decode.One(values, wire)
	case n*l.size == 0:
	case values.IsNil():
		panicNil(values)
	case n == 1 && e != custom:
		l.coders[e].decodeSteps(wire, values)
	case e != custom:
		l.coders[e].decodeAll(wire, values, n)
	default:
		l.coders[swapped].decodeCustom(wire, values, n, order)
	}
}

// panicNil panics as following p, which is nil, does.
func panicNil(p mem.Ptr) { *mem.At[byte](p) = 0 }

// Write writes the binary representation of data to w.
//
// Data is a fixed-size value, a slice of them, or a pointer to either. Bools
// become one byte, 1 or 0; numbers have their own size in the order given,
// complex ones the real part first; the elements of arrays and slices and the
// fields of structs follow one another without padding. Blank fields (_) become
// zeros.
//
// All goes to w in one call of its Write, or above 64 KiB in calls of 32 KiB and
// more. Nothing is allocated for it.
func Write(w io.Writer, order ByteOrder, data any) error {
	if b, ok := data.([]byte); ok && len(b) > 0 {
		// This also tells escape analysis that slices given as data, unlike values
		// and pointers, may reach a writer that does anything with them.
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
	// The standard library does not look at how many bytes were written either.
	_, err := writeValues(w, order, a.elem, p, n, oneCall)
	return err
}

// isImage reports whether the wire bytes of values are their memory.
func (l *layout) isImage(order ByteOrder) bool {
	e := endianOf(order)
	if e == custom {
		e = swapped
	}
	return l.coders[e].whole == 1
}

// Read reads the binary representation of data from r into data, which is a
// pointer to a fixed-size value, a slice of them, or a pointer to one.
//
// Bytes other than 0 become true bools. Blank fields (_) are skipped: they keep
// what they had, as padding does. A struct with other fields that are not
// exported makes Read panic.
//
// The error is [io.EOF] only if no bytes were read; it is [io.ErrUnexpectedEOF] if
// the input ended after that. Data is unchanged then, except that above 64 KiB
// the values that had arrived are there. A reader that returns no bytes and no
// error 100 times in a row gives [io.ErrNoProgress].
func Read(r io.Reader, order ByteOrder, data any) error {
	a, word := argumentOf(data)
	p, n, ok := a.target(word)
	if !ok {
		if a.form == byValue && a.basic {
			// The standard library finds out too late.
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
