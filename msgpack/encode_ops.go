package msgpack

import (
	"math"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A step stores a template of up to 16 constant bytes (headers, keys, the format
// byte of floats) and then the value at an offset. Structs are encoded by a list of
// steps, and so are the keys of maps and whole messages.
//
//	type Point struct{ X, Y int; Name string }
//
//	step   template            value
//	1      83 a1 'X'           int at offset 0
//	2      a1 'Y'              int at offset 8
//	3      a4 'N' 'a' 'm' 'e'  string at offset 16
type step struct {
	template [templateSize]byte
	offset   uintptr // of the value in the struct
	room     uint32  // bytes that must be free before this step: see setRooms
	size     uint8   // length of the template
	put      putOp
}

// templateSize is the number of bytes that store copies for a template, whatever its
// size. A copy of constant size takes two instructions and no branch; the bytes
// after the template are overwritten by the value.
const templateSize = 16

// The first bytes of timestamps, with the first byte in the lowest bits.
const (
	timestamp32 = uint16(wire.FixExt4) | 0xff<<8
	timestamp64 = uint16(wire.FixExt8) | 0xff<<8
	timestamp96 = uint32(wire.Ext8) | 12<<8 | 0xff<<16
)

// makeStep returns the step of a value without a key.
func makeStep(o putOp, offset uintptr) step {
	s := step{put: o, offset: offset}
	s.setTemplate(o.lead())
	return s
}

// setTemplate sets the template to up to 16 bytes.
func (s *step) setTemplate(b []byte) {
	s.template = [templateSize]byte{}
	s.size = uint8(copy(s.template[:], b))
}

// isText reports whether s, the first step, encodes a message that is one string.
func (s *step) isText() bool { return s.put == putString && s.size == 0 }

// setSkip sets how many steps s skips. s is a condition. Conditions have no
// template, so its memory holds the number.
func (s *step) setSkip(steps int) { mem.Store32(mem.PtrTo(&s.template[0]), 0, uint32(steps)) }

func (s *step) skip() int { return int(mem.Load32(mem.PtrTo(&s.template[0]), 0)) }

// after returns the last step that s, a condition, skips. The loop of store then
// advances to the step after it.
func (s *step) after() *step {
	return mem.At[step](mem.PtrTo(s).Add(uintptr(s.skip()) * uintptr(mem.SizeOf[step]())))
}

// setRooms computes the room of each step: the maximum length of its output and
// that of the following steps up to one that needs a call, which begins with a new
// check. A condition needs the longer of its two paths. Each sum includes
// templateSize bytes for the copy of the last template.
func setRooms(steps []step) {
	for i := len(steps) - 1; i >= 0; i-- {
		room := uint32(templateSize)
		switch s := &steps[i]; {
		case s.put == putCall || s.put == putEnd:
			room += uint32(s.size) // store stops here, after the template
		case s.put.isCondition():
			room = max(steps[i+1].room, steps[i+1+s.skip()].room)
		default:
			room = uint32(s.size) + s.put.bound() + steps[i+1].room
		}
		steps[i].room = room
	}
}

// store executes steps for the struct at v, from s on, until one needs a call. It
// writes to base+n without checks, so s.room bytes must be free there. It returns
// the end of the output and the step at which it stopped: one that needs a call, a
// string longer than shortString, or the end. The template of that step has been
// written. count is the number of optional fields that are present.
//
// store itself contains no call. It therefore needs no stack frame, and its
// variables stay in registers. TestInlining checks this.
func store(s *step, base mem.Ptr, n int, v mem.Ptr) (end int, last *step, count int) {
	for ; s.put != putEnd; s = mem.Next(s) {
		mem.Copy16(base, n, mem.PtrTo(&s.template[0]), 0)
		n += int(s.size)
		at := v.Add(s.offset)
		// Integers of every type leave the switch with their value in number. The code
		// after the switch writes it. All other cases continue with the next step.
		var number int64
		switch s.put {
		case putTemplate: // a part of a key that is too long for one template
			continue
		case putBool:
			// A bool in memory is 0 or 1, and true is the format after false.
			mem.Store8(base, n, byte(wire.False)|mem.Load8(at, 0))
			n++
			continue
		// Floats are copied as integers, so that every NaN keeps its bits.
		case putFloat32: // the format byte is in the template
			mem.Store32BE(base, n, *mem.At[uint32](at))
			n += 4
			continue
		case putFloat64:
			mem.Store64BE(base, n, *mem.At[uint64](at))
			n += 8
			continue
		case putInt8:
			number = int64(*mem.At[int8](at))
		case putInt16:
			number = int64(*mem.At[int16](at))
		case putInt32:
			number = int64(*mem.At[int32](at))
		case putInt64:
			number = *mem.At[int64](at)
		case putUint8:
			number = int64(*mem.At[uint8](at))
		case putUint16:
			number = int64(*mem.At[uint16](at))
		case putUint32:
			number = int64(*mem.At[uint32](at))
		case putUint64:
			number = *mem.At[int64](at)
			if number < 0 { // a uint64 above the range of int64, which the code below cannot handle
				mem.Store8(base, n, byte(wire.Uint64))
				mem.Store64BE(base, n+1, uint64(number))
				n += maxInteger
				continue
			}
		case putString:
			str := *mem.At[string](at)
			p, size := mem.StringBytes(str), len(str)
			mem.Store8(base, n, byte(wire.FixStr)|byte(size)) // overwritten if the string is long
			// Most strings have 4 to 16 bytes. All of these lengths take the same
			// branch, so that a mixture of lengths causes no branch mispredictions.
			if size >= 4 && size <= 16 {
				mem.CopyWords(base.Add(uintptr(n)+1), p, size)
				n += 1 + size
				continue
			}
			// A longer string has no maximum length, so the room of the step does not
			// include it.
			if size > shortString {
				return n, s, count
			}
			if size > 16 {
				// Two copies that overlap cover every length from 17 to 31.
				mem.Copy16(base, n+1, p, 0)
				mem.Copy16(base, n+1+size-16, p, size-16)
			} else if size > 0 {
				// The first, middle and last byte cover the lengths 1 to 3.
				mem.Store8(base, n+1, mem.Load8(p, 0))
				mem.Store8(base, n+1+size/2, mem.Load8(p, size/2))
				mem.Store8(base, n+size, mem.Load8(p, size-1))
			}
			n += 1 + size
			continue
		case putTime:
			t := mem.At[time.Time](at)
			sec, nsec := uint64(t.Unix()), uint64(t.Nanosecond())
			// The shortest timestamp that holds the time, as in wire.AppendTimestamp.
			// A negative sec has its high bits set and takes the longest.
			switch {
			case sec>>32|nsec == 0:
				mem.Store16(base, n, timestamp32)
				mem.Store32BE(base, n+2, uint32(sec))
				n += 6
			case nsec > maxNanoseconds: // an invalid time, for which the call returns an error
				return n, s, count
			case sec>>34 == 0: // 34 bits of seconds below 30 bits of nanoseconds
				mem.Store16(base, n, timestamp64)
				mem.Store64BE(base, n+2, nsec<<34|sec)
				n += 10
			default:
				mem.Store32(base, n, timestamp96)
				mem.Store32BE(base, n+3, uint32(nsec))
				mem.Store64BE(base, n+7, sec)
				n += maxTime
			}
			continue
		// Optional fields are often nil, so nil is worth a test here. The same
		// holds for an empty slice.
		case putNilable:
			// The first word of a pointer, map, slice or interface tells whether it is
			// nil. Encoding the value that it points to needs a call.
			if !at.Deref().IsNil() {
				return n, s, count
			}
			mem.Store8(base, n, byte(wire.Nil))
			n++
			continue
		case putList:
			h := mem.At[mem.SliceHeader](at)
			if h.Len > 0 {
				return n, s, count // the elements need a call
			}
			b := byte(wire.FixArray) // without elements
			if h.Data.IsNil() {
				b = byte(wire.Nil)
			}
			mem.Store8(base, n, b)
			n++
			continue
		// One case for each size, so that a condition is one load and one comparison.
		case putIf8:
			if mem.Load8(at, 0) == 0 {
				s = s.after()
			} else {
				count++
			}
			continue
		case putIf16:
			if mem.Load16(at, 0) == 0 {
				s = s.after()
			} else {
				count++
			}
			continue
		case putIf32:
			if mem.Load32(at, 0) == 0 {
				s = s.after()
			} else {
				count++
			}
			continue
		case putIf64:
			if mem.Load64(at, 0) == 0 {
				s = s.after()
			} else {
				count++
			}
			continue
		case putIfFloat32:
			if mem.LoadNative32(at, 0)<<1 == 0 { // without the sign bit: -0 is omitted too
				s = s.after()
			} else {
				count++
			}
			continue
		case putIfFloat64:
			if mem.LoadNative64(at, 0)<<1 == 0 {
				s = s.after()
			} else {
				count++
			}
			continue
		default: // putCall, and putIf, whose condition is a call
			return n, s, count
		}
		// An integer. Branches are faster than a table here, because a field tends to
		// have the same width in all messages, which the processor predicts.
		switch {
		case uint64(number) <= maxFixint:
			mem.Store8(base, n, byte(number))
			n++
			continue
		case uint64(number) <= math.MaxUint8:
			mem.Store8(base, n, byte(wire.Uint8))
			mem.Store8(base, n+1, byte(number))
			n += 2
			continue
		case uint64(number) <= math.MaxUint16:
			// One store for the format byte and the number. The next value overwrites
			// the fourth byte.
			mem.Store32BE(base, n, uint32(wire.Uint16)<<24|uint32(number)<<8)
			n += 3
			continue
		case uint64(number) <= math.MaxUint32:
			mem.Store8(base, n, byte(wire.Uint32))
			mem.Store32BE(base, n+1, uint32(number))
			n += 5
			continue
		}
		// Rare widths take the table, because more branches would cost the common
		// ones time. storeInteger is inlined.
		n = storeInteger(base, n, number) // negative, or longer than 4 bytes
	}
	return n, s, count
}

// storeLong continues at s, where store has stopped after the template of a long
// string. It appends the string, calls store for the following steps, and repeats
// this for further strings while dst has enough room. Like store, it returns the
// step at which it stopped and the number of optional fields that are present.
func storeLong(dst []byte, s *step, v mem.Ptr) (_ []byte, last *step, count int) {
	for s.put == putString {
		text, next := *mem.At[string](v.Add(s.offset)), mem.Next(s)
		// store does not check the room of the next step, so it is included here.
		// On a 32-bit machine the sum of the lengths could overflow an int.
		need := uint64(len(text)) + maxStrHeader + uint64(next.room)
		if need > uint64(cap(dst)-len(dst)) || need > math.MaxUint32 {
			break // dst must grow, or the string is too long for MessagePack
		}
		dst = append(wire.AppendStringHeader(dst, uint32(len(text))), text...)
		n, last, more := store(next, mem.Bytes(dst), len(dst), v)
		dst, s, count = dst[:n], last, count+more
	}
	return dst, s, count
}

// appendOp is the simple counterpart of store for a scalar. It grows dst by no more
// than the length of the value.
func appendOp(dst []byte, o putOp, p mem.Ptr) ([]byte, error) {
	switch o {
	case putBool:
		return wire.AppendBool(dst, *mem.At[bool](p)), nil
	case putUint64: // loadInteger makes a large one negative
		return wire.AppendUint(dst, *mem.At[uint64](p)), nil
	case putFloat32:
		return wire.AppendFloat32(dst, *mem.At[float32](p)), nil
	case putFloat64:
		return wire.AppendFloat64(dst, *mem.At[float64](p)), nil
	case putString:
		return appendText(dst, *mem.At[string](p))
	}
	return wire.AppendInt(dst, loadInteger(o, p)), nil
}

// appendText appends s as str. Unlike wire.AppendString it does not panic.
func appendText(dst []byte, s string) ([]byte, error) {
	if uint64(len(s)) > math.MaxUint32 {
		return dst, failed(ErrLimit, "string")
	}
	return wire.AppendString(dst, s), nil
}

// storeText writes a str of up to shortString bytes at base+n and returns its end. It
// copies the string like store, which has the code inline because it contains no call.
func storeText(base mem.Ptr, n int, s string) (end int) {
	p, size := mem.StringBytes(s), len(s)
	mem.Store8(base, n, byte(wire.FixStr)|byte(size))
	switch {
	case size > 16:
		mem.Copy16(base, n+1, p, 0)
		mem.Copy16(base, n+1+size-16, p, size-16)
	// Lengths of 4 to 16 take one branch, as in store.
	case size >= 4:
		mem.CopyWords(base.Add(uintptr(n)+1), p, size)
	case size > 0:
		mem.Store8(base, n+1, mem.Load8(p, 0))
		mem.Store8(base, n+1+size/2, mem.Load8(p, size/2))
		mem.Store8(base, n+size, mem.Load8(p, size-1))
	}
	return n + 1 + size
}
