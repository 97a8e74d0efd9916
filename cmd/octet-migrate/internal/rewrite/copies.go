package rewrite

import (
	"go/ast"
	"go/types"
)

const isCopied = "it is copied, and copies share their memory, which copies of a bytebuf.Buffer do only if it is long"

// keepCopied keeps the values of types of the standard library that are copied: the copies
// of a bytes.Buffer share memory.
func (p *program) keepCopied(info *types.Info, e ast.Expr) {
	switch ast.Unparen(e).(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr:
	default:
		return // a new value
	}
	p.keepParts(info.TypeOf(e), p.carrier(info, e), e, 0)
}

func (p *program) keepParts(t types.Type, at node, e ast.Expr, depth int) {
	if t == nil || depth > 20 {
		return
	}
	depth++
	if named, ok := types.Unalias(t).(*types.Named); ok && p.isLibraryType(named.Obj()) {
		if p.library(named.Obj()).Profile == "" {
			p.flow.block(at, p.fset.Position(e.Pos()), isCopied)
		}
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		p.keepParts(u.Elem(), at, e, depth)
	case *types.Struct:
		for f := range u.Fields() {
			p.keepParts(f.Type(), p.at(f.Pos()), e, depth)
		}
	}
}
