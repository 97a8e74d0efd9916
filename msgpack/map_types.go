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
// methods. An entry is treated as a struct of two fields, see [step] and
// [expectedKey].
func makeTypedMapCodec[K comparable, V any](c *mapCodec) codec {
	type pair struct {
		key  K
		elem V
	}
	key, elem, want := c.key, c.elem, c.want
	scalars := fast && c.elemScalar != scalarNone // as all these keys are
	stored := fast && c.elemStored != scalarNone
	signed := c.elemStored == scalarInt64
	counts := fast && (signed || c.elemStored == scalarUint64)
	second := reflect.TypeFor[pair]().Field(1).Offset
	steps := [...]step{{kind: c.keyStored}, {kind: c.elemStored, offset: second}, {kind: stepEnd}}
	steps[1].setTemplate(c.elemStored.lead())
	setRooms(steps[:])
	fields := [...]expectedKey{unnamed(0, c.keyScalar), unnamed(second, c.elemScalar)}
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
		name, _ := any(&e.key).(*string) // the key, where keys are strings
		for e.key, e.elem = range m {
			n--
			if counts && name != nil && len(*name) <= 16 && cap(dst)-len(dst) >= 2*maxScalar {
				if v := *mem.At[int64](at.Add(second)); v >= 0 || signed {
					dst = dst[:storeCount(mem.Bytes(dst), len(dst), *name, v)]
					continue
				}
			}
			if stored && cap(dst)-len(dst) >= int(steps[0].room) {
				if end, s, _ := store(&steps[0], mem.Bytes(dst), len(dst), at); s.kind == stepEnd {
					dst = dst[:end]
					continue
				}
			}
			if dst, err = key.encode(dst, at, depth-1); err != nil {
				return dst, under("[key]", err)
			}
			if dst, err = elem.encode(dst, at.Add(second), depth-1); err != nil {
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
		if fast && n > 0 && d.chunk == nil && c.keyScalar == scalarString {
			d.newChunk(d.left()) // which fastFields cannot
		}
		var e, zero pair
		at := mem.Hide(mem.PtrTo(&e))
		for i := range n {
			e = zero
			done := 0
			if scalars {
				done, _ = d.fastFields(fields[:], 2, at)
			}
			d.owed = owed + 2*uint64(n-i) - 1
			if done == 0 {
				if err := d.scalarOr(c.keyScalar, at, key.decode); err != nil {
					return under("[key]", err)
				}
			}
			d.owed--
			if done < 2 {
				if err := d.scalarOr(c.elemScalar, at.Add(second), elem.decode); err != nil {
					return underKey(keyOf(reflect.ValueOf(e.key)), err)
				}
			}
			m[e.key] = e.elem
		}
		d.close(owed)
		return nil
	}
	return codec{encode, decode}
}

// storeCount does what [store] does for a key of up to 16 bytes and an integer,
// the commonest of entries.
func storeCount(base mem.Ptr, n int, key string, number int64) int {
	p, size := mem.StringBytes(key), len(key)
	mem.Store8(base, n, byte(wire.FixStr)|byte(size))
	n++
	if size >= 4 {
		second := size >> 1 &^ 3
		third := size - 4 - second
		a, b := mem.Load32(p, 0), mem.Load32(p, second)
		c, d := mem.Load32(p, third), mem.Load32(p, size-4)
		mem.Store32(base, n, a)
		mem.Store32(base, n+second, b)
		mem.Store32(base, n+third, c)
		mem.Store32(base, n+size-4, d)
	} else if size > 0 {
		mem.Store8(base, n, mem.Load8(p, 0))
		mem.Store8(base, n+size/2, mem.Load8(p, size/2))
		mem.Store8(base, n+size-1, mem.Load8(p, size-1))
	}
	v, f := signedForm(number)
	return storeForm(base, n+size, v, f)
}
