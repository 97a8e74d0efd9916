package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/internal/syntax"
	"github.com/octet-go/octet/msgpack/wire"
)

// A rest is the inline map of a struct. It holds the keys that have no field.
type rest struct {
	field typeplan.Field
	codec *mapCodec
	names map[string]bool                                            // keys of the fields
	sort  func(s *sorter, dst []byte, start int, found string) error // nil: do not sort
}

func (k *compiler) makeRest(s typeplan.Struct) *rest {
	r := &rest{field: *s.Rest, codec: k.newMapCodec(s.Rest.Type), names: map[string]bool{}, sort: k.plans.sort}
	for i := range s.Fields {
		r.names[s.Fields[i].Name] = true
	}
	return r
}

// of returns the inline map of the struct at p, or the zero Value if it is behind a
// nil embedded pointer.
func (r *rest) of(p mem.Ptr) reflect.Value {
	p, ok := through(r.field.Hops, p)
	if !ok {
		return reflect.Value{}
	}
	return mem.Value(r.field.Type, p.Add(r.field.Offset))
}

func (r *rest) len(p mem.Ptr) int {
	if m := r.of(p); m.IsValid() {
		return m.Len()
	}
	return 0
}

// encode appends the entries without a header. n is the number of entries that the
// header announces. An entry with the name of a field is an error, because the key
// would appear twice.
func (r *rest) encode(dst []byte, p mem.Ptr, n, depth int) ([]byte, error) {
	if r.len(p) != n {
		return dst, under(r.field.GoName, failed(ErrInvalid, r.codec.want+" that was modified during encoding"))
	}
	if n == 0 {
		return dst, nil
	}
	s := sorters.Get().(*sorter)
	defer s.release()
	start := len(dst)
	dst, err := r.codec.entries(dst, r.of(p), n, depth, s)
	if err != nil {
		return dst, under(r.field.GoName, err)
	}
	for i := range s.entries {
		e := &s.entries[i]
		if key, _, err := wire.ConsumeString(dst[e.start:e.mid]); err == nil && r.names[string(key)] {
			return dst, under(r.field.GoName, under(syntax.StringStep(string(key)), failed(ErrDuplicateKey, r.codec.want)))
		}
	}
	if r.sort != nil {
		err = r.sort(s, dst, start, r.codec.want)
	}
	return dst, err
}

// decode decodes the entry at the position of d into the map of the struct at p.
// d.owed is the number of values that are expected after the key.
func (r *rest) decode(d *decoder, p mem.Ptr) error {
	p, err := d.hops(r.field.Hops, p)
	if err != nil {
		return under(r.field.GoName, err)
	}
	m := mem.Value(r.field.Type, p.Add(r.field.Offset))
	if m.IsNil() {
		m.Set(reflect.MakeMap(r.field.Type))
	}
	s := r.codec.states.Get().(*mapState)
	defer r.codec.release(s)
	if err := r.codec.decodeEntry(d, m, s); err != nil {
		return under(r.field.GoName, err)
	}
	return nil
}
