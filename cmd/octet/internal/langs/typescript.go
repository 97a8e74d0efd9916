package langs

import (
	"fmt"
	"strings"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// globals are names of TypeScript that a type must not hide.
var globals = []string{"Array", "Date", "ExtData", "Map", "Record", "Uint8Array"}

// TypeScript returns declarations of the values that decode of @msgpack/msgpack returns.
func TypeScript(s *schema.Schema, o Options) []byte {
	p := &tsPrinter{o: &o}
	p.namer = newNamer(s, &o, func(text string) string {
		return capital(identifier(text)) // no word of the language has a capital
	}, globals)
	var b strings.Builder
	root := ""
	if p.isRoot(s.Root) {
		root = p.names[s.Root.Type]
	} else {
		root = p.rootName(o.Type)
		fmt.Fprintf(&b, "export type %s = %s;%s\n\n", root, p.expression(s.Root), comment("//", typeNote(s.Root.Type)))
	}
	for _, t := range p.order {
		p.declare(&b, t)
	}
	head := "// Values of these types are what @msgpack/msgpack decodes and encodes:\n//\n" +
		fmt.Sprintf("//\tconst message = decode(data, { useBigInt64: true }) as %s;\n", root)
	switch {
	case p.dates:
		head += "//\n// A Date has milliseconds; smaller parts of a time are lost.\n"
	}
	if p.maps {
		head += "//\n// @msgpack/msgpack refuses maps whose keys are neither strings nor numbers. msgpackr\n// makes a Map of them, with the option mapsAsObjects: false.\n"
	}
	if p.exts {
		head += "\nimport type { ExtData } from \"@msgpack/msgpack\";\n"
	}
	return []byte(head + "\n" + strings.TrimSuffix(b.String(), "\n"))
}

// A tsPrinter makes TypeScript.
type tsPrinter struct {
	*namer
	o                 *Options
	dates, maps, exts bool
}

func comment(sign, text string) string {
	if text == "" {
		return ""
	}
	return " " + sign + " " + text
}

func (p *tsPrinter) declare(b *strings.Builder, t *schema.Type) {
	name := p.names[t]
	switch {
	case t.Kind == msgpack.FormStruct && t.AsArray:
		p.tuple(b, name, t)
	case t.Kind == msgpack.FormStruct:
		p.structure(b, name, t)
	case t.Kind == msgpack.FormUnion:
		p.union(b, name, t)
	case t.Kind == msgpack.FormMap && p.isRecord(t): // a Record cannot contain itself
		fmt.Fprintf(b, "export interface %s {\n  [key: %s]: %s;\n}\n\n", name, p.recordKey(t), p.expression(t.Elem))
	default:
		fmt.Fprintf(b, "export type %s = %s;\n\n", name, p.inline(t))
	}
}

// structure declares a struct that is a map.
func (p *tsPrinter) structure(b *strings.Builder, name string, t *schema.Type) {
	fmt.Fprintf(b, "export interface %s {\n", name)
	for i := range t.Fields {
		f := &t.Fields[i]
		v, optional := f.Value, ""
		v.Nil = f.WritesNil()
		if f.Optional() {
			optional = "?"
		}
		fmt.Fprintf(b, "  %s%s: %s;%s\n", property(f.Name), optional, p.expression(v), comment("//", p.o.note(t, i)))
	}
	if t.Rest {
		fmt.Fprintf(b, "  [key: string]: unknown; // other keys: %s\n", p.expression(t.Elem))
	}
	b.WriteString("}\n\n")
}

// property returns the name of a property. It is quoted unless it is a simple name or a
// small number.
func property(name string) string {
	isNumber := len(name) > 0 && len(name) < 10 && (name == "0" || name[0] != '0')
	isName := len(name) > 0 && !(name[0] >= '0' && name[0] <= '9')
	for _, c := range []byte(name) {
		digit := c >= '0' && c <= '9'
		isNumber = isNumber && digit
		isName = isName && (digit || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$')
	}
	if isNumber || isName {
		return name
	}
	return quote(name)
}

// tuple declares a struct that is an array.
func (p *tsPrinter) tuple(b *strings.Builder, name string, t *schema.Type) {
	fmt.Fprintf(b, "export type %s = [\n", name)
	for i := range t.Fields {
		f := &t.Fields[i]
		fmt.Fprintf(b, "  %s: %s,%s\n", identifier(f.Name), p.expression(f.Value), comment("//", p.o.note(t, i)))
	}
	b.WriteString("];\n\n")
}

// union declares a union, which is discriminated by its tag.
func (p *tsPrinter) union(b *strings.Builder, name string, t *schema.Type) {
	fmt.Fprintf(b, "export type %s =", name)
	for _, v := range t.Variants {
		if t.Discriminator == "" {
			fmt.Fprintf(b, "\n  | [tag: %s, value: %s]", literal(v.Tag), p.expression(v.Value))
		} else {
			fmt.Fprintf(b, "\n  | ({ %s: %s } & %s)", property(t.Discriminator), literal(v.Tag), p.expression(v.Value))
		}
	}
	if len(t.Variants) == 0 {
		b.WriteString(" never")
	}
	b.WriteString(";\n\n")
}

// expression returns the type at a place.
func (p *tsPrinter) expression(v schema.Value) string {
	text := p.names[v.Type]
	if text == "" {
		text = p.inline(v.Type)
	}
	if v.Nil && text != "unknown" {
		return text + " | null"
	}
	return text
}

// inline returns a type that is written in place.
func (p *tsPrinter) inline(t *schema.Type) string {
	switch t.Kind {
	case msgpack.FormBool:
		return "boolean"
	case msgpack.FormInt, msgpack.FormUint:
		if t.Bits == 64 {
			return "number | bigint"
		}
		return "number"
	case msgpack.FormFloat:
		return "number"
	case msgpack.FormNumber:
		return "number | bigint"
	case msgpack.FormStr:
		return "string"
	case msgpack.FormBin:
		return "Uint8Array"
	case msgpack.FormTime:
		switch t.Time {
		case msgpack.TimeExt:
			p.dates = true
			return "Date"
		case msgpack.TimeRFC3339:
			return "string"
		}
		return "number | bigint"
	case msgpack.FormExt:
		p.exts = true
		return "ExtData"
	case msgpack.FormArray:
		elem := p.expression(t.Elem)
		if t.Length >= 0 && t.Length <= 4 && len(elem) <= 80 { // arrays in arrays would double it each time
			return "[" + strings.TrimSuffix(strings.Repeat(elem+", ", t.Length), ", ") + "]"
		}
		if strings.Contains(elem, "|") {
			elem = "(" + elem + ")"
		}
		return elem + "[]"
	case msgpack.FormMap:
		if p.isRecord(t) {
			return "Record<" + p.recordKey(t) + ", " + p.expression(t.Elem) + ">"
		}
		p.maps = true
		return "Map<" + p.expression(t.Key) + ", " + p.expression(t.Elem) + ">"
	}
	if p.o.isBytes(t) {
		return "string | Uint8Array" // and null, because the value may be nil, too
	}
	return "unknown"
}

// isRecord reports whether a map is decoded as an object.
func (p *tsPrinter) isRecord(t *schema.Type) bool { return !t.Key.Nil && p.recordKey(t) != "" }

// recordKey returns the type of the keys of an object, or "" if they are of another type.
func (p *tsPrinter) recordKey(t *schema.Type) string {
	switch t.Key.Type.Kind {
	case msgpack.FormStr:
		return "string"
	case msgpack.FormInt, msgpack.FormUint, msgpack.FormFloat, msgpack.FormNumber:
		return "number"
	case msgpack.FormTime:
		switch {
		case t.Key.Type.Time == msgpack.TimeRFC3339:
			return "string"
		case t.Key.Type.Time > msgpack.TimeRFC3339:
			return "number"
		}
	}
	return ""
}
