package msgpack

import (
	"math"
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// An emitFunc writes a value at v that the loop of [emit] does not write, with the
// same arguments and results as emit. Most of them write short values directly and
// leave what needs more room or has too many levels to the simple counterpart, which
// grows the buffer by no more than necessary and makes the errors.
type emitFunc func(m *value, base mem.Ptr, n, limit int, v mem.Ptr, depth int) (_ mem.Ptr, _, _ int, err error)

// emitPlain calls the simple counterpart.
func emitPlain(m *value, base mem.Ptr, n, limit int, v mem.Ptr, depth int) (mem.Ptr, int, int, error) {
	dst, err := m.encode(mem.Slice(base, limit)[:n], v, depth-m.level)
	if err != nil {
		err = under(m.path, err)
	}
	return mem.Bytes(dst), len(dst), cap(dst), err
}

// write writes a value that is not part of another one, or is the element of one.
func (m *value) write(base mem.Ptr, n, limit int, v mem.Ptr, depth int) (mem.Ptr, int, int, error) {
	switch {
	case depth < m.need:
		return emitPlain(m, base, n, limit, v, depth)
	case m.first != nil:
		return emit(m.first, base, n, limit, v, depth, 1, 0, 0)
	}
	return m.emit(m, base, n, limit, v, depth)
}

// append is write for a buffer that is a slice.
func (m *value) append(dst []byte, v mem.Ptr, depth int) ([]byte, error) {
	base, n, limit, err := m.write(mem.Bytes(dst), len(dst), cap(dst), v, depth)
	if err != nil {
		return dst, err
	}
	return mem.Slice(base, limit)[:n], nil
}

// emitTarget writes what a pointer points to.
func emitTarget(m *value, base mem.Ptr, n, limit int, v mem.Ptr, depth int) (_ mem.Ptr, _, _ int, err error) {
	// write is written out here, because a call takes time.
	if m.first != nil && depth >= m.need {
		base, n, limit, err = emit(m.first, base, n, limit, v.Deref(), depth-m.level, 1, 0, 0)
	} else {
		base, n, limit, err = m.elem.write(base, n, limit, v.Deref(), depth-m.level)
	}
	if err != nil {
		err = under(m.path, err)
	}
	return base, n, limit, err
}

// opens reports whether the header of an array or map of count elements or pairs can be
// written into that much room, and as many levels opened as the value needs.
func (m *value) opens(count, room, depth int) bool {
	return room >= maxHeader && depth >= m.need && uint64(count) <= math.MaxUint32
}

// list returns the elements of the slice or array at v.
func (m *value) list(v mem.Ptr) (data mem.Ptr, count int) {
	if m.isArray {
		return v, m.count
	}
	h := mem.At[mem.SliceHeader](v)
	return h.Data, h.Len
}

// emitNumbers writes a slice or array of bools, integers or floats.
func emitNumbers(m *value, base mem.Ptr, n, limit int, v mem.Ptr, depth int) (mem.Ptr, int, int, error) {
	data, count := m.list(v)
	if !m.opens(count, limit-n, depth) || uint64(limit-n) < maxHeader+maxInteger+uint64(count)*uint64(1+m.stride) {
		return emitPlain(m, base, n, limit, v, depth)
	}
	n = storeHeader(base, n, wire.FixArray, count)
	return base, numbersEncoders[m.elemPut](base, n, mem.Slice(data, count*int(m.stride))), limit, nil
}

// emitTexts writes a slice of strings.
func emitTexts(m *value, base mem.Ptr, n, limit int, v mem.Ptr, depth int) (mem.Ptr, int, int, error) {
	texts := *mem.At[[]string](v)
	if !m.opens(len(texts), limit-n, depth) {
		return emitPlain(m, base, n, limit, v, depth)
	}
	n = storeHeader(base, n, wire.FixArray, len(texts))
	for i, s := range texts {
		if fitsText(s, limit-n) {
			n = storeText(base, n, s)
			continue
		}
		// A long string, or one that may need a larger buffer.
		dst, err := appendText(mem.Slice(base, limit)[:n], s)
		if err != nil {
			return base, n, limit, under(m.path, underIndex(i, err))
		}
		if cap(dst) != limit {
			dst = growTexts(dst, texts[i+1:])
		}
		base, n, limit = mem.Bytes(dst), len(dst), cap(dst)
	}
	return base, n, limit, nil
}

// emitElements writes a slice or array whose elements have steps.
func emitElements(m *value, base mem.Ptr, n, limit int, v mem.Ptr, depth int) (_ mem.Ptr, _, _ int, err error) {
	data, count := m.list(v)
	if !m.opens(count, limit-n, depth) {
		return emitPlain(m, base, n, limit, v, depth)
	}
	n = storeHeader(base, n, wire.FixArray, count)
	room := growth{start: n, cap: limit}
	e := m.elem
	depth -= m.level + 1
	for i := 0; i < count; {
		few := 1
		if e.first == nil {
			base, n, limit, err = e.emit(e, base, n, limit, data.Add(uintptr(i)*m.stride), depth)
		} else {
			few = min(count-i, elementsBetweenGrowth)
			base, n, limit, err = emit(e.first, base, n, limit, data.Add(uintptr(i)*m.stride), depth, few, m.stride, 0)
		}
		if err != nil {
			if e.first != nil {
				i += few - n
			}
			return base, n, limit, under(m.path, underIndex(i, err))
		}
		if i += few; i < count && (limit != room.cap || limit-n < room.low) {
			dst := room.grow(mem.Slice(base, limit)[:n], i, count, m.least)
			base, limit = mem.Bytes(dst), cap(dst)
		}
	}
	return base, n, limit, nil
}

// elementsBetweenGrowth is the number of elements after which emitElements estimates how
// much the others need.
const elementsBetweenGrowth = 16

// freeSlots are the bits in the control bytes of a group that say which slots are free.
const freeSlots = 0x8080808080808080

// emitMap writes the entries of a map in place, see [mem.MapGroups]. It leaves a group
// whose control bytes change, because a method of an element has then changed the map.
func emitMap(m *value, base mem.Ptr, n, limit int, v mem.Ptr, depth int) (_ mem.Ptr, _, _ int, err error) {
	at := v.Deref()
	left := mem.MapLen(at)
	tables := mem.MapTables(at)
	if !m.opens(left, limit-n, depth) || tables == 0 {
		return emitPlain(m, base, n, limit, v, depth)
	}
	n = storeHeader(base, n, wire.FixMap, left)
	all, room := left, growth{start: n, cap: limit}
	depth -= m.level + 1
	for i := range tables {
		group, groups := mem.MapGroups(at, i)
		for ; groups > 0; groups-- {
			control := mem.LoadNative64(group, 0)
			for used := ^control & freeSlots; used != 0 && mem.LoadNative64(group, 0) == control; used &= used - 1 {
				slot := group.Add(8 + uintptr(bits.TrailingZeros64(used)/8)*m.stride)
				if m.entry != nil {
					if base, n, limit, err = m.entry(m, base, n, limit, slot, depth); err != nil {
						return base, n, limit, under(m.path, err)
					}
				} else if end := m.storeEntry(base, n, limit, slot); end > n {
					n, left = end, left-1
					continue
				} else if base, n, limit, err = emit(m.first, base, n, limit, slot, depth, 1, 0, 0); err != nil {
					return base, n, limit, under(m.path, m.underEntry(slot, err))
				}
				if left--; limit != room.cap && left > 0 {
					dst := room.grow(mem.Slice(base, limit)[:n], all-left, all, leastEntry)
					base, limit = mem.Bytes(dst), cap(dst)
				}
			}
			if groups > 1 {
				group = group.Add(8 + 8*m.stride)
			}
		}
	}
	if left != 0 || mem.MapLen(at) != all {
		err = under(m.path, failed(ErrInvalid, m.plan.typ.String()+" that was modified during encoding"))
	}
	return base, n, limit, err
}

// storeEntry writes the entry in a slot and returns its end, if the key is a string of up
// to 255 bytes, the element a number or such a string, and there is room. Otherwise it
// returns 0.
func (m *value) storeEntry(base mem.Ptr, n, limit int, slot mem.Ptr) (end int) {
	part := m.plan.part
	if m.elemPut != putString || part.put != putString && !part.put.isNumber() {
		return 0
	}
	key, at := *mem.At[string](slot), slot.Add(uintptr(mem.SizeOf[string]()))
	if !fitsText(key, limit-n-maxInteger) {
		return 0
	}
	if part.put != putString {
		return numbersEncoders[part.put](base, storeText(base, n, key), mem.Slice(at, part.size))
	}
	if s := *mem.At[string](at); fitsText(s, limit-n-2-len(key)) {
		return storeText(base, storeText(base, n, key), s)
	}
	return 0
}

// underEntry adds the key in a slot to the path of an error. Only a string can be a key
// that fails, and only because it is too long.
func (m *value) underEntry(slot mem.Ptr, err error) error {
	if t := m.plan.typ.Key(); m.elemPut != putString || uint64(len(*mem.At[string](slot))) <= math.MaxUint32 {
		return underKey(keyOf(mem.Value(t, slot)), err)
	}
	return under("[key]", err)
}

// storeHeader writes the header of an array of count elements or a map of count pairs,
// whose short format is fix, at base+n and returns its end. maxHeader bytes must be
// free.
func storeHeader(base mem.Ptr, n int, fix wire.Format, count int) int {
	if count < 16 {
		mem.Store8(base, n, byte(fix)|byte(count))
		return n + 1
	}
	long := wire.Array16
	if fix == wire.FixMap {
		long = wire.Map16
	}
	if count <= math.MaxUint16 {
		mem.Store32BE(base, n, uint32(long)<<24|uint32(count)<<8)
		return n + 3
	}
	mem.Store8(base, n, byte(long)+1) // the format with 32 bits
	mem.Store32BE(base, n+1, uint32(count))
	return n + 5
}

// link completes the values of the programs that were made by this call of compile.
// The plans of all types are complete, including those of recursive types.
func (k *compiler) link() {
	for _, f := range k.later {
		f()
	}
	for len(k.programs) > 0 {
		e := k.programs[0]
		k.programs = k.programs[1:]
		for i := range e.values {
			if v := &e.values[i]; v.plan != nil {
				k.linkValue(v)
			}
		}
	}
}

// complete sets the operations of values whose plans were not complete when the steps
// were made, and the room of each step.
func (e *program) complete() {
	for i := range e.steps {
		s, v := &e.steps[i], &e.values[i]
		if v.plan != nil && s.put == putCall {
			switch s.put = v.plan.put; s.put {
			case putNilable:
			case putList, putMap:
				e.open = max(e.open, v.level+1)
			default:
				s.put = putCall
			}
		}
		s.setRoom()
	}
}

// linkValue sets what emitFuncs need.
func (k *compiler) linkValue(v *value) {
	p := v.plan
	if p.emit == nil || isPlain(p.typ) {
		return
	}
	v.emit, v.need = p.emit, v.level+1
	switch p.typ.Kind() {
	case reflect.Struct:
		v.elem = k.root(p)
	case reflect.Pointer:
		v.elem = k.root(p.elem)
		v.first, v.need = v.elem.first, v.level+v.elem.need
	case reflect.Map:
		if p.entries == nil {
			p.entries = k.makeEntryProgram(p)
		}
		v.first, v.elemPut, v.stride, v.entry = &p.entries.steps[0], p.entries.steps[0].put, p.entries.stride, p.entry
		v.need += p.entries.need()
	default: // a slice or array
		v.stride, v.elemPut, v.least = uintptr(p.part.size), p.part.put, p.part.least()
		if p.typ.Kind() == reflect.Array {
			v.isArray, v.count = true, p.typ.Len()
		}
		if v.elemPut.isNumber() || v.elemPut == putString && p.typ.Kind() == reflect.Slice {
			return
		}
		v.elem = k.root(p.part)
		v.need += v.elem.need
	}
}

// root returns the value for values of p that are not part of others.
func (k *compiler) root(p *plan) *value {
	if p.root == nil {
		e := p.program
		if e == nil {
			e = k.makeProgram(p)
		}
		p.root = newRoot(p, e, p.encode)
		if p.generated != nil {
			p.root.emit, p.root.first, p.root.need = emitPlain, nil, 0
		}
		if p.root.need <= p.plans.depth && !p.plans.guard.on {
			p.begin = p.root.first
		}
	}
	return p.root
}

// newRoot returns the value for values of p that e encodes. encode is its simple
// counterpart.
func newRoot(p *plan, e *program, encode encodeFunc) *value {
	m := &value{plan: p, encode: encode, emit: emitPlain}
	if fast && !isPlain(p.typ) {
		if m.need = e.need(); e.isDirect() {
			m.first = &e.steps[0]
		}
	}
	return m
}

// plainKinds has a bit for each kind whose values are encoded by the simple counterpart.
// Only tests set it.
var plainKinds uint

// isPlain reports whether only the simple counterparts encode and decode values of t.
func isPlain(t reflect.Type) bool { return plainKinds>>t.Kind()&1 != 0 }

// atLink calls f when all plans are complete.
func (k *compiler) atLink(f func()) { k.later = append(k.later, f) }

// makeEntryProgram returns the program of the entries of a map, which are structs of
// two fields without names.
func (k *compiler) makeEntryProgram(p *plan) *program {
	key, elem := k.plan(planKey{typ: p.typ.Key()}), p.part
	offset := entryOffset(key.typ, elem.typ)
	e := &program{name: p.typ.String()}
	// The compiler adds a byte to a struct that ends with a field of size 0.
	e.stride = align(offset+uintptr(max(elem.size, 1)), max(key.typ.Align(), elem.typ.Align()))
	b := stepBuilder{compiler: k, program: e}
	b.value(key, 0, "", 0)
	b.value(elem, offset, "", 0)
	b.end()
	b.finish()
	return e
}

// entryOffset returns the offset of the element in an entry of a map.
func entryOffset(key, elem reflect.Type) uintptr { return align(key.Size(), elem.Align()) }

// align returns the first multiple of a power of two from n on.
func align(n uintptr, to int) uintptr { return (n + uintptr(to) - 1) &^ (uintptr(to) - 1) }
