package binary

import (
	"errors"
	"math"
	"math/bits"
)

// Bool reads one byte. Every value other than 0 is true.
func (r *Reader) Bool() bool { return r.Uint8() != 0 }

// Byte reads one byte, like Uint8.
func (r *Reader) Byte() byte { return r.Uint8() }

// Uint8 reads one byte.
func (r *Reader) Uint8() uint8 {
	if !r.have(1) {
		return 0
	}
	v := r.buf[r.pos]
	r.pos++
	return v
}

// Uint16 reads 2 bytes.
func (r *Reader) Uint16() (v uint16) {
	if !r.have(2) {
		return 0
	}
	b := r.buf[r.pos : r.pos+2]
	switch r.endian {
	case native:
		v = NativeEndian.Uint16(b)
	case swapped:
		v = bits.ReverseBytes16(NativeEndian.Uint16(b))
	default:
		tmp := numbers.Get().(*[8]byte)
		copy(tmp[:], b)
		v = r.order.Uint16(tmp[:2])
		numbers.Put(tmp)
	}
	r.pos += 2
	return v
}

// Uint32 reads 4 bytes.
func (r *Reader) Uint32() (v uint32) {
	if !r.have(4) {
		return 0
	}
	b := r.buf[r.pos : r.pos+4]
	switch r.endian {
	case native:
		v = NativeEndian.Uint32(b)
	case swapped:
		v = bits.ReverseBytes32(NativeEndian.Uint32(b))
	default:
		tmp := numbers.Get().(*[8]byte)
		copy(tmp[:], b)
		v = r.order.Uint32(tmp[:4])
		numbers.Put(tmp)
	}
	r.pos += 4
	return v
}

// Uint64 reads 8 bytes.
func (r *Reader) Uint64() (v uint64) {
	if !r.have(8) {
		return 0
	}
	b := r.buf[r.pos : r.pos+8]
	switch r.endian {
	case native:
		v = NativeEndian.Uint64(b)
	case swapped:
		v = bits.ReverseBytes64(NativeEndian.Uint64(b))
	default:
		tmp := numbers.Get().(*[8]byte)
		copy(tmp[:], b)
		v = r.order.Uint64(tmp[:8])
		numbers.Put(tmp)
	}
	r.pos += 8
	return v
}

// Int8 reads one byte.
func (r *Reader) Int8() int8 { return int8(r.Uint8()) }

// Int16 reads 2 bytes.
func (r *Reader) Int16() int16 { return int16(r.Uint16()) }

// Int32 reads 4 bytes.
func (r *Reader) Int32() int32 { return int32(r.Uint32()) }

// Int64 reads 8 bytes.
func (r *Reader) Int64() int64 { return int64(r.Uint64()) }

// Float32 reads 4 bytes, IEEE 754.
func (r *Reader) Float32() float32 { return math.Float32frombits(r.Uint32()) }

// Float64 reads 8 bytes, IEEE 754.
func (r *Reader) Float64() float64 { return math.Float64frombits(r.Uint64()) }

// Complex64 reads 4 bytes for the real part and 4 for the imaginary.
func (r *Reader) Complex64() complex64 {
	if !r.have(8) {
		return 0
	}
	re := r.Float32()
	return complex(re, r.Float32())
}

// Complex128 reads 8 bytes for the real part and 8 for the imaginary.
func (r *Reader) Complex128() complex128 {
	if !r.have(16) {
		return 0
	}
	re := r.Float64()
	return complex(re, r.Float64())
}

// Rune reads 4 bytes, like Int32.
func (r *Reader) Rune() rune { return r.Int32() }

var errOverflow = errors.New("binary: varint overflows a 64-bit integer")

// Uvarint reads 1 to 10 bytes, as written by [AppendUvarint]. A number that
// does not fit in 64 bits is an error.
func (r *Reader) Uvarint() uint64 {
	for r.err == nil {
		v, n := Uvarint(r.buf[r.pos:r.stop])
		if n > 0 {
			r.pos += n
			return v
		}
		if n < 0 || r.stop-r.pos >= MaxVarintLen64 {
			r.fail(errOverflow)
			return 0
		}
		// Request one byte at a time, because the input may end with the
		// number.
		r.have(r.stop - r.pos + 1)
	}
	return 0
}

// Varint reads 1 to 10 bytes, as written by [AppendVarint].
func (r *Reader) Varint() int64 { return unzigzag(r.Uvarint()) }
