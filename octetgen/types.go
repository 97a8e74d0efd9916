package octetgen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"
	"time"

	"github.com/octet-go/octet/internal/outline"
	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

const (
	msgpackPath = "github.com/octet-go/octet/msgpack"
	wirePath    = msgpackPath + "/wire"
)

var timeType = reflect.TypeFor[time.Time]()

// use returns the name of an imported package.
func (p *printer) use(of string) string {
	if name := p.imports[of]; name != "" {
		return name
	}
	base := strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, strings.ToLower(path.Base(of)))
	if base == "" || !token.IsIdentifier(base) {
		base = "imported"
	}
	name := base
	taken := slices.Concat(slices.Collect(maps.Values(p.imports)), locals, p.declared)
	for i := 2; slices.Contains(taken, name); i++ {
		name = fmt.Sprint(base, i)
	}
	p.imports[of] = name
	return name
}

// printImports prints the imports that the printed functions use.
func (p *printer) printImports(b *bytes.Buffer) error {
	file, err := parser.ParseFile(token.NewFileSet(), "", "package p\n"+p.body.String(), parser.SkipObjectResolution)
	if err != nil {
		return fmt.Errorf("octetgen: %w", err)
	}
	used := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	b.WriteString("import (\n")
	for i, standard := range []bool{true, false} {
		for _, of := range slices.Sorted(maps.Keys(p.imports)) {
			if first, _, _ := strings.Cut(of, "/"); strings.Contains(first, ".") == standard || !used[p.imports[of]] {
				continue
			}
			if name := p.imports[of]; name == path.Base(of) {
				fmt.Fprintf(b, "%q\n", of)
			} else {
				fmt.Fprintf(b, "%s %q\n", name, of)
			}
		}
		if i == 0 {
			b.WriteString("\n")
		}
	}
	b.WriteString(")\n\n")
	return nil
}

// locals are names that mean something else in the functions.
var locals = []string{"at", "b", "data", "depth", "dst", "e", "end", "f", "i", "in", "key", "left", "n", "ok", "pos", "s", "size", "start", "stop", "v"}

// typeName returns the Go expression for a type, or "" if the package cannot name it.
func (p *printer) typeName(t reflect.Type) string {
	prefix := ""
	switch {
	case t.Name() != "":
		return p.ownName(t)
	case t.Kind() == reflect.Pointer:
		prefix = "*"
	case t.Kind() == reflect.Slice:
		prefix = "[]"
	case t.Kind() == reflect.Array:
		prefix = fmt.Sprintf("[%d]", t.Len())
	case t.Kind() == reflect.Map:
		key, elem := p.typeName(t.Key()), p.typeName(t.Elem())
		if key == "" || elem == "" {
			return ""
		}
		return "map[" + key + "]" + elem
	case t.Kind() == reflect.Interface && t.NumMethod() == 0:
		return "any"
	default:
		return ""
	}
	if elem := p.typeName(t.Elem()); elem != "" {
		return prefix + elem
	}
	return ""
}

// ownName is typeName for a type with a name.
func (p *printer) ownName(t reflect.Type) string {
	name, of := t.Name(), t.PkgPath()
	switch {
	case strings.Contains(name, "["), slices.Contains(locals, strings.TrimRight(name, "0123456789")):
		return ""
	case of == "" || of == p.path:
		return name
	case !token.IsExported(name), of == "main", !p.importable(of):
		return ""
	}
	return p.use(of) + "." + name
}

// importable reports whether the rule for internal packages allows an import.
func (p *printer) importable(of string) bool {
	parts := strings.Split(of, "/")
	for i := len(parts) - 1; i >= 0; i-- {
		if parts[i] == "internal" {
			parent := strings.Join(parts[:i], "/")
			return parent != "" && (p.path == parent || strings.HasPrefix(p.path, parent+"/"))
		}
	}
	return true
}

// obstacle returns why a struct has no functions of its own, or "".
func (p *printer) obstacle(d *outline.Type) string {
	switch {
	case d.Form != outline.Struct && d.Form != outline.Tuple:
		return "it has methods or a form of its own"
	case d.Inline != nil:
		return "it has an inline map"
	}
	for i := range d.Fields {
		f := &d.Fields[i]
		name := d.Go.FieldByIndex(f.Index).Name
		switch {
		case f.Embedded:
			return "an embedded pointer leads to field " + name
		case f.Value.ByTag:
			return "the tag of field " + name + " gives its type another form"
		case f.Value.Form == outline.Other && unsupported(f.Value.Go):
			return "field " + name + " has a type that cannot be encoded"
		case !p.selects(d.Go, f.Index):
			return "field " + name + " belongs to an unexported type of another package"
		case isOptional(f) && (f.Required || p.condition(f, "v") == ""):
			return "the condition for omitting field " + name
		case optional(d) && f.Key[0]&0xe0 != byte(wire.FixStr) && f.Key[0] != byte(wire.Str8):
			return "the key of field " + name + " is no short string, and other fields are optional"
		}
	}
	return ""
}

// unsupported reports whether package msgpack refuses a type.
func unsupported(t reflect.Type) bool {
	_, err := (*msgpack.Codec)(nil).Outline(t)
	return err != nil
}

// selects reports whether the fields that index leads to can be written as selectors.
func (p *printer) selects(t reflect.Type, index []int) bool {
	for _, i := range index {
		f := t.Field(i)
		if !f.IsExported() && f.PkgPath != p.path {
			return false
		}
		t = f.Type
	}
	return true
}

// hasFunctions reports whether values of a type are encoded and decoded by functions of this package.
func (p *printer) hasFunctions(d *outline.Type) bool {
	return d.Go.Kind() == reflect.Struct && p.obstacle(d) == "" && p.typeName(d.Go) != ""
}

// inlines reports whether the fields of a struct are encoded and decoded in the function of the struct around it.
func (p *printer) inlines(d *outline.Type) bool {
	if d.Go.Kind() != reflect.Struct || p.obstacle(d) != "" || optional(d) {
		return false
	}
	return d.Go.Name() == "" || len(d.Fields) <= maxInlined && !recursive(d)
}

// maxInlined is the number of fields of a struct that is inlined.
const maxInlined = 4

// recursive reports whether a struct contains itself.
func recursive(d *outline.Type) bool {
	seen := map[*outline.Type]bool{}
	var visit func(e *outline.Type) bool
	visit = func(e *outline.Type) bool {
		if e == nil || seen[e] {
			return e == d
		}
		seen[e] = true
		if visit(e.Elem) || visit(e.Key) {
			return true
		}
		return slices.ContainsFunc(e.Fields, func(f outline.Field) bool { return visit(f.Value) })
	}
	seen[d] = false
	return slices.ContainsFunc(d.Fields, func(f outline.Field) bool { return visit(f.Value) || f.Value == d })
}

// isOptional reports whether a field may be absent. A struct is never empty.
func isOptional(f *outline.Field) bool {
	t := f.Value.Go
	switch t.Kind() {
	case reflect.Struct:
		return f.OmitZero || f.OmitEmpty && t.PkgPath() == "sync/atomic"
	case reflect.Array:
		return f.OmitZero || f.OmitEmpty && t.Len() == 0
	}
	return f.OmitZero || f.OmitEmpty
}

// optional reports whether fields of a struct may be absent.
func optional(d *outline.Type) bool {
	return slices.ContainsFunc(d.Fields, func(f outline.Field) bool { return isOptional(&f) })
}

type zeroer interface{ IsZero() bool }

// condition returns the condition on which an optional field x is present, or "" if the plan must test it.
func (p *printer) condition(f *outline.Field, x string) string {
	t := f.Value.Go
	switch k := t.Kind(); {
	case t == timeType && f.Value.Form == outline.Time:
		return "!" + x + ".IsZero()"
	case f.OmitZero && reflect.PointerTo(t).Implements(reflect.TypeFor[zeroer]()) || t.PkgPath() == "sync/atomic":
		return ""
	case (k == reflect.Slice || k == reflect.Map) && f.OmitEmpty:
		return "len(" + x + ") != 0"
	case k == reflect.Float32 || k == reflect.Float64:
		return x + " != 0"
	}
	return p.nonzero(t, x)
}

// nonzero returns the condition that x is not the zero value, or "" if the plan must test it.
func (p *printer) nonzero(t reflect.Type, x string) string {
	switch k := t.Kind(); {
	case k == reflect.Bool:
		return convert(t, "bool", x)
	case k == reflect.String:
		return x + ` != ""`
	case k == reflect.Slice || k == reflect.Map || k == reflect.Pointer || k == reflect.Interface:
		return x + " != nil"
	case k >= reflect.Int && k <= reflect.Uintptr:
		return x + " != 0"
	case k == reflect.Array && exact(t) && p.typeName(t) != "":
		return x + " != (" + p.typeName(t) + "{})"
	case k != reflect.Struct:
		return ""
	}
	var list []string
	for f := range t.Fields() {
		if f.Name == "_" {
			continue
		}
		c := p.nonzero(f.Type, x+"."+f.Name)
		if c == "" || f.PkgPath != "" && f.PkgPath != p.path {
			return ""
		}
		list = append(list, c)
	}
	return strings.Join(list, " || ")
}

// exact reports whether the operator == compares all values of a type.
func exact(t reflect.Type) bool {
	k := t.Kind()
	return k == reflect.Bool || k == reflect.String || k >= reflect.Int && k <= reflect.Uintptr || k == reflect.Array && exact(t.Elem())
}

// least returns the smallest number of bytes that a value takes.
func (p *printer) least(d *outline.Type) int {
	if !p.hasFunctions(d) || optional(d) || recursive(d) {
		return 1
	}
	n := 1
	for i := range d.Fields {
		n += len(d.Fields[i].Key) + p.least(d.Fields[i].Value)
	}
	return n
}

// convert returns x, which has the type t, as a value of a predeclared type.
func convert(t reflect.Type, to, x string) string {
	if t.PkgPath() == "" && t.Name() == to {
		return x
	}
	return to + "(" + x + ")"
}
