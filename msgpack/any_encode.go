package msgpack

import (
	"math"
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
	if m, ok := v.(map[string]any); ok && len(m) > 0 {
		// This is what the steps of the plan would do after some tests.
		maps := c.anyMaps.Load()
		if maps == nil {
			if p, _ := c.of(v); p.root.first != nil {
				maps = p.root.first.more
				c.anyMaps.Store(maps)
			}
		}
		if maps != nil {
			base, n, limit, err := emitMap(maps, mem.Bytes(dst), len(dst), cap(dst), mem.Hide(mem.PtrTo(&m)), depth)
			return mem.Slice(base, limit)[:n], err
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

// emitAnyEntry writes one entry of a map from strings to any, of which v is a slot. It is the
// function of [emitMap] for these.
func emitAnyEntry(m *value, base mem.Ptr, n, limit int, v mem.Ptr, depth int) (_ mem.Ptr, _, _ int, err error) {
	e := mem.At[mem.MapSlot[string, any]](v)
	k, dst := e.Key, mem.Slice(base, limit)[:n]
	// One check covers a short key and a scalar.
	if limit-n >= 2*maxScalar && len(k) <= shortString {
		n = storeText(base, n, k)
		if end := storeAny(base, n, limit, e.Elem); end > 0 {
			return base, end, limit, nil
		}
		dst = dst[:n]
	} else if dst, err = appendText(dst, k); err != nil {
		return base, n, limit, under("[key]", err)
	}
	if dst, err = m.plan.plans.appendAny(dst, e.Elem, depth); err != nil {
		err = underKey(k, err)
	}
	return mem.Bytes(dst), len(dst), cap(dst), err
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

// emitAnyPair is emitAnyEntry for a map[any]any.
func emitAnyPair(m *value, base mem.Ptr, n, limit int, v mem.Ptr, depth int) (mem.Ptr, int, int, error) {
	dst, err := m.plan.plans.encodeAnyPair(mem.Slice(base, limit)[:n], v, depth)
	return mem.Bytes(dst), len(dst), cap(dst), err
}

// encodeAnyPair appends one entry of a map[any]any, a [mem.MapSlot] at a pointer, or a
// [Pair], which has the same memory.
func (c *plans) encodeAnyPair(dst []byte, at mem.Ptr, depth int) (_ []byte, err error) {
	e := *mem.At[mem.MapSlot[any, any]](at) // a copy, because a method of the key may change the map
	if dst, err = c.encodeAny(dst, e.Key, depth); err != nil {
		return dst, under("[key]", err)
	}
	if dst, err = c.encodeAny(dst, e.Elem, depth); err != nil {
		return dst, underKey(keyOf(reflect.ValueOf(e.Key)), err)
	}
	return dst, nil
}
