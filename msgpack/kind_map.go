package msgpack

import (
	"reflect"
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeMapCodec is for maps of any key type. The commonest types have loops of
// their own, see [typedMapCodec]; the others go through reflect, with the
// variables for key and element taken from a pool, so that an entry allocates
// nothing.
func (k *compiler) makeMapCodec(t reflect.Type) codec {
	m := k.newMapCodec(t)
	c := codec{m.encode, m.decode}
	if typed, ok := typedMapCodec(m); fast && ok {
		c = typed
	}
	switch {
	case k.plans.SortKeys:
		c.encode = func(dst []byte, p mem.Ptr, depth int) ([]byte, error) { return k.plans.sortMap(m, dst, p, depth) }
	case m.keyPut == putCall:
		c.encode = m.encode // typed loops store all keys in the shortest format
	}
	c = k.anyMapCodec(t, c)
	if k.plans.NilMapAsEmpty {
		c.encode = emptyForNil(c.encode, func(dst []byte) []byte { return wire.AppendMapHeader(dst, 0) })
	}
	return c
}

type mapCodec struct {
	typ             reflect.Type
	pointer         mem.TypeWord // of the type of pointers to such maps
	want            string
	key, elem       codec
	keyPut, elemPut putOp
	keyGet, elemGet getOp
	keySteps        [2]step
	fields          fieldSet // the key and the element, one after the other
	strings         int      // halves of an entry that are strings which are copied
	hashable        bool     // every key is, whatever it holds
	states          sync.Pool
}

func (k *compiler) newMapCodec(t reflect.Type) *mapCodec {
	key, elem := k.plan(planKey{typ: t.Key()}), k.plan(planKey{typ: t.Elem()})
	m := &mapCodec{
		typ: t, pointer: mem.WordOf(reflect.PointerTo(t)), want: t.String(),
		key: key.linked(), elem: elem.linked(),
		keyPut: key.put, elemPut: elem.put, keyGet: key.get, elemGet: elem.get,
		hashable: alwaysHashable(t.Key()),
	}
	if k.plans.AnyStringKeys && t.Key().Kind() == reflect.Interface && t.Key().NumMethod() == 0 {
		m.key.decode = func(d *decoder, p mem.Ptr) (err error) {
			*mem.At[any](p), err = d.anyKey()
			return err
		}
	}
	for _, o := range [...]getOp{key.get, elem.get} {
		if o == getString {
			m.strings++
		}
	}
	m.keySteps = [...]step{makeStep(key.put, 0), {put: putEnd}}
	setRooms(m.keySteps[:])
	m.fields = makeFieldSet(unnamed(0, key.get), unnamed(0, elem.get))
	m.fields.decoders = []decodeFunc{m.key.decode, m.elem.decode}
	m.states.New = func() any { return newMapState(t) }
	return m
}

// A mapState holds the variables for the entries of one map. They are in the
// heap because arguments of reflect must not be hidden from escape analysis.
type mapState struct {
	key, elem reflect.Value
	kp, ep    mem.Ptr // where they are
}

func newMapState(t reflect.Type) *mapState {
	variable := func(t reflect.Type) (reflect.Value, mem.Ptr) {
		v := reflect.New(t)
		return v.Elem(), mem.PtrOf(v)
	}
	var s mapState
	s.key, s.kp = variable(t.Key())
	s.elem, s.ep = variable(t.Elem())
	return &s
}

// clear sets the variables to zero, except scalars, which are replaced as a whole.
func (c *mapCodec) clear(s *mapState) {
	if !c.keyGet.isScalar() {
		s.key.SetZero()
	}
	if !c.elemGet.isScalar() {
		s.elem.SetZero()
	}
}

// release clears the state, so that the pool does not keep entries of the map alive.
func (c *mapCodec) release(s *mapState) {
	s.key.SetZero()
	s.elem.SetZero()
	c.states.Put(s)
}

// appendMapHeader opens a map of n pairs.
func appendMapHeader(dst []byte, n int, found string, depth int) ([]byte, error) {
	if n < 16 && depth > 0 {
		return append(dst, byte(wire.FixMap)|byte(n)), nil
	}
	if err := checkContainer(n, found, depth); err != nil {
		return dst, err
	}
	return wire.AppendMapHeader(dst, uint32(n)), nil
}

func (c *mapCodec) encode(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	if p.Deref().IsNil() {
		return wire.AppendNil(dst), nil
	}
	m := mem.Variable(c.pointer, p)
	n := m.Len()
	dst, err := appendMapHeader(dst, n, c.want, depth)
	if err != nil {
		return dst, err
	}
	return c.entries(dst, m, n, depth-1, nil)
}

// entries appends the entries of m, which must have n of them. If notes is not nil,
// it records the positions of the entries in dst.
func (c *mapCodec) entries(dst []byte, m reflect.Value, n, depth int, notes *sorter) (_ []byte, err error) {
	inPlace := fast && mem.HasMapEntry()
	var s *mapState
	if !inPlace {
		s = c.states.Get().(*mapState)
		defer c.release(s)
	}
	// The map itself may lie on the stack, so what points at it may not be part
	// of the state: only pointers on the stack follow when that is moved.
	var iter reflect.MapIter
	iter.Reset(m)
	room, all := newGrowth(dst), n
	for iter.Next() {
		if room.short(dst) {
			dst = room.grow(dst, all-n, all, leastEntry)
		}
		n--
		var key, elem mem.Ptr
		if inPlace {
			key, elem = mem.MapEntry(&iter)
		} else {
			s.key.SetIterKey(&iter)
			s.elem.SetIterValue(&iter)
			key, elem = s.kp, s.ep
		}
		start := len(dst)
		if dst, err = c.appendKey(dst, key, depth); err != nil {
			return dst, under("[key]", err)
		}
		mid := len(dst)
		if dst, err = c.elem.encode(dst, elem, depth); err != nil {
			return dst, underKey(keyOf(mem.Value(c.typ.Key(), key)), err)
		}
		if notes != nil {
			notes.entries = append(notes.entries, sortedEntry{start: start, mid: mid, end: len(dst)})
		}
	}
	if n != 0 {
		return dst, failed(ErrInvalid, c.want+" that was modified during encoding")
	}
	return dst, nil
}

// appendKey appends the key at p, as a struct of one field if it is a scalar.
func (c *mapCodec) appendKey(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	if s := &c.keySteps[0]; fast && s.put != putCall && cap(dst)-len(dst) >= int(s.room) {
		if n, s, _ := store(s, mem.Bytes(dst), len(dst), p); s.put == putEnd {
			return dst[:n], nil
		}
	}
	return c.key.encode(dst, p, depth)
}

// begin is openMap, and makes the chunk for strings, which [fieldSet.fast] cannot.
// A single short string is better off with memory of its own.
func (c *mapCodec) begin(d *decoder, p mem.Ptr) (n int, owed uint64, err error) {
	n, owed, err = d.openMap(p, c.want)
	if fast && n*c.strings > 0 && err == nil && d.chunk == nil && (n*c.strings > 1 || d.left() >= minChunk) {
		d.newChunk(d.left())
	}
	return n, owed, err
}

// decode adds to the map that is there, or to a new one. A value starts from
// zero also where its key is in the map already.
func (c *mapCodec) decode(d *decoder, p mem.Ptr) error {
	n, owed, err := c.begin(d, p)
	if n < 0 || err != nil {
		return err
	}
	s := c.states.Get().(*mapState)
	defer c.release(s)
	m := mem.Variable(c.pointer, p)
	if m.IsNil() {
		m.Set(reflect.MakeMapWithSize(c.typ, n))
	}
	for i := range n {
		if i > 0 {
			c.clear(s)
		}
		d.owed = owed + 2*uint64(n-i) - 1
		if err := c.decodeEntry(d, m, s); err != nil {
			return err
		}
	}
	d.close(owed)
	return nil
}

// decodeEntry decodes one entry into m, by way of s, whose variables are zero.
// d.owed says what is expected after the key, as after it it does for the element.
func (c *mapCodec) decodeEntry(d *decoder, m reflect.Value, s *mapState) error {
	start := d.pos
	owed := d.owed - 1
	if err := c.decodeHalf(d, 0, d.owed, s.kp); err != nil {
		return under("[key]", err)
	}
	if !c.hashable && !s.key.Comparable() {
		d.pos = start
		return d.fail(ErrUnhashable, c.want)
	}
	if err := c.decodeHalf(d, 1, owed, s.ep); err != nil {
		return underKey(keyOf(s.key), err)
	}
	m.SetMapIndex(s.key, s.elem)
	return nil
}

// decodeHalf decodes a key, half 0, or an element, half 1.
func (c *mapCodec) decodeHalf(d *decoder, half int, owed uint64, p mem.Ptr) error {
	f, n, at := c.fields.field(half), 1, stopAtValue
	if fast {
		if f, n, at = c.fields.fast(d, f, n, p); n == 0 {
			return nil
		}
	}
	_, err := c.fields.decode(d, f, n, at, owed, p)
	return err
}

// openMap opens a map of n pairs, or passes a nil, sets the map at p to it and
// returns -1.
func (d *decoder) openMap(p mem.Ptr, want string) (n int, owed uint64, err error) {
	if d.isNil() {
		p.SetPtr(mem.Ptr{})
		return -1, 0, nil
	}
	if n, ok := d.fixCount(wire.FixMap); ok {
		owed, err = d.open(2*uint64(n), 1, want)
		return int(n), owed, err
	}
	h, err := d.header(want)
	if err != nil {
		return 0, 0, err
	}
	if h.Format.Kind() != wire.KindMap {
		return 0, 0, d.mismatch(want)
	}
	owed, err = d.open(h.Values(), int(h.Size), want)
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
