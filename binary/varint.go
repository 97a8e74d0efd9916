package binary

import (
	"encoding/binary"
	"io"
	"math/bits"
)

// MaxVarintLenN is the most bytes that a varint-encoded N-bit integer takes.
const (
	MaxVarintLen16 = binary.MaxVarintLen16
	MaxVarintLen32 = binary.MaxVarintLen32
	MaxVarintLen64 = binary.MaxVarintLen64
)

// A varint has 7 bits of the number in each byte, the lowest ones first, and a
// high bit in each byte but the last:
//
//	300  =  10 0101100  →  1|0101100  0|0000010
//
// To decode it, up to 8 bytes are a word, whose bits move all at once instead of
// byte by byte:
//
//	bytes   0aaaaaaa 0bbbbbbb 0ccccccc 0ddddddd ...
//	pairs   00bbbbbb baaaaaaa 00dddddd dccccccc ...       14 bits in each quarter
//	        0000dddd dddccccc ccbbbbbb baaaaaaa ...       28 bits in each half
//	number  of 56 bits
//
// (the highest byte on the left within each). Encoding gains nothing by the inverse.
const highBits = 0x8080808080808080

// gather puts the low 7 bits of the bytes of x together.
func gather(x uint64) uint64 {
	x = x&0x007f007f007f007f | x&0x7f007f007f007f00>>1
	x = x&0x00003fff00003fff | x&0x3fff00003fff0000>>2
	return x&0x000000000fffffff | x&0x0fffffff00000000>>4
}

// AppendUvarint appends the varint-encoded form of x to buf and returns the
// extended buffer.
func AppendUvarint(buf []byte, x uint64) []byte { return binary.AppendUvarint(buf, x) }

// PutUvarint encodes x into buf and returns the number of bytes written. It
// panics if buf is too small.
func PutUvarint(buf []byte, x uint64) int { return binary.PutUvarint(buf, x) }

// Uvarint decodes a number from buf and returns it with the number of bytes
// read. That is 0 if buf ends before the number does, and negative if the number
// does not fit 64 bits, -n for n bytes read; the number is 0 then.
func Uvarint(buf []byte) (uint64, int) {
	if len(buf) > 0 && buf[0] < 0x80 {
		return uint64(buf[0]), 1
	}
	return longUvarint(buf)
}

func longUvarint(buf []byte) (uint64, int) {
	if len(buf) >= 8 {
		w := binary.LittleEndian.Uint64(buf)
		if last := ^w & highBits; last != 0 {
			// last&-last is the high bit of the last byte, so that this leaves all
			// the bits up to it.
			return gather(w & (last ^ (last - 1))), bits.TrailingZeros64(last)/8 + 1
		}
	}
	return binary.Uvarint(buf)
}

// AppendVarint appends the varint-encoded form of x to buf and returns the
// extended buffer. Numbers near zero are short, negative ones too (zig-zag: 0, -1,
// 1, -2, 2 … become 0, 1, 2, 3, 4 …).
func AppendVarint(buf []byte, x int64) []byte {
	return AppendUvarint(buf, zigzag(x))
}

// PutVarint encodes x into buf and returns the number of bytes written. It
// panics if buf is too small.
func PutVarint(buf []byte, x int64) int {
	return PutUvarint(buf, zigzag(x))
}

// Varint decodes a number from buf and returns it with the number of bytes
// read, with [Uvarint]'s meaning of 0 and negative ones.
func Varint(buf []byte) (int64, int) {
	x, n := Uvarint(buf)
	return unzigzag(x), n
}

// ReadUvarint reads an encoded number from r. The error is [io.EOF] only if no
// bytes were read, and [io.ErrUnexpectedEOF] if the input ended after that.
func ReadUvarint(r io.ByteReader) (uint64, error) { return binary.ReadUvarint(r) }

// ReadVarint is [ReadUvarint] for the form that [AppendVarint] makes.
func ReadVarint(r io.ByteReader) (int64, error) { return binary.ReadVarint(r) }

func zigzag(x int64) uint64 { return uint64(x<<1) ^ uint64(x>>63) }

func unzigzag(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }
