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
		if end := storeAny(mem.Bytes(dst), len(dst), v); end > 0 {
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
	if v, ok := v.(map[string]any); ok {
		return appendMap(c, (*plans).encodeAnyEntry, dst, v, depth, "map[string]interface {}")
	}
	// storeAny leaves long strings. It leaves other scalars only if dst has too little
	// room, which is rare.
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
			if end := storeAny(mem.Bytes(dst), len(dst), v); end > 0 {
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
		if end := storeAny(base, n, e.Elem); end > 0 {
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
// free, and returns its end. For other values, and for strings longer than
// shortString, it returns 0.
//
// It tests the most common types first.
func storeAny(base mem.Ptr, n int, v any) (end int) {
	if v, ok := v.(string); ok {
		if len(v) > shortString {
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
// and maps that are in an any. They call no codec for each element, and the maps need
// no reflect. Options that change the form of values use the general loops.

var stringType = reflect.TypeFor[string]()

// anyMapCodec replaces the functions of c, the codec of a map type, if the keys are of
// type string or any and the elements of type any. It reports whether it has replaced
// the encoder.
func (k *compiler) anyMapCodec(t reflect.Type, c *codec) (isEncoded bool) {
	if t.Elem() != anyType {
		return false
	}
	all, want := k.plans, t.String()
	switch {
	case t.Key() == stringType && !all.customForms():
		isEncoded = true
		c.encode = func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			return appendMap(all, (*plans).encodeAnyEntry, dst, *mem.At[map[string]any](p), depth, want)
		}
	case t.Key() == anyType && !all.customForms():
		isEncoded = true
		c.encode = func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			return appendMap(all, (*plans).encodeAnyPair, dst, *mem.At[map[any]any](p), depth, want)
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

// appendMap appends a map with a method of c. want is the name of its type in errors.
//
// A small map is one group of slots. Its slots are read in place where the layout of
// the runtime is known, because starting an iteration takes longer than encoding a few
// entries: single/map/MarshalAppend takes twice as long without it. Afterwards the
// slots in use must be the same as before, or a method of an element has changed the
// map.
func appendMap[K comparable](c *plans, encode entryEncoder, dst []byte, m map[K]any, depth int, want string) ([]byte, error) {
	if m == nil {
		return wire.AppendNil(dst), nil
	}
	n := len(m)
	dst, err := appendHeader(dst, wire.FixMap, n, want, depth)
	if slots, used := mem.MapSlots(m); fast && slots != nil {
		for left := used; left != 0 && err == nil; left &= left - 1 {
			dst, err = encode(c, dst, mem.Hide(mem.PtrTo(&slots[bits.TrailingZeros64(left)/8])), depth-1)
		}
		// n is 0 if all entries were encoded, as after the loop below.
		if now, still := mem.MapSlots(m); now == slots && still == used {
			n = 0
		}
	} else if n > 0 && err == nil {
		var at mem.MapSlot[K, any] // a copy of each entry, which has the layout of a slot
		room := newGrowth(dst)
		for at.Key, at.Elem = range m {
			if room.short(dst) {
				dst = room.grow(dst, len(m)-n, len(m), leastEntry)
			}
			if dst, err = encode(c, dst, mem.Hide(mem.PtrTo(&at)), depth-1); err != nil {
				break
			}
			n--
		}
	}
	if n != 0 && err == nil { // the header has announced another number of entries
		err = failed(ErrInvalid, want+" that was modified during encoding")
	}
	return dst, err
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
