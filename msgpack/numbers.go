package msgpack

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// Integers are written without branches, since their widths follow no pattern
// that a processor could predict: a table, indexed by the number of significant
// bits, says what the format byte is, and how long the whole is. The eight
// bytes after the format byte are then stored at once, with the digits shifted
// to the front; what is stored behind them is overwritten by what comes next.
//
// Each entry holds, from the lowest byte up: the format byte; a mask for the
// bits that a fixint has of the number itself; the bytes in all; the shift.
type integerForms [128]uint32

func integerForm(format wire.Format, size uint) uint32 {
	return uint32(format) | uint32(1+size)<<16 | uint32(64-8*size)<<24
}

const maxFixint = 0x7f

const fixintForm = 0xff<<8 | 1<<16

// signedForms is indexed by the significant bits of a number that is not
// negative, or 64 plus those of the complement of a negative one.
var signedForms = makeSignedForms()

// unsignedForms is indexed by the significant bits.
var unsignedForms = makeUnsignedForms()

func makeUnsignedForms() (t integerForms) {
	for n := range t {
		switch {
		case n <= 7:
			t[n] = fixintForm
		case n <= 8:
			t[n] = integerForm(wire.Uint8, 1)
		case n <= 16:
			t[n] = integerForm(wire.Uint16, 2)
		case n <= 32:
			t[n] = integerForm(wire.Uint32, 4)
		default:
			t[n] = integerForm(wire.Uint64, 8)
		}
	}
	return t
}

func makeSignedForms() (t integerForms) {
	t = makeUnsignedForms()
	for n := range 64 {
		switch {
		case n <= 5:
			t[64+n] = fixintForm
		case n <= 7:
			t[64+n] = integerForm(wire.Int8, 1)
		case n <= 15:
			t[64+n] = integerForm(wire.Int16, 2)
		case n <= 31:
			t[64+n] = integerForm(wire.Int32, 4)
		default:
			t[64+n] = integerForm(wire.Int64, 8)
		}
	}
	return t
}

// signedForm returns the two's complement of v and its form.
func signedForm(v int64) (uint64, uint32) {
	sign := v >> 63
	return uint64(v), signedForms[(bits.Len64(uint64(v^sign))+int(sign&64))&127]
}

// unsignedForm is signedForm for what has no sign.
func unsignedForm(v uint64) (uint64, uint32) {
	return v, unsignedForms[bits.Len64(v)&127]
}

// storeForm writes a number in its form at base+n and returns where it ends.
// It needs room for maxInteger bytes.
func storeForm(base mem.Ptr, n int, v uint64, f uint32) int {
	mem.Store8(base, n, byte(f)|byte(v)&byte(f>>8))
	mem.Store64BE(base, n+1, v<<(f>>24&63))
	return n + int(f>>16&0xff)
}

// storeScalar writes the scalar at p, which is not a string, and needs room for
// maxInteger bytes.
func storeScalar(base mem.Ptr, n int, s scalar, p mem.Ptr) int {
	var v uint64
	var f uint32
	switch s {
	case scalarBool:
		mem.Store8(base, n, byte(wire.False)|mem.Load8(p, 0))
		return n + 1
	case scalarInt8:
		v, f = signedForm(int64(*mem.At[int8](p)))
	case scalarInt16:
		v, f = signedForm(int64(*mem.At[int16](p)))
	case scalarInt32:
		v, f = signedForm(int64(*mem.At[int32](p)))
	case scalarInt64:
		v, f = signedForm(*mem.At[int64](p))
	case scalarUint8:
		v, f = unsignedForm(uint64(*mem.At[uint8](p)))
	case scalarUint16:
		v, f = unsignedForm(uint64(*mem.At[uint16](p)))
	case scalarUint32:
		v, f = unsignedForm(uint64(*mem.At[uint32](p)))
	case scalarUint64:
		v, f = unsignedForm(*mem.At[uint64](p))
	case scalarFloat32:
		mem.Store8(base, n, byte(wire.Float32))
		mem.Store32BE(base, n+1, *mem.At[uint32](p))
		return n + 5
	default:
		mem.Store8(base, n, byte(wire.Float64))
		mem.Store64BE(base, n+1, *mem.At[uint64](p))
		return n + 9
	}
	return storeForm(base, n, v, f)
}

// appendScalars appends count scalars, not strings, that lie size bytes apart.
func appendScalars(dst []byte, data mem.Ptr, count int, size uintptr, s scalar) []byte {
	i := 0
	for i < count {
		// As many as surely fit go without a check between them.
		room := (cap(dst) - len(dst)) / maxInteger
		if !fast || room == 0 {
			dst, _ = appendScalar(dst, s, data.Add(uintptr(i)*size)) // grows dst by what it takes
			i++
			continue
		}
		end := min(count, i+room)
		base, n := mem.Bytes(dst), len(dst)
		switch s {
		case scalarInt64:
			for ; i+4 <= end; i += 4 {
				// Small counts and codes are common: four fixints at a time.
				v := mem.At[[4]int64](data.Add(uintptr(i) * 8))
				if uint64(v[0]|v[1]|v[2]|v[3]) > maxFixint {
					for _, v := range v {
						v, f := signedForm(v)
						n = storeForm(base, n, v, f)
					}
					continue
				}
				mem.Store32(base, n, uint32(v[0]|v[1]<<8|v[2]<<16|v[3]<<24))
				n += 4
			}
			for ; i < end; i++ {
				v, f := signedForm(*mem.At[int64](data.Add(uintptr(i) * 8)))
				n = storeForm(base, n, v, f)
			}
		case scalarFloat64:
			for ; i < end; i++ {
				mem.Store8(base, n, byte(wire.Float64))
				mem.Store64BE(base, n+1, *mem.At[uint64](data.Add(uintptr(i) * 8)))
				n += 9
			}
		default:
			for ; i < end; i++ {
				n = storeScalar(base, n, s, data.Add(uintptr(i)*size))
			}
		}
		dst = dst[:n]
	}
	return dst
}
