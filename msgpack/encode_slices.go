package msgpack

import (
	"math"
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// The elements of a slice vary in width, unlike a field from message to message,
// and their widths follow no pattern that a processor could predict. So they are
// written without branches: a table, indexed by the number of significant bits,
// says what the format byte is, and how long the whole is. The eight bytes after
// the format byte are then stored at once, with the digits shifted to the front;
// what is stored behind them is overwritten by what comes next.
//
// Each entry holds, from the lowest byte up: the format byte; a mask for the
// bits that a fixint has of the number itself; the bytes in all; the shift. The
// index is the number of significant bits, or 64 plus those of the complement of
// a negative number.
var integerForms = makeIntegerForms()

func makeIntegerForms() (t [128]uint32) {
	const fixint = 0xff<<8 | 1<<16
	form := func(f wire.Format, size uint32) uint32 { return uint32(f) | (1+size)<<16 | (64-8*size)<<24 }
	for n := range 64 {
		switch {
		case n <= 7:
			t[n] = fixint
		case n <= 8:
			t[n] = form(wire.Uint8, 1)
		case n <= 16:
			t[n] = form(wire.Uint16, 2)
		case n <= 32:
			t[n] = form(wire.Uint32, 4)
		default:
			t[n] = form(wire.Uint64, 8)
		}
	}
	for n := range 64 {
		switch {
		case n <= 5:
			t[64+n] = fixint
		case n <= 7:
			t[64+n] = form(wire.Int8, 1)
		case n <= 15:
			t[64+n] = form(wire.Int16, 2)
		case n <= 31:
			t[64+n] = form(wire.Int32, 4)
		default:
			t[64+n] = form(wire.Int64, 8)
		}
	}
	return t
}

const maxFixint = 0x7f

// storeInteger writes v at base+n and returns where it ends. It needs room for
// maxInteger bytes.
func storeInteger(base mem.Ptr, n int, v int64) int {
	sign := v >> 63
	f := integerForms[(bits.Len64(uint64(v^sign))+int(sign&64))&127]
	mem.Store8(base, n, byte(f)|byte(v)&byte(f>>8))
	mem.Store64BE(base, n+1, uint64(v)<<(f>>24&63))
	return n + int(f>>16&0xff)
}

// An integer is any of those that slices have loops for.
type integer interface {
	int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64
}

// storeIntegers writes the elements of s, which are in the range of int64, at base+n
// and returns where they end.
func storeIntegers[T integer](base mem.Ptr, n int, s []T) int {
	for len(s) >= 4 {
		// Small counts and codes are common: four fixints at a time.
		if uint64(s[0]|s[1]|s[2]|s[3]) <= maxFixint {
			mem.Store32(base, n, uint32(s[0])|uint32(s[1])<<8|uint32(s[2])<<16|uint32(s[3])<<24)
			n += 4
			s = s[4:]
			continue
		}
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

// storeUint64s is storeIntegers for what an int64 may not hold.
func storeUint64s(base mem.Ptr, n int, s []uint64) int {
	for _, v := range s {
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

// appendNumbers appends count numbers that lie one after the other.
func appendNumbers(dst []byte, o putOp, data mem.Ptr, count int, size uintptr) []byte {
	if fast && (o == putFloat32 || o == putFloat64) && count > 0 {
		return appendFloats(dst, o, data, count)
	}
	grown := newGrowth(dst)
	for i := 0; i < count; {
		if grown.short(dst) {
			dst = grown.grow(dst, i, count, 1)
		}
		// As many as surely fit go without a check between them.
		room := (cap(dst) - len(dst)) / maxInteger
		at := data.Add(uintptr(i) * size)
		if !fast || room == 0 {
			dst, _ = appendOp(dst, o, at) // grows dst by what it takes
			i++
			continue
		}
		n := min(count-i, room)
		dst = dst[:storeNumbers(mem.Bytes(dst), len(dst), o, mem.Slice(at, n*int(size)))]
		i += n
	}
	return dst
}

// storeNumbers writes the numbers, not floats, whose memory b is at base+n, where each has room
// for maxInteger bytes, and returns where they end.
func storeNumbers(base mem.Ptr, n int, o putOp, b []byte) int {
	switch o {
	case putInt8:
		return storeIntegers(base, n, mem.SliceOf[int8](b))
	case putInt16:
		return storeIntegers(base, n, mem.SliceOf[int16](b))
	case putInt32:
		return storeIntegers(base, n, mem.SliceOf[int32](b))
	case putInt64:
		return storeIntegers(base, n, mem.SliceOf[int64](b))
	case putUint8:
		return storeIntegers(base, n, b)
	case putUint16:
		return storeIntegers(base, n, mem.SliceOf[uint16](b))
	case putUint32:
		return storeIntegers(base, n, mem.SliceOf[uint32](b))
	case putUint64:
		return storeUint64s(base, n, mem.SliceOf[uint64](b))
	default:
		for _, v := range b {
			mem.Store8(base, n, byte(wire.False)|v)
			n++
		}
	}
	return n
}

// appendTexts appends strings.
func appendTexts(dst []byte, texts []string) (_ []byte, err error) {
	room := newGrowth(dst)
	for i, s := range texts {
		if cap(dst) != room.cap {
			dst = growTexts(dst, texts[i:])
			room.cap = cap(dst)
		}
		if fast && len(s) <= shortString && cap(dst)-len(dst) >= maxScalar {
			dst = dst[:storeText(mem.Bytes(dst), len(dst), s)]
		} else if dst, err = appendText(dst, s); err != nil {
			return dst, underIndex(i, err)
		}
	}
	return dst, nil
}
