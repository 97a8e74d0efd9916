package main

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// isCommand reports whether the package in the folder of a module is a command.
func (t *tree) isCommand(m *member) (bool, error) {
	for _, file := range t.files {
		if path.Dir(file) != m.dir || !isSource(file) {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(t.root, file), nil, parser.PackageClauseOnly)
		return err == nil && f.Name.Name == "main", err
	}
	return false, nil
}

func isSource(file string) bool {
	return strings.HasSuffix(file, ".go") && !strings.HasSuffix(file, "_test.go")
}

// packages returns the folders of the packages that other modules can import.
func (t *tree) packages(m *member) []string {
	var dirs, nested []string
	for _, other := range t.modules {
		if other != m && m.has(other.dir) {
			nested = append(nested, other.dir+"/")
		}
	}
	inNested := func(file string) bool {
		return slices.ContainsFunc(nested, func(n string) bool { return strings.HasPrefix(file, n) })
	}
	for _, file := range t.files {
		elements := strings.Split(file, "/")
		hidden := func(e string) bool { return e == "internal" || e == "testdata" || e[0] == '.' || e[0] == '_' }
		if m.has(file) && isSource(file) && !inNested(file) && !slices.ContainsFunc(elements, hidden) {
			dirs = append(dirs, path.Dir(file))
		}
	}
	slices.Sort(dirs)
	return slices.Compact(dirs)
}

// An example is a program made of an Example.
type example struct {
	dir    string // of the package
	name   string
	source []byte
	output string
}

// firstExample returns the first Example of a package that has an output, is complete by itself and imports the package.
func (t *tree) firstExample(dir string) (e example, found bool, err error) {
	for _, file := range t.files {
		if path.Dir(file) != dir || !strings.HasSuffix(file, "_test.go") {
			continue
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, filepath.Join(t.root, file), nil, parser.ParseComments)
		if err != nil {
			return e, false, err
		}
		list := doc.Examples(f)
		slices.SortFunc(list, func(a, b *doc.Example) int { return int(a.Code.Pos() - b.Code.Pos()) })
		for _, x := range list {
			if x.Output == "" || x.Unordered || x.Play == nil || !importsOnly(x.Play, path.Join(modulePath, dir)) {
				continue
			}
			var b bytes.Buffer
			if err := format.Node(&b, fset, x.Play); err != nil {
				return e, false, err
			}
			return example{dir, "Example" + x.Name, b.Bytes(), x.Output}, true, nil
		}
	}
	return e, false, nil
}

// importsOnly reports whether f, which doc made, imports the package, and no internal package of this repository.
func importsOnly(f *ast.File, pkg string) bool {
	wanted := false
	for _, d := range f.Decls {
		imports, ok := d.(*ast.GenDecl)
		if !ok || imports.Tok != token.IMPORT {
			continue
		}
		for _, s := range imports.Specs {
			imported := strings.Trim(s.(*ast.ImportSpec).Path.Value, `"`)
			if own(imported) && slices.Contains(strings.Split(imported, "/"), "internal") {
				return false
			}
			wanted = wanted || imported == pkg
		}
	}
	return wanted
}

// examples makes a module in an empty folder that requires m, with a program for the first Example of each package of m,
// and compares what the programs print. It returns their number.
func (r *rehearsal) examples(m *member) (int, error) {
	var list []example
	for _, dir := range r.tree.packages(m) {
		e, found, err := r.tree.firstExample(dir)
		if err != nil {
			return 0, err
		}
		if found {
			list = append(list, e)
		}
	}
	if len(list) == 0 {
		return 0, errors.New("the module has no Example that is a program")
	}
	dir := filepath.Join(r.dir, "programs", filepath.FromSlash(m.dir), "example")
	if err := r.newModule(dir, m); err != nil {
		return 0, err
	}
	for i, e := range list {
		if err := write(filepath.Join(dir, fmt.Sprint("p", i), "main.go"), e.source); err != nil {
			return 0, err
		}
	}
	if _, err := output(dir, r.env, "go", "build", "-mod=mod", "-o", "bin"+string(filepath.Separator), "./..."); err != nil {
		return 0, err
	}
	for i, e := range list {
		// Tests run in the folder of their package, too. It is that of the copy, because the go command, which octetgen starts,
		// replaces no files in the module cache.
		folder := filepath.Join(r.tree.root, filepath.FromSlash(e.dir))
		got, err := output(folder, r.env, filepath.Join(dir, "bin", fmt.Sprint("p", i)+executable))
		if err != nil {
			return 0, fmt.Errorf("%s.%s: %w", e.dir, e.name, err)
		}
		if strings.TrimSpace(got) != strings.TrimSpace(e.output) {
			return 0, fmt.Errorf("%s.%s prints\n%s\nwant\n%s", e.dir, e.name, got, e.output)
		}
	}
	return len(list), nil
}

// newModule makes a module in a new folder that requires the modules of the rehearsal.
func (r *rehearsal) newModule(dir string, required ...*member) error {
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	if _, err := output(dir, r.env, "go", "mod", "init", "example.com/rehearsal"); err != nil {
		return err
	}
	args := []string{"get"}
	for _, m := range required {
		args = append(args, m.path+"@"+r.version)
	}
	_, err := output(dir, r.env, "go", args...)
	return err
}

func write(name string, text []byte) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, text, 0o666)
}
