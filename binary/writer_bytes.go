package binary

import (
	"fmt"
	"math"

	"github.com/octet-go/octet/internal/mem"
)

// ByteSlice writes the bytes of b.
func (w *Writer) ByteSlice(b []byte) *Writer { return w.bytes(mem.String(b)) }

// String writes the bytes of s.
func (w *Writer) String(s string) *Writer { return w.bytes(s) }

// Uint8String writes the length of s as a uint8, and then s. If the length does
// not fit, the error is [ErrLength], here and in the methods below.
func (w *Writer) Uint8String(s string) *Writer {
	if w.fits(len(s), math.MaxUint8) {
		w.Uint8(uint8(len(s))).bytes(s)
	}
	return w
}

// Uint16String writes the length of s as a uint16, and then s.
func (w *Writer) Uint16String(s string) *Writer {
	if w.fits(len(s), math.MaxUint16) {
		w.Uint16(uint16(len(s))).bytes(s)
	}
	return w
}

// Uint32String writes the length of s as a uint32, and then s.
func (w *Writer) Uint32String(s string) *Writer {
	if w.fits(len(s), math.MaxUint32) {
		w.Uint32(uint32(len(s))).bytes(s)
	}
	return w
}

// UvarintString writes the length of s as a uvarint, and then s.
func (w *Writer) UvarintString(s string) *Writer { return w.Uvarint(uint64(len(s))).bytes(s) }

// Uint8ByteSlice writes the length of b as a uint8, and then b.
func (w *Writer) Uint8ByteSlice(b []byte) *Writer { return w.Uint8String(mem.String(b)) }

// Uint16ByteSlice writes the length of b as a uint16, and then b.
func (w *Writer) Uint16ByteSlice(b []byte) *Writer { return w.Uint16String(mem.String(b)) }

// Uint32ByteSlice writes the length of b as a uint32, and then b.
func (w *Writer) Uint32ByteSlice(b []byte) *Writer { return w.Uint32String(mem.String(b)) }

// UvarintByteSlice writes the length of b as a uvarint, and then b.
func (w *Writer) UvarintByteSlice(b []byte) *Writer { return w.UvarintString(mem.String(b)) }

// fits reports whether n is at most max. If not, it records an error.
func (w *Writer) fits(n int, max uint64) bool {
	if uint64(n) > max {
		w.fail(fmt.Errorf("%w: %d bytes exceed the maximum %d of the length prefix", ErrLength, n, max))
		return false
	}
	return true
}

// bytes writes s. It copies s to buf if s fits, and otherwise writes it in
// pieces.
func (w *Writer) bytes(s string) *Writer {
	if len(s) <= smallSize && w.room(len(s)) {
		w.n += copy(w.buf[w.n:], s)
		return w
	}
	for w.Flush(); len(s) > 0 && w.err == nil; {
		b := getScratch(min(len(s), chunkSize))
		s = s[copy(b, s):]
		w.send(b)
		putScratch(b)
	}
	return w
}
