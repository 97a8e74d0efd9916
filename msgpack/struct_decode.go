package msgpack

import (
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// A structDecoder decodes one struct type from a map or an array.
//
// Encoders write fields in the order of their declaration, so the key that
// follows is expected to be that of the next field: it is compared as two
// words, its header included. Another key is looked up by its hash.
type structDecoder struct {
	typ     reflect.Type
	want    string
	fields  []decodeField
	keys    []expectedKey // by field
	unnamed []expectedKey // by field, for the array form
	names   nameTable
	strings bool // there are fields of that scalar
	numbers bool // there are slices of numbers
}

type decodeField struct {
	name      string // wire name
	path      string // for errors
	scalar    scalar // none where there are hops to follow
	container bool   // neither a scalar nor behind hops
	offset    uintptr
	hops      []typeplan.Hop
	decode    decodeFunc
}

func (k *compiler) makeStructDecoder(s typeplan.Struct) *structDecoder {
	d := &structDecoder{typ: s.Type, want: s.Type.String(), fields: make([]decodeField, len(s.Fields))}
	for i := range s.Fields {
		f := &s.Fields[i]
		p := k.fieldPlan(f)
		scalar := p.scalar
		if len(f.Hops) > 0 {
			scalar = scalarNone
		}
		d.fields[i] = decodeField{
			name: f.Name, path: f.GoName, offset: f.Offset, hops: f.Hops, decode: p.linked().decode,
			scalar: scalar, container: p.scalar == scalarNone && len(f.Hops) == 0,
		}
		kind, offset := scalar, f.Offset
		if kind == scalarNone && len(f.Hops) == 0 {
			kind = p.simple
		}
		if kind == scalarNone {
			offset = 0 // behind hops it might lie outside of this struct
		}
		d.keys = append(d.keys, makeExpectedKey(f.Name, offset, kind))
		d.unnamed = append(d.unnamed, unnamed(offset, kind))
		d.strings = d.strings || scalar == scalarString
		d.numbers = d.numbers || p.numbers
	}
	d.names = makeNameTable(d.fields)
	return d
}

// decoder returns the function that decodes the struct. In a copy of it made by
// inlining, what it calls would not be inlined any more.
//
//go:noinline
func (s *structDecoder) decoder() decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		if n, ok := d.fixCount(wire.FixMap); ok {
			return s.decodeMap(d, p, n, 1)
		}
		return s.decode(d, p)
	}
}

func (s *structDecoder) decode(d *decoder, p mem.Ptr) error {
	h, err := d.header(s.want)
	if err != nil {
		return err
	}
	switch h.Format.Kind() {
	case wire.KindMap:
		return s.decodeMap(d, p, h.Count, int(h.Size))
	case wire.KindArray:
		return s.decodeArray(d, p, h)
	case wire.KindNil:
		d.pos++
		mem.Value(s.typ, p).SetZero()
		return nil
	}
	return d.mismatch(s.want)
}

func (s *structDecoder) decodeMap(d *decoder, p mem.Ptr, count uint32, size int) error {
	owed, err := d.open(2*uint64(count), size, s.want)
	if err != nil {
		return err
	}
	if s.strings && d.chunk == nil && count > 0 {
		s.expectStrings(d)
	}
	n, next := int(count), 0 // next is the field whose key is expected
	for i := 0; i < n; i++ {
		keyed := false
		if fast {
			var done int
			done, keyed = d.fastFields(s.keys[next:], n-i, p)
			next += done
			if i += done; i == n {
				break
			}
		}
		j := next
		if !keyed {
			d.owed = owed + 2*uint64(n-i) - 1
			if j, err = s.lookUp(d); err != nil {
				return under("[key]", err)
			}
		}
		d.owed = owed + 2*uint64(n-i-1)
		if j < 0 {
			if err := d.skip(); err != nil {
				return under("[unknown field]", err)
			}
			continue
		}
		f := &s.fields[j]
		next = j + 1
		if keyed && f.container {
			err = f.decode(d, p.Add(f.offset))
		} else {
			err = f.decodeInto(d, p)
		}
		if err != nil {
			return under(f.path, err)
		}
	}
	d.close(owed)
	return nil
}

// expectStrings makes the first chunk before there is a string to put into it,
// which fastFields cannot.
func (s *structDecoder) expectStrings(d *decoder) {
	most := d.left() / 2 // the other half being keys and numbers
	if s.numbers {
		most = d.left() + d.left()/4 // since a number of one byte becomes up to eight
	}
	d.newChunk(most)
}

// lookUp passes the next key and returns the index of its field, or -1 where
// there is none.
func (s *structDecoder) lookUp(d *decoder) (int, error) {
	h, err := d.header("field name")
	if err != nil {
		return 0, err
	}
	if k := h.Format.Kind(); k != wire.KindStr && k != wire.KindBin {
		return -1, d.skip()
	}
	key, err := d.payload(h, "field name")
	if err != nil {
		return 0, err
	}
	return s.names.find(s.fields, key), nil
}

// decodeArray takes the fields in order. Elements beyond the last field are
// passed over, and fields beyond the last element stay as they are.
func (s *structDecoder) decodeArray(d *decoder, p mem.Ptr, h wire.Header) error {
	owed, err := d.open(h.Values(), int(h.Size), s.want)
	if err != nil {
		return err
	}
	if s.strings && d.chunk == nil && h.Count > 0 {
		s.expectStrings(d)
	}
	n := int(h.Count)
	for i := 0; i < n; i++ {
		if fast && i < len(s.unnamed) {
			done, _ := d.fastFields(s.unnamed[i:], n-i, p)
			if i += done; i == n {
				break
			}
		}
		d.owed = owed + uint64(n-i-1)
		if i >= len(s.fields) {
			if err := d.skip(); err != nil {
				return underIndex(i, err)
			}
			continue
		}
		f := &s.fields[i]
		if err := f.decodeInto(d, p); err != nil {
			return under(f.path, err)
		}
	}
	d.close(owed)
	return nil
}

// decodeInto decodes the field of the struct at p.
func (f *decodeField) decodeInto(d *decoder, p mem.Ptr) error {
	if len(f.hops) > 0 {
		return f.decodeThrough(d, p)
	}
	return d.scalarOr(f.scalar, p.Add(f.offset), f.decode)
}

// decodeThrough decodes a field that embedded pointers lead to, setting those
// that are nil. A nil for the field of a struct that is not there needs none.
func (f *decodeField) decodeThrough(d *decoder, p mem.Ptr) error {
	if _, there := through(f.hops, p); !there && d.isNil() {
		return nil
	}
	p, err := d.hops(f.hops, p)
	if err != nil {
		return err
	}
	return f.decode(d, p.Add(f.offset))
}

// hops follows embedded pointers, setting those that are nil.
func (d *decoder) hops(hops []typeplan.Hop, p mem.Ptr) (mem.Ptr, error) {
	for i := range hops {
		hop := &hops[i]
		at := p.Add(hop.Offset)
		if at.Deref().IsNil() {
			if !hop.Exported {
				return p, d.fail(ErrUnsupported, "a field of a nil pointer to the unexported "+hop.Type.String())
			}
			at.SetPtr(mem.New(hop.Type))
		}
		p = at.Deref()
	}
	return p, nil
}

// A nameTable finds fields by name: open-addressed, by a hash of the length and
// the first and last eight bytes of the name, with a multiplier chosen such
// that the names of this struct do not collide if that can be had. Names that
// collide are found by probing on, at most through all of them.
type nameTable struct {
	slots []uint32 // index of a field plus one, 0 where free; a power of two
	seed  uint64
	shift uint
}

const maxSeeds = 32

func makeNameTable(fields []decodeField) nameTable {
	log := bits.Len(uint(2 * len(fields))) // at most half full
	best, fewest := nameTable{}, len(fields)+1
	for seed := range uint64(maxSeeds) {
		t := nameTable{make([]uint32, 1<<log), 0x9e3779b97f4a7c15 * (2*seed + 1), uint(64 - log)}
		if collisions := t.fill(fields); collisions < fewest {
			best, fewest = t, collisions
		}
		if fewest == 0 {
			break
		}
	}
	return best
}

func (t *nameTable) fill(fields []decodeField) (collisions int) {
	mask := uint64(len(t.slots) - 1)
	for i := range fields {
		slot := hashKey([]byte(fields[i].name), t.seed) >> t.shift
		if t.slots[slot&mask] != 0 {
			collisions++
		}
		for t.slots[slot&mask] != 0 {
			slot++
		}
		t.slots[slot&mask] = uint32(i + 1)
	}
	return collisions
}

// find returns the index of the field called name, -1 where there is none.
func (t *nameTable) find(fields []decodeField, name []byte) int {
	mask := uint64(len(t.slots) - 1)
	for slot := hashKey(name, t.seed) >> t.shift; ; slot++ {
		i := int(t.slots[slot&mask]) - 1
		if i < 0 || fields[i].name == string(name) {
			return i
		}
	}
}
