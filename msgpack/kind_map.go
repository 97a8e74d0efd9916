package msgpack

import (
	"reflect"
	"slices"
	"sync"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeMapCodec returns the codec of a map type. Maps are usually encoded in place, see
// [emitMap], and the most common ones decoded by their layout, see [mapCodec.decoder].
// The others use reflect. Their variables for the key and the element come from a pool,
// so that an entry needs no allocation.
func (k *compiler) makeMapCodec(t reflect.Type, p *plan) codec {
	m := k.newMapCodec(t)
	c := codec{m.encode, m.decode}
	// The slots of a map hold only pointers to longer keys and elements.
	p.part = k.plan(planKey{typ: t.Elem()})
	// Structs that are too large for a slot, or in maps that are sorted, are encoded with
	// their steps too.
	k.atLink(func() {
		if fast && p.part.program != nil {
			m.elem.encode = k.root(p.part).append
		}
	})
	if m.sort == nil && p.part.size <= maxSlotPart {
		switch ofAny := t.Elem() == anyType && !k.plans.customForms(); {
		case ofAny && t.Key() == anyType:
			p.emit, p.entry = emitMap, emitAnyPair
		case ofAny && m.keyPut == putString:
			p.emit, p.entry = emitMap, emitAnyEntry
		case m.keyPut.isNumber() || m.keyPut == putString:
			p.emit = emitMap
		}
	}
	switch {
	// The keys of a map[string]any come from a cache, which would return copies.
	case t.Elem() == anyType && t.Key() == stringType && !k.plans.AliasInput:
		c.decode = func(d *decoder, p mem.Ptr) error { return d.anyMapInto(p, m.want) }
	case t.Elem() == anyType && t.Key() == anyType:
		c.decode = func(d *decoder, p mem.Ptr) error { return d.anyKeyMapInto(p, m.want) }
	case fast && !isPlain(p.typ):
		c.decode = m.decoder()
	}
	if k.plans.Compat.ReplaceMaps.replaces(t) {
		c.decode = intoNewMap(c.decode)
	}
	if !isPlain(p.typ) {
		p.reuse = reuseMap(m.pointer, c.decode)
	}
	if k.plans.NilMapAsEmpty {
		p.emit = nil
		c.encode = emptyForNil(c.encode, wire.FixMap, m.want)
	} else {
		p.put = putMap
	}
	return c
}

// intoNewMap returns a decoder that replaces a map, and keeps it after an error.
//
//go:noinline
func intoNewMap(decode decodeFunc) decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		old := p.Deref()
		p.SetPtr(mem.Ptr{})
		err := decode(d, p)
		if err != nil {
			p.SetPtr(old)
		}
		return err
	}
}

// maxSlotPart limits the size of a key or element in the slot of a map.
const maxSlotPart = 128

// A mapCodec encodes and decodes one map type with reflect.
type mapCodec struct {
	typ             reflect.Type
	pointer         mem.TypeWord // of the type of pointers to such maps
	want            string
	header          wire.Format // FixMap, or FixArray for a set
	key, elem       codec
	keyPut          putOp
	keyGet, elemGet getOp
	fields          fieldSet                                                   // two fields without keys: the key of the entry and its element; their offsets are 0 unless both halves are in one variable, see decoder
	strings         int                                                        // how many of the key and the element are strings that are copied
	hashable        bool                                                       // no key can make the map panic
	sort            func(s *sorter, dst []byte, start int, found string) error // nil: do not sort
	states          sync.Pool
}

func (k *compiler) newMapCodec(t reflect.Type) *mapCodec {
	key, elem := k.plan(planKey{typ: t.Key()}), k.plan(planKey{typ: t.Elem()})
	m := &mapCodec{
		typ: t, pointer: mem.WordOf(reflect.PointerTo(t)), want: t.String(), header: wire.FixMap,
		key: key.linked(), elem: elem.linked(),
		keyPut: key.put, keyGet: key.get, elemGet: elem.get,
		hashable: alwaysHashable(t.Key()), sort: k.plans.sort,
	}
	// The codec of any does not know that its value is a key.
	if k.plans.any != nil && t.Key().Kind() == reflect.Interface && t.Key().NumMethod() == 0 {
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
	m.fields.init(2)
	m.fields.fields[0].get, m.fields.fields[1].get = key.get, elem.get
	m.fields.decoders = []decodeFunc{m.key.decode, m.elem.decode}
	m.states.New = func() any { return newMapState(t) }
	return m
}

// A mapState holds the variables for the entries of one map. They are on the heap,
// because arguments of reflect must not be hidden from escape analysis.
type mapState struct {
	key, elem reflect.Value
	kp, ep    mem.Ptr // pointers to the variables
}

func newMapState(t reflect.Type) *mapState {
	key, elem := reflect.New(t.Key()), reflect.New(t.Elem())
	return &mapState{key.Elem(), elem.Elem(), mem.PtrOf(key), mem.PtrOf(elem)}
}

// clear sets the variables to zero for the next entry. Decoding replaces a scalar, so
// it need not be cleared.
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

// encode appends the map at p, or the array of its keys if it is a set.
func (c *mapCodec) encode(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	if p.Deref().IsNil() {
		return wire.AppendNil(dst), nil
	}
	m := mem.Variable(c.pointer, p)
	n := m.Len()
	dst, err := appendHeader(dst, c.header, n, c.want, depth)
	if err != nil {
		return dst, err
	}
	return c.appendOrdered(dst, m, n, depth-1)
}

// appendOrdered appends the n entries of m, sorted by key if the Options require it.
// It encodes them in the order of iteration and then sorts their bytes, because bytes
// can be compared in the same way for keys of every type.
func (c *mapCodec) appendOrdered(dst []byte, m reflect.Value, n, depth int) (_ []byte, err error) {
	if c.sort == nil || n < 2 {
		return c.appendEntries(dst, m, n, depth, nil)
	}
	s := sorters.Get().(*sorter)
	defer s.release()
	start := len(dst)
	if dst, err = c.appendEntries(dst, m, n, depth, s); err == nil {
		err = c.sort(s, dst, start, c.want)
	}
	return dst, err
}

// appendEntries appends the entries of m, which must have n of them. If order is not
// nil, it records the positions of the entries in dst.
func (c *mapCodec) appendEntries(dst []byte, m reflect.Value, n, depth int, order *sorter) (_ []byte, err error) {
	inPlace := fast && mem.HasMapEntry() // else reflect copies each key and element
	var s *mapState
	if !inPlace {
		s = c.states.Get().(*mapState)
		defer c.release(s)
	}
	// The variable that holds the map may be on the stack. When a stack grows it is
	// moved, and only pointers on the stack are adjusted. The iterator points to the
	// map, so it must not be part of the state, which is on the heap.
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
		if dst, err = c.key.encode(dst, key, depth); err != nil {
			return dst, under("[key]", err)
		}
		mid := len(dst)
		if dst, err = c.elem.encode(dst, elem, depth); err != nil {
			return dst, underKey(keyOf(mem.Value(c.typ.Key(), key)), err)
		}
		if order != nil {
			order.entries = append(order.entries, sortedEntry{start: start, mid: mid, end: len(dst)})
		}
	}
	if n != 0 { // the header has announced another number of entries
		return dst, failed(ErrInvalid, c.want+" that was modified during encoding")
	}
	return dst, nil
}

// begin opens a map like openMap. It also makes the first chunk for strings, because
// [fieldSet.decode] does not. A single short string is allocated on its own, which takes
// less time and memory than a chunk.
func (c *mapCodec) begin(d *decoder, p mem.Ptr) (n int, owed uint64, err error) {
	n, owed, err = d.openMap(p, c.want)
	if fast && n*c.strings > 0 && err == nil && d.chunk == nil && (n*c.strings > 1 || d.left() >= minChunk) {
		d.newChunk(0, d.left())
	}
	return n, owed, err
}

// decode adds the entries to the existing map, or to a new one. It replaces the
// elements of existing keys and does not decode into them, as in encoding/json.
func (c *mapCodec) decode(d *decoder, p mem.Ptr) error {
	n, owed, err := c.begin(d, p)
	if n < 0 || err != nil {
		return err
	}
	m := mem.Variable(c.pointer, p)
	if p.Deref().IsNil() {
		m.Set(reflect.MakeMapWithSize(c.typ, n))
	}
	if n == 0 { // often, because encoders write empty maps
		d.close(owed)
		return nil
	}
	s := c.states.Get().(*mapState)
	defer c.release(s)
	for i := range n {
		if i > 0 { // variables from the pool are zero
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

// decodeEntry decodes one entry into m with the variables of s, which must be zero.
// d.owed is the number of values that are expected after the key.
func (c *mapCodec) decodeEntry(d *decoder, m reflect.Value, s *mapState) error {
	start, owed, halves := d.pos, d.owed, &c.fields
	if _, err := halves.decode(d, halves.sentinel, 1, owed, s.kp); err != nil {
		return under("[key]", err)
	}
	if !c.hashable && !isComparable(s.key) {
		d.pos = start
		return d.fail(ErrUnhashable, c.want)
	}
	var err error
	if d.owed = owed - 1; c.elemGet == getCall {
		err = c.elem.decode(d, s.ep)
	} else {
		_, err = halves.decode(d, &halves.fields[0], 1, d.owed, s.ep) // the element follows the key
	}
	if err != nil {
		return underKey(keyOf(s.key), err)
	}
	m.SetMapIndex(s.key, s.elem)
	return nil
}

// openMap opens a map of n pairs. For a nil it sets the map at p to nil and returns
// an n of -1.
func (d *decoder) openMap(p mem.Ptr, want string) (n int, owed uint64, err error) {
	if d.isNil() {
		p.SetPtr(mem.Ptr{})
		return -1, 0, nil
	}
	return d.container(wire.FixMap, 2, want)
}

// keyOf returns a key as paths of errors show it: a string, an integer, or nil for
// all other keys.
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

// alwaysHashable reports whether every value of a key type can be hashed. An interface
// that holds a slice cannot: using it as a key panics.
func alwaysHashable(t reflect.Type) bool {
	return allParts(t, func(k reflect.Kind) bool { return k != reflect.Interface })
}

// A sorter sorts the encoded entries of one map.
type sorter struct {
	entries []sortedEntry
	order   []*sortedEntry // pointers, because all pointer types share one compiled sort function
	bytes   []byte         // a copy of the entries, from which they are written back in order
}

// A sortedEntry holds the position of an entry in the message.
type sortedEntry struct {
	_               [0]func() // as in cachedKey
	key             syntax.Key
	start, mid, end int // start of the key, start of the value, end of the value
}

var sorters = sync.Pool{New: func() any { return new(sorter) }}

// release returns the sorter to the pool. It drops pointers to the message, and memory
// that one long map has needed.
func (s *sorter) release() {
	clear(s.entries)
	clear(s.order)
	// One long map must not keep its memory in the pool.
	if cap(s.bytes) > maxScratch {
		s.bytes = nil
	}
	if cap(s.entries) > maxScratch/64 {
		s.entries, s.order = nil, nil
	}
	s.entries, s.order, s.bytes = s.entries[:0], s.order[:0], s.bytes[:0]
	sorters.Put(s)
}

// sort sorts the entries, which begin at dst[start]. found names the map in errors.
func (s *sorter) sort(dst []byte, start int, found string) error {
	s.bytes = append(s.bytes, dst[start:]...)
	text := mem.String(s.bytes)
	for i := range s.entries {
		e := &s.entries[i]
		from, to := e.start-start, e.mid-start
		e.key = syntax.MakeKey(s.bytes[from:to], text[from:to])
		s.order = append(s.order, e)
	}
	slices.SortFunc(s.order, func(a, b *sortedEntry) int { return a.key.Compare(&b.key) })
	to := dst[:start]
	for i, e := range s.order {
		// Different Go keys can have the same bytes, such as int 1 and uint 1 in a
		// map[any]any.
		if i > 0 && e.key == s.order[i-1].key {
			return failed(ErrDuplicateKey, found)
		}
		to = append(to, s.bytes[e.start-start:e.end-start]...)
	}
	return nil
}
