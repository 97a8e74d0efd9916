package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// Some files of a package are not rewritten: those that build constraints exclude, which
// have no types, and those with import "C", which the compiler gets from cgo. What they use
// must stay as it is.

const (
	inExcluded = "build constraints exclude this file: run octet-migrate again with -tags, or with the GOOS and GOARCH that select it"
	inAbsent   = "this file is not an argument of the command: run octet-migrate again with the folder"
	inCgo      = "files that import C are not rewritten: move what uses the library to another file, or replace it by hand"
)

// connectHidden joins and keeps what the files that cgo has translated use.
func (p *program) connectHidden(pkg *Package) {
	for _, f := range pkg.Hidden {
		p.connect(pkg, f)
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				p.keepObject(pkg.Info.Uses[id], p.fset.Position(id.Pos()), "a file that imports C uses it")
			}
			return true
		})
	}
}

// keepObject keeps a variable, or the parameters and results of a function.
func (p *program) keepObject(o types.Object, by token.Position, text string) {
	keep := func(v *types.Var) {
		if p.mentions(v.Type()) {
			p.flow.block(p.at(v.Pos()), by, text)
		}
	}
	switch o := o.(type) {
	case *types.Var:
		keep(o)
	case *types.Func:
		for _, list := range []*types.Tuple{o.Signature().Params(), o.Signature().Results()} {
			for v := range list.Variables() {
				keep(v)
			}
		}
	}
}

// findExcluded reports the imports of files that build constraints exclude, and of those that
// cgo translates, and keeps what the first can use: all with a name that they contain.
func (p *program) findExcluded(pkg *Package) {
	do, text := inExcluded, "its name is in a file that build constraints exclude"
	if pkg.Partial {
		do, text = inAbsent, "its name is in a file that is not an argument of the command"
	}
	for _, name := range pkg.Ignored {
		if p.inside[name] || !strings.HasSuffix(name, ".go") {
			continue
		}
		p.inside[name] = true // other variants of the package have it, too
		file := p.findImports(name, do)
		if file == nil || strings.TrimSuffix(file.Name.Name, "_test") != strings.TrimSuffix(pkg.Types.Name(), "_test") {
			continue
		}
		p.findExcludedTags(file, do)
		p.exclude(name, file)
		names := map[string]token.Pos{}
		ast.Inspect(file, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && !names[id.Name].IsValid() {
				names[id.Name] = id.Pos()
			}
			return true
		})
		for _, o := range pkg.Info.Defs {
			if o == nil || !names[o.Name()].IsValid() {
				continue
			}
			v, isVar := o.(*types.Var)
			_, isFunc := o.(*types.Func)
			if o.Parent() == pkg.Types.Scope() || isFunc || isVar && v.IsField() {
				p.keepObject(o, p.fset.Position(names[o.Name()]), text)
			}
		}
	}
	for _, name := range pkg.Cgo {
		if !p.inside[name+" "] {
			p.inside[name+" "] = true
			p.findImports(name, inCgo)
		}
	}
}

// exclude records the names that a file declares which build constraints exclude.
func (p *program) exclude(name string, file *ast.File) {
	dir := filepath.Dir(name)
	if p.excluded[dir] == nil {
		p.excluded[dir] = map[string]bool{}
	}
	add := func(id *ast.Ident) { p.excluded[dir][id.Name] = true }
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil {
				add(d.Name)
			}
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					add(s.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						add(id)
					}
				}
			}
		}
	}
}

// refusedOption returns the first of the options of a tag that Octet does not have, or "".
func refusedOption(lib *table.Library, options []string) string {
	for _, option := range options {
		name, _, _ := strings.Cut(option, ":")
		row, known := findTag(lib, name)
		if known && (row.Flags&(table.Shape|table.Replaced) != 0) || !slices.Contains(octetOptions, option) && len(lib.TagKeys) == 0 {
			return option
		}
	}
	return ""
}

// findExcludedTags reports the tags in a file that Octet refuses. The file does not have to import the library.
func (p *program) findExcludedTags(file *ast.File, do string) {
	ast.Inspect(file, func(n ast.Node) bool {
		f, ok := n.(*ast.Field)
		if !ok || f.Tag == nil {
			return true
		}
		text, _ := strconv.Unquote(f.Tag.Value)
		for _, lib := range p.libraries {
			used := func(pkg *Package) bool {
				return slices.ContainsFunc(pkg.Types.Imports(), func(i *types.Package) bool { return i.Path() == lib.Path })
			}
			tag, tagged := reflect.StructTag(text).Lookup(lib.TagKey)
			if !tagged || lib.Profile == "" || !slices.ContainsFunc(p.packages, used) {
				continue
			}
			if option := refusedOption(lib, strings.Split(tag, ",")[1:]); option != "" {
				p.find(Left, f.Tag.Pos(), lib, "tag option "+option, do)
				break
			}
		}
		return true
	})
}

// findImports parses a file and reports its imports of libraries.
func (p *program) findImports(name, text string) *ast.File {
	source, err := p.Read(name)
	if err != nil {
		return nil
	}
	file, err := parser.ParseFile(p.fset, name, source, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	p.findVersions(file)
	for _, spec := range file.Imports {
		if lib := table.For(p.libraries, strings.Trim(spec.Path.Value, `"`)); lib != nil && (lib.Profile != "" || names(file, lib)) {
			p.find(Left, spec.Pos(), lib, "import", text)
			for _, r := range lib.Rows { // the file can encode values of other files
				if r.Flags&table.Data != 0 {
					p.flow.block(dataNode(lib.Path, r.Name), p.fset.Position(spec.Pos()), "a file that is not rewritten imports the library")
				}
			}
		}
	}
	return file
}

// names reports whether a file has the qualified name of something that is replaced, if only
// some names of a package are.
func names(file *ast.File, lib *table.Library) (found bool) {
	list := lib.OnlyWith
	if len(list) == 0 {
		for _, r := range lib.Rows {
			list = append(list, r.Name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		found = found || ok && slices.Contains(list, sel.Sel.Name)
		return !found
	})
	return found
}
