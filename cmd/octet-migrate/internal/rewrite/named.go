package rewrite

import (
	"go/ast"
	"go/types"
)

// keepNamed keeps what is an element of a type with a name, such as that of a map. The declaration of
// the type stays as it is.
func (p *program) keepNamed(info *types.Info, file *ast.File) {
	keep := func(t types.Type, at node, n ast.Node) {
		if name := p.namedElements(t, 0); name != "" {
			p.flow.block(at, p.fset.Position(n.Pos()), "it is in a value of the type "+name)
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			if v, ok := info.Defs[n].(*types.Var); ok {
				keep(v.Type(), p.at(v.Pos()), n)
			}
		case *ast.Field:
			if len(n.Names) == 0 {
				keep(info.TypeOf(n.Type), p.at(n.Type.Pos()), n)
			}
		case *ast.CompositeLit, *ast.CallExpr:
			keep(info.TypeOf(n.(ast.Expr)), p.carrier(info, n.(ast.Expr)), n)
		}
		return true
	})
}

// namedElements returns the name of a type in t whose elements are values of a library's type that is
// not data, or "".
func (p *program) namedElements(t types.Type, depth int) string {
	if t == nil || depth > 20 {
		return ""
	}
	depth++
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		switch u := t.Underlying().(type) {
		case *types.Map, *types.Slice, *types.Array, *types.Chan, *types.Pointer:
			if !p.isLibraryType(t.Obj()) && t.TypeArgs() == nil && p.mentions(u) && !p.isData(u) {
				return t.Obj().Name()
			}
		}
	case *types.Map:
		return p.namedElements(t.Key(), depth) + p.namedElements(t.Elem(), depth)
	case interface{ Elem() types.Type }:
		return p.namedElements(t.Elem(), depth)
	}
	return ""
}
