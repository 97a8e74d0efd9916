package msgpack

import (
	"math"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A step stores a template of up to 16 constant bytes (headers, keys, the format
// byte of floats) and then the value at an offset. All values are encoded by lists of
// steps that end with putEnd: structs, the elements of slices, the entries of maps and
// whole messages.
//
//	type Point struct{ X, Y int; Name string }
//
//	step   template            value
//	1      83 a1 'X'           int at offset 0
//	2      a1 'Y'              int at offset 8
//	3      a4 'N' 'a' 'm' 'e'  string at offset 16
//
// A step has 32 bytes on a 64-bit machine, so that two share a cache line.
type step struct {
	template [templateSize]byte
	offset   uint32 // of the value in the struct
	room     uint8  // bytes that must be free: see setRoom
	size     uint8  // length of the template
	put      putOp
	more     *value // what emit does not need for each step
}

// templateSize is the number of bytes that emit copies for a template, whatever its
// size. A copy of constant size takes two instructions and no branch; the bytes
// after the template are overwritten by the value.
const templateSize = 16

// The first bytes of timestamps, with the first byte in the lowest bits.
const (
	timestamp32 = uint16(wire.FixExt4) | 0xff<<8
	timestamp64 = uint16(wire.FixExt8) | 0xff<<8
	timestamp96 = uint32(wire.Ext8) | 12<<8 | 0xff<<16
)

// setTemplate sets the template to up to 16 bytes.
func (s *step) setTemplate(b []byte) {
	s.template = [templateSize]byte{}
	s.size = uint8(copy(s.template[:], b))
}

// setRoom sets the room: the maximum length of what emit writes for s, or that of the
// copy of the template if it is longer. It is at most maxRoom.
func (s *step) setRoom() {
	s.room = uint8(max(templateSize, int(s.size)+s.put.bound()))
}

// emit writes count values with the steps that begin at first. The first value is at v,
// and the others follow at a distance of stride bytes. It writes to base+n, and limit is
// the capacity of that buffer, which may be on the stack. depth is the number of levels
// that may be opened; the caller has checked that it suffices for what the steps write
// without a call.
//
// If present is not 0, the value is a struct with optional fields, and first is the end
// of no steps. Each bit of present then stands for a list of steps to execute, see
// [fieldGroup].
//
// emit returns the buffer, which may have been replaced by a larger one, its length and
// its capacity. On error, the length is instead the number of values that were not
// completely written.
//
// There is one call for everything that is not written here, so that the variables of
// the loop stay in registers until then. TestInlining checks this.
func emit(first *step, base mem.Ptr, n, limit int, v mem.Ptr, depth, count int, stride uintptr, present uint64) (mem.Ptr, int, int, error) {
	f := emission{first, first, limit, depth, count, v, stride, present}
	s, safe := first, limit-maxRoom
	for {
		var call emitFunc
		var p mem.Ptr
		var size int
		for ; s.put != putEnd; s = mem.Next(s) {
			if n > safe { // the buffer is nearly full
				goto tight
			}
			mem.Copy16(base, n, mem.PtrTo(&s.template[0]), 0)
			n += int(s.size)
			at := v.Add(uintptr(s.offset))
			o := s.put
			// Integers of every type leave the switch with their value in number. The
			// code after the switch writes it. All other cases continue with the next
			// step.
			var number int64
			var t *time.Time
			var sec, nsec uint64
			switch o {
			case putTemplate: // a part of a key that is too long for one template
				continue
			case putFields:
				g := groupOf(s.more)
				set, c := g.always, &g.conditions[0]
				// A branch for each: without one, the fields would have to wait for all conditions. The
				// processor also learns from these branches which fields follow.
				for i := g.words; i > 0; i-- {
					if mem.LoadWord(v.Add(uintptr(c.offset)), 0) != 0 {
						set += c.bit
					}
					c = mem.Next(c)
				}
				for i := g.all - g.words; i > 0; i-- {
					at = v.Add(uintptr(c.offset))
					var word uint64
					switch c.kind {
					case omitted8:
						word = uint64(mem.Load8(at, 0))
					case omitted16:
						word = uint64(mem.Load16(at, 0))
					case omitted32:
						word = uint64(mem.Load32(at, 0))
					case omitted64:
						word = mem.Load64(at, 0)
					case omittedFloat32: // without the sign
						word = uint64(mem.LoadNative32(at, 0) << 1)
					case omittedFloat64:
						word = mem.LoadNative64(at, 0) << 1
					default: // omittedMap
						word = uint64(mem.MapLen(at.Deref()))
					}
					if word != 0 {
						set += c.bit
					}
					c = mem.Next(c)
				}
				present = set & fieldBits
				if count := g.count + int(set/onePresent); count < 16 {
					mem.Store8(base, n, byte(wire.FixMap)|byte(count))
					n++
				} else {
					mem.Store32BE(base, n, uint32(wire.Map16)<<24|uint32(count)<<8)
					n += 3
				}
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
			case putFloat32Lead:
				mem.Store8(base, n, byte(wire.Float32))
				mem.Store32BE(base, n+1, *mem.At[uint32](at))
				n += 5
				continue
			case putFloat64Lead:
				mem.Store8(base, n, byte(wire.Float64))
				mem.Store64BE(base, n+1, *mem.At[uint64](at))
				n += 9
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
				if number < 0 { // above the range of int64
					goto large
				}
			case putString:
				h := mem.At[mem.TextHeader](at)
				p, size = h.Data, h.Len
				if size > shortString {
					goto long
				}
				mem.Store8(base, n, byte(wire.FixStr)|byte(size))
				n++
				goto short
			case putBytes:
				h := mem.At[mem.TextHeader](at)
				p, size = h.Data, h.Len
				if p.IsNil() {
					mem.Store8(base, n, byte(wire.Nil))
					n++
					continue
				}
				if size > shortString {
					goto long
				}
				mem.Store16(base, n, uint16(wire.Bin8)|uint16(size)<<8)
				n += 2
				goto short
			case putBlock:
				p, size = at, s.more.count
				goto short
			case putTime:
				goto timestamp
			// Optional values are often nil or empty, so both are worth a test here.
			case putNilable:
				// The first word of a pointer, map, slice or interface tells whether it is
				// nil.
				if !at.Deref().IsNil() {
					goto value
				}
				mem.Store8(base, n, byte(wire.Nil))
				n++
				continue
			case putList:
				h := mem.At[mem.SliceHeader](at)
				if h.Len > 0 {
					goto value
				}
				b := byte(wire.FixArray) // without elements
				if h.Data.IsNil() {
					b = byte(wire.Nil)
				}
				mem.Store8(base, n, b)
				n++
				continue
			case putMap:
				b := byte(wire.Nil)
				if m := at.Deref(); !m.IsNil() {
					if mem.MapLen(m) > 0 {
						goto value
					}
					b = byte(wire.FixMap)
				}
				mem.Store8(base, n, b)
				n++
				continue
			// Pointers to scalars have cases of their own, because another test or jump would
			// take time in every step.
			case putBoolPointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				mem.Store8(base, n, byte(wire.False)|mem.Load8(at, 0))
				n++
				continue
			case putInt8Pointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				number = int64(*mem.At[int8](at))
			case putInt16Pointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				number = int64(*mem.At[int16](at))
			case putInt32Pointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				number = int64(*mem.At[int32](at))
			case putInt64Pointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				number = int64(*mem.At[int64](at))
			case putUint8Pointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				number = int64(*mem.At[uint8](at))
			case putUint16Pointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				number = int64(*mem.At[uint16](at))
			case putUint32Pointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				number = int64(*mem.At[uint32](at))
			case putUint64Pointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				if number = *mem.At[int64](at); number < 0 {
					goto large
				}
			case putFloat32Pointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				mem.Store8(base, n, byte(wire.Float32))
				mem.Store32BE(base, n+1, *mem.At[uint32](at))
				n += 5
				continue
			case putFloat64Pointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				mem.Store8(base, n, byte(wire.Float64))
				mem.Store64BE(base, n+1, *mem.At[uint64](at))
				n += 9
				continue
			case putStringPointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				h := mem.At[mem.TextHeader](at)
				p, size = h.Data, h.Len
				if size > shortString {
					goto long
				}
				mem.Store8(base, n, byte(wire.FixStr)|byte(size))
				n++
				goto short
			case putTimePointer:
				if at = at.Deref(); at.IsNil() {
					goto null
				}
				goto timestamp
			default: // putCall and putArray
				goto value
			}
			// An integer. Branches are faster than the table of storeInteger here, because a
			// field tends to have the same width in all messages, which the processor predicts.
			switch {
			case uint64(number) <= maxFixint:
				mem.Store8(base, n, byte(number))
				n++
			case uint64(number) <= math.MaxUint8:
				mem.Store8(base, n, byte(wire.Uint8))
				mem.Store8(base, n+1, byte(number))
				n += 2
			case uint64(number) <= math.MaxUint16:
				// One store for the format byte and the number. The next value overwrites
				// the fourth byte.
				mem.Store32BE(base, n, uint32(wire.Uint16)<<24|uint32(number)<<8)
				n += 3
			case uint64(number) <= math.MaxUint32:
				mem.Store8(base, n, byte(wire.Uint32))
				mem.Store32BE(base, n+1, uint32(number))
				n += 5
			case number >= 0:
				mem.Store8(base, n, byte(wire.Uint64))
				mem.Store64BE(base, n+1, uint64(number))
				n += maxInteger
			case number >= -1<<5:
				mem.Store8(base, n, byte(number))
				n++
			case number >= math.MinInt8:
				mem.Store8(base, n, byte(wire.Int8))
				mem.Store8(base, n+1, byte(number))
				n += 2
			case number >= math.MinInt16:
				mem.Store32BE(base, n, uint32(wire.Int16)<<24|uint32(uint16(number))<<8)
				n += 3
			case number >= math.MinInt32:
				mem.Store8(base, n, byte(wire.Int32))
				mem.Store32BE(base, n+1, uint32(number))
				n += 5
			default:
				mem.Store8(base, n, byte(wire.Int64))
				mem.Store64BE(base, n+1, uint64(number))
				n += maxInteger
			}
			continue
		null:
			mem.Store8(base, n, byte(wire.Nil))
			n++
			continue
		large: // a uint64 above the range of int64
			mem.Store8(base, n, byte(wire.Uint64))
			mem.Store64BE(base, n+1, uint64(number))
			n += maxInteger
			continue
		timestamp:
			t = mem.At[time.Time](at)
			sec, nsec = uint64(t.Unix()), uint64(t.Nanosecond())
			// The shortest timestamp that holds the time, as in wire.AppendTimestamp.
			// A negative sec has its high bits set and takes the longest.
			switch {
			case sec>>32|nsec == 0:
				mem.Store16(base, n, timestamp32)
				mem.Store32BE(base, n+2, uint32(sec))
				n += 6
			case nsec > maxNanoseconds: // an invalid time, for which the call returns an error
				goto value
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
		short:
			switch {
			// Two copies that overlap cover a range of lengths.
			case size > 16:
				mem.Copy16(base, n, p, 0)
				mem.Copy16(base, n+size-16, p, size-16)
			case size >= 8:
				last := mem.Load64(p, size-8)
				mem.Store64(base, n, mem.Load64(p, 0))
				mem.Store64(base, n+size-8, last)
			case size >= 4:
				last := mem.Load32(p, size-4)
				mem.Store32(base, n, mem.Load32(p, 0))
				mem.Store32(base, n+size-4, last)
			case size > 0:
				// The first, middle and last byte cover the lengths 1 to 3.
				mem.Store8(base, n, mem.Load8(p, 0))
				mem.Store8(base, n+size/2, mem.Load8(p, size/2))
				mem.Store8(base, n+size-1, mem.Load8(p, size-1))
			}
			n += size
			continue
		long:
			// The room of the steps includes only short strings and bytes.
			if size > math.MaxUint8 || f.limit-n < 2+size {
				goto value
			}
			b := wire.Str8
			if o == putBytes {
				b = wire.Bin8
			}
			mem.Store16(base, n, uint16(b)|uint16(size)<<8)
			n += 2
			for i := 0; i < size-16; i += 16 {
				mem.Copy16(base, n+i, p, i)
			}
			mem.Copy16(base, n+size-16, p, size-16)
			n += size
		}
		switch {
		case present != 0: // the next field that is present
			bit := present & -present
			present ^= bit
			s = groupOf(f.first.more).fields[placeOf(bit)]
			continue
		case f.count > 1:
			f.count--
			f.v = f.v.Add(f.stride)
			v, s = f.v, f.first
			continue
		}
		return base, n, f.limit, nil
	value:
		call = s.more.emit
		goto write
	tight:
		if f.limit-n >= int(s.room) {
			safe = n // the room suffices for this step
			continue
		}
		call = emitStep
	write:
		var err error
		f.step, f.present = s, present
		if base, n, f.limit, err = call(s.more, base, n, f.limit, v.Add(uintptr(s.offset)), f.depth); err != nil {
			return base, f.count, f.limit, err
		}
		v, s, safe, present = f.v, mem.Next(f.step), f.limit-maxRoom, f.present
	}
}

// An emission holds the arguments of emit that most steps do not need. The compiler keeps
// a struct of more than four fields in memory, so that it loads them only where they are
// used.
type emission struct {
	first, step         *step
	limit, depth, count int
	v                   mem.Ptr
	stride              uintptr
	present             uint64
}
