package msgpack

import (
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A typedMap is what the loops of map_types.go have in common. An entry is
// treated as a struct of two fields, see [step] and [expectedKey]. Its address is
// hidden, which is safe because the codecs of these types call no methods but
// on copies.
type typedMap struct {
	*mapCodec
	second uintptr // offset of the element
	steps  [3]step
	fields [2]expectedKey
	stored bool // key and element are written without a call
	direct int  // how many of the two may be read without one
	counts bool // strings to integers
	signed bool // which are int64
}

func newTypedMap(c *mapCodec, second uintptr) *typedMap {
	t := &typedMap{
		mapCodec: c,
		second:   second,
		steps:    [...]step{{kind: c.keyStored}, {kind: c.elemStored, offset: second}, {kind: stepEnd}},
		fields:   [...]expectedKey{unnamed(0, c.keyScalar), unnamed(second, c.elemScalar)},
		stored:   fast && c.elemStored != scalarNone, // as all these keys are
		direct:   1,
		signed:   c.elemStored == scalarInt64,
	}
	if c.elemScalar != scalarNone {
		t.direct = 2
	}
	t.counts = fast && c.keyStored == scalarString && (t.signed || c.elemStored == scalarUint64)
	t.steps[1].setTemplate(c.elemStored.lead())
	setRooms(t.steps[:])
	return t
}

// open appends the header of a map of n pairs, or nil.
func (t *typedMap) open(dst []byte, n int, isNil bool, depth int) ([]byte, error) {
	if isNil {
		return wire.AppendNil(dst), nil
	}
	return appendMapHeader(dst, n, t.want, depth)
}

// encodeEntry appends the entry at a pointer.
func (t *typedMap) encodeEntry(dst []byte, at mem.Ptr, depth int) (_ []byte, err error) {
	if t.counts && cap(dst)-len(dst) >= 2*maxScalar {
		key, v := *mem.At[string](at), *mem.At[int64](at.Add(t.second))
		if len(key) <= 16 && (v >= 0 || t.signed) {
			return dst[:storeCount(mem.Bytes(dst), len(dst), key, v)], nil
		}
	}
	if t.stored && cap(dst)-len(dst) >= int(t.steps[0].room) {
		end, s, _ := store(&t.steps[0], mem.Bytes(dst), len(dst), at)
		if s.kind == stepEnd {
			return dst[:end], nil
		}
		if b, s, _ := storeTexts(dst[:end], s, at); s.kind == stepEnd {
			return b, nil
		}
	}
	if dst, err = t.appendKey(dst, at, depth); err != nil {
		return dst, under("[key]", err)
	}
	if dst, err = t.elem.encode(dst, at.Add(t.second), depth); err != nil {
		return dst, t.underKey(at, err)
	}
	return dst, nil
}

// underKey names an entry by its key.
func (t *typedMap) underKey(at mem.Ptr, err error) error {
	return underKey(keyOf(mem.Value(t.typ.Key(), at)), err)
}

func (t *typedMap) changed() error {
	return failed(ErrInvalid, t.want+" that changed while it was encoded")
}

// begin is openMap, and makes the chunk for strings, which fastFields cannot.
func (t *typedMap) begin(d *decoder, p mem.Ptr) (n int, owed uint64, err error) {
	n, owed, err = d.openMap(p, t.want)
	if fast && n > 0 && err == nil && d.chunk == nil && t.keyScalar == scalarString {
		d.newChunk(d.left())
	}
	return n, owed, err
}

// decodeEntry decodes the next entry into the zero one at a pointer. d.owed says
// what is expected after the key.
func (t *typedMap) decodeEntry(d *decoder, at mem.Ptr) error {
	done := 0
	if fast {
		if done, _ = d.fastFields(t.fields[:], t.direct, at); done == 2 {
			return nil
		}
	}
	if done == 0 {
		if err := d.scalarOr(t.keyScalar, at, t.key.decode); err != nil {
			return under("[key]", err)
		}
	}
	d.owed--
	if err := d.scalarOr(t.elemScalar, at.Add(t.second), t.elem.decode); err != nil {
		return t.underKey(at, err)
	}
	return nil
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
