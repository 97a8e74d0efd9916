package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
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

// makeTypedMapCodec is mapCodec without reflect. The addresses of k and v are
// hidden, which is safe because the codecs of these types call no methods.
func makeTypedMapCodec[K comparable, V any](c *mapCodec) codec {
	key, elem, want := c.key, c.elem, c.want
	encode := func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		m := *mem.At[map[K]V](p)
		if m == nil {
			return wire.AppendNil(dst), nil
		}
		n := len(m)
		dst, err := appendMapHeader(dst, n, want, depth)
		if err != nil {
			return dst, err
		}
		for k, v := range m {
			n--
			if dst, err = key.encode(dst, mem.Hide(mem.PtrTo(&k)), depth-1); err != nil {
				return dst, under("[key]", err)
			}
			if dst, err = elem.encode(dst, mem.Hide(mem.PtrTo(&v)), depth-1); err != nil {
				return dst, underKey(keyOf(reflect.ValueOf(k)), err)
			}
		}
		if n != 0 {
			return dst, failed(ErrInvalid, want+" that changed while it was encoded")
		}
		return dst, nil
	}
	decode := func(d *decoder, p mem.Ptr) error {
		n, owed, err := d.openMap(p, want)
		if n < 0 || err != nil {
			return err
		}
		m := *mem.At[map[K]V](p)
		if m == nil {
			m = make(map[K]V, n)
			*mem.At[map[K]V](p) = m
		}
		for i := range n {
			var k K
			var v V
			d.owed = owed + 2*uint64(n-i) - 1
			if err := key.decode(d, mem.Hide(mem.PtrTo(&k))); err != nil {
				return under("[key]", err)
			}
			d.owed--
			if err := elem.decode(d, mem.Hide(mem.PtrTo(&v))); err != nil {
				return underKey(keyOf(reflect.ValueOf(k)), err)
			}
			m[k] = v
		}
		d.close(owed)
		return nil
	}
	return codec{encode, decode}
}
