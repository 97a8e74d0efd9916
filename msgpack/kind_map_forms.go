package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/syntax"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// An inlineMap is the inline map of a struct. It holds the keys that have no field.
type inlineMap struct {
	field typeplan.Field
	codec *mapCodec
	names map[string]bool // keys of the fields, and their aliases
}

func (k *compiler) makeInlineMap(s *typeplan.Struct) *inlineMap {
	m := &inlineMap{field: *s.Rest, codec: k.newMapCodec(s.Rest.Type), names: map[string]bool{}}
	for i := range s.Fields {
		m.names[s.Fields[i].Name] = true
		for _, alias := range s.Fields[i].Aliases {
			m.names[alias] = true
		}
	}
	return m
}

// of returns the inline map of the struct at p, or the zero Value if it is behind a
// nil embedded pointer.
func (m *inlineMap) of(p mem.Ptr) reflect.Value {
	p, ok := followHops(m.field.Hops, p)
	if !ok {
		return reflect.Value{}
	}
	return mem.Value(m.field.Type, p.Add(m.field.Offset))
}

func (m *inlineMap) len(p mem.Ptr) int {
	if v := m.of(p); v.IsValid() {
		return v.Len()
	}
	return 0
}

// encode appends the entries without a header. n is the number of entries that the
// header announces. An entry with the name or an alias of a field is an error, because
// the decoder would put it into the field, whose own entry it has read or will read.
func (m *inlineMap) encode(dst []byte, p mem.Ptr, n, depth int) ([]byte, error) {
	// The header was written before, so another goroutine or a method has changed
	// the map.
	if m.len(p) != n {
		return dst, under(m.field.GoName, failed(ErrInvalid, m.codec.want+" that was modified during encoding"))
	}
	if n == 0 {
		return dst, nil
	}
	s := sorters.Get().(*sorter)
	defer s.release()
	start := len(dst)
	dst, err := m.codec.appendEntries(dst, m.of(p), n, depth, s) // s records the keys even if they are not sorted
	if err != nil {
		return dst, under(m.field.GoName, err)
	}
	for i := range s.entries {
		e := &s.entries[i]
		// The encoded keys are compared, because that covers keys of every string
		// type.
		if key, _, err := wire.ConsumeString(dst[e.start:e.mid]); err == nil && m.names[string(key)] {
			return dst, under(m.field.GoName, under(syntax.StringStep(string(key)), failed(ErrDuplicateKey, m.codec.want)))
		}
	}
	if m.codec.sort != nil {
		err = m.codec.sort(s, dst, start, m.codec.want)
	}
	return dst, err
}

// decode decodes the entry at the position of d into the map of the struct at p.
// d.owed is the number of values that are expected after the key.
func (m *inlineMap) decode(d *decoder, p mem.Ptr) error {
	p, err := d.allocateHops(m.field.Hops, p)
	if err != nil {
		return under(m.field.GoName, err)
	}
	v := mem.Value(m.field.Type, p.Add(m.field.Offset))
	// The map is made only if there is a key without a field.
	if v.IsNil() {
		v.Set(reflect.MakeMap(m.field.Type))
	}
	s := m.codec.states.Get().(*mapState)
	defer m.codec.release(s)
	if err := m.codec.decodeEntry(d, v, s); err != nil {
		return under(m.field.GoName, err)
	}
	return nil
}

// Pairs holds the entries of a MessagePack map in the order of the input. It is encoded
// as a map in the same order, even with SortKeys. A key may have any type, including
// those that a Go map cannot have as keys, and may appear more than once.
type Pairs []Pair

// A Pair is one entry of a map.
type Pair struct{ Key, Value any }

// pairs decodes the entries of an open map into s.
func (d *decoder) pairs(s Pairs, owed uint64) (err error) {
	for i := range s {
		d.owed = owed + 2*uint64(len(s)-i) - 1
		if s[i].Key, err = d.anyKey(); err != nil {
			return under("[key]", err)
		}
		d.owed--
		if s[i].Value, err = d.any(); err != nil {
			return underKey(s[i].Key, err)
		}
	}
	d.close(owed)
	return nil
}

// makePairsCodec returns the codec of [Pairs].
//
//go:noinline
func (k *compiler) makePairsCodec() codec {
	c := k.plans
	const want = "msgpack.Pairs"
	encode := func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		s := *mem.At[Pairs](p)
		if s == nil {
			return wire.AppendNil(dst), nil
		}
		dst, err := appendHeader(dst, wire.FixMap, len(s), want, depth)
		if err != nil {
			return dst, err
		}
		for i := range s {
			if dst, err = c.encodeAnyPair(dst, mem.PtrTo(&s[i]), depth-1); err != nil {
				return dst, err
			}
		}
		return dst, nil
	}
	if k.plans.NilMapAsEmpty {
		encode = emptyForNil(encode, wire.FixMap, want)
	}
	return codec{encode, zeroForNil(pairsType, func(d *decoder, p mem.Ptr) error {
		n, owed, err := d.container(wire.FixMap, 2, want)
		if err != nil {
			return err
		}
		// container has compared the count with the input.
		v := mem.At[Pairs](p)
		*v = make(Pairs, n)
		return d.pairs(*v, owed)
	})}
}

// A setCodec encodes a map[T]struct{} with the tag option set as an array of its
// keys. It decodes this form and the usual form, a map.
type setCodec struct {
	*mapCodec                              // which encodes nothing for the elements
	unique    func() func(key []byte) bool // nil: keys may repeat
}

// makeSetCodec returns the codec of a map type whose field has the tag option set.
func (k *compiler) makeSetCodec(t reflect.Type) codec {
	s := &setCodec{k.newMapCodec(t), k.plans.unique}
	s.header = wire.FixArray
	s.elem.encode = func(dst []byte, _ mem.Ptr, _ int) ([]byte, error) { return dst, nil }
	c := codec{s.encode, s.decode}
	if k.plans.NilMapAsEmpty {
		c.encode = emptyForNil(c.encode, wire.FixArray, s.want)
	}
	return c
}

// decode adds the elements to the existing map, or to a new one if it is nil.
func (c *setCodec) decode(d *decoder, p mem.Ptr) error {
	if d.isNil() {
		p.SetPtr(mem.Ptr{})
		return nil
	}
	// Senders that do not know the option write a map.
	if d.left() > 0 && wire.FormatOf(d.data[d.pos]).Kind() == wire.KindMap {
		return c.mapCodec.decode(d, p)
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
		case !c.hashable && !isComparable(s.key):
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
