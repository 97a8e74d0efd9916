package msgpack

import (
	"reflect"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
)

// The options of struct tags.
const (
	optionOmitEmpty = "omitempty"
	optionOmitZero  = "omitzero"
	optionInline    = "inline"
	optionAsArray   = "as_array"
	optionRequired  = "required"
	optionSet       = "set"
)

// tagKey is the key of the struct tags of this package.
const tagKey = "msgpack"

var tags = typeplan.Config{
	Keys:    []string{tagKey},
	Options: []string{optionOmitEmpty, optionOmitZero, optionInline, optionAsArray, optionRequired, optionSet},
}

// A nestedStruct is a struct type whose steps an outer struct can include in its own
// program: all of its fields are always present.
type nestedStruct struct {
	fields  typeplan.Struct
	asArray bool
}

// makeStructCodec returns the codec of a struct type. A struct is encoded as a map
// by field name or as an array by position, and decoded from both.
func (k *compiler) makeStructCodec(key planKey, p *plan) codec {
	s, err := typeplan.Fields(key.typ, k.plans.tags)
	if err != nil {
		return p.makeUnsupportedCodec(fieldError(err))
	}
	// Such a struct would be encoded as an empty map, and all of its data lost.
	if len(s.Fields) == 0 && s.Rest == nil && s.Hidden {
		return p.makeUnsupportedCodec(&Error{Found: key.typ.String() + " (no exported fields)", Err: ErrUnsupported})
	}
	if why := k.refusedPart(s); why != nil {
		return p.makeUnsupportedCodec(why)
	}
	asArray := key.form == optionAsArray || s.Options.Has(optionAsArray) || k.plans.StructAsArray
	// The elements of an array have no keys, so entries of the map could not be
	// told from fields.
	if asArray && s.Rest != nil {
		return p.makeUnsupportedCodec(&Error{
			Path: s.Rest.GoName, Found: key.typ.String() + " (a struct with an inline map cannot be encoded as an array)", Err: ErrUnsupported,
		})
	}
	// The decoder keeps the declared order also for Canonical, because the positions
	// in an array are those of the declaration.
	d := k.makeStructDecoder(s)
	if (k.plans.Canonical || k.plans.Compat.SortFields) && !asArray {
		s.Fields = s.ByName()
	}
	e := k.makeStructProgram(s, asArray)
	p.program = e
	// Only a struct whose fields are always present has a header that is constant.
	if !e.optional {
		p.nested = &nestedStruct{s, asArray}
	}
	return codec{e.encoder(), d.decoder()}
}

// fieldPlan returns the plan of the type of a field, in the form that its tag
// selects.
func (k *compiler) fieldPlan(f *typeplan.Field) *plan {
	return k.plan(planKey{f.Type, fieldForm(f.Options)})
}

// fieldForm returns the option that selects another form for the type of a field, or
// "". At most one is set, because each applies to different types.
func fieldForm(o typeplan.Options) string {
	for _, form := range []string{optionAsArray, optionSet} {
		if o.Has(form) {
			return form
		}
	}
	return ""
}

// followHops follows the embedded pointers that lead to a field. ok is false if one of
// them is nil.
func followHops(hops []typeplan.Hop, p mem.Ptr) (_ mem.Ptr, ok bool) {
	for i := range hops {
		if p = p.Add(hops[i].Offset).Deref(); p.IsNil() {
			return p, false
		}
	}
	return p, true
}

// appendName appends the key of a field.
func (o *policy) appendName(dst []byte, f *typeplan.Field) []byte {
	return append(o.stringHeader()(dst, uint32(len(f.Name))), f.Name...)
}

// SnakeCase is a naming policy for [Options]: UserID becomes user_id, HTTPServer2
// http_server2.
func SnakeCase(goName string) string {
	words := splitWords(goName)
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	return strings.Join(words, "_")
}

// CamelCase is a naming policy for [Options]: UserID becomes userId, HTTPServer2
// httpServer2.
func CamelCase(goName string) string {
	words := splitWords(goName)
	for i, w := range words {
		w = strings.ToLower(w)
		if i > 0 {
			r, size := utf8.DecodeRuneInString(w)
			w = string(unicode.ToUpper(r)) + w[size:]
		}
		words[i] = w
	}
	return strings.Join(words, "")
}

// splitWords splits a Go name before each upper-case letter that follows a
// lower-case letter or digit, or precedes a lower-case letter. Underscores also
// separate words.
func splitWords(name string) []string {
	var words []string
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, string(runes[start:end]))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case r == '_':
			cut(i)
			start = i + 1
		case unicode.IsUpper(r) && i > start:
			before := runes[i-1]
			if !unicode.IsUpper(before) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
				cut(i)
			}
		}
	}
	cut(len(runes))
	return words
}

// An omission is the condition on which a field is omitted from a map. For most
// types it is that the number at an offset is 0, which store can test. For all
// others it is a function.
type omission struct {
	op     putOp // the condition, or putTemplate if the field is never omitted
	offset uintptr
	test   func(p mem.Ptr) bool // for putIf, called with the struct
}

// makeOmission returns the omission for the options of a field. A field behind an
// embedded pointer is also omitted if that pointer is nil.
func (k *compiler) makeOmission(f *typeplan.Field) omission {
	empty := f.Options.Has(optionOmitEmpty) || k.plans.OmitEmpty
	zero := f.Options.Has(optionOmitZero) || k.plans.OmitZero
	// EmptyZero gives omitempty the meaning of omitzero.
	if empty && k.plans.Compat.Empty == EmptyZero {
		empty, zero = false, true
	}
	// With NilEmbedded, the field of a nil embedded struct is written as nil.
	// Without it, such a field is omitted even if its tag has no option.
	if !empty && !zero && k.plans.Compat.NilEmbedded {
		return omission{op: putTemplate}
	}
	// Rules of the Options for structs need a function. By default, most types have
	// a number that store can test, if it is at a fixed offset.
	isEmpty := makeIsEmpty
	if empty && k.plans.empty != nil {
		isEmpty = func(t reflect.Type) func(p mem.Ptr) bool { return k.plans.empty(k, t) }
	} else if o := zeroWord(f.Type, empty, zero); o.op != putIf && len(f.Hops) == 0 {
		o.offset += f.Offset
		return o
	}
	var tests []func(p mem.Ptr) bool
	if empty {
		tests = append(tests, isEmpty(f.Type))
	}
	if zero {
		tests = append(tests, makeIsZero(f.Type))
	}
	// A nil pointer on the way omits the field, because there is no struct that
	// holds it.
	hops, offset := f.Hops, f.Offset
	return omission{op: putIf, test: func(p mem.Ptr) bool {
		p, ok := followHops(hops, p)
		if !ok {
			return true
		}
		for _, test := range tests {
			if test(p.Add(offset)) {
				return true
			}
		}
		return false
	}}
}

// zeroWord returns the offset and size of a number in a value of the type that is 0
// exactly if the value is empty (for omitempty) or zero (for omitzero). The operation
// is putIf if there is no such number, and putTemplate if neither option is set.
func zeroWord(t reflect.Type, empty, zero bool) omission {
	word := reflect.TypeFor[uintptr]().Size()
	if !empty && !zero {
		return omission{op: putTemplate}
	}
	// The method IsZero decides, whatever the bytes of the value are.
	if zero && reflect.PointerTo(t).Implements(zeroerType) {
		return omission{op: putIf}
	}
	switch t.Kind() {
	case reflect.String:
		return omission{op: conditionOn(word), offset: word} // its length
	case reflect.Slice:
		if empty {
			return omission{op: conditionOn(word), offset: word} // its length
		}
		return omission{op: conditionOn(word)} // its pointer: an empty slice is not zero
	case reflect.Pointer, reflect.Interface: // whose type word comes first
		// A non-nil value may have a method IsZero that returns true.
		if !zero || !t.Implements(zeroerType) {
			return omission{op: conditionOn(word)}
		}
	case reflect.Map:
		if !empty { // the length of a map is not at a known offset
			return omission{op: conditionOn(word)}
		}
	case reflect.Float32:
		return omission{op: putIfFloat32}
	case reflect.Float64:
		return omission{op: putIfFloat64}
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return omission{op: conditionOn(t.Size())}
	}
	return omission{op: putIf}
}

// makeIsEmpty returns the test for omitempty: false, 0, a nil pointer or interface,
// and values of length 0. A struct is never empty, as in encoding/json.
func makeIsEmpty(t reflect.Type) func(p mem.Ptr) bool {
	if a, ok := atomicTypes[t]; ok { // must be read by Load
		return a.isZero
	}
	switch t.Kind() {
	case reflect.Array, reflect.Map, reflect.Slice, reflect.String:
		return func(p mem.Ptr) bool { return mem.Value(t, p).Len() == 0 }
	case reflect.Struct:
		return func(mem.Ptr) bool { return false }
	}
	return func(p mem.Ptr) bool { return mem.Value(t, p).IsZero() }
}

type zeroer interface{ IsZero() bool }

var zeroerType = reflect.TypeFor[zeroer]()

// makeIsZero returns the test for omitzero: the method IsZero of the type, or a
// comparison with the zero value.
func makeIsZero(t reflect.Type) func(p mem.Ptr) bool {
	if a, ok := atomicTypes[t]; ok {
		return a.isZero
	}
	switch {
	case t == timeType:
		return func(p mem.Ptr) bool { return mem.At[time.Time](p).IsZero() }
	case (t.Kind() == reflect.Pointer || t.Kind() == reflect.Interface) && t.Implements(zeroerType):
		return func(p mem.Ptr) bool {
			v := mem.Value(t, p)
			// IsZero may panic for a nil pointer, also for one inside an interface.
			if v.IsNil() || v.Kind() == reflect.Interface && v.Elem().Kind() == reflect.Pointer && v.Elem().IsNil() {
				return true
			}
			return v.Interface().(zeroer).IsZero()
		}
	case reflect.PointerTo(t).Implements(zeroerType): // called on a copy, see methods.go
		return func(p mem.Ptr) bool { return heapCopy(t, p).Interface().(zeroer).IsZero() }
	}
	return func(p mem.Ptr) bool { return mem.Value(t, p).IsZero() }
}

// makeIsEmptyStruct is makeIsEmpty for the rules of the Options by which structs can be
// empty.
func (k *compiler) makeIsEmptyStruct(t reflect.Type) func(p mem.Ptr) bool {
	if k.plans.Compat.Empty == EmptyZeroStruct {
		if t.Kind() == reflect.Struct {
			return makeIsZero(t)
		}
		return makeIsEmpty(t)
	}
	switch {
	// Such a type is a struct whose field must be read by Load, so makeIsEmpty
	// handles it.
	case atomicTypes[t].isZero != nil:
	case t.Kind() == reflect.Interface:
		return func(p mem.Ptr) bool {
			v := mem.Value(t, p).Elem()
			if !v.IsValid() {
				return true
			}
			held := reflect.New(v.Type()) // a copy, because the value in an interface has no address
			held.Elem().Set(v)
			return k.makeIsEmptyStruct(v.Type())(mem.PtrOf(held))
		}
	case t.Implements(zeroerType):
		return makeIsZero(t)
	case t.Kind() == reflect.Struct:
		return k.makeIsEmptyNested(t)
	}
	return makeIsEmpty(t)
}

// makeIsEmptyNested returns the test whether all fields of a struct are left out.
func (k *compiler) makeIsEmptyNested(t reflect.Type) func(p mem.Ptr) bool {
	s, err := typeplan.Fields(t, k.plans.tags)
	// The plan of t reports an error of its fields. An inline map counts as
	// content.
	if err != nil || s.Rest != nil {
		return func(mem.Ptr) bool { return false }
	}
	var tests []func(p mem.Ptr) bool
	for i := range s.Fields {
		f := &s.Fields[i]
		o := k.makeOmission(f)
		// One field that is never left out is enough.
		if o.op == putTemplate {
			return func(mem.Ptr) bool { return false }
		}
		tests = append(tests, func(p mem.Ptr) bool { return (&value{omitted: o.test}).omits(&step{put: o.op, offset: o.offset}, p) })
	}
	return func(p mem.Ptr) bool {
		for _, empty := range tests {
			if !empty(p) {
				return false
			}
		}
		return true
	}
}
