package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// typedMapCodec returns loops compiled for the map type of m, if it is one of the
// commonest: every program carries them all. Without them growth/labels and
// growth/names take 1.3 to 1.9 times as long to decode, and the others of these
// types 1.2 to 2.1 times. The types of key and element must
// be identical to these; of the map itself a name may be all that differs.
func typedMapCodec(m *mapCodec) (c codec, ok bool) {
	switch (entryType{m.typ.Key(), m.typ.Elem()}) {
	case entryOf[string, string]():
		return makeTypedMapCodec[string, string](m), true
	case entryOf[string, bool]():
		return makeTypedMapCodec[string, bool](m), true
	case entryOf[string, int]():
		return makeTypedMapCodec[string, int](m), true
	case entryOf[string, int64]():
		return makeTypedMapCodec[string, int64](m), true
	case entryOf[string, uint]():
		return makeTypedMapCodec[string, uint](m), true
	case entryOf[string, uint64]():
		return makeTypedMapCodec[string, uint64](m), true
	case entryOf[string, float64]():
		return makeTypedMapCodec[string, float64](m), true
	case entryOf[string, []string]():
		return makeTypedMapCodec[string, []string](m), true
	case entryOf[string, any]():
		return makeTypedMapCodec[string, any](m), true
	case entryOf[int, string]():
		return makeTypedMapCodec[int, string](m), true
	case entryOf[int, bool]():
		return makeTypedMapCodec[int, bool](m), true
	case entryOf[int, int]():
		return makeTypedMapCodec[int, int](m), true
	case entryOf[int, float64]():
		return makeTypedMapCodec[int, float64](m), true
	case entryOf[int, any]():
		return makeTypedMapCodec[int, any](m), true
	case entryOf[int64, string]():
		return makeTypedMapCodec[int64, string](m), true
	case entryOf[int64, int64]():
		return makeTypedMapCodec[int64, int64](m), true
	case entryOf[int64, float64]():
		return makeTypedMapCodec[int64, float64](m), true
	case entryOf[int64, any]():
		return makeTypedMapCodec[int64, any](m), true
	case entryOf[uint64, string]():
		return makeTypedMapCodec[uint64, string](m), true
	case entryOf[uint64, uint64]():
		return makeTypedMapCodec[uint64, uint64](m), true
	case entryOf[uint64, any]():
		return makeTypedMapCodec[uint64, any](m), true
	}
	return c, false
}

type entryType struct{ key, elem reflect.Type }

func entryOf[K comparable, V any]() entryType {
	return entryType{reflect.TypeFor[K](), reflect.TypeFor[V]()}
}

// makeTypedMapCodec is mapCodec without reflect. There is a copy of it for each
// map type in every program, so all that does not need the types is in typedMap.
func makeTypedMapCodec[K comparable, V any](c *mapCodec) codec {
	type slot = mem.MapSlot[K, V]
	t := newTypedMap(c, reflect.TypeFor[slot]().Field(1).Offset)
	encode := func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		return appendMap(t, (*typedMap).encodeEntry, dst, *mem.At[map[K]V](p), depth, t.want)
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
