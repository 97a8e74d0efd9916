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

// Uint16String writes the length of s as a uint16, and then s. If the length does
// not fit, the error is [ErrLength].
func (w *Writer) Uint16String(s string) *Writer {
	if len(s) > math.MaxUint16 {
		w.fail(fmt.Errorf("%w: %d bytes exceed the maximum %d of the length prefix", ErrLength, len(s), math.MaxUint16))
		return w
	}
	return w.Uint16(uint16(len(s))).bytes(s)
}

// UvarintString writes the length of s as a uvarint, and then s.
func (w *Writer) UvarintString(s string) *Writer { return w.Uvarint(uint64(len(s))).bytes(s) }

// Uint16ByteSlice writes the length of b as a uint16, and then b. If the length
// does not fit, the error is [ErrLength].
func (w *Writer) Uint16ByteSlice(b []byte) *Writer { return w.Uint16String(mem.String(b)) }

// UvarintByteSlice writes the length of b as a uvarint, and then b.
func (w *Writer) UvarintByteSlice(b []byte) *Writer { return w.UvarintString(mem.String(b)) }

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
