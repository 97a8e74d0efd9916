package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// The types []any, map[string]any and map[any]any have the same loops as the slices
// and maps that are in an any. They call no codec for each element, and the maps need
// no reflect. A Config that changes the form of values uses the general loops.

var stringType = reflect.TypeFor[string]()

// anySliceCodec returns the codec of a slice type. c is its general codec. If the
// elements are of type any, anySliceCodec replaces its functions.
func (k *compiler) anySliceCodec(t reflect.Type, c codec) codec {
	if t.Elem() != anyType {
		return c
	}
	all, want := k.plans, t.String()
	// With other forms, the elements need their plans.
	if !all.customForms() {
		c.encode = func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			return all.encodeAnySlice(dst, *mem.At[[]any](p), depth, want)
		}
	}
	c.decode = func(d *decoder, p mem.Ptr) error { return d.anySliceInto(mem.At[[]any](p), want) }
	return c
}

// anyMapCodec is anySliceCodec for maps with keys of type string or any and elements
// of type any.
func (k *compiler) anyMapCodec(t reflect.Type, c codec) codec {
	if t.Elem() != anyType {
		return c
	}
	all, want := k.plans, t.String()
	switch {
	case t.Key() == stringType && !all.customForms():
		c.encode = func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			return all.encodeAnyMap(dst, *mem.At[map[string]any](p), depth, want)
		}
	case t.Key() == anyType && !all.customForms():
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
	return c
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

// anySliceInto decodes into a slice like [sliceCodec.decode].
func (d *decoder) anySliceInto(s *[]any, want string) error {
	if d.isNil() {
		*s = nil
		return nil
	}
	n, owed, err := d.array(want)
	if err != nil {
		return err
	}
	// As in sliceCodec.decode, a slice with enough capacity keeps its memory.
	if n <= cap(*s) && *s != nil {
		*s = (*s)[:n]
		clear(*s) // no old element remains after an error
	} else {
		*s = make([]any, n)
	}
	return d.anyElements(*s, owed)
}

// anyMapInto decodes into a map like [mapCodec.decode]. Its keys come from the cache,
// because most messages repeat them.
func (d *decoder) anyMapInto(p mem.Ptr, want string) error {
	n, owed, err := d.openMap(p, want)
	if n < 0 || err != nil {
		return err
	}
	d.borrow()
	m := mem.At[map[string]any](p)
	if *m == nil {
		*m = make(map[string]any, n)
	}
	for i := range n {
		d.owed = owed + 2*uint64(n-i) - 1
		var key string
		// A usual key comes from the cache, without a header and without a copy.
		if start, size := d.textAt(d.pos); start > 0 && size <= len(d.data)-start {
			key = d.key(start, size)
			d.pos = start + size
		} else if err := d.stringInto(&key, "string"); err != nil { // nil, bin, a long str or an error
			return under("[key]", err)
		}
		d.owed--
		v, err := d.any()
		if err != nil {
			return underKey(key, err)
		}
		(*m)[key] = v
	}
	d.close(owed)
	return nil
}

// anyKeyMapInto is anyMapInto for a map[any]any.
func (d *decoder) anyKeyMapInto(p mem.Ptr, want string) error {
	n, owed, err := d.openMap(p, want)
	if n < 0 || err != nil {
		return err
	}
	m := mem.At[map[any]any](p)
	if *m == nil {
		*m = make(map[any]any, n)
	}
	return d.anyKeyPairs(*m, n, 0, owed, want)
}
