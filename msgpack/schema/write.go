package schema

import (
	"bytes"
	"encoding/json"
	"math"

	"github.com/octet-go/octet/msgpack"
)

// dialect is the JSON Schema of the text form.
const dialect = "https://json-schema.org/draft/2020-12/schema"

// vocabulary is the keyword that has what JSON Schema cannot say. Validators ignore it.
const vocabulary = "msgpack"

// String returns the text form: JSON Schema 2020-12, indented, with a newline at the end.
func (s *Schema) String() string {
	var b bytes.Buffer
	if err := json.Indent(&b, s.Compact(), "", "  "); err != nil {
		return "" // not reached: Compact returns valid JSON
	}
	return b.String() + "\n"
}

// Compact returns the text form on one line, without a newline.
func (s *Schema) Compact() []byte {
	w := writer{named: map[string]*Type{}, variants: map[*Type]bool{}, seen: map[*Type]bool{}}
	w.collect(s.Root.Type)
	root := object{{"$schema", dialect}}
	root = append(root, w.value(s.Root)...)
	var defs object
	for _, t := range w.order {
		defs = append(defs, member{t.Name, w.typ(t, false)})
	}
	if defs != nil {
		root = append(root, member{"$defs", defs})
	}
	return root.append(nil)
}

// A writer makes the JSON of types.
type writer struct {
	named    map[string]*Type
	order    []*Type        // the named types
	variants map[*Type]bool // of unions with a discriminator, whose tag is a further key
	seen     map[*Type]bool
}

// collect finds the types.
func (w *writer) collect(t *Type) {
	if t == nil || w.seen[t] {
		return
	}
	w.seen[t] = true
	if isNamed(t) {
		w.order = append(w.order, t)
	}
	for _, p := range t.parts() {
		w.collect(p.Type)
	}
	for _, v := range t.Variants {
		if t.Discriminator != "" {
			w.variants[v.Type] = true
		}
	}
}

// parts returns the values that t consists of.
func (t *Type) parts() (list []Value) {
	for _, v := range []Value{t.Key, t.Elem} {
		if v.Type != nil {
			list = append(list, v)
		}
	}
	for i := range t.Fields {
		list = append(list, t.Fields[i].Value)
	}
	for _, v := range t.Variants {
		list = append(list, v.Value)
	}
	return list
}

// isNamed reports whether t is written once, and referred to by its name.
func isNamed(t *Type) bool {
	switch t.Kind {
	case msgpack.FormArray, msgpack.FormMap, msgpack.FormStruct, msgpack.FormUnion:
		return t.Name != ""
	}
	return false
}

// value returns the keywords for a place.
func (w *writer) value(v Value) object {
	if !isNamed(v.Type) {
		return w.typ(v.Type, v.Nil)
	}
	ref := object{{"$ref", "#/$defs/" + escapePointer(v.Type.Name)}}
	if !v.Nil {
		return ref
	}
	return object{{"anyOf", []any{ref, object{{"type", "null"}}}}}
}

// typ returns the keywords for a type.
func (w *writer) typ(t *Type, null bool) object {
	var o object
	own := object{{"kind", t.Kind.String()}}
	set := func(name string, value any) { o = append(o, member{name, value}) }
	more := func(name string, value any) { own = append(own, member{name, value}) }
	jsonType := func(name string) {
		if null {
			set("type", []any{name, "null"})
		} else {
			set("type", name)
		}
	}
	switch t.Kind {
	case msgpack.FormOwn:
		more("go", t.Name)
	case msgpack.FormBool:
		jsonType("boolean")
	case msgpack.FormInt:
		jsonType("integer")
		set("minimum", int64(-1)<<(t.Bits-1))
		set("maximum", int64(1)<<(t.Bits-1)-1)
		more("bits", t.Bits)
	case msgpack.FormUint:
		jsonType("integer")
		set("minimum", 0)
		set("maximum", uint64(math.MaxUint64)>>(64-t.Bits))
		more("bits", t.Bits)
	case msgpack.FormFloat:
		jsonType("number")
		more("bits", t.Bits)
	case msgpack.FormNumber:
		jsonType("number")
	case msgpack.FormStr, msgpack.FormBin:
		jsonType("string")
		if t.Kind == msgpack.FormBin {
			set("contentEncoding", "base64")
		}
		if t.Checked {
			more("go", t.Name)
		}
		if t.Length >= 0 {
			more("length", t.Length)
		}
	case msgpack.FormTime:
		if t.Time > msgpack.TimeRFC3339 {
			jsonType("integer")
		} else {
			jsonType("string")
			set("format", "date-time")
		}
		more("form", timeForms[t.Time])
	case msgpack.FormExt:
		jsonType("object")
		if !t.AnyExt {
			more("ext", int(t.Ext))
		}
	case msgpack.FormArray:
		jsonType("array")
		set("items", w.value(t.Elem))
		if t.Length >= 0 {
			set("minItems", t.Length)
			set("maxItems", t.Length)
		}
		if t.Set {
			set("uniqueItems", true)
			more("set", true)
			own = w.flags(t, own)
		}
	case msgpack.FormMap:
		jsonType("object")
		set("additionalProperties", w.value(t.Elem))
		more("key", w.value(t.Key))
		if t.Pairs {
			more("pairs", true)
		}
	case msgpack.FormStruct:
		if t.AsArray {
			jsonType("array")
			o, own = w.arrayStruct(t, o, own)
		} else {
			jsonType("object")
			o, own = w.mapStruct(t, o, own)
		}
	case msgpack.FormUnion:
		o, own = w.union(t, null, o, own)
	}
	if null {
		more("nil", true)
	}
	return append(o, member{vocabulary, own})
}

// timeForms are the names of the forms of times.
var timeForms = []string{
	msgpack.TimeExt: "timestamp", msgpack.TimeRFC3339: "rfc3339", msgpack.TimeUnix: "unix", msgpack.TimeUnixMilli: "unixmilli",
	msgpack.TimeUnixMicro: "unixmicro", msgpack.TimeUnixNano: "unixnano",
}

// field returns the schema of a field.
func (w *writer) field(f *Field, own object) object {
	o := w.value(f.Value)
	for _, flag := range []struct {
		name string
		set  bool
	}{{"required", f.Required}, {"omitempty", f.OmitEmpty}, {"omitzero", f.OmitZero}, {"omitnil", f.OmitNil}, {"nilinside", f.NilInside}, {"encodeonly", f.EncodeOnly}} {
		if flag.set {
			own = append(own, member{flag.name, true})
		}
	}
	if len(f.Aliases) > 0 {
		own = append(own, member{"aliases", list(f.Aliases)})
	}
	if own == nil {
		return o
	}
	return append(o, member{vocabulary + "-field", own})
}

// mapStruct returns the keywords of a struct that is a map.
func (w *writer) mapStruct(t *Type, o, own object) (object, object) {
	properties, required, either, names := object{}, []any{}, []any{}, []any{}
	for i := range t.Fields {
		f := &t.Fields[i]
		properties = append(properties, member{f.Name, w.field(f, nil)})
		names = append(append(names, f.Name), list(f.Aliases)...)
		switch {
		case f.Required && len(f.Aliases) == 0:
			required = append(required, f.Name)
		case f.Required:
			var one []any
			for _, name := range append([]string{f.Name}, f.Aliases...) {
				one = append(one, object{{"required", []any{name}}})
			}
			either = append(either, object{{"anyOf", one}})
		}
	}
	o = append(o, member{"properties", properties})
	if len(required) > 0 {
		o = append(o, member{"required", required})
	}
	if len(either) > 0 {
		o = append(o, member{"allOf", either})
	}
	if t.Rest {
		o = append(o, member{"additionalProperties", w.value(t.Elem)})
	}
	// The tag of a union is one more property.
	if t.RejectUnknown && !w.variants[t] {
		o = append(o, member{"propertyNames", object{{"enum", names}}})
	}
	if t.IntegerKeys {
		own = append(own, member{"integerkeys", true})
	}
	return o, w.flags(t, own)
}

// flags returns the keywords that both forms of structs have.
func (w *writer) flags(t *Type, own object) object {
	if t.RejectUnknown {
		own = append(own, member{"rejectunknown", true})
	}
	if t.ExactArrays {
		own = append(own, member{"exactarrays", true})
	}
	return own
}

// arrayStruct returns the keywords of a struct that is an array.
func (w *writer) arrayStruct(t *Type, o, own object) (object, object) {
	items, least := []any{}, 0
	for i := range t.Fields {
		f := &t.Fields[i]
		items = append(items, w.field(f, object{{"name", f.Name}}))
		if f.Required || t.ExactArrays {
			least = i + 1
		}
	}
	if len(items) > 0 { // JSON Schema does not allow an empty list
		o = append(o, member{"prefixItems", items})
	}
	if least > 0 {
		o = append(o, member{"minItems", least})
	}
	if t.ExactArrays {
		o = append(o, member{"maxItems", len(items)})
	}
	own = append(own, member{"asarray", true})
	if t.IntegerKeys {
		own = append(own, member{"integerkeys", true})
	}
	return o, w.flags(t, own)
}

// union returns the keywords of a union.
func (w *writer) union(t *Type, null bool, o, own object) (object, object) {
	var of []any
	if null {
		of = append(of, object{{"type", "null"}})
	}
	for _, v := range t.Variants {
		tag := object{{"const", v.Tag}}
		if t.Discriminator == "" {
			of = append(of, object{{"type", "array"}, {"prefixItems", []any{tag, w.value(v.Value)}}, {"minItems", 2}, {"maxItems", 2}})
			continue
		}
		of = append(of, object{
			{"type", "object"}, {"properties", object{{t.Discriminator, tag}}}, {"required", []any{t.Discriminator}},
			{"allOf", []any{w.value(Value{Type: v.Type})}},
		})
	}
	if t.Discriminator != "" {
		own = append(own, member{"discriminator", t.Discriminator})
	}
	return append(o, member{"oneOf", of}), own
}

func list(s []string) (l []any) {
	for _, x := range s {
		l = append(l, x)
	}
	return l
}

// escapePointer escapes a name for a JSON pointer.
func escapePointer(name string) string {
	var b []byte
	for i := range len(name) {
		switch name[i] {
		case '~':
			b = append(b, "~0"...)
		case '/':
			b = append(b, "~1"...)
		default:
			b = append(b, name[i])
		}
	}
	return string(b)
}
