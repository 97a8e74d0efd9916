package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// findHook reports a hand-written method that a library calls, and keeps its
// parameters.
func (p *program) findHook(pkg *Package, f *ast.FuncDecl) {
	if f.Recv == nil {
		return
	}
	o, ok := pkg.Info.Defs[f.Name].(*types.Func)
	if !ok {
		return
	}
	for _, lib := range p.libraries {
		row, ok := lib.Hook(f.Name.Name)
		if !ok {
			continue
		}
		s := o.Signature()
		mentioned := row.Flags&table.Named != 0 && slices.ContainsFunc(pkg.Types.Imports(), func(i *types.Package) bool { return i.Path() == lib.Path })
		for _, list := range []*types.Tuple{s.Params(), s.Results()} {
			for v := range list.Variables() {
				if named := p.libraryNamed(v.Type()); named != nil && p.library(named.Obj()) == lib {
					mentioned = true
					p.flow.block(p.at(v.Pos()), p.fset.Position(f.Name.Pos()), "the type is in the signature of the method "+f.Name.Name)
				}
			}
		}
		if mentioned {
			do := row.Do
			if lib.Adapter != "" && p.severalValues(pkg, f, lib) {
				do = several + do
			}
			if lib.Adapter != "" {
				do = strings.ReplaceAll(do, "{adapter}", "package "+lib.Adapter)
			}
			p.find(Left, f.Name.Pos(), lib, f.Name.Name, do)
		}
	}
}

// addGenerated adds a call of a method that the generator of a library wrote, such
// as MarshalMsg.
func (p *program) addGenerated(pkg *Package, file *ast.File, id *ast.Ident, f *types.Func, stack []ast.Node) {
	if f.Signature().Recv() == nil || f.Pkg() == nil {
		return
	}
	for _, lib := range p.libraries {
		row, ok := lib.Row("." + f.Name())
		if lib.Generator == nil || !ok {
			continue
		}
		declared := p.fset.Position(f.Pos()).Filename
		if !p.isGenerated(declared, lib) {
			continue
		}
		s := &site{pkg: pkg, file: file, lib: lib, row: row, name: f.Name(), id: id, ref: id, stack: slices.Clone(stack), method: true}
		sel, ok := s.parent().(*ast.SelectorExpr)
		if !ok || sel.Sel != id {
			continue
		}
		// From here on, the site is the selector, and then the call.
		s.ref, s.stack = sel, s.stack[:len(s.stack)-1]
		if call, ok := s.parent().(*ast.CallExpr); ok && ast.Unparen(call.Fun) == s.ref {
			s.call, s.stack = call, s.stack[:len(s.stack)-1]
		}
		if special, ok := lib.Row("." + f.Name() + "(nil)"); ok && s.call != nil && len(s.call.Args) == 1 && pkg.Info.Types[s.call.Args[0]].IsNil() {
			s.row = special
		}
		for _, e := range s.arguments() {
			if t := pkg.Info.TypeOf(e); p.mentions(t) && !p.isData(t) {
				s.nodes = append(s.nodes, p.carrier(pkg.Info, e))
			}
		}
		p.sites = append(p.sites, s)
		switch {
		case !s.row.Rewrites():
			s.why = s.row.Do
		case s.call == nil:
			s.why = "call the method where it is used"
		case s.row.Flags&table.Discard != 0 && !discards(s):
			s.why = s.row.Do
		case p.shaped(f) != "":
			s.why = generatedShape + p.shaped(f) + changeShape + s.row.Do
		}
		if s.why != "" {
			for _, n := range s.nodes {
				p.flow.block(n, p.fset.Position(s.at()), s.name+" is not rewritten")
			}
			p.find(Left, s.at(), lib, s.name, s.why)
		}
	}
}

// generatedCall reports whether a function is a generated method that a table
// replaces.
func (p *program) generatedCall(info *types.Info, fun ast.Expr) bool {
	sel, ok := ast.Unparen(fun).(*ast.SelectorExpr)
	if !ok {
		return false
	}
	f, ok := info.Uses[sel.Sel].(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return false
	}
	for _, lib := range p.libraries {
		if _, ok := lib.Row("." + f.Name()); ok && p.isGenerated(p.fset.Position(f.Pos()).Filename, lib) {
			return true
		}
	}
	return false
}

// isGenerated reports whether the generator of a library wrote a file.
func (p *program) isGenerated(name string, lib *table.Library) bool {
	head, ok := p.generated[name]
	if !ok {
		text := p.sources[name]
		if text == nil && name != "" {
			text, _ = p.Read(name)
		}
		// Some generators write their comment after the package clause.
		head, _, _ = strings.Cut(string(text), "\nfunc ")
		p.generated[name] = head
	}
	for _, mark := range lib.Generator {
		if strings.Contains(head, mark) {
			return true
		}
	}
	return false
}

const (
	generatedShape = "the generated code of the type writes something else than Octet, because "
	changeShape    = ": change that, then "
)

// shaped returns why the generated code of a type, or of one that it contains, writes something
// else than Octet, or "".
func (p *program) shaped(f *types.Func) string {
	t := f.Signature().Recv().Type()
	if pt, ok := t.(*types.Pointer); ok {
		t = pt.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return ""
	}
	return p.shapes[p.at(named.Obj().Pos())]
}

// takes reports whether a parameter of a method is of a library's type.
func (p *program) takes(f *types.Func, lib *table.Library) bool {
	for v := range f.Signature().Params().Variables() {
		if named := p.libraryNamed(v.Type()); named != nil && p.library(named.Obj()) == lib {
			return true
		}
	}
	return false
}
