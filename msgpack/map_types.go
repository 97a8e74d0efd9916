package msgpack

import (
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// typedMapCodec returns loops compiled for the map type of m, if its key and
// element types are among the commonest. Types must be identical to these:
// then what lies at the address of such a map is a map of that type.
func typedMapCodec(m *mapCodec) (codec, bool) {
	switch m.typ.Key() {
	case reflect.TypeFor[string]():
		return typedElemCodec[string](m)
	case reflect.TypeFor[int]():
		return typedElemCodec[int](m)
	case reflect.TypeFor[int64]():
		return typedElemCodec[int64](m)
	case reflect.TypeFor[uint64]():
		return typedElemCodec[uint64](m)
	}
	return codec{}, false
}

func typedElemCodec[K comparable](m *mapCodec) (codec, bool) {
	switch m.typ.Elem() {
	case reflect.TypeFor[string]():
		return makeTypedMapCodec[K, string](m), true
	case reflect.TypeFor[bool]():
		return makeTypedMapCodec[K, bool](m), true
	case reflect.TypeFor[int]():
		return makeTypedMapCodec[K, int](m), true
	case reflect.TypeFor[int64]():
		return makeTypedMapCodec[K, int64](m), true
	case reflect.TypeFor[uint]():
		return makeTypedMapCodec[K, uint](m), true
	case reflect.TypeFor[uint64]():
		return makeTypedMapCodec[K, uint64](m), true
	case reflect.TypeFor[float64]():
		return makeTypedMapCodec[K, float64](m), true
	case reflect.TypeFor[any]():
		return makeTypedMapCodec[K, any](m), true
	}
	return codec{}, false
}

// makeTypedMapCodec is mapCodec without reflect. There is a copy of it for each
// map type in every program, so all that does not need the types is in typedMap.
func makeTypedMapCodec[K comparable, V any](c *mapCodec) codec {
	type slot = mem.MapSlot[K, V]
	t := newTypedMap(c, reflect.TypeFor[slot]().Field(1).Offset)
	encode := func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		m := *mem.At[map[K]V](p)
		n := len(m)
		dst, err := t.open(dst, n, m == nil, depth)
		if slots, used := mem.MapSlots(m); fast && slots != nil {
			for ; used != 0 && err == nil; used &= used - 1 {
				dst, err = t.encodeEntry(dst, mem.Hide(mem.PtrTo(&slots[bits.TrailingZeros64(used)/8])), depth-1)
				n--
			}
		} else if n > 0 && err == nil {
			var e slot
			for e.Key, e.Elem = range m {
				if dst, err = t.encodeEntry(dst, mem.Hide(mem.PtrTo(&e)), depth-1); err != nil {
					break
				}
				n--
			}
		}
		if n != 0 && err == nil {
			err = t.changed()
		}
		return dst, err
	}
	decode := func(d *decoder, p mem.Ptr) error {
		n, owed, err := t.begin(d, p)
		if n < 0 || err != nil {
			return err
		}
		m := *mem.At[map[K]V](p)
		if m == nil {
			m = make(map[K]V, n)
			*mem.At[map[K]V](p) = m
		}
		for ; n > 0; n-- {
			var e slot
			d.owed = owed + 2*uint64(n) - 1
			if err := t.decodeEntry(d, mem.Hide(mem.PtrTo(&e))); err != nil {
				return err
			}
			m[e.Key] = e.Elem
		}
		d.close(owed)
		return nil
	}
	return codec{encode, decode}
}
