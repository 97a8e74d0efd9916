package msgpack

import (
	"math"
	"math/bits"
	"slices"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// The elements of a slice vary in width, and the processor cannot predict how. A field
// of a struct, in contrast, tends to have the same width in all messages. Elements are
// therefore encoded without branches. The number of significant bits is the index into
// a table, which holds the format byte and the length. The eight bytes after the format
// byte are stored at once, with the significant ones shifted to the front. The next
// value overwrites the others.
//
// Each entry holds four bytes, from the lowest one: the format byte, a mask of the bits
// that a fixint takes from the number, the length, and the shift. The index of a
// negative number is 64 plus the number of significant bits of its complement.
var integerForms = makeIntegerForms()

func makeIntegerForms() (t [128]uint32) {
	// The form of a number of n bits and a sign bit, if any, for which f is the format of one byte.
	form := func(n, sign, fixint int, f wire.Format) uint32 {
		if n <= fixint {
			return 0xff<<8 | 1<<16 // the number itself, and a length of one byte
		}
		width := bits.Len(uint(n+sign-1) / 8) // 0 to 3, the order of the formats
		size := uint32(1) << width
		return uint32(f) + uint32(width) | (1+size)<<16 | (64-8*size)<<24
	}
	for n := range 64 {
		t[n] = form(n, 0, 7, wire.Uint8)
		t[64+n] = form(n, 1, 5, wire.Int8)
	}
	return t
}

const maxFixint = 0x7f

// storeInteger writes v at base+n and returns its end. maxInteger bytes must be free.
//
// The masks of the index and of the shift show the compiler that both are in range, so
// that it makes no checks.
func storeInteger(base mem.Ptr, n int, v int64) int {
	sign := v >> 63 // -1 for a negative number, whose complement is v^sign
	f := integerForms[(bits.Len64(uint64(v^sign))+int(sign&64))&127]
	mem.Store8(base, n, byte(f)|byte(v)&byte(f>>8))
	mem.Store64BE(base, n+1, uint64(v)<<(f>>24&63))
	return n + int(f>>16&0xff)
}

// loadInteger returns the integer at p. A uint64 above the range of int64 becomes
// negative, with the same bits.
func loadInteger(o putOp, p mem.Ptr) int64 {
	switch o {
	case putInt8:
		return int64(*mem.At[int8](p))
	case putInt16:
		return int64(*mem.At[int16](p))
	case putInt32:
		return int64(*mem.At[int32](p))
	case putUint8:
		return int64(*mem.At[uint8](p))
	case putUint16:
		return int64(*mem.At[uint16](p))
	case putUint32:
		return int64(*mem.At[uint32](p))
	}
	return *mem.At[int64](p)
}

// An integer is an integer type whose slices have a loop of their own.
type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// storeIntegers is a numbersEncoder for integers, which must be in the range of int64.
func storeIntegers[T integer](base mem.Ptr, n int, memory []byte) int {
	s := mem.SliceOf[T](memory)
	for len(s) >= 4 {
		// Slices of small numbers, such as counts and codes, are common. Four fixints
		// take one store, in a fifth of the time. The conversion of a negative number
		// is large.
		if uint64(s[0]|s[1]|s[2]|s[3]) <= maxFixint {
			mem.Store32(base, n, uint32(s[0])|uint32(s[1])<<8|uint32(s[2])<<16|uint32(s[3])<<24)
			n += 4
			s = s[4:]
			continue
		}
		// One of the four is not a fixint. Testing each would cause mispredictions.
		for _, v := range s[:4] {
			n = storeInteger(base, n, int64(v))
		}
		s = s[4:]
	}
	for _, v := range s {
		n = storeInteger(base, n, int64(v))
	}
	return n
}

// storeUint64s is a numbersEncoder for a type with elements above the range of int64.
func storeUint64s(base mem.Ptr, n int, memory []byte) int {
	for _, v := range mem.SliceOf[uint64](memory) {
		// storeInteger takes an int64.
		if v <= math.MaxInt64 {
			n = storeInteger(base, n, int64(v))
			continue
		}
		mem.Store8(base, n, byte(wire.Uint64))
		mem.Store64BE(base, n+1, v)
		n += maxInteger
	}
	return n
}

// appendNumbers appends the count numbers at data, which are contiguous and have size
// bytes each.
func appendNumbers(dst []byte, o putOp, data mem.Ptr, count int, size uintptr) []byte {
	// All floats have the same length, so they need no estimate of it.
	if fast && (o == putFloat32 || o == putFloat64) && count > 0 {
		dst = slices.Grow(dst, count*int(1+size))
		return dst[:numbersEncoders[o](mem.Bytes(dst), len(dst), mem.Slice(data, count*int(size)))]
	}
	grown := newGrowth(dst)
	for i := 0; i < count; {
		if grown.short(dst) {
			dst = grown.grow(dst, i, count, 1)
		}
		// Store as many as fit at their maximum length, with one check for all. Most
		// are shorter, so the loop continues in the room that is left.
		room := (cap(dst) - len(dst) - maxInteger) / int(1+size)
		at := data.Add(uintptr(i) * size)
		if !fast || room <= 0 {
			dst, _ = appendOp(dst, o, at) // grows dst by what one number takes
			i++
			continue
		}
		n := min(count-i, room)
		dst = dst[:numbersEncoders[o](mem.Bytes(dst), len(dst), mem.Slice(at, n*int(size)))]
		i += n
	}
	return dst
}

// A numbersEncoder writes the numbers in the memory b at base+n and returns their end. A byte
// more than its size must be free for each but the last, and maxInteger for that, because
// storeInteger writes so many whatever it returns.
type numbersEncoder func(base mem.Ptr, n int, b []byte) (end int)

// numbersEncoders has the encoder of each number.
var numbersEncoders = [...]numbersEncoder{
	putBool:    storeBools,
	putInt8:    storeIntegers[int8],
	putInt16:   storeIntegers[int16],
	putInt32:   storeIntegers[int32],
	putInt64:   storeIntegers[int64],
	putUint8:   storeIntegers[uint8],
	putUint16:  storeIntegers[uint16],
	putUint32:  storeIntegers[uint32],
	putUint64:  storeUint64s,
	putFloat32: storeFloat32s,
	putFloat64: storeFloat64s,
}

// storeBools is a numbersEncoder for bools, whose formats differ in the lowest bit.
func storeBools(base mem.Ptr, n int, b []byte) int {
	for _, v := range b {
		mem.Store8(base, n, byte(wire.False)|v)
		n++
	}
	return n
}

// appendTexts appends the elements of a slice of strings. It does not estimate their
// lengths, because the lengths are known: see growTexts.
func appendTexts(dst []byte, texts []string) (_ []byte, err error) {
	room := newGrowth(dst)
	for i, s := range texts {
		if cap(dst) != room.cap { // append had to grow dst
			dst = growTexts(dst, texts[i:])
			room.cap = cap(dst)
		}
		if dst, err = appendText(dst, s); err != nil {
			return dst, underIndex(i, err)
		}
	}
	return dst, nil
}

// fitsText reports whether storeText can write s into that much room.
func fitsText(s string, room int) bool { return len(s) <= math.MaxUint8 && room >= 2+len(s) }

// storeText writes a str at base+n and returns its end. It copies the string like emit, which
// has the code inline. fitsText must be true for the room.
func storeText(base mem.Ptr, n int, s string) (end int) {
	p, size := mem.StringBytes(s), len(s)
	if size > shortString {
		mem.Store16(base, n, uint16(wire.Str8)|uint16(size)<<8)
		n += 2
		for i := 0; i < size-16; i += 16 {
			mem.Copy16(base, n+i, p, i)
		}
		mem.Copy16(base, n+size-16, p, size-16)
		return n + size
	}
	mem.Store8(base, n, byte(wire.FixStr)|byte(size))
	switch {
	case size > 16:
		mem.Copy16(base, n+1, p, 0)
		mem.Copy16(base, n+1+size-16, p, size-16)
	// Lengths of 4 to 16 take one branch, as in emit.
	case size >= 4:
		mem.CopyWords(base.Add(uintptr(n)+1), p, size)
	case size > 0:
		mem.Store8(base, n+1, mem.Load8(p, 0))
		mem.Store8(base, n+1+size/2, mem.Load8(p, size/2))
		mem.Store8(base, n+size, mem.Load8(p, size-1))
	}
	return n + 1 + size
}
