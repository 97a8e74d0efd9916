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
// Structs are encoded as a list of steps, and so are the entries of maps.
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
	kind     stepKind
}

// A stepKind is a scalar, or one of the following.
type stepKind = scalar

const (
	stepTemplate stepKind = scalarNone       // no value
	stepCall     stepKind = scalarString + 1 // the value is encoded by a call
	stepEnd      stepKind = scalarString + 2 // there are no more
	stepTime     stepKind = scalarString + 3 // a time.Time as a timestamp
	stepNilable  stepKind = scalarString + 4 // nil if the first word is, otherwise a call
	stepList     stepKind = scalarString + 5 // the same for a slice, but for an empty one
)

// The conditions have no template, and pass over the steps of one field where a
// number at the offset is 0, of 8 to 64 bits, or where a function says so.
const (
	stepIf stepKind = stepList + 1 + iota
	stepIf8
	stepIf16
	stepIf32
	stepIf64
	stepIfFloat32 // of which there is also -0
	stepIfFloat64
)

// stepIfSize returns the condition on a number of so many bytes.
func stepIfSize(size uintptr) stepKind {
	return stepIf8 + stepKind(bits.TrailingZeros(uint(size)))
}

const (
	templateSize = 16 // what storing a template writes, however much of it counts
	maxInteger   = 9  // bytes
	maxTime      = 15
	shortString  = 31 // bytes of the longest str whose length stands in the format byte
	maxScalar    = 1 + shortString

	maxTextHeader = 5
)

// What timestamps begin with, the first byte lowest.
const (
	timestamp32 = uint16(wire.FixExt4) | 0xff<<8
	timestamp64 = uint16(wire.FixExt8) | 0xff<<8
	timestamp96 = uint32(wire.Ext8) | 12<<8 | 0xff<<16

	maxNanoseconds = 1e9 - 1
)

// setSkip makes s, a condition, pass over so many steps.
func (s *step) setSkip(steps int) { mem.Store32(mem.PtrTo(&s.template[0]), 0, uint32(steps)) }

func (s *step) skip() int { return int(mem.Load32(mem.PtrTo(&s.template[0]), 0)) }

// bound returns the room that the value of a step takes at most, when it is
// written without a call.
func (k scalar) bound() uint32 {
	switch {
	case k == stepTime:
		return maxTime
	case k == stepNilable || k == stepList:
		return 1
	case k == stepTemplate || k > scalarString:
		return 0
	case k == scalarString:
		return maxScalar
	}
	return maxInteger
}

// store does the steps for the struct at v as far as they go without a call. It
// writes to base+n, where the room that the first step asks for must be free,
// and returns where the bytes end and the step that it stopped at, behind the
// template: one that needs a call, a string longer than shortString, or the end.
// It counts the fields that the conditions found.
//
// It calls nothing itself, which keeps its variables in registers.
func store(s *step, base mem.Ptr, n int, v mem.Ptr) (end int, last *step, found int) {
	for ; ; s = mem.Next(s) {
		mem.Copy16(base, n, mem.PtrTo(&s.template[0]), 0)
		n += int(s.size)
		at := v.Add(s.offset)
		var number int64
		switch s.kind {
		case stepTemplate:
			continue
		case scalarBool:
			mem.Store8(base, n, byte(wire.False)|mem.Load8(at, 0))
			n++
			continue
		case scalarFloat32: // the format byte is in the template
			mem.Store32BE(base, n, *mem.At[uint32](at))
			n += 4
			continue
		case scalarFloat64:
			mem.Store64BE(base, n, *mem.At[uint64](at))
			n += 8
			continue
		case scalarInt8:
			number = int64(*mem.At[int8](at))
		case scalarInt16:
			number = int64(*mem.At[int16](at))
		case scalarInt32:
			number = int64(*mem.At[int32](at))
		case scalarInt64:
			number = *mem.At[int64](at)
		case scalarUint8:
			number = int64(*mem.At[uint8](at))
		case scalarUint16:
			number = int64(*mem.At[uint16](at))
		case scalarUint32:
			number = int64(*mem.At[uint32](at))
		case scalarUint64:
			number = *mem.At[int64](at)
			if number < 0 { // more than an int64 holds
				mem.Store8(base, n, byte(wire.Uint64))
				mem.Store64BE(base, n+1, uint64(number))
				n += maxInteger
				continue
			}
		case scalarString:
			str := *mem.At[string](at)
			p, size := mem.StringBytes(str), len(str)
			// Copied by words that overlap. Lengths from 4 to 16, those of most
			// strings, share one path, so that a mixture of them does not cost
			// mispredicted branches.
			if size >= 4 && size <= 16 {
				mem.Store8(base, n, byte(wire.FixStr)|byte(size))
				second := size >> 1 &^ 3
				third := size - 4 - second
				a, b := mem.Load32(p, 0), mem.Load32(p, second)
				c, d := mem.Load32(p, third), mem.Load32(p, size-4)
				mem.Store32(base, n+1, a)
				mem.Store32(base, n+1+second, b)
				mem.Store32(base, n+1+third, c)
				mem.Store32(base, n+1+size-4, d)
				n += 1 + size
				continue
			}
			if size > shortString {
				return n, s, found
			}
			mem.Store8(base, n, byte(wire.FixStr)|byte(size))
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
		case stepTime:
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
		case stepNilable:
			if !at.Deref().IsNil() {
				return n, s, found
			}
			mem.Store8(base, n, byte(wire.Nil))
			n++
			continue
		case stepList:
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
		case stepIf8:
			if mem.Load8(at, 0) == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		case stepIf16:
			if mem.Load16(at, 0) == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		case stepIf32:
			if mem.Load32(at, 0) == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		case stepIf64:
			if mem.Load64(at, 0) == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		case stepIfFloat32:
			if mem.Load32(at, 0)<<1 == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		case stepIfFloat64:
			if mem.Load64(at, 0)<<1 == 0 {
				s = s.after()
			} else {
				found++
			}
			continue
		default:
			return n, s, found
		}
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
		v, form := signedForm(number)
		n = storeForm(base, n, v, form)
	}
}

// storeTexts goes on where store has stopped at a string, behind the template,
// and from there as store does, as long as there is room for all that follows
// without a call. It returns the step that it stopped at, likewise.
func storeTexts(dst []byte, s *step, v mem.Ptr) (_ []byte, last *step, found int) {
	for s.kind == scalarString {
		text, next := *mem.At[string](v.Add(s.offset)), mem.Next(s)
		need := uint64(len(text)) + maxTextHeader + uint64(next.room)
		if need > uint64(cap(dst)-len(dst)) || need > math.MaxUint32 {
			break
		}
		dst = append(wire.AppendStringHeader(dst, uint32(len(text))), text...)
		n, last, more := store(next, mem.Bytes(dst), len(dst), v)
		dst, s, found = dst[:n], last, found+more
	}
	return dst, s, found
}

// after returns the last of the steps that s, a condition, passes over.
func (s *step) after() *step {
	return mem.At[step](mem.PtrTo(s).Add(uintptr(s.skip()) * uintptr(mem.SizeOf[step]())))
}

// lead returns what precedes a value of a kind in the template.
func (k scalar) lead() []byte {
	switch k {
	case scalarFloat32:
		return []byte{byte(wire.Float32)}
	case scalarFloat64:
		return []byte{byte(wire.Float64)}
	}
	return nil
}

// setTemplate sets the template to up to 16 bytes.
func (s *step) setTemplate(b []byte) {
	s.template = [templateSize]byte{}
	s.size = uint8(copy(s.template[:], b))
}

// setRooms sums up the room of each step from the end. A condition has what the
// longer of its two ways needs.
func setRooms(steps []step) {
	for i := len(steps) - 1; i >= 0; i-- {
		room := uint32(templateSize)
		switch s := &steps[i]; {
		case s.kind == stepCall || s.kind == stepEnd:
			room += uint32(s.size)
		case s.kind >= stepIf:
			room = max(steps[i+1].room, steps[i+1+s.skip()].room)
		default:
			room = uint32(s.size) + s.kind.bound() + steps[i+1].room
		}
		steps[i].room = room
	}
}
