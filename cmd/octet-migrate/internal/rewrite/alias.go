package rewrite

import (
	"go/ast"
	"go/types"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// joinAlias joins an alias of a library's type with the places where its name is written.
// The file uses the name id.
func (p *program) joinAlias(pkg *Package, file *ast.File, id *ast.Ident, stack []ast.Node) {
	o, ok := pkg.Info.Uses[id].(*types.TypeName)
	if !ok || !o.IsAlias() || p.library(o) != nil || !p.mentions(o.Type()) || p.isData(o.Type()) {
		return
	}
	alias := p.at(o.Pos())
	s := &site{pkg: pkg, file: file, id: id, ref: id, stack: stack}
	if sel, ok := s.parent().(*ast.SelectorExpr); ok && sel.Sel == id {
		s.ref, s.stack = sel, stack[:len(stack)-1]
	}
	for _, n := range p.placesOf(s) {
		p.flow.join(alias, n)
	}
	if named, ok := types.Unalias(o.Type()).(*types.Named); ok && p.isLibraryType(named.Obj()) { // not one with type arguments of a library
		row, _ := p.library(named.Obj()).Row(named.Obj().Name())
		if _, pointed := s.parent().(*ast.StarExpr); !pointed && row.Flags&table.Pointer != 0 {
			p.flow.block(alias, p.fset.Position(id.Pos()), "the zero value of the type that replaces it is not ready")
		}
	}
}

// keepAlias keeps an exported alias that other modules can use.
func (p *program) keepAlias(info *types.Info, file *ast.File, spec *ast.TypeSpec) {
	if o := info.Defs[spec.Name]; spec.Assign.IsValid() && spec.Name.IsExported() && o != nil && !p.Closed && file.Name.Name != "main" && p.mentions(o.Type()) {
		p.flow.block(p.at(o.Pos()), p.fset.Position(o.Pos()), isExported)
	}
}
