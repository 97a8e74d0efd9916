package msgpack

import (
	"reflect"
	"time"

	"github.com/octet-go/octet/internal/mem"
)

// decoder returns the decoder of the map type. Maps whose keys are strings or integers of
// 64 bits, and whose elements have one of a few layouts in memory, need no reflect. The
// list is short because every program contains a function for each entry.
func (c *mapCodec) decoder() (decode decodeFunc) {
	elem := c.typ.Elem()
	text := c.keyGet == getString || c.keyGet == getAlias
	if number := c.keyGet == getInt64 || c.keyGet == getUint64; !text && !number {
		return c.decode
	}
	switch kind := elem.Kind(); {
	case elem == anyType:
		decode = makeMapDecoder[any](c, text)
	case elem == timeType:
		decode = makeMapDecoder[time.Time](c, text)
	case kind == reflect.String:
		decode = makeMapDecoder[string](c, text)
	case kind == reflect.Slice:
		decode = makeMapDecoder[[]byte](c, text)
	case kind == reflect.Pointer || kind == reflect.Map:
		decode = makeMapDecoder[*byte](c, text)
	case !c.elemGet.isNumber(): // nor is the size of others that of a number with a pointer
	case elem.Size() == 1:
		decode = makeMapDecoder[uint8](c, text)
	case elem.Size() == 2:
		decode = makeMapDecoder[uint16](c, text)
	case elem.Size() == 4:
		decode = makeMapDecoder[uint32](c, text)
	default:
		decode = makeMapDecoder[uint64](c, text)
	}
	if decode == nil {
		return c.decode
	}
	c.fields.fields[1].offset = entryOffset(c.typ.Key(), elem)
	return decode
}

// makeMapDecoder returns the decoder of a map whose elements have the layout of V. text
// says that the keys are strings; otherwise they are integers of 64 bits.
func makeMapDecoder[V any](c *mapCodec, text bool) decodeFunc {
	if text {
		return decodeMapOf[string, V](c)
	}
	return decodeMapOf[uint64, V](c)
}

// A mapEntry is the variable for an entry of a map.
type mapEntry[K comparable, V any] struct {
	_    [0]func() // as in cachedKey
	key  K
	elem V
}

// decodeMapOf returns the decoder of a map whose keys and elements have the layouts of K
// and V, or nil if it is not known that the layouts decide how a map is accessed. Both
// halves of an entry are in one variable, which is decoded like a struct of two fields.
// Its address is hidden from escape analysis, as is that of a struct to decode into.
//
//go:noinline
func decodeMapOf[K comparable, V any](c *mapCodec) decodeFunc {
	if !mem.MapsByLayout && (c.typ.Key() != reflect.TypeFor[K]() || c.typ.Elem() != reflect.TypeFor[V]()) {
		return nil
	}
	return func(d *decoder, p mem.Ptr) error {
		n, owed, err := c.begin(d, p)
		if n < 0 || err != nil {
			return err
		}
		m := mem.MapAt[K, V](p)
		if *m == nil {
			*m = make(map[K]V, n)
		}
		for ; n > 0; n-- {
			var e mapEntry[K, V] // zero, because decoding may not set all of an element
			at := mem.Hide(mem.PtrTo(&e))
			if f, err := c.fields.decode(d, c.fields.sentinel, 2, owed+2*uint64(n-1), at); err != nil {
				return c.entryError(f, at, err)
			}
			(*m)[e.key] = e.elem
		}
		d.close(owed)
		return nil
	}
}

// entryError adds the place in the map to an error of the field f of the entry at a
// pointer.
func (c *mapCodec) entryError(f *getField, at mem.Ptr, err error) error {
	// The key has not been decoded, so it cannot be part of the path.
	if c.fields.index(f) == 0 {
		return under("[key]", err)
	}
	return underKey(keyOf(mem.Value(c.typ.Key(), at)), err)
}
