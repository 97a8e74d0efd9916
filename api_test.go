package octet_test

import (
	"flag"
	"fmt"
	"go/types"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite api/octet.txt")

// apiFile has a line for each exported name, field and method of the packages that programs import, in all modules.
// It shows in a commit what the commit changes for users. The form is that of the files in the folder api of Go.
const apiFile = "api/octet.txt"

// unpublished lists the folders without packages for programs to import. Internal packages and commands are not published either.
var unpublished = []string{"bench", "cmd", "examples", "integrations/recipes", "internal", "interop", "tools"}

// TestAPI compares the exported names with apiFile. Files with build constraints count if they belong to linux/amd64
// without cgo, without tags and with Go 1.26, on every platform.
func TestAPI(t *testing.T) {
	loader := newLoader(t)
	var lines []string
	packages := 0
	for _, dir := range loader.packages() {
		p := loader.load(dir)
		if p.Name() == "main" {
			continue
		}
		packages++
		lines = append(lines, describe(p)...)
	}
	for _, problem := range loader.problems {
		t.Error(problem)
	}
	slices.Sort(lines)
	for i, line := range lines {
		if strings.Contains(line, "invalid type") {
			t.Errorf("cannot find the types of %s", line)
		}
		if i > 0 && line == lines[i-1] {
			t.Errorf("twice: %s", line)
		}
	}
	if packages < 20 {
		t.Errorf("found only %d packages", packages)
	}
	got := strings.Join(lines, "\n") + "\n"
	if t.Failed() {
		return
	}
	if *update {
		if err := os.MkdirAll(filepath.Dir(apiFile), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(apiFile, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	old, err := os.ReadFile(apiFile)
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSuffix(strings.ReplaceAll(string(old), "\r\n", "\n"), "\n"), "\n")
	if changes := changedLines(want, lines); len(changes) > 0 {
		t.Errorf("the interface differs from %s. If that is intended, run\n\tgo test -run TestAPI -update .\nand commit the file.\n%s", apiFile, strings.Join(changes, "\n"))
	} else if !slices.Equal(want, lines) {
		t.Errorf("%s is not sorted: run go test -run TestAPI -update .", apiFile)
	}
}

// changedLines returns the lines that only one of two lists has: those of the first with a minus, those of the second with
// a plus.
func changedLines(before, after []string) []string {
	var list []string
	for _, line := range before {
		if !slices.Contains(after, line) {
			list = append(list, "-"+line)
		}
	}
	for _, line := range after {
		if !slices.Contains(before, line) {
			list = append(list, "+"+line)
		}
	}
	return list
}

// TestDescribe checks the lines for every kind of declaration, with the package in testdata/api.
func TestDescribe(t *testing.T) {
	loader := newLoader(t)
	lines := describe(loader.load("testdata/api"))
	if len(loader.problems) > 0 {
		t.Errorf("problems: %q", loader.problems)
	}
	slices.Sort(lines)
	text, err := os.ReadFile("testdata/api/want.txt")
	if err != nil {
		t.Fatal(err)
	}
	want := strings.Split(strings.TrimSpace(strings.ReplaceAll(string(text), "\r\n", "\n")), "\n")
	if changes := changedLines(want, lines); len(changes) > 0 {
		t.Errorf("- is missing, + is too much:\n%s", strings.Join(changes, "\n"))
	}
}

func TestChangedLines(t *testing.T) {
	got := changedLines([]string{"a", "b", "c"}, []string{"b", "c", "d"})
	if want := []string{"-a", "+d"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// describe returns a line for each exported name of p, for each exported field and method of its types, and for each
// type and interface that is embedded.
func describe(p *types.Package) []string {
	d := &describer{types: p}
	for _, name := range p.Scope().Names() {
		if object := p.Scope().Lookup(name); object.Exported() {
			d.object(object)
		}
	}
	return d.lines
}

// A describer collects the lines of a package.
type describer struct {
	types *types.Package
	lines []string
}

func (d *describer) add(format string, args ...any) {
	d.lines = append(d.lines, "pkg "+d.types.Path()+", "+fmt.Sprintf(format, args...))
}

// text returns a type as it is written in a file of another package that imports everything by its name.
func (d *describer) text(t types.Type) string {
	return types.TypeString(withoutNames(t), func(p *types.Package) string {
		if p == d.types {
			return ""
		}
		return p.Name()
	})
}

// signature returns the parameters and results of a function, without their names.
func (d *describer) signature(f *types.Func) string {
	return strings.TrimPrefix(d.text(f.Type()), "func")
}

// parameters returns the type parameters of a type or function in brackets.
func (d *describer) parameters(list *types.TypeParamList) string {
	if list.Len() == 0 {
		return ""
	}
	var parts []string
	for p := range list.TypeParams() {
		parts = append(parts, p.Obj().Name()+" "+d.text(p.Constraint()))
	}
	return "[" + strings.Join(parts, ", ") + "]"
}

func (d *describer) object(object types.Object) {
	switch o := object.(type) {
	case *types.Const:
		if b, ok := o.Type().(*types.Basic); ok && b.Info()&types.IsUntyped != 0 {
			d.add("const %s = %s", o.Name(), o.Val().ExactString())
		} else {
			d.add("const %s %s = %s", o.Name(), d.text(o.Type()), o.Val().ExactString())
		}
	case *types.Var:
		d.add("var %s %s", o.Name(), d.text(o.Type()))
	case *types.Func:
		d.add("func %s%s%s", o.Name(), d.parameters(o.Signature().TypeParams()), d.signature(o))
	case *types.TypeName:
		d.declared(o)
	}
}

// declared adds the lines of a type: its form, fields or methods of an interface, and methods.
func (d *describer) declared(o *types.TypeName) {
	if o.IsAlias() {
		d.add("type %s = %s", o.Name(), d.text(types.Unalias(o.Type())))
		return
	}
	named := o.Type().(*types.Named)
	name := o.Name() + d.parameters(named.TypeParams())
	switch u := named.Underlying().(type) {
	case *types.Struct:
		d.add("type %s struct", name)
		for f := range u.Fields() {
			switch {
			case f.Embedded() && (f.Exported() || hasExported(f.Type())):
				d.add("type %s struct, embedded %s", o.Name(), d.text(f.Type()))
			case f.Exported():
				d.add("type %s struct, %s %s", o.Name(), f.Name(), d.text(f.Type()))
			}
		}
	case *types.Interface:
		d.add("type %s interface", name)
		for m := range u.ExplicitMethods() {
			if m.Exported() {
				d.add("type %s interface, %s%s", o.Name(), m.Name(), d.signature(m))
			} else {
				d.add("type %s interface, unexported method %s", o.Name(), m.Name())
			}
		}
		for e := range u.EmbeddedTypes() {
			d.add("type %s interface, embedded %s", o.Name(), d.text(e))
		}
	default:
		d.add("type %s %s", name, d.text(u))
	}
	for m := range named.Methods() {
		if m.Exported() {
			d.add("method (%s) %s%s", d.text(m.Signature().Recv().Type()), m.Name(), d.signature(m))
		}
	}
	d.promoted(named)
}

// promoted adds the methods that an unexported embedded struct of a package of Octet gives to a type.
func (d *describer) promoted(named *types.Named) {
	if types.IsInterface(named) {
		return
	}
	set := types.NewMethodSet(types.NewPointer(named))
	for s := range set.Methods() {
		m, ok := s.Obj().(*types.Func)
		if ok && m.Exported() && len(s.Index()) > 1 && strings.HasPrefix(m.Pkg().Path(), modulePath) {
			d.add("method (*%s) %s%s", d.text(named), m.Name(), d.signature(m))
		}
	}
}

// hasExported reports whether a struct that is embedded has exported fields.
func hasExported(t types.Type) bool {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	s, ok := t.Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for f := range s.Fields() {
		if f.Exported() || f.Embedded() && hasExported(f.Type()) {
			return true
		}
	}
	return false
}

// withoutNames returns a type whose functions have parameters and results without names, because a new name is not a
// change of the interface.
func withoutNames(t types.Type) types.Type {
	switch t := t.(type) {
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, tupleWithoutNames(t.Params()), tupleWithoutNames(t.Results()), t.Variadic())
	case *types.Slice:
		return types.NewSlice(withoutNames(t.Elem()))
	case *types.Array:
		return types.NewArray(withoutNames(t.Elem()), t.Len())
	case *types.Pointer:
		return types.NewPointer(withoutNames(t.Elem()))
	case *types.Map:
		return types.NewMap(withoutNames(t.Key()), withoutNames(t.Elem()))
	case *types.Chan:
		return types.NewChan(t.Dir(), withoutNames(t.Elem()))
	}
	return t
}

func tupleWithoutNames(t *types.Tuple) *types.Tuple {
	var list []*types.Var
	for v := range t.Variables() {
		list = append(list, types.NewParam(0, nil, "", withoutNames(v.Type())))
	}
	return types.NewTuple(list...)
}
