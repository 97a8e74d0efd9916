package gotypes

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
)

// Options select the form of the types.
type Options struct {
	Package string // name of the package; empty: no package clause and no imports
	Type    string // name of the type of the top-level values
	Plural  bool   // a struct gets the name of one of several: User if Type is Users
	Narrow  bool   // the smallest integer types that hold the samples; otherwise int64 or uint64
}

// A Field is one field of a struct that was found.
type Field struct {
	Name    string `json:"name"`
	Key     string `json:"key"`
	Type    string `json:"type"`
	Options string `json:"options,omitempty"` // of the tag, such as omitempty
	Count   int64  `json:"count"`             // of the samples that have the key
}

// A Type is one type that was found.
type Type struct {
	Name   string  `json:"name"`
	Count  int64   `json:"count"`          // of the samples
	Fields []Field `json:"fields"`         // of a struct
	Type   string  `json:"type,omitempty"` // of any other type
}

// Types returns the types of the samples, the one of the top-level values first.
func (c *Sampler) Types(o Options) []Type {
	g := generator{o: o, taken: map[string]bool{o.Type: true}, known: map[string]string{}}
	root := &c.Root
	if root.kinds() == 1 && root.maps > 0 && root.nils == 0 && !root.isMap() {
		// The value of a file users.json may be a user, or have a field with all of them.
		if one := singular(o.Type); o.Plural && len(one) < len(o.Type) && !root.hasFieldFor(one) {
			g.o.Type, g.taken = one, map[string]bool{one: true}
		}
		g.define(g.o.Type, root)
	} else {
		g.list = append(g.list, Type{})
		text := g.expression(root, singular(o.Type), singular(o.Type))
		g.list[0] = Type{Name: o.Type, Count: c.Values, Type: text}
	}
	return g.list
}

// hasFieldFor reports whether a field suggests the name of a type for what it holds.
func (n *Shape) hasFieldFor(name string) bool {
	return slices.ContainsFunc(n.fields, func(f *field) bool {
		of := goName(f.name)
		return of == name || singular(of) == name
	})
}

// Source returns Go source that declares the types of the samples.
func (c *Sampler) Source(o Options) ([]byte, error) {
	var b strings.Builder
	types := c.Types(o)
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
	for _, t := range types {
		if t.Fields == nil {
			fmt.Fprintf(&b, "type %s %s\n\n", t.Name, t.Type)
			continue
		}
		fmt.Fprintf(&b, "type %s struct {\n", t.Name)
		// Align the columns as gofmt does. Package go/format would double the size
		// of the WebAssembly of the inspector page.
		lines := tabwriter.NewWriter(&b, 0, 8, 1, ' ', tabwriter.DiscardEmptyColumns|tabwriter.StripEscape)
		for _, f := range t.Fields {
			tag := f.Key
			if f.Options != "" {
				tag += "," + f.Options
			} else if f.Key == "-" {
				tag += "," // a tag "-" would leave the field out
			}
			note := ""
			if f.Count < t.Count {
				note = fmt.Sprintf("\v// in %d of %d", f.Count, t.Count)
			}
			fmt.Fprintf(lines, "\xff\t\xff%s\v%s\v%s%s\n", f.Name, f.Type, literal("msgpack:"+strconv.Quote(tag)), note)
		}
		_ = lines.Flush() // a strings.Builder never fails
		b.WriteString("}\n\n")
	}
	return []byte(strings.TrimSuffix(b.String(), "\n")), nil
}

func uses(types []Type, prefix string) bool {
	return slices.ContainsFunc(types, func(t Type) bool {
		return strings.Contains(t.Type, prefix) ||
			slices.ContainsFunc(t.Fields, func(f Field) bool { return strings.Contains(f.Type, prefix) })
	})
}

// literal returns a Go string literal, with backquotes if possible.
func literal(s string) string {
	if strconv.CanBackquote(s) {
		return "`" + s + "`"
	}
	return strconv.Quote(s)
}

type generator struct {
	o     Options
	list  []Type
	taken map[string]bool   // names of types
	known map[string]string // names of structs by their fields
}

// kinds returns the number of different kinds of the values, nil excepted.
func (n *Shape) kinds() (kinds int) {
	for _, count := range []int64{n.bools, n.ints + n.float32s + n.float64s, n.texts + n.bins, n.times, n.exts, n.arrays, n.maps} {
		if count > 0 {
			kinds++
		}
	}
	return kinds
}

// expression returns the Go type of a shape. A struct gets the first name; the
// elements of an array or map get the second.
func (g *generator) expression(n *Shape, name, element string) string {
	pointer := ""
	if n.nils > 0 {
		pointer = "*"
	}
	switch {
	case n.kinds() != 1:
		return "any"
	case n.bools > 0:
		return pointer + "bool"
	case n.ints+n.float32s+n.float64s > 0:
		return pointer + g.number(n)
	case n.bins > 0:
		return "[]byte" // also decodes a str
	case n.texts > 0:
		return pointer + "string"
	case n.times > 0:
		return pointer + "time.Time"
	case n.exts > 0:
		return pointer + "msgpack.Ext"
	case n.arrays > 0:
		if n.element == nil {
			return "[]any"
		}
		return "[]" + g.expression(n.element, element, element+"Item")
	case n.isMap():
		return g.mapType(n, element)
	}
	return pointer + g.structure(name, n)
}

// mapType returns a Go map type.
func (g *generator) mapType(n *Shape, element string) string {
	n.fold()
	if n.value.kinds() == 0 && n.value.nils == 0 {
		return "map[string]any" // all maps are empty
	}
	key := "any"
	switch {
	case n.key.nils > 0 || n.key.kinds() != 1:
	case n.key.texts > 0 && n.key.bins == 0:
		key = "string"
	case n.key.ints > 0 && n.key.float32s+n.key.float64s == 0:
		key = g.number(n.key)
	case n.key.bools > 0:
		key = "bool"
	case n.key.bins > 0 || n.key.exts > 0 || n.key.arrays > 0 || n.key.maps > 0:
		return "msgpack.Pairs" // such keys cannot be keys of a Go map
	}
	if key == "any" && (n.key.bins > 0 || n.key.exts > 0 || n.key.arrays > 0 || n.key.maps > 0) {
		return "msgpack.Pairs"
	}
	return "map[" + key + "]" + g.expression(n.value, element, element+"Item")
}

// number returns the Go type of integers and floats.
func (g *generator) number(n *Shape) string {
	floats := n.float32s + n.float64s
	switch {
	case n.ints > 0 && floats > 0 && n.inexact:
		return "msgpack.Number"
	case n.float64s > 0 || n.ints > 0 && floats > 0:
		return "float64"
	case floats > 0:
		return "float32"
	case n.least < 0 && n.most > math.MaxInt64:
		return "msgpack.Number"
	case !g.o.Narrow && n.most > math.MaxInt64:
		return "uint64"
	case !g.o.Narrow:
		return "int64"
	case n.least < 0:
		for _, bits := range []int{8, 16, 32} {
			if n.least >= -1<<(bits-1) && n.most < 1<<(bits-1) {
				return "int" + strconv.Itoa(bits)
			}
		}
		return "int64"
	}
	for _, bits := range []int{8, 16, 32} {
		if n.most < 1<<bits {
			return "uint" + strconv.Itoa(bits)
		}
	}
	return "uint64"
}

// structure returns the name of the struct type of a shape. Shapes with the same
// fields share a type.
func (g *generator) structure(name string, n *Shape) string {
	at := len(g.list)
	g.list = append(g.list, Type{}) // before the types of its fields
	own := unique(name, g.taken)
	t := g.fields(own, n)
	if known, ok := g.known[signature(t)]; ok && len(g.list) == at+1 {
		g.list = g.list[:at]
		delete(g.taken, own)
		return known
	}
	g.known[signature(t)] = own
	g.list[at] = t
	return own
}

// define declares the struct type of the top-level values.
func (g *generator) define(name string, n *Shape) {
	g.list = append(g.list, Type{})
	g.list[0] = g.fields(name, n)
}

func (g *generator) fields(name string, n *Shape) Type {
	t := Type{Name: name, Count: n.maps, Fields: []Field{}}
	taken := map[string]bool{}
	for _, f := range n.fields {
		goName := unique(goName(f.name), taken)
		one := name + goName
		if g.o.Type == name {
			one = goName // the types of the fields of the top-level struct have short names
		}
		x := Field{Name: goName, Key: f.name, Count: f.count, Type: g.expression(f.shape, one, singular(one))}
		if f.count < n.maps {
			x.Type, x.Options = optional(x.Type, f.shape)
		}
		t.Fields = append(t.Fields, x)
	}
	return t
}

// optional returns the type and the tag option of a field that some samples lack.
// A sample with the zero value is not the same as one without the field.
func optional(typ string, n *Shape) (string, string) {
	isList := strings.HasPrefix(typ, "[]") || strings.HasPrefix(typ, "map[") || typ == "msgpack.Pairs"
	switch {
	case isList && n.zeros > 0:
		return typ, "omitzero" // keeps a list that is empty and not nil
	case isList || typ == "any" || typ[0] == '*':
		return typ, "omitempty"
	case typ == "msgpack.Ext" || typ == "time.Time" || n.zeros > 0 || n.maps > 0:
		return "*" + typ, "omitempty"
	}
	return typ, "omitempty"
}

// signature returns what is equal for structs with the same fields.
func signature(t Type) string {
	var b strings.Builder
	for _, f := range t.Fields {
		fmt.Fprintf(&b, "%q %s %s,", f.Key, f.Type, f.Options)
	}
	return b.String()
}
