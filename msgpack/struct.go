package msgpack

import (
	"math/bits"
	"reflect"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// The options of struct tags.
const (
	optionOmitEmpty = "omitempty"
	optionOmitZero  = "omitzero"
	optionInline    = "inline"
	optionAsArray   = "as_array"
	optionRequired  = "required"
	optionSet       = "set"
	optionAlias     = "alias"    // alias=name
	optionKeyAsInt  = "keyasint" // the name is an integer, and so is the key
)

// tagKey is the key of the struct tags of this package.
const tagKey = "msgpack"

var tags = typeplan.Config{
	Keys:    []string{tagKey},
	Options: []string{optionOmitEmpty, optionOmitZero, optionInline, optionAsArray, optionRequired, optionSet, optionAlias, optionKeyAsInt},
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
	if why := k.refusedPart(&s); why != nil {
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
	d := k.makeStructDecoder(&s)
	if isPlain(p.typ) {
		d.callAll()
	}
	if (k.plans.Canonical || k.plans.Compat.SortFields) && !asArray {
		s.Fields = s.ByName()
	}
	p.program = k.makeStructProgram(&s, asArray)
	p.emit = emitStruct
	if fast && len(d.required) == 0 && !isPlain(p.typ) {
		p.fields = d
	}
	// Embedded pointers and inline maps would need rules of their own.
	if keepsMemory(key.typ) && !slices.ContainsFunc(d.fields, func(f structField) bool { return f.plan == nil }) && d.inline == nil && !isPlain(p.typ) {
		p.reuse = d.reuse
	}
	return codec{p.program.encode, d.decode}
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
	if f.Options.Has(optionKeyAsInt) {
		return appendIntegerKey(dst, f.Name)
	}
	return append(o.stringHeader(dst, uint32(len(f.Name))), f.Name...)
}

// appendIntegerKey appends the key for the name of a field with the option keyasint,
// which typeplan has checked.
func appendIntegerKey(dst []byte, name string) []byte {
	digits, negative := strings.CutPrefix(name, "-")
	v := uint64(0)
	for i := range len(digits) { // strconv would add to the size of every program
		v = v*10 + uint64(digits[i]-'0')
	}
	if negative {
		return wire.AppendInt(dst, -int64(v))
	}
	return wire.AppendUint(dst, v)
}

// SnakeCase is a naming policy for [Options]: UserID becomes user_id, HTTPServer2
// http_server2.
func SnakeCase(goName string) string {
	return strings.ToLower(strings.Join(splitWords(goName), "_"))
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
// types it is that a number at an offset is 0, or a map empty. For all others it is a
// function.
type omission struct {
	kind   omissionKind
	offset uintptr
	test   func(p mem.Ptr) bool // for omittedByTest, called with the struct
}

type omissionKind uint8

const (
	neverOmitted omissionKind = iota
	omittedByTest
	omittedWord // a word of the size of a pointer is 0
	omitted8    // a number of 8 bits is 0
	omitted16
	omitted32
	omitted64
	omittedFloat32 // 0 or -0
	omittedFloat64
	omittedMap // nil or empty
)

// omits reports whether the field of the struct at p is omitted.
func (o *omission) omits(p mem.Ptr) bool {
	if o.kind == omittedByTest {
		return o.test(p)
	}
	return o.kind.isZero(p.Add(o.offset))
}

// isZero reports whether the number at an address, or the length of the map there, is 0.
func (k omissionKind) isZero(at mem.Ptr) bool {
	switch k {
	case omittedWord:
		return mem.LoadWord(at, 0) == 0
	case omitted8:
		return mem.Load8(at, 0) == 0
	case omitted16:
		return mem.Load16(at, 0) == 0
	case omitted32:
		return mem.Load32(at, 0) == 0
	case omitted64:
		return mem.Load64(at, 0) == 0
	case omittedFloat32:
		return *mem.At[float32](at) == 0
	case omittedFloat64:
		return *mem.At[float64](at) == 0
	case omittedMap:
		return mem.MapLen(at.Deref()) == 0
	}
	return false
}

// omits reports whether a field is left out of maps if it is empty, and if it is zero. A required
// field never is, because the message could not be decoded again.
func (o *policy) omits(f *typeplan.Field) (empty, zero bool) {
	if f.Options.Has(optionRequired) {
		return false, false
	}
	return f.Options.Has(optionOmitEmpty) || o.OmitEmpty, f.Options.Has(optionOmitZero) || o.OmitZero
}

// nilEmbedded reports whether a field of the struct that belongs to an embedded nil pointer is
// written as nil. A required one is, because it must be in the message.
func (o *policy) nilEmbedded(s *typeplan.Struct, f *typeplan.Field) bool {
	if f.Options.Has(optionRequired) {
		return true
	}
	switch o.Compat.NilEmbedded {
	case EmbeddedNil:
		return true
	case EmbeddedNilPlain:
		for i := range s.Fields {
			if empty, _ := o.omits(&s.Fields[i]); empty {
				return false
			}
		}
		return true
	}
	return false
}

// makeOmission returns the omission for the options of a field. A field behind an
// embedded pointer is also omitted if that pointer is nil.
func (k *compiler) makeOmission(s *typeplan.Struct, f *typeplan.Field) omission {
	empty, zero := k.plans.omits(f)
	// The field of a nil embedded struct may be written as nil. Otherwise, such a
	// field is omitted even if its tag has no option.
	if !empty && !zero && k.plans.nilEmbedded(s, f) {
		return omission{}
	}
	// Rules of the Options need a function. By default, most types have a number that
	// can be tested, if it is at a fixed offset.
	isEmpty := makeIsEmpty
	if empty && k.plans.empty != nil {
		isEmpty = func(t reflect.Type) func(p mem.Ptr) bool { return k.plans.empty(k, t) }
	} else if o := zeroWord(f.Type, empty, zero); o.kind != omittedByTest && len(f.Hops) == 0 {
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
	return omission{kind: omittedByTest, test: func(p mem.Ptr) bool {
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

// zeroWord returns the omission for a value of the type that is empty (for omitempty)
// or zero (for omitzero), with an offset in the value. The kind is omittedByTest if
// that needs a function.
func zeroWord(t reflect.Type, empty, zero bool) omission {
	if !empty && !zero {
		return omission{}
	}
	// The method IsZero decides, whatever the bytes of the value are.
	if zero && reflect.PointerTo(t).Implements(zeroerType) {
		return omission{kind: omittedByTest}
	}
	length := reflect.TypeFor[uintptr]().Size() // the offset of the length of a string or slice
	switch t.Kind() {
	case reflect.String:
		return omission{kind: omittedWord, offset: length}
	case reflect.Slice:
		if empty {
			return omission{kind: omittedWord, offset: length}
		}
		return omission{kind: omittedWord} // its pointer: an empty slice is not zero
	case reflect.Pointer, reflect.Interface: // whose type word comes first
		// A non-nil value may have a method IsZero that returns true.
		if !zero || !t.Implements(zeroerType) {
			return omission{kind: omittedWord}
		}
	case reflect.Map:
		if empty {
			return omission{kind: omittedMap}
		}
		return omission{kind: omittedWord}
	case reflect.Float32:
		return omission{kind: omittedFloat32}
	case reflect.Float64:
		return omission{kind: omittedFloat64}
	case reflect.Bool,
		reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		if t.Size() == length {
			return omission{kind: omittedWord}
		}
		return omission{kind: omitted8 + omissionKind(bits.TrailingZeros(uint(t.Size())))}
	}
	return omission{kind: omittedByTest}
}

// makeIsEmpty returns the test for omitempty: false, 0, a nil pointer or interface,
// and values of length 0. A struct is never empty, as in encoding/json.
func makeIsEmpty(t reflect.Type) func(p mem.Ptr) bool {
	if o := zeroWord(t, true, false); o.kind != omittedByTest {
		return o.omits
	}
	if value := atomicValue(t); value != nil { // must be read by Load
		return makeAtomicIsZero(value)
	}
	switch t.Kind() {
	case reflect.Array:
		return func(mem.Ptr) bool { return t.Len() == 0 }
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
	if value := atomicValue(t); value != nil {
		return makeAtomicIsZero(value)
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
	case reflect.PointerTo(t).Implements(zeroerType): // called on a copy, see copier.go
		values := newCopier(t)
		return func(p mem.Ptr) bool { return values.receiver(values.copy(p)).(zeroer).IsZero() }
	}
	return func(p mem.Ptr) bool { return mem.Value(t, p).IsZero() }
}
