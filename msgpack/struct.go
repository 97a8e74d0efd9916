package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// The options of a field's tag.
const (
	optionOmitEmpty = "omitempty"
	optionOmitZero  = "omitzero"
	optionInline    = "inline"
	optionAsArray   = "as_array"
	optionRequired  = "required"
)

// tagKey is the key of our own struct tags.
const tagKey = "msgpack"

var tags = typeplan.Config{
	Keys:    []string{tagKey},
	Options: []string{optionOmitEmpty, optionOmitZero, optionInline, optionAsArray, optionRequired},
}

// A nestedStruct is what an outer struct needs to encode one as part of itself.
type nestedStruct struct {
	fields  typeplan.Struct
	asArray bool
	encoder *structEncoder
}

// makeStructCodec is for structs: a map by field name, or an array by position.
func (k *compiler) makeStructCodec(key planKey, p *plan) codec {
	s, err := typeplan.Fields(key.typ, k.plans.tags)
	if err != nil {
		return p.makeUnsupportedCodec(fieldError(err))
	}
	if len(s.Fields) == 0 && s.Rest == nil && s.Hidden {
		return p.makeUnsupportedCodec(&Error{Found: key.typ.String() + " (no exported fields)", Err: ErrUnsupported})
	}
	asArray := key.asArray || s.Options.Has(optionAsArray) || k.plans.StructAsArray
	if asArray && s.Rest != nil {
		return p.makeUnsupportedCodec(&Error{
			Path: s.Rest.GoName, Found: key.typ.String() + " (an array has no place for an inline map)", Err: ErrUnsupported,
		})
	}
	d := k.makeStructDecoder(s)
	if k.plans.Canonical && !asArray {
		s.Fields = s.ByName()
	}
	e := k.makeStructEncoder(s, asArray)
	if e.omitted == nil {
		p.nested = &nestedStruct{s, asArray, e}
	}
	if strict := k.makeStrictDecoder(s, d); strict != nil {
		return codec{e.encoder(), strict.decode}
	}
	return codec{e.encoder(), d.decoder()}
}

// fieldPlan returns the plan of a field's type, in the form its tag asks for.
func (k *compiler) fieldPlan(f *typeplan.Field) *plan {
	return k.plan(planKey{f.Type, f.Options.Has(optionAsArray)})
}

// through follows the embedded pointers that lead to a field. ok is false where
// one of them is nil.
func through(hops []typeplan.Hop, p mem.Ptr) (_ mem.Ptr, ok bool) {
	for i := range hops {
		if p = p.Add(hops[i].Offset).Deref(); p.IsNil() {
			return p, false
		}
	}
	return p, true
}

// makeOmitted returns the test whether a field is left out, nil where it never
// is. In array form only a nil pointer on the way can be a reason, since the
// other positions must stay.
func (k *compiler) makeOmitted(f *typeplan.Field, asArray bool) func(p mem.Ptr) bool {
	var tests []func(p mem.Ptr) bool
	if (f.Options.Has(optionOmitEmpty) || k.plans.OmitEmpty) && !asArray {
		tests = append(tests, makeIsEmpty(f.Type))
	}
	if (f.Options.Has(optionOmitZero) || k.plans.OmitZero) && !asArray {
		tests = append(tests, makeIsZero(f.Type))
	}
	hops, offset := f.Hops, f.Offset
	if len(hops) == 0 && len(tests) == 0 {
		return nil
	}
	return func(p mem.Ptr) bool {
		p, ok := through(hops, p)
		if !ok {
			return true
		}
		for _, test := range tests {
			if test(p.Add(offset)) {
				return true
			}
		}
		return false
	}
}

// makeIsEmpty is the test of omitempty: false, 0, a nil pointer or interface,
// and anything of length 0.
func makeIsEmpty(t reflect.Type) func(p mem.Ptr) bool {
	switch t.Kind() {
	case reflect.String:
		return func(p mem.Ptr) bool { return *mem.At[string](p) == "" }
	case reflect.Slice:
		return func(p mem.Ptr) bool { return mem.At[mem.SliceHeader](p).Len == 0 }
	case reflect.Array, reflect.Map:
		return func(p mem.Ptr) bool { return mem.Value(t, p).Len() == 0 }
	case reflect.Struct:
		return func(mem.Ptr) bool { return false }
	}
	return func(p mem.Ptr) bool { return mem.Value(t, p).IsZero() }
}

// makeIsZero is the test of omitzero: the type's own IsZero, or the zero value.
func makeIsZero(t reflect.Type) func(p mem.Ptr) bool {
	type zeroer interface{ IsZero() bool }
	own := reflect.TypeFor[zeroer]()
	switch {
	case t == timeType:
		return func(p mem.Ptr) bool { return mem.Value(t, p).Interface().(zeroer).IsZero() }
	case (t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface) && t.Implements(own):
		return func(p mem.Ptr) bool {
			v := mem.Value(t, p)
			// A nil inside of an interface may not expect to be asked.
			if v.IsNil() || v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() {
				return true
			}
			return v.Interface().(zeroer).IsZero()
		}
	case reflect.PointerTo(t).Implements(own):
		return func(p mem.Ptr) bool { return heapCopy(t, p).Interface().(zeroer).IsZero() }
	}
	return func(p mem.Ptr) bool { return mem.Value(t, p).IsZero() }
}

// appendName appends the key of a field.
func appendName(dst []byte, f *typeplan.Field) []byte { return wire.AppendString(dst, f.Name) }
