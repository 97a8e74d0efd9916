package msgpack

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/octet-go/octet/msgpack/wire"
	"github.com/vmihailenco/tagparser/v2"
)

// A field is a field of a struct, or a promoted field of a struct embedded in it.
type field struct {
	name      string
	key       []byte // the name as it is written
	plan      func() *plan
	index     []int
	typ       reflect.Type
	omitEmpty bool
	intern    bool
	found     bool // by its name, which no other field has
}

// A structFields has the fields of a struct type.
type structFields struct {
	list    []*field
	byName  map[string]*field // with aliases and embedded structs
	asArray bool
	omits   bool  // a field has omitempty
	err     error // the tags are not valid
}

type fieldsKey struct {
	typ reflect.Type
	tag string
}

// fields returns the fields of the struct type t. Those without a tag "msgpack" have the tag
// with another key.
func (r *registry) fields(t reflect.Type, tag string) *structFields {
	key := fieldsKey{t, tag}
	if s, ok := r.structs.Load(key); ok {
		return s.(*structFields)
	}
	s := r.makeFields(t, tag, nil)
	for _, f := range s.list {
		f.found = s.byName[f.name] == f
	}
	first, _ := r.structs.LoadOrStore(key, s)
	return first.(*structFields)
}

// makeFields returns the fields of t, which is part of the structs in around.
func (r *registry) makeFields(t reflect.Type, key string, around []reflect.Type) *structFields {
	s := &structFields{byName: map[string]*field{}}
	if slices.Contains(around, t) {
		s.err = fmt.Errorf("msgpack: %v is embedded in itself", t)
		return s
	}
	around = append(around, t)
	omitAll := false
	for i := range t.NumField() {
		f := t.Field(i)
		text := f.Tag.Get("msgpack")
		if text == "" && key != "" {
			text = f.Tag.Get(key)
		}
		tag := tagparser.Parse(text)
		if tag.Name == "-" {
			continue
		}
		if f.Name == "_msgpack" {
			s.asArray = tag.HasOption("as_array") || tag.HasOption("asArray")
			omitAll = omitAll || tag.HasOption("omitempty")
		}
		if !f.IsExported() && !f.Anonymous {
			continue
		}
		own := &field{name: tag.Name, index: f.Index, typ: f.Type, omitEmpty: omitAll || tag.HasOption("omitempty"), intern: tag.HasOption("intern")}
		if own.name == "" {
			own.name = f.Name
		}
		own.key, own.plan = wire.AppendString(nil, own.name), r.later(f.Type)
		if own.intern && f.Type.Kind() != reflect.String && f.Type.Kind() != reflect.Interface {
			s.err = fmt.Errorf("msgpack: intern strings are not supported on %v", f.Type)
			return s
		}
		if f.Anonymous && !tag.HasOption("noinline") && r.promote(s, own, key, tag.HasOption("inline"), around) {
			s.byName[own.name] = own
			continue
		}
		s.add(own)
		if alias, ok := tag.Options["alias"]; ok {
			s.byName[alias] = own
		}
	}
	return s
}

func (s *structFields) add(f *field) {
	s.list = append(s.list, f)
	s.byName[f.name] = f
	s.omits = s.omits || f.omitEmpty
}

// promote adds the fields of an embedded struct, and reports whether it did. With the option
// inline, it leaves out names that s already has. Without the option, it does not promote the
// fields if the struct has methods, or one of the names; if it has a name twice, so has s.
func (r *registry) promote(s *structFields, embedded *field, key string, inline bool, around []reflect.Type) bool {
	t := embedded.typ
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || !inline && (r.hasForm(t) || r.hasForm(reflect.PointerTo(t))) {
		return false
	}
	inner := r.makeFields(t, key, around)
	if inner.err != nil {
		s.err = inner.err
		return false
	}
	has := func(f *field) bool { return s.byName[f.name] != nil }
	if !inline && slices.ContainsFunc(inner.list, has) {
		return false
	}
	for _, f := range inner.list {
		if inline && has(f) {
			continue
		}
		promoted := *f
		promoted.index = slices.Concat(embedded.index, f.index)
		s.add(&promoted)
	}
	return true
}

// hasForm reports whether a function or method encodes or decodes values of type t.
func (r *registry) hasForm(t reflect.Type) bool {
	if r.encoders[t] != nil || r.decoders[t] != nil {
		return true
	}
	for _, m := range encodeMethods {
		if t.Implements(m.typ) {
			return true
		}
	}
	for _, m := range decodeMethods {
		if t.Implements(m.typ) {
			return true
		}
	}
	return false
}

// in returns the field of a struct, or false if it is in an embedded nil pointer.
func (f *field) in(v reflect.Value) (reflect.Value, bool) {
	for i, x := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				return v, false
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v, true
}

// inNew is like in, and makes the structs that embedded nil pointers lack.
func (f *field) inNew(v reflect.Value) (reflect.Value, error) {
	for i, x := range f.index {
		if i > 0 && v.Kind() == reflect.Pointer {
			if v.IsNil() {
				if !v.CanSet() {
					return v, fmt.Errorf("msgpack: Decode(embedded pointer to unexported %v)", v.Type().Elem())
				}
				v.Set(reflect.New(v.Type().Elem()))
			}
			v = v.Elem()
		}
		v = v.Field(x)
	}
	return v, nil
}

// kept returns the fields of the struct v that are not left out.
func (s *structFields) kept(e *Encoder, v reflect.Value) []*field {
	if !s.omits && !e.omitEmpty {
		return s.list
	}
	list := make([]*field, 0, len(s.list))
	for _, f := range s.list {
		if at, ok := f.in(v); ok && !((f.omitEmpty || e.omitEmpty) && e.isEmpty(at)) {
			list = append(list, f)
		}
	}
	return list
}

func (f *field) encodeFrom(e *Encoder, v reflect.Value) error {
	at, ok := f.in(v)
	switch {
	case !ok:
		return e.EncodeNil()
	case f.intern:
		if at.Kind() == reflect.Interface {
			at = at.Elem()
		}
		if at.Kind() == reflect.String {
			return e.encodeInterned(at.String(), true)
		}
		return e.EncodeValue(at)
	}
	return f.plan().encode(e, at)
}

func (f *field) decodeInto(d *Decoder, v reflect.Value) error {
	at, err := f.inNew(v)
	switch {
	case err != nil && d.isNil(): // what the library writes for fields of an embedded nil pointer
		return d.DecodeNil()
	case err != nil:
		return err
	}
	if f.intern {
		return d.decodeInternedInto(at)
	}
	return f.plan().decode(d, at)
}

// isEmpty reports whether omitempty leaves v out.
func (e *Encoder) isEmpty(v reflect.Value) bool {
	for v.Kind() == reflect.Interface {
		if v.IsNil() {
			return true
		}
		v = v.Elem()
	}
	if v.CanInterface() {
		if z, ok := v.Interface().(interface{ IsZero() bool }); ok {
			return canBeNil(v.Kind()) && v.IsNil() || z.IsZero()
		}
	}
	switch v.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return v.Len() == 0
	case reflect.Struct:
		s := current.Load().fields(v.Type(), e.tag)
		return s.err == nil && len(s.kept(e, v)) == 0
	case reflect.Float32, reflect.Float64:
		return v.Float() == 0 // also -0
	case reflect.Pointer:
		return v.IsNil()
	case reflect.Complex64, reflect.Complex128, reflect.Chan, reflect.Func, reflect.UnsafePointer:
		return false
	}
	return v.IsZero()
}
