package msgpack

import (
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// typedMapCodec returns a codec without reflect for the map type of m. ok is false if
// the type is not one of the most common ones. The list is short because every program
// contains all of the loops. The key and element types must be identical to those of
// the list. The map type may be a named one.
func typedMapCodec(m *mapCodec) (c codec, ok bool) {
	for _, makeCodec := range [...]func(*mapCodec) (codec, bool){
		makeTypedMapCodec[string, string], makeTypedMapCodec[string, bool], makeTypedMapCodec[string, int],
		makeTypedMapCodec[string, int64], makeTypedMapCodec[string, uint], makeTypedMapCodec[string, uint64],
		makeTypedMapCodec[string, float64], makeTypedMapCodec[string, []string], makeTypedMapCodec[string, any],
		makeTypedMapCodec[int, string], makeTypedMapCodec[int, bool], makeTypedMapCodec[int, int],
		makeTypedMapCodec[int, float64], makeTypedMapCodec[int, any],
		makeTypedMapCodec[int64, string], makeTypedMapCodec[int64, int64], makeTypedMapCodec[int64, float64],
		makeTypedMapCodec[int64, any],
		makeTypedMapCodec[uint64, string], makeTypedMapCodec[uint64, uint64], makeTypedMapCodec[uint64, any],
	} {
		if c, ok = makeCodec(m); ok {
			break
		}
	}
	return c, ok
}

// makeTypedMapCodec returns a codec that ranges over the map and sets its entries
// without reflect. ok is false if c is of another type. The compiler makes a copy of
// the function for each map type. Code that does not depend on the types is in
// typedMap, to keep programs small.
func makeTypedMapCodec[K comparable, V any](c *mapCodec) (_ codec, ok bool) {
	if c.typ.Key() != reflect.TypeFor[K]() || c.typ.Elem() != reflect.TypeFor[V]() {
		return codec{}, false
	}
	type slot = mem.MapSlot[K, V]
	t := newTypedMap(c, (*slot)(nil).ElemOffset())
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
			var e slot // zero, because decoding may not set all of an element
			d.owed = owed + 2*uint64(n) - 1
			if err := t.decodeEntry(d, mem.Hide(mem.PtrTo(&e))); err != nil {
				return err
			}
			m[e.Key] = e.Elem
		}
		d.close(owed)
		return nil
	}
	return codec{encode, decode}, true
}

// A typedMap holds the parts of makeTypedMapCodec that do not depend on the types. An
// entry is encoded and decoded like a struct of two fields, see [step] and [getField].
// Its address is hidden from escape analysis. This is safe because the codecs of these
// types call methods only on copies.
type typedMap struct {
	_ [0]func() // as in cachedKey
	*mapCodec
	elemOffset uintptr // of the element in an entry
	steps      [3]step // key, element, end
	stored     bool    // store can encode the key and the element
	counts     bool    // the keys are strings and the elements are integers of 64 bits
	signed     bool    // these integers are signed
}

func newTypedMap(c *mapCodec, elemOffset uintptr) *typedMap {
	t := &typedMap{
		mapCodec:   c,
		elemOffset: elemOffset,
		steps:      [...]step{makeStep(c.keyPut, 0), makeStep(c.elemPut, elemOffset), {put: putEnd}},
		stored:     fast && (c.elemPut.isNumber() || c.elemPut == putString), // as all these keys are
		signed:     c.elemPut == putInt64,
	}
	t.fields.fields[1].offset = elemOffset // both halves are in one variable
	t.counts = fast && c.keyPut == putString && (t.signed || c.elemPut == putUint64)
	setRooms(t.steps[:])
	return t
}

// An entryEncoder is a method of E that appends one entry of a map. at is a hidden
// pointer to a [mem.MapSlot].
type entryEncoder[E any] func(e E, dst []byte, at mem.Ptr, depth int) ([]byte, error)

// appendMap appends a map with a method of e. want is the name of its type in errors.
//
// A small map is one group of slots. Its slots are read in place where the layout of
// the runtime is known, because starting an iteration takes longer than encoding a few
// entries: single/map/MarshalAppend takes twice as long without it. Afterwards the
// slots in use must be the same as before, or a method of an element has changed the
// map.
func appendMap[E any, K comparable, V any](e E, encode entryEncoder[E], dst []byte, m map[K]V, depth int, want string) ([]byte, error) {
	if m == nil {
		return wire.AppendNil(dst), nil
	}
	n := len(m)
	dst, err := appendHeader(dst, wire.FixMap, n, want, depth)
	if slots, used := mem.MapSlots(m); fast && slots != nil {
		for left := used; left != 0 && err == nil; left &= left - 1 {
			dst, err = encode(e, dst, mem.Hide(mem.PtrTo(&slots[bits.TrailingZeros64(left)/8])), depth-1)
		}
		// n is 0 if all entries were encoded, as after the loop below.
		if now, still := mem.MapSlots(m); now == slots && still == used {
			n = 0
		}
	} else if n > 0 && err == nil {
		var at mem.MapSlot[K, V] // a copy of each entry, which has the layout of a slot
		room := newGrowth(dst)
		for at.Key, at.Elem = range m {
			if room.short(dst) {
				dst = room.grow(dst, len(m)-n, len(m), leastEntry)
			}
			if dst, err = encode(e, dst, mem.Hide(mem.PtrTo(&at)), depth-1); err != nil {
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

// encodeEntry appends the entry at a pointer. The fastest way comes first. For maps from
// strings to integers, which often count something, these are two functions without a
// loop over steps. Without them, such a map of a thousand entries takes a fifth longer.
// Then come store and storeLong, then the codecs.
func (t *typedMap) encodeEntry(dst []byte, at mem.Ptr, depth int) (_ []byte, err error) {
	if t.counts && cap(dst)-len(dst) >= 2*maxScalar {
		key, v := *mem.At[string](at), *mem.At[int64](at.Add(t.elemOffset))
		if len(key) <= shortString && (v >= 0 || t.signed) { // a negative v of another type is a large uint64
			base := mem.Bytes(dst)
			return dst[:storeInteger(base, storeText(base, len(dst), key), v)], nil
		}
	}
	// Both halves of the entry take one check of the room.
	if t.stored && cap(dst)-len(dst) >= int(t.steps[0].room) {
		end, s, _ := store(&t.steps[0], mem.Bytes(dst), len(dst), at)
		if s.put == putEnd {
			return dst[:end], nil
		}
		// A long key or element was the reason to stop. If dst must grow for it,
		// the codecs begin again with the key.
		if b, s, _ := storeLong(dst[:end], s, at); s.put == putEnd {
			return b, nil
		}
	}
	if dst, err = t.appendKey(dst, at, depth); err != nil {
		return dst, under("[key]", err)
	}
	if dst, err = t.elem.encode(dst, at.Add(t.elemOffset), depth); err != nil {
		return dst, t.underKey(at, err)
	}
	return dst, nil
}

// underKey adds the key of the entry at a pointer to the path of an error.
func (t *typedMap) underKey(at mem.Ptr, err error) error {
	return underKey(keyOf(mem.Value(t.typ.Key(), at)), err)
}

// decodeEntry decodes the next entry into the one at a pointer, which must be zero.
// d.owed is the number of values that are expected after the key.
func (t *typedMap) decodeEntry(d *decoder, at mem.Ptr) error {
	f, n, stopped := t.fields.sentinel, 2, stopBeforeKey
	if fast {
		if f, n, stopped = t.fields.fast(d, f, n, at); n == 0 {
			return nil
		}
	}
	f, err := t.fields.decode(d, f, n, stopped, d.owed-1, at)
	if err == nil {
		return nil
	}
	// The key has not been decoded, so it cannot be part of the path.
	if t.fields.index(f) == 0 {
		return under("[key]", err)
	}
	return t.underKey(at, err)
}
