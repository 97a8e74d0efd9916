package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// A setCodec encodes a map[T]struct{} with the tag option set as an array of its
// keys. It decodes this form and the usual form, a map.
type setCodec struct {
	*mapCodec                              // which encodes nothing for the elements
	asMap     *mapCodec                    // the usual form
	unique    func() func(key []byte) bool // nil: keys may repeat
}

// makeSetCodec returns the codec of a map type whose field has the tag option set.
func (k *compiler) makeSetCodec(t reflect.Type) codec {
	s := &setCodec{k.newMapCodec(t), k.newMapCodec(t), k.plans.unique}
	s.elem.encode = func(dst []byte, _ mem.Ptr, _ int) ([]byte, error) { return dst, nil }
	c := codec{s.encode, s.decode}
	if k.plans.NilMapAsEmpty {
		c.encode = emptyForNil(c.encode, func(dst []byte) []byte { return wire.AppendArrayHeader(dst, 0) })
	}
	return c
}

// encode appends the keys of the map at p as an array.
func (c *setCodec) encode(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	if p.Deref().IsNil() {
		return wire.AppendNil(dst), nil
	}
	m := mem.Variable(c.pointer, p)
	n := m.Len()
	dst, err := appendArrayHeader(dst, n, c.want, depth)
	if err != nil {
		return dst, err
	}
	return c.appendOrdered(dst, m, n, depth-1)
}

// decode adds the elements to the existing map, or to a new one if it is nil.
func (c *setCodec) decode(d *decoder, p mem.Ptr) error {
	if d.isNil() {
		p.SetPtr(mem.Ptr{})
		return nil
	}
	// Senders that do not know the option write a map.
	if d.left() > 0 && wire.FormatOf(d.data[d.pos]).Kind() == wire.KindMap {
		return c.asMap.decode(d, p)
	}
	n, owed, err := d.array(c.want)
	if err != nil {
		return err
	}
	// The variable for an element comes from a pool, as in mapCodec.
	s := c.states.Get().(*mapState)
	defer c.release(s)
	m := mem.Variable(c.pointer, p)
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(c.typ, n))
	}
	isNew := func([]byte) bool { return true }
	if c.unique != nil {
		isNew = c.unique()
	}
	for i := range n {
		start := d.pos
		d.owed = owed + uint64(n-i-1)
		s.key.SetZero() // or the key could keep parts of the previous one
		if err := c.key.decode(d, s.kp); err != nil {
			return underIndex(i, err)
		}
		var err error
		switch {
		// An interface can hold a value that would make SetMapIndex panic.
		case !c.hashable && !s.key.Comparable():
			err = ErrUnhashable
		case !isNew(d.data[start:d.pos]):
			err = ErrDuplicateKey
		default:
			m.SetMapIndex(s.key, s.elem)
			continue
		}
		d.pos = start // the error has the offset of the element
		return underIndex(i, d.fail(err, c.want))
	}
	d.close(owed)
	return nil
}

// newUnique returns a function that reports whether it is called with an encoded key
// for the first time. Keys are compared as for RejectDuplicates.
func newUnique() func(key []byte) bool {
	keys := map[syntax.Key]struct{}{}
	return func(key []byte) bool {
		n := len(keys)
		keys[syntax.MakeKey(key, mem.String(key))] = struct{}{}
		return len(keys) > n
	}
}
