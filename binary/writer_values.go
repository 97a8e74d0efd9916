package binary

import (
	"math"
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// Bool writes one byte, 1 for true and 0 for false.
func (w *Writer) Bool(v bool) *Writer {
	if v {
		return w.Uint8(1)
	}
	return w.Uint8(0)
}

// Byte writes one byte, like Uint8.
func (w *Writer) Byte(v byte) *Writer { return w.Uint8(v) }

// Uint8 writes one byte.
func (w *Writer) Uint8(v uint8) *Writer {
	if w.room(1) {
		w.buf[w.n] = v
		w.n++
	}
	return w
}

// Uint16 writes 2 bytes.
func (w *Writer) Uint16(v uint16) *Writer {
	if w.room(2) {
		b := w.buf[w.n : w.n+2]
		switch w.endian {
		case native:
			NativeEndian.PutUint16(b, v)
		case swapped:
			NativeEndian.PutUint16(b, bits.ReverseBytes16(v))
		default:
			tmp := numbers.Get().(*[8]byte)
			w.order.PutUint16(tmp[:2], v)
			copy(b, tmp[:2])
			numbers.Put(tmp)
		}
		w.n += 2
	}
	return w
}

// Uint32 writes 4 bytes.
func (w *Writer) Uint32(v uint32) *Writer {
	if w.room(4) {
		b := w.buf[w.n : w.n+4]
		switch w.endian {
		case native:
			NativeEndian.PutUint32(b, v)
		case swapped:
			NativeEndian.PutUint32(b, bits.ReverseBytes32(v))
		default:
			tmp := numbers.Get().(*[8]byte)
			w.order.PutUint32(tmp[:4], v)
			copy(b, tmp[:4])
			numbers.Put(tmp)
		}
		w.n += 4
	}
	return w
}

// Uint64 writes 8 bytes.
func (w *Writer) Uint64(v uint64) *Writer {
	if w.room(8) {
		b := w.buf[w.n : w.n+8]
		switch w.endian {
		case native:
			NativeEndian.PutUint64(b, v)
		case swapped:
			NativeEndian.PutUint64(b, bits.ReverseBytes64(v))
		default:
			tmp := numbers.Get().(*[8]byte)
			w.order.PutUint64(tmp[:8], v)
			copy(b, tmp[:8])
			numbers.Put(tmp)
		}
		w.n += 8
	}
	return w
}

// Int8 writes one byte.
func (w *Writer) Int8(v int8) *Writer { return w.Uint8(uint8(v)) }

// Int16 writes 2 bytes.
func (w *Writer) Int16(v int16) *Writer { return w.Uint16(uint16(v)) }

// Int32 writes 4 bytes.
func (w *Writer) Int32(v int32) *Writer { return w.Uint32(uint32(v)) }

// Int64 writes 8 bytes.
func (w *Writer) Int64(v int64) *Writer { return w.Uint64(uint64(v)) }

// Float32 writes 4 bytes, IEEE 754.
func (w *Writer) Float32(v float32) *Writer { return w.Uint32(math.Float32bits(v)) }

// Float64 writes 8 bytes, IEEE 754.
func (w *Writer) Float64(v float64) *Writer { return w.Uint64(math.Float64bits(v)) }

// Complex64 writes 4 bytes for the real part and 4 for the imaginary.
func (w *Writer) Complex64(v complex64) *Writer { return w.Float32(real(v)).Float32(imag(v)) }

// Complex128 writes 8 bytes for the real part and 8 for the imaginary.
func (w *Writer) Complex128(v complex128) *Writer { return w.Float64(real(v)).Float64(imag(v)) }

// Rune writes 4 bytes, like Int32.
func (w *Writer) Rune(v rune) *Writer { return w.Int32(v) }

// Uvarint writes 1 to 10 bytes, like [AppendUvarint].
func (w *Writer) Uvarint(v uint64) *Writer {
	if w.room(MaxVarintLen64) {
		w.n += PutUvarint(w.buf[w.n:], v)
	}
	return w
}

// Varint writes 1 to 10 bytes, like [AppendVarint].
func (w *Writer) Varint(v int64) *Writer { return w.Uvarint(zigzag(v)) }

// Int8Slice writes one byte for each number of s.
func (w *Writer) Int8Slice(s []int8) *Writer { return writeSlice(w, s) }

// Int16Slice writes 2 bytes for each number of s.
func (w *Writer) Int16Slice(s []int16) *Writer { return writeSlice(w, s) }

// Int32Slice writes 4 bytes for each number of s.
func (w *Writer) Int32Slice(s []int32) *Writer { return writeSlice(w, s) }

// Int64Slice writes 8 bytes for each number of s.
func (w *Writer) Int64Slice(s []int64) *Writer { return writeSlice(w, s) }

// Uint16Slice writes 2 bytes for each number of s.
func (w *Writer) Uint16Slice(s []uint16) *Writer { return writeSlice(w, s) }

// Uint32Slice writes 4 bytes for each number of s.
func (w *Writer) Uint32Slice(s []uint32) *Writer { return writeSlice(w, s) }

// Uint64Slice writes 8 bytes for each number of s.
func (w *Writer) Uint64Slice(s []uint64) *Writer { return writeSlice(w, s) }

// Float32Slice writes 4 bytes for each number of s.
func (w *Writer) Float32Slice(s []float32) *Writer { return writeSlice(w, s) }

// Float64Slice writes 8 bytes for each number of s.
func (w *Writer) Float64Slice(s []float64) *Writer { return writeSlice(w, s) }

// writeSlice writes the numbers of s. It stores them in buf if they fit, and
// otherwise writes them in pieces.
func writeSlice[T Number](w *Writer, s []T) *Writer {
	width := mem.SizeOf[T]()
	if size := len(s) * width; size <= smallSize && w.room(size) {
		w.n += putSlice(w.buf[w.n:], w.order, s)
		return w
	}
	for w.Flush(); len(s) > 0 && w.err == nil; {
		n := min(len(s), chunkSize/width)
		b := getScratch(n * width)
		putSlice(b, w.order, s[:n])
		w.send(b)
		putScratch(b)
		s = s[n:]
	}
	return w
}
