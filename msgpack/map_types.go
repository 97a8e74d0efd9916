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

// makeTypedMapCodec is mapCodec without reflect. The addresses of keys and
// elements are hidden, which is safe because the codecs of these types call no
// methods. Encoding treats an entry as a struct of two fields, see [step].
func makeTypedMapCodec[K comparable, V any](c *mapCodec) codec {
	type pair struct {
		key  K
		elem V
	}
	key, elem, want := c.key, c.elem, c.want
	keyScalar, elemScalar := c.keyScalar, c.elemScalar
	scalars := fast && keyScalar != scalarNone && elemScalar != scalarNone
	var steps [2]step
	steps[0].kind = keyScalar
	steps[1].kind, steps[1].offset = elemScalar, reflect.TypeFor[pair]().Field(1).Offset
	steps[1].setTemplate(elemScalar.lead())
	setRooms(steps[:])
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
		var e pair
		at := mem.Hide(mem.PtrTo(&e))
		for e.key, e.elem = range m {
			n--
			if scalars && cap(dst)-len(dst) >= int(steps[0].room) {
				if end, next := store(mem.Bytes(dst), len(dst), at, steps[:]); next == len(steps) {
					dst = dst[:end]
					continue
				}
			}
			if dst, err = key.encode(dst, at, depth-1); err != nil {
				return dst, under("[key]", err)
			}
			if dst, err = elem.encode(dst, at.Add(steps[1].offset), depth-1); err != nil {
				return dst, underKey(keyOf(reflect.ValueOf(e.key)), err)
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
		var k K
		var v V
		kp, vp := mem.Hide(mem.PtrTo(&k)), mem.Hide(mem.PtrTo(&v))
		for i := range n {
			var zero V // k needs none: a scalar is overwritten
			v = zero
			d.owed = owed + 2*uint64(n-i) - 1
			if err := d.scalarOr(keyScalar, kp, key.decode); err != nil {
				return under("[key]", err)
			}
			d.owed--
			if err := d.scalarOr(elemScalar, vp, elem.decode); err != nil {
				return underKey(keyOf(reflect.ValueOf(k)), err)
			}
			m[k] = v
		}
		d.close(owed)
		return nil
	}
	return codec{encode, decode}
}
