package langs

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"unicode"

	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// A GoField is a field of a Go struct.
type GoField struct {
	Name    string `json:"name"`
	Key     string `json:"key"`
	Type    string `json:"type"`
	Options string `json:"options,omitempty"` // of the tag, such as omitempty
	Count   int64  `json:"count,omitempty"`   // of the samples that have the key
	note    string
}

// A GoType is a declaration of Go.
type GoType struct {
	Name   string    `json:"name"`
	Count  int64     `json:"count,omitempty"` // of the samples
	Fields []GoField `json:"fields"`          // of a struct
	Type   string    `json:"type,omitempty"`  // of any other type

	comment string
	methods string // of the variants of a union
}

// Go returns Go source that declares the types of a schema. The error is a key that a
// struct tag cannot have.
func Go(s *schema.Schema, o Options) ([]byte, error) {
	types, err := GoTypes(s, o)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	if o.Package != "" {
		fmt.Fprintf(&b, "package %s\n\n", o.Package)
		var imports []string
		if uses(types, "time.") {
			imports = append(imports, `"time"`)
		}
		if uses(types, "msgpack.") {
			imports = append(imports, `"github.com/octet-go/octet/msgpack"`)
		}
		if len(imports) > 0 {
			fmt.Fprintf(&b, "import (\n\t%s\n)\n\n", strings.Join(imports, "\n\n\t"))
		}
	}
	for i := range types {
		types[i].print(&b)
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}

func (t *GoType) print(b *strings.Builder) {
	b.WriteString(t.comment)
	defer func() { b.WriteString(t.methods) }()
	if t.Fields == nil {
		fmt.Fprintf(b, "type %s %s\n\n", t.Name, t.Type)
		return
	}
	if len(t.Fields) == 0 {
		fmt.Fprintf(b, "type %s struct{}\n\n", t.Name)
		return
	}
	fmt.Fprintf(b, "type %s struct {\n", t.Name)
	// Align the columns as gofmt does. Package go/format would double the size of the
	// WebAssembly of the inspector page.
	lines := tabwriter.NewWriter(b, 0, 8, 1, ' ', tabwriter.DiscardEmptyColumns|tabwriter.StripEscape)
	for _, f := range t.Fields {
		tag := f.Key
		if f.Options != "" {
			tag += "," + f.Options
		} else if f.Key == "-" {
			tag += "," // a tag "-" would leave the field out
		}
		note := ""
		if f.note != "" {
			note = "\v// " + f.note
		}
		fmt.Fprintf(lines, "\xff\t\xff%s\v%s\v%s%s\n", f.Name, f.Type, goLiteral("msgpack:"+strconv.Quote(tag)), note)
	}
	_ = lines.Flush() // a strings.Builder never fails
	b.WriteString("}\n\n")
}

func uses(types []GoType, prefix string) bool {
	return slices.ContainsFunc(types, func(t GoType) bool {
		return strings.Contains(t.Type, prefix) || strings.Contains(t.methods, prefix) ||
			slices.ContainsFunc(t.Fields, func(f GoField) bool { return strings.Contains(f.Type, prefix) })
	})
}

// goLiteral returns a Go string literal, with backquotes if possible.
func goLiteral(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

// goIdentifier returns an exported name.
func goIdentifier(text string) string {
	for i, r := range text {
		if i == 0 && !unicode.IsUpper(r) || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return gotypes.Name(text)
		}
	}
	if text == "" {
		return gotypes.Name(text)
	}
	return text
}

// A goPrinter makes Go types.
type goPrinter struct {
	*namer
	o   *Options
	err error
}

// GoTypes returns the types of a schema, the one of whole messages first.
func GoTypes(s *schema.Schema, o Options) ([]GoType, error) {
	p := &goPrinter{namer: newNamer(s, &o, goIdentifier, nil), o: &o}
	var list []GoType
	if typ := p.expression(s.Root); typ != p.names[s.Root.Type] {
		root := GoType{Name: p.rootName(o.Type), Type: typ}
		if strings.HasPrefix(typ, "time.") || strings.HasPrefix(typ, "msgpack.") {
			root.Type = "= " + typ // a new type would lose its methods, or its form
		}
		if o.Samples != nil {
			root.Count = o.Samples.Values
		}
		list = append(list, root)
	}
	for _, t := range p.order {
		list = append(list, p.declare(t))
	}
	return list, p.err
}

// declare returns the declaration of a type.
func (p *goPrinter) declare(t *schema.Type) GoType {
	d := GoType{Name: p.names[t]}
	switch t.Kind {
	case msgpack.FormStruct:
		p.structure(&d, t)
	case msgpack.FormUnion:
		p.union(&d, t)
	default:
		d.Type = p.inline(t)
	}
	return d
}

// expression returns the Go type at a place.
func (p *goPrinter) expression(v schema.Value) string {
	t := v.Type
	text := p.names[t]
	if text == "" {
		text = p.inline(t)
	}
	if v.Nil && !p.holdsNil(t, text) {
		return "*" + text
	}
	return text
}

// holdsNil reports whether a Go type has a value that is written as nil.
func (p *goPrinter) holdsNil(t *schema.Type, text string) bool {
	switch t.Kind {
	case msgpack.FormArray, msgpack.FormMap, msgpack.FormBin:
		return t.Length < 0
	}
	return t.Kind == msgpack.FormUnion || text == "any" || text == "[]byte" || strings.HasPrefix(text, "msgpack.") && text != "msgpack.Ext"
}

// inline returns a Go type that is written in place.
func (p *goPrinter) inline(t *schema.Type) string {
	switch t.Kind {
	case msgpack.FormRaw, msgpack.FormOwn:
		return "msgpack.Raw"
	case msgpack.FormBool:
		return "bool"
	case msgpack.FormInt, msgpack.FormUint, msgpack.FormFloat:
		return t.Kind.String() + strconv.Itoa(t.Bits)
	case msgpack.FormNumber:
		return "msgpack.Number"
	case msgpack.FormStr:
		return "string"
	case msgpack.FormBin:
		if t.Length >= 0 {
			return fmt.Sprintf("[%d]byte", t.Length)
		}
		return "[]byte"
	case msgpack.FormTime:
		switch t.Time {
		case msgpack.TimeExt:
			return "time.Time"
		case msgpack.TimeRFC3339:
			return "string"
		}
		return "int64"
	case msgpack.FormExt:
		return "msgpack.Ext"
	case msgpack.FormArray:
		elem := p.expression(t.Elem)
		if elem == "uint8" {
			elem = "uint16" // the message of a []uint8 is a bin
		}
		return arrayOf(t.Length) + elem
	case msgpack.FormMap:
		key := p.key(t.Key)
		if t.Pairs || key == "" {
			return "msgpack.Pairs"
		}
		return "map[" + key + "]" + p.expression(t.Elem)
	}
	if p.o.isBytes(t) {
		return "[]byte" // which also decodes a str
	}
	return "any"
}

func arrayOf(length int) string {
	if length < 0 {
		return "[]"
	}
	return "[" + strconv.Itoa(length) + "]"
}

// key returns the type of the keys of a Go map, or "" if there is none.
func (p *goPrinter) key(v schema.Value) string {
	t := v.Type
	switch t.Kind {
	case msgpack.FormBool, msgpack.FormInt, msgpack.FormUint, msgpack.FormStr, msgpack.FormNumber:
		if !v.Nil {
			return p.inline(t)
		}
		return "any"
	case msgpack.FormBin:
		if t.Length >= 0 && !v.Nil {
			return p.inline(t)
		}
		return ""
	case msgpack.FormAny, msgpack.FormFloat, msgpack.FormTime:
		if p.o.isBytes(t) {
			return ""
		}
		return "any"
	}
	return ""
}

// structure declares a struct.
func (p *goPrinter) structure(d *GoType, t *schema.Type) {
	d.Fields = []GoField{}
	seen := &gotypes.Seen{}
	if p.o.Samples != nil && p.o.Samples.Structs[t] != nil {
		seen = p.o.Samples.Structs[t]
		d.Count = seen.Count
	}
	taken := map[string]bool{}
	if t.AsArray {
		d.Fields = append(d.Fields, GoField{Name: "_", Type: "struct{}", Options: "as_array"})
	}
	for i := range t.Fields {
		f := &t.Fields[i]
		g := GoField{Name: gotypes.Unique(gotypes.Name(f.Name), taken), Key: f.Name, note: p.o.note(t, i)}
		if len(seen.Fields) > i {
			g.Count = seen.Fields[i]
		}
		g.Type, g.Options = p.field(t, f)
		if f.Name == "" || strings.Contains(f.Name, ",") {
			p.fail("key %q of %s cannot be in a struct tag", f.Name, d.Name)
		}
		d.Fields = append(d.Fields, g)
	}
	if t.Rest {
		d.Fields = append(d.Fields, GoField{Name: gotypes.Unique("Rest", taken), Type: "map[string]" + p.expression(t.Elem), Options: "inline", note: "other keys"})
	}
}

func (p *goPrinter) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf(format, args...)
	}
}

// field returns the type and the tag options of a field.
func (p *goPrinter) field(t *schema.Type, f *schema.Field) (typ, options string) {
	v := f.Value
	omitEmpty := f.OmitEmpty
	if f.OmitNil {
		v.Nil, omitEmpty = true, omitEmpty || !f.OmitZero
	}
	v.Nil = v.Nil || omitEmpty && v.Type.Kind == msgpack.FormStruct // a struct is never empty
	typ = p.expression(v)
	var list []string
	add := func(set bool, option string) {
		if set {
			list = append(list, option)
		}
	}
	add(t.IntegerKeys, "keyasint")
	if v.Type.Kind == msgpack.FormArray && v.Type.Set {
		if key := p.key(v.Type.Elem); key != "" && key != "any" {
			typ = "map[" + key + "]struct{}"
			add(true, "set")
		}
	}
	add(omitEmpty, "omitempty")
	add(f.OmitZero, "omitzero")
	add(f.Required, "required")
	for _, a := range f.Aliases {
		if strings.Contains(a, ",") || a == "" {
			p.fail("alias %q cannot be in a struct tag", a)
		}
		add(true, "alias="+a)
	}
	return typ, strings.Join(list, ",")
}

// wrapped are the kinds of which a Go type can be declared that has the same messages.
var wrapped = []msgpack.FormKind{
	msgpack.FormBool, msgpack.FormInt, msgpack.FormUint, msgpack.FormFloat, msgpack.FormStr, msgpack.FormBin, msgpack.FormArray, msgpack.FormStruct,
}

// union declares an interface with its variants, and a variable for Options.Types. A union
// with other variants stays encoded.
func (p *goPrinter) union(d *GoType, t *schema.Type) {
	used := map[*schema.Type]bool{}
	for _, v := range t.Variants {
		if !slices.Contains(wrapped, v.Type.Kind) || used[v.Type] {
			d.Type = "= msgpack.Raw"
			return
		}
		used[v.Type] = true
	}
	mark := "is" + d.Name
	d.Type = "interface{ " + mark + "() }"
	var variants, methods, wrappers strings.Builder
	for _, v := range t.Variants {
		name := p.names[v.Type]
		if v.Type.Kind != msgpack.FormStruct {
			name = gotypes.Unique(d.Name+gotypes.Name(fmt.Sprint(v.Tag)), p.taken)
			fmt.Fprintf(&wrappers, "type %s %s\n\n", name, p.expression(schema.Value{Type: v.Type}))
		}
		tag := fmt.Sprint(v.Tag)
		if s, ok := v.Tag.(string); ok {
			tag = strconv.Quote(s)
		}
		fmt.Fprintf(&variants, ", msgpack.VariantOf[%s](%s)", name, tag)
		fmt.Fprintf(&methods, "func (%s) %s() {}\n\n", name, mark)
	}
	variable := gotypes.Unique(d.Name+"Union", p.taken)
	d.comment = fmt.Sprintf("// %s is one of several types. %s belongs in msgpack.Options.Types.\n", d.Name, variable)
	d.methods = fmt.Sprintf("var %s = msgpack.Union[%s](%q%s)\n\n", variable, d.Name, t.Discriminator, variants.String()) + wrappers.String() + methods.String()
}
