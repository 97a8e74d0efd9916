package msgpack

import (
	"strings"
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
	if (k.plans.Canonical || k.plans.SortFields) && !asArray {
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
func (o *options) appendName(dst []byte, f *typeplan.Field) []byte {
	return append(o.stringHeader()(dst, uint32(len(f.Name))), f.Name...)
}

// SnakeCase is a naming policy for [Config]: UserID becomes user_id, HTTPServer2
// http_server2.
func SnakeCase(goName string) string {
	words := splitWords(goName)
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	return strings.Join(words, "_")
}

// CamelCase is a naming policy for [Config]: UserID becomes userId, HTTPServer2
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
