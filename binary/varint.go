package binary

import (
	"encoding/binary"
	"io"
	"math/bits"
)

// MaxVarintLenN is the maximum length of a varint-encoded N-bit integer.
const (
	MaxVarintLen16 = binary.MaxVarintLen16
	MaxVarintLen32 = binary.MaxVarintLen32
	MaxVarintLen64 = binary.MaxVarintLen64
)

// A varint has 7 bits of the number in each byte, lowest bits first. The high
// bit is set in each byte except the last:
//
//	300  =  10 0101100  →  1|0101100  0|0000010
//
// To decode it, up to 8 bytes are loaded as one word. Three shifts then move
// all groups of bits at once:
//
//	bytes   0aaaaaaa 0bbbbbbb 0ccccccc 0ddddddd ...
//	pairs   00bbbbbb baaaaaaa 00dddddd dccccccc ...       14 bits in each quarter
//	        0000dddd dddccccc ccbbbbbb baaaaaaa ...       28 bits in each half
//	number  of 56 bits
//
// The highest byte of each word is on the left. For encoding, the inverse is
// not faster than a loop.
const highBits = 0x8080808080808080

// gather joins the low 7 bits of the bytes of x.
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
// read. If buf ends before the number does, it returns 0, 0. If the number does
// not fit in 64 bits, it returns 0, -n, where n is the number of bytes read.
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
			// last&-last is the high bit of the last byte, so this expression
			// keeps all bits up to it.
			return gather(w & (last ^ (last - 1))), bits.TrailingZeros64(last)/8 + 1
		}
	}
	return binary.Uvarint(buf)
}

// AppendVarint appends the varint-encoded form of x to buf and returns the
// extended buffer. Numbers near zero are short, including negative ones,
// because of zig-zag encoding: 0, -1, 1, -2, 2 … become 0, 1, 2, 3, 4 …
func AppendVarint(buf []byte, x int64) []byte {
	return AppendUvarint(buf, zigzag(x))
}

// PutVarint encodes x into buf and returns the number of bytes written. It
// panics if buf is too small.
func PutVarint(buf []byte, x int64) int {
	return PutUvarint(buf, zigzag(x))
}

// Varint decodes a number from buf and returns it with the number of bytes
// read. The results 0 and less have the same meaning as for [Uvarint].
func Varint(buf []byte) (int64, int) {
	x, n := Uvarint(buf)
	return unzigzag(x), n
}

// ReadUvarint reads an encoded number from r. The error is [io.EOF] if no bytes
// were read, and [io.ErrUnexpectedEOF] if the input ended inside the number.
func ReadUvarint(r io.ByteReader) (uint64, error) { return binary.ReadUvarint(r) }

// ReadVarint reads a number that [AppendVarint] encoded. Its errors are those
// of [ReadUvarint].
func ReadVarint(r io.ByteReader) (int64, error) { return binary.ReadVarint(r) }

func zigzag(x int64) uint64 { return uint64(x<<1) ^ uint64(x>>63) }

func unzigzag(x uint64) int64 { return int64(x>>1) ^ -int64(x&1) }
