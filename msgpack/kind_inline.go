package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// An inlineMap is the inline map of a struct. It holds the keys that have no field.
type inlineMap struct {
	field typeplan.Field
	codec *mapCodec
	names map[string]bool // keys of the fields
}

func (k *compiler) makeInlineMap(s typeplan.Struct) *inlineMap {
	m := &inlineMap{field: *s.Rest, codec: k.newMapCodec(s.Rest.Type), names: map[string]bool{}}
	for i := range s.Fields {
		m.names[s.Fields[i].Name] = true
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
// header announces. An entry with the name of a field is an error, because the key
// would appear twice.
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
