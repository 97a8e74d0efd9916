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
	typ    reflect.Type
	want   string
	fields []decodeField
	names  nameTable
}

type decodeField struct {
	low, high         uint64 // the key with its header
	lowMask, highMask uint64 // which bytes of the words belong to it
	keySize           uint8  // of key and header; 0 where they do not fit the words
	scalar            scalar // none where there are hops to follow
	offset            uintptr
	decode            decodeFunc
	hops              []typeplan.Hop
	name              string // wire name
	path              string
}

const keyWords = 16 // bytes of a key with its header that are compared as words

func (k *compiler) makeStructDecoder(s typeplan.Struct) *structDecoder {
	d := &structDecoder{typ: s.Type, want: s.Type.String(), fields: make([]decodeField, len(s.Fields))}
	for i := range s.Fields {
		f := &s.Fields[i]
		p := k.fieldPlan(f)
		d.fields[i] = decodeField{
			scalar: p.scalar, offset: f.Offset, decode: p.linked().decode,
			hops: f.Hops, name: f.Name, path: f.GoName,
		}
		if len(f.Hops) > 0 {
			d.fields[i].scalar = scalarNone
		}
		d.fields[i].expectKey(appendName(nil, f))
	}
	d.names = makeNameTable(d.fields)
	return d
}

// expectKey prepares the comparison with an encoded key.
func (f *decodeField) expectKey(key []byte) {
	if len(key) > keyWords {
		return
	}
	var words, mask [keyWords]byte
	copy(words[:], key)
	for i := range key {
		mask[i] = 0xff
	}
	w, m := mem.PtrTo(&words[0]), mem.PtrTo(&mask[0])
	f.low, f.high = mem.Load64(w, 0), mem.Load64(w, 8)
	f.lowMask, f.highMask = mem.Load64(m, 0), mem.Load64(m, 8)
	f.keySize = uint8(len(key))
}

func (s *structDecoder) decode(d *decoder, p mem.Ptr) error {
	h, err := d.header(s.want)
	if err != nil {
		return err
	}
	switch h.Format.Kind() {
	case wire.KindMap:
		return s.decodeMap(d, p, h)
	case wire.KindArray:
		return s.decodeArray(d, p, h)
	case wire.KindNil:
		d.pos++
		mem.Value(s.typ, p).SetZero()
		return nil
	}
	return d.mismatch(s.want)
}

func (s *structDecoder) decodeMap(d *decoder, p mem.Ptr, h wire.Header) error {
	owed, err := d.open(h, s.want)
	if err != nil {
		return err
	}
	n := int(h.Count)
	next := 0 // the field whose key is expected
	for i := range n {
		d.owed = owed + 2*uint64(n-i) - 1
		f := s.expected(d, next)
		if f == nil {
			j, err := s.lookUp(d)
			if err != nil {
				return under("[key]", err)
			}
			d.owed--
			if j < 0 {
				if err := d.skip(); err != nil {
					return under("[unknown field]", err)
				}
				continue
			}
			next, f = j, &s.fields[j]
		} else {
			d.owed--
		}
		next++
		if err := f.decodeInto(d, p); err != nil {
			return under(f.path, err)
		}
	}
	d.close(owed)
	return nil
}

// expected passes the next key and returns its field, if it is the key of field
// i.
func (s *structDecoder) expected(d *decoder, i int) *decodeField {
	if !fast || i >= len(s.fields) || d.left() < keyWords {
		return nil
	}
	f := &s.fields[i]
	in := mem.Bytes(d.data)
	low := (mem.Load64(in, d.pos) ^ f.low) & f.lowMask
	high := (mem.Load64(in, d.pos+8) ^ f.high) & f.highMask
	if low|high != 0 || f.keySize == 0 {
		return nil
	}
	d.pos += int(f.keySize)
	return f
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
	owed, err := d.open(h, s.want)
	if err != nil {
		return err
	}
	n := int(h.Count)
	for i := range n {
		d.owed = owed + uint64(n-i-1)
		if i >= len(s.fields) {
			if err := d.skip(); err != nil {
				return underIndex(i, err)
			}
			continue
		}
		if err := s.fields[i].decodeInto(d, p); err != nil {
			return under(s.fields[i].path, err)
		}
	}
	d.close(owed)
	return nil
}

// decodeInto decodes the field of the struct at p.
func (f *decodeField) decodeInto(d *decoder, p mem.Ptr) error {
	v := p.Add(f.offset)
	if fast && d.left() >= maxInteger {
		in, pos := mem.Bytes(d.data), d.pos
		switch f.scalar {
		case scalarInt64:
			if i, n := fastInteger(in, pos); n > 0 {
				*mem.At[int64](v) = i
				d.pos += n
				return nil
			}
		case scalarUint64:
			if i, n := fastInteger(in, pos); n > 0 && i >= 0 {
				*mem.At[uint64](v) = uint64(i)
				d.pos += n
				return nil
			}
		case scalarInt32:
			if i, n := fastInteger(in, pos); n > 0 && int64(int32(i)) == i {
				*mem.At[int32](v) = int32(i)
				d.pos += n
				return nil
			}
		case scalarUint32:
			if i, n := fastInteger(in, pos); n > 0 && int64(uint32(i)) == i {
				*mem.At[uint32](v) = uint32(i)
				d.pos += n
				return nil
			}
		case scalarFloat64:
			if mem.Load8(in, pos) == byte(wire.Float64) {
				*mem.At[uint64](v) = mem.Load64BE(in, pos+1)
				d.pos += 9
				return nil
			}
		case scalarFloat32:
			if mem.Load8(in, pos) == byte(wire.Float32) {
				*mem.At[uint32](v) = mem.Load32BE(in, pos+1)
				d.pos += 5
				return nil
			}
		case scalarBool:
			if b := mem.Load8(in, pos); b|1 == byte(wire.True) {
				mem.Store8(v, 0, b&1)
				d.pos++
				return nil
			}
		case scalarString:
			n := int(mem.Load8(in, pos) ^ byte(wire.FixStr))
			if n <= shortString && d.left() > n {
				d.pos += 1 + n
				*mem.At[string](v) = d.newString(d.data[pos+1 : pos+1+n])
				return nil
			}
		}
	}
	if len(f.hops) > 0 {
		return f.decodeThrough(d, p)
	}
	return f.decode(d, v)
}

// decodeThrough decodes a field that embedded pointers lead to, setting those
// that are nil. A nil for the field of a struct that is not there needs none.
func (f *decodeField) decodeThrough(d *decoder, p mem.Ptr) error {
	if _, there := through(f.hops, p); !there && d.isNil() {
		return nil
	}
	for i := range f.hops {
		hop := &f.hops[i]
		at := p.Add(hop.Offset)
		if at.Deref().IsNil() {
			if !hop.Exported {
				return d.fail(ErrUnsupported, "a field of a nil pointer to the unexported "+hop.Type.String())
			}
			at.SetPtr(mem.New(hop.Type))
		}
		p = at.Deref()
	}
	return f.decode(d, p.Add(f.offset))
}

// A nameTable finds fields by name: open-addressed, by a hash of the length and
// the first and last eight bytes of the name, with a multiplier chosen such
// that the names of this struct do not collide if that can be had. Names that
// collide are found by probing on, at most through all of them.
type nameTable struct {
	slots []uint16 // index of a field plus one, 0 where free; a power of two
	seed  uint64
	shift uint
}

const maxSeeds = 32

func makeNameTable(fields []decodeField) nameTable {
	log := bits.Len(uint(2 * len(fields))) // at most half full
	best, fewest := nameTable{}, len(fields)+1
	for seed := range uint64(maxSeeds) {
		t := nameTable{make([]uint16, 1<<log), 0x9e3779b97f4a7c15 * (2*seed + 1), uint(64 - log)}
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
		t.slots[slot&mask] = uint16(i + 1)
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
