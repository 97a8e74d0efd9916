package msgpack

import (
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// Slices and maps of any, as types, are encoded and decoded by the loops that do
// so for what an any holds, unless the Config wants something else.

var stringType = reflect.TypeFor[string]()

// anySliceCodec returns c, the codec of a slice type, with the functions made for
// slices of any where the type is one.
func (k *compiler) anySliceCodec(t reflect.Type, c codec) codec {
	if t.Elem() != anyType {
		return c
	}
	plans, want := k.plans, t.String()
	if !plans.customForms() {
		c.encode = func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			s := *mem.At[[]any](p)
			if err := checkContainer(len(s), want, depth); err != nil && s != nil {
				return dst, err
			}
			return plans.encodeAnySlice(dst, s, depth)
		}
	}
	if plans.any == nil {
		c.decode = func(d *decoder, p mem.Ptr) error { return d.anySliceInto(mem.At[[]any](p), want) }
	}
	return c
}

// anyMapCodec does the same for maps from strings or any to any.
func (k *compiler) anyMapCodec(t reflect.Type, c codec) codec {
	if t.Elem() != anyType {
		return c
	}
	plans, want := k.plans, t.String()
	switch {
	case t.Key() == stringType && !plans.customForms():
		c.encode = func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			m := *mem.At[map[string]any](p)
			if err := checkContainer(len(m), want, depth); err != nil && m != nil {
				return dst, err
			}
			return plans.encodeAnyMap(dst, m, depth)
		}
	case t.Key() == anyType && !plans.customForms():
		c.encode = func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			return plans.encodeAnyKeyMap(dst, *mem.At[map[any]any](p), depth, want)
		}
	}
	switch {
	case plans.any != nil:
	case t.Key() == stringType:
		c.decode = func(d *decoder, p mem.Ptr) error { return d.anyMapInto(p, want) }
	case t.Key() == anyType:
		c.decode = func(d *decoder, p mem.Ptr) error { return d.anyKeyMapInto(p, want) }
	}
	return c
}

func (c *plans) encodeAnyKeyMap(dst []byte, m map[any]any, depth int, want string) ([]byte, error) {
	if m == nil {
		return wire.AppendNil(dst), nil
	}
	n := len(m)
	dst, err := appendMapHeader(dst, n, want, depth)
	if err != nil {
		return dst, err
	}
	if slots, used := mem.MapSlots(m); fast && slots != nil {
		for left := used; left != 0; left &= left - 1 {
			e := &slots[bits.TrailingZeros64(left)/8]
			if dst, err = c.encodeAnyPair(dst, e.Key, e.Elem, depth-1); err != nil {
				return dst, err
			}
		}
		if now, still := mem.MapSlots(m); now == slots && still == used {
			n = 0
		}
	} else {
		for k, v := range m {
			if dst, err = c.encodeAnyPair(dst, k, v, depth-1); err != nil {
				return dst, err
			}
			n--
		}
	}
	if n != 0 {
		return dst, failed(ErrInvalid, want+" that was modified during encoding")
	}
	return dst, nil
}

func (c *plans) encodeAnyPair(dst []byte, k, v any, depth int) (_ []byte, err error) {
	if dst, err = c.encodeAny(dst, k, depth); err != nil {
		return dst, under("[key]", err)
	}
	if dst, err = c.encodeAny(dst, v, depth); err != nil {
		return dst, underKey(keyOf(reflect.ValueOf(k)), err)
	}
	return dst, nil
}

// anySliceInto decodes into a slice as [sliceCodec.decode] does.
func (d *decoder) anySliceInto(s *[]any, want string) error {
	if d.isNil() {
		*s = nil
		return nil
	}
	n, owed, err := d.array(want)
	if err != nil {
		return err
	}
	if n <= cap(*s) && *s != nil {
		*s = (*s)[:n]
		clear(*s)
	} else {
		*s = make([]any, n)
	}
	for i := range *s {
		d.owed = owed + uint64(n-i-1)
		if (*s)[i], err = d.any(); err != nil {
			return underIndex(i, err)
		}
	}
	d.close(owed)
	return nil
}

// anyMapInto decodes into a map as [mapCodec.decode] does, with the keys from
// the cache.
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
		if start, size := d.textAt(d.pos); start > 0 && size <= len(d.data)-start {
			key = d.key(start, size)
			d.pos = start + size
		} else if err := d.stringInto(&key, "string"); err != nil {
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

// anyKeyMapInto is anyMapInto for keys of any type.
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
