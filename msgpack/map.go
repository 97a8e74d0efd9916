package msgpack

import (
	"math"
	"reflect"
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeMapCodec is for maps of any key type. The commonest types have loops of
// their own, see map_types.go; the others go through reflect, with the state
// of an iteration and the variables for key and element taken from a pool, so
// that an entry allocates nothing.
func (k *compiler) makeMapCodec(t reflect.Type) codec {
	m := &mapCodec{
		typ: t, want: t.String(),
		key: k.plan(planKey{typ: t.Key()}).linked(), elem: k.plan(planKey{typ: t.Elem()}).linked(),
		hashable: alwaysHashable(t.Key()),
	}
	m.states.New = func() any { return newMapState(t) }
	c := codec{m.encode, m.decode}
	if fast {
		if typed, ok := typedMapCodec(m); ok {
			return typed
		}
	}
	return c
}

type mapCodec struct {
	typ       reflect.Type
	want      string
	key, elem codec
	hashable  bool // every key is, whatever it holds
	states    sync.Pool
}

// A mapState is what one pass over a map needs. All of it is in the heap: what
// reflect is given must not be hidden from escape analysis.
type mapState struct {
	m, key, elem reflect.Value // variables of the three types
	mp, kp, ep   mem.Ptr       // where they are
	iter         reflect.MapIter
}

func newMapState(t reflect.Type) *mapState {
	variable := func(t reflect.Type) (reflect.Value, mem.Ptr) {
		v := reflect.New(t)
		return v.Elem(), mem.PtrOf(v)
	}
	var s mapState
	s.m, s.mp = variable(t)
	s.key, s.kp = variable(t.Key())
	s.elem, s.ep = variable(t.Elem())
	return &s
}

// release empties the state, lest the pool keep the map alive.
func (c *mapCodec) release(s *mapState) {
	s.iter.Reset(reflect.Value{})
	s.m.SetZero()
	s.key.SetZero()
	s.elem.SetZero()
	c.states.Put(s)
}

// appendMapHeader opens a map of n pairs.
func appendMapHeader(dst []byte, n int, found string, depth int) ([]byte, error) {
	if uint64(n) > math.MaxUint32 {
		return dst, failed(ErrLimit, found)
	}
	if depth == 0 {
		return dst, failed(ErrDepth, found)
	}
	return wire.AppendMapHeader(dst, uint32(n)), nil
}

func (c *mapCodec) encode(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	if p.Deref().IsNil() {
		return wire.AppendNil(dst), nil
	}
	s := c.states.Get().(*mapState)
	defer c.release(s)
	s.mp.SetPtr(p.Deref())
	n := s.m.Len()
	dst, err := appendMapHeader(dst, n, c.want, depth)
	if err != nil {
		return dst, err
	}
	s.iter.Reset(s.m)
	for s.iter.Next() {
		n--
		s.key.SetIterKey(&s.iter)
		s.elem.SetIterValue(&s.iter)
		if dst, err = c.key.encode(dst, s.kp, depth-1); err != nil {
			return dst, under("[key]", err)
		}
		if dst, err = c.elem.encode(dst, s.ep, depth-1); err != nil {
			return dst, underKey(keyOf(s.key), err)
		}
	}
	if n != 0 {
		return dst, failed(ErrInvalid, c.want+" that changed while it was encoded")
	}
	return dst, nil
}

// decode adds to the map that is there, or to a new one. A value starts from
// zero also where its key is in the map already.
func (c *mapCodec) decode(d *decoder, p mem.Ptr) error {
	n, owed, err := d.openMap(p, c.want)
	if n < 0 || err != nil {
		return err
	}
	s := c.states.Get().(*mapState)
	defer c.release(s)
	if p.Deref().IsNil() {
		mem.Value(c.typ, p).Set(reflect.MakeMapWithSize(c.typ, n))
	}
	s.mp.SetPtr(p.Deref())
	for i := range n {
		s.key.SetZero()
		s.elem.SetZero()
		d.owed = owed + 2*uint64(n-i) - 1
		start := d.pos
		if err := c.key.decode(d, s.kp); err != nil {
			return under("[key]", err)
		}
		if !c.hashable && !s.key.Comparable() {
			d.pos = start
			return d.fail(ErrUnhashable, c.want)
		}
		d.owed--
		if err := c.elem.decode(d, s.ep); err != nil {
			return underKey(keyOf(s.key), err)
		}
		s.m.SetMapIndex(s.key, s.elem)
	}
	d.close(owed)
	return nil
}

// openMap opens a map of n pairs, or passes a nil, sets the map at p to it and
// returns -1.
func (d *decoder) openMap(p mem.Ptr, want string) (n int, owed uint64, err error) {
	if d.isNil() {
		p.SetPtr(mem.Ptr{})
		return -1, 0, nil
	}
	h, err := d.header(want)
	if err != nil {
		return 0, 0, err
	}
	if h.Format.Kind() != wire.KindMap {
		return 0, 0, d.mismatch(want)
	}
	owed, err = d.open(h, want)
	return int(h.Count), owed, err
}

// keyOf returns a key in the form that paths show.
func keyOf(k reflect.Value) any {
	switch {
	case k.Kind() == reflect.String:
		return k.String()
	case k.CanInt():
		return k.Int()
	case k.CanUint():
		return k.Uint()
	}
	return nil
}

// alwaysHashable reports whether no value of a key type makes a map panic, as an
// interface that holds a slice does.
func alwaysHashable(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface:
		return false
	case reflect.Array:
		return alwaysHashable(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !alwaysHashable(t.Field(i).Type) {
				return false
			}
		}
	}
	return true
}
