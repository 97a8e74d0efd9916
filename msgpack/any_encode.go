package msgpack

import (
	"math"
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// encodeAny appends the dynamic value of an interface inside another value. The most
// common scalars are stored without a plan, and without a call if dst has room.
func (c *plans) encodeAny(dst []byte, v any, depth int) ([]byte, error) {
	if c.customForms() {
		return c.encodeByPlan(dst, v, depth)
	}
	if fast && cap(dst)-len(dst) >= maxScalar {
		if end := storeAny(mem.Bytes(dst), len(dst), cap(dst), v); end > 0 {
			return dst[:end], nil
		}
	}
	return c.appendAny(dst, v, depth)
}

// encodeByPlan is encodeAny for every type and Options.
func (c *plans) encodeByPlan(dst []byte, v any, depth int) ([]byte, error) {
	p, data := c.of(v)
	if p == nil {
		return wire.AppendNil(dst), nil
	}
	return p.encodeValue(dst, data, depth)
}

// appendAny is encodeAny for Options that do not change the form of values, after
// storeAny has stored nothing. The containers that documents consist of need no plan.
func (c *plans) appendAny(dst []byte, v any, depth int) ([]byte, error) {
	// Two assertions compare the addresses of types. A type switch of many cases
	// loads the hash of the type first.
	if v, ok := v.([]any); ok {
		return c.encodeAnySlice(dst, v, depth, "[]interface {}")
	}
	if m, ok := v.(map[string]any); ok {
		if dst, ok, err := c.appendMap((*plans).encodeAnyEntry, dst, mem.PtrTo(&m).Deref(), depth, "map[string]interface {}"); ok {
			return dst, err
		}
	}
	// storeAny leaves long strings, and all scalars if dst has too little room, which is
	// rare.
	if v, ok := v.(string); ok {
		return appendText(dst, v)
	}
	return c.encodeByPlan(dst, v, depth)
}

// encodeAnySlice appends a slice. want is the name of its type in errors.
func (c *plans) encodeAnySlice(dst []byte, s []any, depth int, want string) ([]byte, error) {
	if s == nil {
		return wire.AppendNil(dst), nil
	}
	dst, err := appendHeader(dst, wire.FixArray, len(s), want, depth)
	if err != nil {
		return dst, err
	}
	depth--
	room := newGrowth(dst)
	for i, v := range s {
		if room.short(dst) {
			dst = room.grow(dst, i, len(s), 1)
		}
		if fast && cap(dst)-len(dst) >= maxScalar {
			// Floats come first and without a call, because the longest arrays in
			// documents are those of coordinates, as in document/canada_geometry. A
			// long array takes twice as long without this case.
			if f, ok := v.(float64); ok {
				base, n := mem.Bytes(dst), len(dst)
				mem.Store8(base, n, byte(wire.Float64))
				mem.Store64BE(base, n+1, math.Float64bits(f))
				dst = dst[:n+9]
				continue
			}
			if end := storeAny(mem.Bytes(dst), len(dst), cap(dst), v); end > 0 {
				dst = dst[:end]
				continue
			}
		}
		if dst, err = c.appendAny(dst, v, depth); err != nil {
			return dst, underIndex(i, err)
		}
	}
	return dst, nil
}

// encodeAnyEntry appends one entry of a map[string]any, a [mem.MapSlot] at a pointer.
func (c *plans) encodeAnyEntry(dst []byte, at mem.Ptr, depth int) (_ []byte, err error) {
	e := mem.At[mem.MapSlot[string, any]](at)
	k := e.Key
	// One check covers a short key and a scalar.
	if fast && cap(dst)-len(dst) >= 2*maxScalar && len(k) <= shortString {
		base := mem.Bytes(dst)
		n := storeText(base, len(dst), k)
		if end := storeAny(base, n, cap(dst), e.Elem); end > 0 {
			return dst[:end], nil
		}
		dst = dst[:n]
	} else if dst, err = appendText(dst, k); err != nil {
		return dst, under("[key]", err)
	}
	if dst, err = c.appendAny(dst, e.Elem, depth); err != nil {
		return dst, underKey(k, err)
	}
	return dst, nil
}

// storeAny writes a scalar of a common type at base+n, where maxScalar bytes must be
// free, and returns its end. limit is the capacity of the buffer. For other values, and
// for strings that are longer than 255 bytes or than the room, it returns 0.
//
// It tests the most common types first.
func storeAny(base mem.Ptr, n, limit int, v any) (end int) {
	if v, ok := v.(string); ok {
		if !fitsText(v, limit-n) {
			return 0
		}
		return storeText(base, n, v)
	}
	if v, ok := v.(float64); ok {
		mem.Store8(base, n, byte(wire.Float64))
		mem.Store64BE(base, n+1, math.Float64bits(v))
		return n + 9
	}
	if v, ok := v.(int64); ok {
		return storeInteger(base, n, v)
	}
	if v == nil {
		mem.Store8(base, n, byte(wire.Nil))
		return n + 1
	}
	if v, ok := v.(bool); ok {
		b := byte(wire.False)
		if v {
			b++
		}
		mem.Store8(base, n, b)
		return n + 1
	}
	if v, ok := v.(int); ok {
		return storeInteger(base, n, int64(v))
	}
	return 0
}

// The types []any, map[string]any and map[any]any have the same loops as the slices
// and maps that are in an any. They call no codec for each element, and the maps
// usually need no reflect. Options that change the form of values use the general loops.

var stringType = reflect.TypeFor[string]()

// anyMapCodec replaces the functions of c, the codec of a map type, if the keys are of
// type string or any and the elements of type any. It reports whether it has replaced
// the encoder.
func (k *compiler) anyMapCodec(t reflect.Type, c *codec) (isEncoded bool) {
	if t.Elem() != anyType {
		return false
	}
	all, want, general := k.plans, t.String(), c.encode
	entry := (*plans).encodeAnyEntry
	if t.Key() == anyType {
		entry = (*plans).encodeAnyPair
	}
	if (t.Key() == stringType || t.Key() == anyType) && !all.customForms() {
		isEncoded = true
		c.encode = func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			if dst, ok, err := all.appendMap(entry, dst, p.Deref(), depth, want); ok {
				return dst, err
			}
			return general(dst, p, depth)
		}
	}
	switch {
	case t.Key() == stringType && !all.AliasInput: // cached keys would be copies
		c.decode = func(d *decoder, p mem.Ptr) error { return d.anyMapInto(p, want) }
	case t.Key() == anyType:
		c.decode = func(d *decoder, p mem.Ptr) error { return d.anyKeyMapInto(p, want) }
	}
	return isEncoded
}

// An entryEncoder is a method of plans that appends one entry of a map. at is a hidden
// pointer to a [mem.MapSlot].
type entryEncoder func(c *plans, dst []byte, at mem.Ptr, depth int) ([]byte, error)

// appendMap appends the map m with a method of c. An entry has the size of a [Pair]. want
// is the name of the type of the map in errors. It does nothing and returns false if the
// map cannot be read in place.
//
// The entries are read in place, because starting an iteration takes longer than
// encoding a few of them: single/map/MarshalAppend takes twice as long without it. If a
// method of an element changes the map meanwhile, slots may be empty, which is an error.
func (c *plans) appendMap(encode entryEncoder, dst []byte, m mem.Ptr, depth int, want string) (_ []byte, ok bool, err error) {
	if m.IsNil() {
		return wire.AppendNil(dst), true, nil
	}
	all, tables := mem.MapLen(m), mem.MapTables(m)
	if !fast || tables == 0 && all > 0 {
		return dst, false, nil
	}
	if dst, err = appendHeader(dst, wire.FixMap, all, want, depth); err != nil || all == 0 {
		return dst, true, err
	}
	left := all
	group, groups := mem.MapGroups(m, 0)
	if tables == 1 && groups == 1 {
		dst, left, err = c.appendGroup(encode, dst, group, left, depth-1)
	} else {
		room := newGrowth(dst)
		for i := range tables {
			group, groups = mem.MapGroups(m, i)
			for ; groups > 0 && left > 0 && err == nil; groups-- {
				if room.short(dst) {
					dst = room.grow(dst, all-left, all, leastEntry)
				}
				dst, left, err = c.appendGroup(encode, dst, group, left, depth-1)
				if groups > 1 {
					group = group.Add(uintptr(8 + 8*mem.SizeOf[Pair]()))
				}
			}
		}
	}
	if err == nil && (left != 0 || mem.MapLen(m) != all) { // the header has announced another number of entries
		err = failed(ErrInvalid, want+" that was modified during encoding")
	}
	return dst, true, err
}

// appendGroup appends the entries of one group of a map, of which left entries are left,
// and returns how many are left then: -1 if the group has changed meanwhile.
func (c *plans) appendGroup(encode entryEncoder, dst []byte, group mem.Ptr, left, depth int) (_ []byte, after int, err error) {
	control := mem.LoadNative64(group, 0)
	for used := ^control & freeSlots; used != 0; used &= used - 1 {
		slot := group.Add(8 + uintptr(bits.TrailingZeros64(used)/8*mem.SizeOf[Pair]()))
		if dst, err = encode(c, dst, slot, depth); err != nil {
			return dst, left, err
		}
		left--
	}
	if mem.LoadNative64(group, 0) != control {
		left = -1
	}
	return dst, left, nil
}

// encodeAnyPair appends one entry of a map[any]any, a [mem.MapSlot] at a pointer, or a
// [Pair], which has the same memory.
func (c *plans) encodeAnyPair(dst []byte, at mem.Ptr, depth int) (_ []byte, err error) {
	e := mem.At[mem.MapSlot[any, any]](at)
	if dst, err = c.encodeAny(dst, e.Key, depth); err != nil {
		return dst, under("[key]", err)
	}
	if dst, err = c.encodeAny(dst, e.Elem, depth); err != nil {
		return dst, underKey(keyOf(reflect.ValueOf(e.Key)), err)
	}
	return dst, nil
}
