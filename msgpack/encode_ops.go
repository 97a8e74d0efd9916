package msgpack

import (
	"math"
	"math/bits"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A step stores a template of up to 16 bytes, which are the same for every value
// (headers, keys, the format byte of floats), and then the value at an offset.
// Structs are encoded as a list of steps, and so are the entries of maps and
// values that stand alone.
//
//	type Point struct{ X, Y int; Name string }
//
//	step   template            value
//	1      83 a1 'X'           int at offset 0
//	2      a1 'Y'              int at offset 8
//	3      a4 'N' 'a' 'm' 'e'  string at offset 16
type step struct {
	template [templateSize]byte
	offset   uintptr // of the value
	room     uint32  // that must be free: for all steps up to the next with a call
	size     uint8   // bytes of the template that count
	put      putOp
}

const templateSize = 16 // what storing a template writes, however much of it counts

// What timestamps begin with, the first byte lowest.
const (
	timestamp32 = uint16(wire.FixExt4) | 0xff<<8
	timestamp64 = uint16(wire.FixExt8) | 0xff<<8
	timestamp96 = uint32(wire.Ext8) | 12<<8 | 0xff<<16
)

// makeStep returns the step of a value that nothing but its lead precedes.
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

// isText reports whether s, the first step, encodes a string that stands alone.
func (s *step) isText() bool { return s.put == putString && s.size == 0 }

// setSkip makes s, a condition, skip so many steps.
func (s *step) setSkip(steps int) { mem.Store32(mem.PtrTo(&s.template[0]), 0, uint32(steps)) }

func (s *step) skip() int { return int(mem.Load32(mem.PtrTo(&s.template[0]), 0)) }

// after returns the last of the steps that s, a condition, skips.
func (s *step) after() *step {
	return mem.At[step](mem.PtrTo(s).Add(uintptr(s.skip()) * uintptr(mem.SizeOf[step]())))
}

// setRooms sums up the room of each step from the end. A condition has what the
// longer of its two ways needs.
func setRooms(steps []step) {
	for i := len(steps) - 1; i >= 0; i-- {
		room := uint32(templateSize)
		switch s := &steps[i]; {
		case s.put == putCall || s.put == putEnd:
			room += uint32(s.size)
		case s.put.isCondition():
			room = max(steps[i+1].room, steps[i+1+s.skip()].room)
		default:
			room = uint32(s.size) + s.put.bound() + steps[i+1].room
		}
		steps[i].room = room
	}
}

// store does the steps for the struct at v as far as they go without a call. It
// writes to base+n, where the room that the first step asks for must be free,
// and returns where the bytes end and the step that it stopped at, behind the
// template: one that needs a call, a string longer than shortString, or the end.
// It counts the fields that the conditions found.
//
// It calls nothing itself, which keeps its variables in registers and spares it
// a frame. TestInlining makes sure of that.
func store(s *step, base mem.Ptr, n int, v mem.Ptr) (end int, last *step, found int) {
	for ; s.put != putEnd; s = mem.Next(s) {
		mem.Copy16(base, n, mem.PtrTo(&s.template[0]), 0)
		n += int(s.size)
		at := v.Add(s.offset)
		var number int64
		switch s.put {
		case putTemplate:
			continue
		case putBool:
			mem.Store8(base, n, byte(wire.False)|mem.Load8(at, 0))
			n++
			continue
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
			if number < 0 { // more than an int64 holds
				mem.Store8(base, n, byte(wire.Uint64))
				mem.Store64BE(base, n+1, uint64(number))
				n += maxInteger
				continue
			}
		case putString:
			str := *mem.At[string](at)
			p, size := mem.StringBytes(str), len(str)
			mem.Store8(base, n, byte(wire.FixStr)|byte(size))
			// Lengths from 4 to 16, those of most strings, share one path, so that a
			// mixture of them does not cost mispredicted branches.
			if size >= 4 && size <= 16 {
				mem.CopyWords(base.Add(uintptr(n)+1), p, size)
				n += 1 + size
				continue
			}
			if size > shortString {
				return n, s, found
			}
			if size > 16 {
				mem.Copy16(base, n+1, p, 0)
				mem.Copy16(base, n+1+size-16, p, size-16)
			} else if size > 0 {
				mem.Store8(base, n+1, mem.Load8(p, 0))
				mem.Store8(base, n+1+size/2, mem.Load8(p, size/2))
				mem.Store8(base, n+size, mem.Load8(p, size-1))
			}
			n += 1 + size
			continue
		case putTime:
			t := mem.At[time.Time](at)
			sec, nsec := uint64(t.Unix()), uint64(t.Nanosecond())
			switch {
			case sec>>32|nsec == 0:
				mem.Store16(base, n, timestamp32)
				mem.Store32BE(base, n+2, uint32(sec))
				n += 6
			case nsec > maxNanoseconds: // see checkTime
				return n, s, found
			case sec>>34 == 0:
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
		case putNilable:
			if !at.Deref().IsNil() {
				return n, s, found
			}
			mem.Store8(base, n, byte(wire.Nil))
			n++
			continue
		case putList:
			h := mem.At[mem.SliceHeader](at)
			if h.Len > 0 {
				return n, s, found
			}
			b := byte(wire.FixArray)
			if h.Data.IsNil() {
				b = byte(wire.Nil)
			}
			mem.Store8(base, n, b)
			n++
			continue
		case putIf8:
			if mem.Load8(at, 0) == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		case putIf16:
			if mem.Load16(at, 0) == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		case putIf32:
			if mem.Load32(at, 0) == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		case putIf64:
			if mem.Load64(at, 0) == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		case putIfFloat32:
			if mem.LoadNative32(at, 0)<<1 == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		case putIfFloat64:
			if mem.LoadNative64(at, 0)<<1 == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		default:
			return n, s, found
		}
		// By branches, since a field tends to have the same width in all messages.
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
			mem.Store32BE(base, n, uint32(wire.Uint16)<<24|uint32(number)<<8)
			n += 3
			continue
		case uint64(number) <= math.MaxUint32:
			mem.Store8(base, n, byte(wire.Uint32))
			mem.Store32BE(base, n+1, uint32(number))
			n += 5
			continue
		}
		n = storeInteger(base, n, number)
	}
	return n, s, found
}

// storeLong goes on where store has stopped at a string, behind the template,
// and from there as store does, as long as there is room for all that follows
// without a call. It returns the step that it stopped at, likewise.
func storeLong(dst []byte, s *step, v mem.Ptr) (_ []byte, last *step, found int) {
	for s.put == putString {
		text, next := *mem.At[string](v.Add(s.offset)), mem.Next(s)
		need := uint64(len(text)) + maxStrHeader + uint64(next.room)
		if need > uint64(cap(dst)-len(dst)) || need > math.MaxUint32 {
			break
		}
		dst = append(wire.AppendStringHeader(dst, uint32(len(text))), text...)
		n, last, more := store(next, mem.Bytes(dst), len(dst), v)
		dst, s, found = dst[:n], last, found+more
	}
	return dst, s, found
}

// appendOp is the plain twin of store for a scalar: it grows dst by what the
// value takes and no more.
func appendOp(dst []byte, o putOp, p mem.Ptr) ([]byte, error) {
	switch o {
	case putBool:
		return wire.AppendBool(dst, *mem.At[bool](p)), nil
	case putInt8:
		return wire.AppendInt(dst, int64(*mem.At[int8](p))), nil
	case putInt16:
		return wire.AppendInt(dst, int64(*mem.At[int16](p))), nil
	case putInt32:
		return wire.AppendInt(dst, int64(*mem.At[int32](p))), nil
	case putInt64:
		return wire.AppendInt(dst, *mem.At[int64](p)), nil
	case putUint8:
		return wire.AppendUint(dst, uint64(*mem.At[uint8](p))), nil
	case putUint16:
		return wire.AppendUint(dst, uint64(*mem.At[uint16](p))), nil
	case putUint32:
		return wire.AppendUint(dst, uint64(*mem.At[uint32](p))), nil
	case putUint64:
		return wire.AppendUint(dst, *mem.At[uint64](p)), nil
	case putFloat32:
		return wire.AppendFloat32(dst, *mem.At[float32](p)), nil
	case putFloat64:
		return wire.AppendFloat64(dst, *mem.At[float64](p)), nil
	}
	return appendText(dst, *mem.At[string](p))
}

func appendText(dst []byte, s string) ([]byte, error) {
	if uint64(len(s)) > math.MaxUint32 {
		return dst, failed(ErrLimit, "string")
	}
	return wire.AppendString(dst, s), nil
}

// storeText writes a str of up to shortString bytes at base+n and returns where
// it ends.
func storeText(base mem.Ptr, n int, s string) (end int) {
	p, size := mem.StringBytes(s), len(s)
	mem.Store8(base, n, byte(wire.FixStr)|byte(size))
	switch {
	case size > 16:
		mem.Copy16(base, n+1, p, 0)
		mem.Copy16(base, n+1+size-16, p, size-16)
	case size >= 4:
		mem.CopyWords(base.Add(uintptr(n)+1), p, size)
	case size > 0:
		mem.Store8(base, n+1, mem.Load8(p, 0))
		mem.Store8(base, n+1+size/2, mem.Load8(p, size/2))
		mem.Store8(base, n+size, mem.Load8(p, size-1))
	}
	return n + 1 + size
}

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

// storeIntegers writes the elements of s, all of which an int64 holds, at base+n
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
