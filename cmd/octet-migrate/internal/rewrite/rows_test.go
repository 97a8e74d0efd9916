package rewrite_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/load"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/rewrite"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

var update = flag.Bool("update", false, "write the golden files of this test")

// module is the root of this module. Packages below rows exist in memory only.
var module, _ = filepath.Abs("../..")

// TestRows rewrites a program for each row of each table. The program calls the
// function, or names the type, with parameters of the types that the library
// declares. The test compares the result with testdata/rows, and compiles it.
func TestRows(t *testing.T) {
	packages := exports(t)
	overlay := map[string][]byte{}
	rows := map[*table.Library][]example{}
	for i, lib := range table.All() {
		objects := map[string]types.Object{}
		names := rewrite.Names(packages[lib.Path])
		for o, n := range names {
			objects[n] = o
		}
		for _, row := range lib.Rows {
			for _, e := range examples(row, objects, lib) {
				e.dir = fmt.Sprintf("lib%d/row%03d", i, len(rows[lib]))
				rows[lib] = append(rows[lib], e)
				overlay[e.file()] = []byte(e.text)
			}
		}
	}
	before := loadRows(t, "before", overlay)
	results := map[string]rewrite.Result{}
	after := maps.Clone(overlay)
	for _, p := range before.Packages { // each row is a program of its own
		r, err := rewrite.Run(before.Fset, []*rewrite.Package{p}, table.All(), rewrite.Options{Closed: true, Read: before.Read})
		if err != nil {
			t.Fatal(err)
		}
		files, err := r.Files(before.Fset, before.Read)
		if err != nil {
			t.Fatal(err)
		}
		maps.Copy(after, files)
		results[before.Fset.Position(p.Files[0].FileStart).Filename] = r
	}
	for _, lib := range table.All() {
		t.Run(strings.ReplaceAll(lib.Path, "/", "_"), func(t *testing.T) {
			archive := &txtar.Archive{Comment: []byte("What octet-migrate does with each row of the table for " + lib.Path + ".\n" +
				"go test ./internal/rewrite -run Rows -update writes this file.\n\n")}
			for _, e := range rows[lib] {
				text, effect := describe(string(overlay[e.file()]), string(after[e.file()]), results[e.file()].Findings)
				if !effect {
					t.Errorf("%s: the row has no effect", e.name)
				}
				archive.Files = append(archive.Files, txtar.File{Name: e.name, Data: []byte(text)})
			}
			compareGolden(t, filepath.Join("testdata", "rows", strings.NewReplacer("/", "_", ".", "_").Replace(lib.Path)+".txt"), txtar.Format(archive))
		})
	}
	loadRows(t, "after", after) // the results compile
}

// TestTablesComplete requires a row for each exported name of the libraries.
func TestTablesComplete(t *testing.T) {
	packages := exports(t)
	type entry struct{ page, row string }
	matched := map[entry]bool{} // libraries with the same page share rows
	for _, lib := range table.All() {
		for o, name := range rewrite.Names(packages[lib.Path]) {
			row, ok := lib.Row(name)
			matched[entry{lib.Page, row.Name}] = true
			_, isVar := o.(*types.Var)
			if partial := lib.Profile == "" && !lib.Same || lib.Same && (isVar || strings.Contains(name, ".")); !ok && !partial {
				t.Errorf("%s: no row for %s", lib.Path, name)
			}
		}
	}
	for _, lib := range table.All() {
		for _, row := range lib.Rows {
			if !matched[entry{lib.Page, row.Name}] && !strings.ContainsAny(row.Name, "(=") && !strings.HasPrefix(row.Name, ".") {
				t.Errorf("%s: the row %s is for no name", lib.Path, row.Name)
			}
		}
	}
}

func loadRows(t *testing.T, when string, overlay map[string][]byte) *load.Program {
	t.Helper()
	p, err := load.Load(load.Config{Dir: module, Overlay: overlay}, "./rows/...")
	if err != nil {
		t.Fatal(err)
	}
	for _, problem := range p.Problems {
		t.Errorf("%s: %s", when, problem)
	}
	return p
}

// describe returns the golden text of a row, and whether it has an effect.
func describe(before, after string, findings []rewrite.Finding) (text string, effect bool) {
	var b strings.Builder
	content := func(s string) string {
		_, rest, _ := strings.Cut(s, "\n")
		return strings.TrimSpace(rest)
	}
	b.WriteString(content(before) + "\n")
	if before == after {
		b.WriteString("=> unchanged\n")
	} else {
		b.WriteString("=>\n" + content(after) + "\n")
	}
	for _, f := range findings {
		if f.Kind == rewrite.Left || f.Kind == rewrite.Check {
			fmt.Fprintf(&b, "# %s: %s\n", f.Name, f.Text)
		}
	}
	return b.String(), before != after || len(findings) > 0
}

func compareGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s", path, got)
	}
}

// exports returns the packages of the libraries by path.
func exports(t *testing.T) map[string]*types.Package {
	t.Helper()
	var paths []string
	for _, lib := range table.All() {
		paths = append(paths, lib.Path)
	}
	list, err := packages.Load(&packages.Config{Mode: packages.NeedTypes | packages.NeedName | packages.NeedImports | packages.NeedDeps, Dir: module}, paths...)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]*types.Package{}
	for _, p := range list {
		for _, e := range p.Errors {
			t.Fatal(e)
		}
		found[p.PkgPath] = p.Types
	}
	return found
}

// An example is a program that uses what a row names.
type example struct {
	name string // what it uses
	dir  string
	text string
}

func (e example) file() string { return filepath.Join(module, "rows", e.dir, "a.go") }

// examples returns the examples of a row: its own, or one for each name that it
// matches.
func examples(row table.Row, objects map[string]types.Object, lib *table.Library) (list []example) {
	if row.Example != "" {
		return []example{{name: row.Name, text: "package row\n\nimport \"" + lib.Path + "\"\n\n" + row.Example}}
	}
	for _, n := range slices.Sorted(maps.Keys(objects)) {
		if r, _ := lib.Row(n); r.Name == row.Name {
			text := "package row\n\n" + program(objects[n], n, row.Flags&table.Pointer != 0)
			if len(lib.Pays) > 0 {
				text += "\nvar _ = " + objects[n].Pkg().Name() + "." + lib.Pays[0] + "\n"
			}
			list = append(list, example{name: n, text: text})
		}
	}
	return list
}

// program returns a file that uses an object.
func program(o types.Object, name string, pointer bool) string {
	imports := map[string]string{o.Pkg().Path(): o.Pkg().Name()}
	local := func(p *types.Package) string {
		imports[p.Path()] = p.Name()
		return p.Name()
	}
	text := func(t types.Type) string { return types.TypeString(t, local) }
	receiver, member, isMember := strings.Cut(name, ".")
	var body string
	switch o := o.(type) {
	case *types.Func:
		s := o.Signature()
		var params, args, results []string
		function := local(o.Pkg()) + "." + o.Name()
		if isMember {
			star := "*"
			if types.IsInterface(o.Pkg().Scope().Lookup(receiver).Type()) {
				star = ""
			}
			params = append(params, "x "+star+local(o.Pkg())+"."+receiver)
			function = "x." + member
		}
		for i := range s.Params().Len() {
			t := text(s.Params().At(i).Type())
			arg := fmt.Sprintf("p%d", i+1)
			if s.Variadic() && i == s.Params().Len()-1 {
				t = "..." + strings.TrimPrefix(t, "[]")
				arg += "..."
			}
			params = append(params, fmt.Sprintf("p%d %s", i+1, t))
			args = append(args, arg)
		}
		for v := range s.Results().Variables() {
			results = append(results, text(v.Type()))
		}
		constraints := ""
		if s.TypeParams().Len() > 0 {
			var list []string
			for p := range s.TypeParams().TypeParams() {
				list = append(list, p.Obj().Name()+" "+text(p.Constraint()))
			}
			constraints = "[" + strings.Join(list, ", ") + "]"
		}
		call := fmt.Sprintf("%s(%s)", function, strings.Join(args, ", "))
		if len(results) > 0 {
			call = "return " + call
		}
		body = fmt.Sprintf("func f%s(%s) (%s) {\n\t%s\n}\n", constraints, strings.Join(params, ", "), strings.Join(results, ", "), call)
	case *types.TypeName:
		if named, ok := o.Type().(*types.Named); ok && named.TypeParams().Len() > 0 {
			return fmt.Sprintf("import %q\n\nfunc f[T any, P %s.%s[T]]() {}\n", o.Pkg().Path(), o.Pkg().Name(), o.Name())
		}
		star := ""
		if pointer {
			star = "*"
		}
		body = fmt.Sprintf("func f() {\n\tvar v %s%s.%s\n\t_ = v\n}\n", star, local(o.Pkg()), o.Name())
	case *types.Var:
		if isMember {
			body = fmt.Sprintf("func f(x *%s.%s, v %s) {\n\tx.%s = v\n}\n", local(o.Pkg()), receiver, text(o.Type()), member)
		} else {
			body = fmt.Sprintf("func f() any {\n\treturn %s.%s\n}\n", local(o.Pkg()), o.Name())
		}
	case *types.Const:
		body = fmt.Sprintf("func f() any {\n\treturn %s.%s\n}\n", local(o.Pkg()), o.Name())
	}
	var specs []string
	for path, n := range imports {
		if strings.Contains(body, n+".") {
			specs = append(specs, fmt.Sprintf("import %s %q\n", n, path))
		}
	}
	slices.Sort(specs)
	return strings.Join(specs, "") + "\n" + body
}
