package langs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// pyWords are the words of Python and the names in the bodies of classes. A field that had
// one of these names would hide it from what follows.
var pyWords = strings.Fields("False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield " +
	"Any Literal bool bytes classmethod datetime dict float int list str tuple from_message to_message")

// pyNames are the other names that the declarations use.
var pyNames = strings.Fields("TypeAlias ValueError annotations cls dataclass e isinstance k m self tag v")

// Python returns dataclasses with methods that make them of what msgpack.unpackb returns,
// and the opposite.
func Python(s *schema.Schema, o Options) []byte {
	p := &pyPrinter{o: &o, functions: map[*schema.Type]string{}}
	p.namer = newNamer(s, &o, func(text string) string {
		return capital(identifier(text))
	}, append(pyNames, pyWords...))
	root := ""
	var alias string
	if p.isRoot(s.Root) {
		root = p.names[s.Root.Type]
	} else {
		root = p.rootName(o.Type)
	}
	for _, t := range p.order {
		if t.Kind != msgpack.FormStruct && p.converts(schema.Value{Type: t}) {
			p.functions[t] = gotypes.Unique(snake(p.names[t]), p.taken)
		}
	}
	var b strings.Builder
	for _, t := range p.order {
		p.declare(&b, t)
	}
	reader := "m"
	switch {
	case p.names[s.Root.Type] == root:
		reader = p.read(s.Root, "m")
	case p.converts(s.Root):
		name := gotypes.Unique(snake(root), p.taken)
		alias = fmt.Sprintf("%s: TypeAlias = %s\n\n\n", root, quote(p.expression(s.Root))) + p.functionsOf(name, root, "return "+p.read(s.Root, "m"), "return "+p.write(s.Root, "v"))
		reader = name + "_from_message(m)"
	default:
		alias = fmt.Sprintf("%s: TypeAlias = %s%s\n\n\n", root, quote(p.expression(s.Root)), comment(" #", typeNote(s.Root.Type)))
	}
	body := strings.TrimRight(alias+b.String(), "\n") + "\n"
	return []byte(p.head(reader, body) + body)
}

// head returns the text before the declarations.
func (p *pyPrinter) head(reader, body string) string {
	head := "# These classes hold what msgpack.unpackb returns:\n#\n#     m = msgpack.unpackb(data, timestamp=3, strict_map_key=False)\n"
	if reader != "m" {
		head += "#     value = " + reader + "\n"
	}
	head += "#\n# A field of type ... | None with a default is left out of messages if it is None.\n"
	if p.dates {
		head += "# A datetime has microseconds; smaller parts of a time are lost. To write one,\n# pass datetime=True to msgpack.packb.\n"
	}
	head += "\nfrom __future__ import annotations\n\n"
	if strings.Contains(body, "@dataclass") {
		head += "from dataclasses import dataclass\n"
	}
	if p.dates {
		head += "from datetime import datetime\n"
	}
	var names []string
	for _, name := range []string{"Any", "Literal", "TypeAlias"} {
		if strings.Contains(body, name) {
			names = append(names, name)
		}
	}
	if names != nil {
		head += "from typing import " + strings.Join(names, ", ") + "\n"
	}
	return head + "\n\n"
}

// A pyPrinter makes Python.
type pyPrinter struct {
	*namer
	o         *Options
	functions map[*schema.Type]string // what the names of functions for a type begin with
	dates     bool
}

// snake returns a name in the style of Python: UserID becomes user_id.
func snake(text string) string {
	return strings.ToLower(identifier(strings.Join(gotypes.Words(text), "_")))
}

func (p *pyPrinter) declare(b *strings.Builder, t *schema.Type) {
	name := p.names[t]
	switch {
	case t.Kind == msgpack.FormStruct:
		p.structure(b, name, t)
		return
	case t.Kind == msgpack.FormUnion:
		fmt.Fprintf(b, "%s: TypeAlias = %s\n\n\n", name, quote(p.union(t)))
	default:
		fmt.Fprintf(b, "%s: TypeAlias = %s\n\n\n", name, quote(p.inline(t)))
	}
	f := p.functions[t]
	switch {
	case f == "":
	case t.Kind == msgpack.FormUnion:
		read, write := p.variants(name, t)
		b.WriteString(p.functionsOf(f, name, read, write))
	default:
		b.WriteString(p.functionsOf(f, name, "return "+p.readParts(t, "m", 0), "return "+p.writeParts(t, "v", 0)))
	}
}

func (p *pyPrinter) functionsOf(name, of, read, write string) string {
	return fmt.Sprintf("def %s_from_message(m: Any) -> %s:\n    %s\n\n\ndef %s_to_message(v: %s) -> Any:\n    %s\n\n\n", name, of, read, name, of, write)
}

// structure declares a dataclass.
func (p *pyPrinter) structure(b *strings.Builder, name string, t *schema.Type) {
	taken := map[string]bool{}
	for _, word := range pyWords {
		taken[word] = true
	}
	for _, n := range p.names {
		taken[n] = true
	}
	var names []string
	for i := range t.Fields {
		name := snake(t.Fields[i].Name)
		if taken[name] {
			name += "_"
		}
		names = append(names, gotypes.Unique(name, taken))
	}
	rest := gotypes.Unique("rest", taken)
	fmt.Fprintf(b, "@dataclass(kw_only=True)\nclass %s:\n", name)
	for i := range t.Fields {
		f := &t.Fields[i]
		v, value := f.Value, ""
		if p.isOptional(t, f) {
			v.Nil, value = true, " = None"
		}
		fmt.Fprintf(b, "    %s: %s%s%s\n", names[i], p.expression(v), value, comment(" #", p.o.note(t, i)))
	}
	if t.Rest {
		fmt.Fprintf(b, "    %s: dict[str, %s]  # other keys\n", rest, p.expression(t.Elem))
	}
	if len(t.Fields) > 0 || t.Rest {
		b.WriteString("\n")
	}
	fmt.Fprintf(b, "    @classmethod\n    def from_message(cls, m: Any) -> %s:\n        return cls(", name)
	for i := range t.Fields {
		fmt.Fprintf(b, "\n            %s=%s,", names[i], p.readField(t, i))
	}
	if t.Rest {
		fmt.Fprintf(b, "\n            %s={k: %s for k, e in m.items() if k not in (%s)},", rest, p.read(t.Elem, "e"), p.keys(t))
	}
	if len(t.Fields) > 0 || t.Rest {
		b.WriteString("\n        ")
	}
	b.WriteString(")\n\n    def to_message(self) -> Any:\n")
	p.writeFields(b, t, names, rest)
	b.WriteString("\n\n")
}

// isOptional reports whether messages are written without a field.
func (p *pyPrinter) isOptional(t *schema.Type, f *schema.Field) bool {
	return !t.AsArray && f.Optional()
}

// key returns the literal of the key of a field.
func key(t *schema.Type, i int) string {
	switch {
	case t.AsArray:
		return fmt.Sprint(i)
	case t.IntegerKeys:
		return t.Fields[i].Name
	}
	return quote(t.Fields[i].Name)
}

func (p *pyPrinter) keys(t *schema.Type) string {
	var b strings.Builder
	for i := range t.Fields {
		b.WriteString(key(t, i) + ", ")
	}
	return strings.TrimSuffix(b.String(), " ")
}

// expression returns the type at a place.
func (p *pyPrinter) expression(v schema.Value) string {
	text := p.names[v.Type]
	if text == "" {
		text = p.inline(v.Type)
	}
	if v.Nil && text != "Any" {
		return text + " | None"
	}
	return text
}

// inline returns a type that is written in place.
func (p *pyPrinter) inline(t *schema.Type) string {
	switch t.Kind {
	case msgpack.FormBool:
		return "bool"
	case msgpack.FormInt, msgpack.FormUint:
		return "int"
	case msgpack.FormFloat:
		return "float"
	case msgpack.FormNumber:
		return "int | float"
	case msgpack.FormStr:
		return "str"
	case msgpack.FormBin:
		return "bytes"
	case msgpack.FormTime:
		switch t.Time {
		case msgpack.TimeExt:
			p.dates = true
			return "datetime"
		case msgpack.TimeRFC3339:
			return "str"
		}
		return "int"
	case msgpack.FormExt:
		return "tuple[int, bytes]" // msgpack.ExtType is a tuple, and has no type hints
	case msgpack.FormArray:
		return "list[" + p.expression(t.Elem) + "]"
	case msgpack.FormMap:
		return "dict[" + p.dictKey(t.Key) + ", " + p.expression(t.Elem) + "]"
	}
	if p.o.isBytes(t) {
		return "str | bytes" // and None, because the value may be nil, too
	}
	return "Any"
}

// dictKey returns the type of the keys of a dict. Others have no hash, so that unpackb
// refuses the message.
func (p *pyPrinter) dictKey(v schema.Value) string {
	switch v.Type.Kind {
	case msgpack.FormStruct, msgpack.FormUnion, msgpack.FormArray, msgpack.FormMap:
		return "Any"
	}
	return p.expression(v)
}

// isClasses reports whether the variants of a union are different classes, so that a
// value needs no tag.
func isClasses(t *schema.Type) bool {
	var seen []*schema.Type
	for _, v := range t.Variants {
		if v.Type.Kind != msgpack.FormStruct || v.Nil || slices.Contains(seen, v.Type) {
			return false
		}
		seen = append(seen, v.Type)
	}
	return true
}

// union returns the type of a union.
func (p *pyPrinter) union(t *schema.Type) string {
	var list []string
	for _, v := range t.Variants {
		if isClasses(t) {
			list = append(list, p.expression(v.Value))
		} else {
			list = append(list, "tuple[Literal["+literal(v.Tag)+"], "+p.expression(v.Value)+"]")
		}
	}
	if list == nil {
		return "Any"
	}
	return strings.Join(list, " | ")
}
