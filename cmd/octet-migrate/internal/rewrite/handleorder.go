package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// The options of a handle become those of a Codec, which has them from the beginning. So a
// handle is replaced only if its options are set before it is used, on every way.

// A setting is a statement that sets an option.
type setting struct {
	info  *types.Info
	pos   token.Pos
	stack []ast.Node // around the statement
}

// A handleUse is a call that takes a handle.
type handleUse struct {
	pos    token.Pos
	inFunc bool // not in the initializer of a variable of the package
}

const (
	orderUnknown = "it is not certain that this option is set before each use of the handle: make a Codec by hand"
	fieldOption  = "an option of a handle in a struct is set: make a Codec by hand"
	otherHandle  = "the handle is not a variable of its own: make a Codec by hand"
)

// keepUnordered keeps the handles with an option that may be set after a use, or not at all.
func (p *program) keepUnordered(h *handle) {
	for _, s := range h.sets {
		ordered := false
		if block, ok := s.stack[len(s.stack)-1].(*ast.BlockStmt); ok {
			ordered = block == h.block
			if f, isFunc := s.stack[len(s.stack)-2].(*ast.FuncDecl); h.block == nil && isFunc && f.Recv == nil {
				name, file := f.Name.Name, s.stack[0].(*ast.File)
				ordered = (name == "init" || name == "main" && file.Name.Name == "main") && !p.callsBefore(s.info, block, s.pos)
			}
		}
		early := func(u handleUse) bool {
			return !u.inFunc || h.block != nil && u.pos < s.pos || p.sameFunc(s, u.pos) && u.pos < s.pos
		}
		if !ordered || s.info != h.home || slices.ContainsFunc(h.used, early) {
			p.flow.block(h.node, p.fset.Position(s.pos), orderUnknown)
		}
	}
}

// sameFunc reports whether a position is in the function in which an option is set.
func (p *program) sameFunc(s setting, pos token.Pos) bool {
	i := slices.IndexFunc(s.stack, func(n ast.Node) bool { _, ok := n.(*ast.FuncDecl); return ok })
	return i >= 0 && s.stack[i].Pos() <= pos && pos < s.stack[i].End()
}

// callsBefore reports whether the statements of a block before a position call functions of
// the program, which can use a variable of the package.
func (p *program) callsBefore(info *types.Info, block *ast.BlockStmt, pos token.Pos) (found bool) {
	ast.Inspect(block, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok || call.Pos() >= pos {
			return n == nil || n.Pos() < pos
		}
		if tv := info.Types[call.Fun]; tv.IsType() || tv.IsBuiltin() {
			return true
		}
		f, isFunc := info.Uses[lastName(call.Fun)].(*types.Func)
		found = found || !isFunc || p.at(f.Pos()) != nowhere
		return true
	})
	return found
}

// useField records a use of a field that is a handle. It can be an argument, and be set to a
// handle without options.
func (p *program) useField(pkg *Package, id *ast.Ident, v *types.Var, stack []ast.Node) {
	_, row := p.handleType(v.Type())
	if row.Flags&table.Handle == 0 || p.at(v.Pos()) == nowhere || pkg.Info.Defs[id] != nil {
		return
	}
	block := func(text string) { p.flow.block(p.at(v.Pos()), p.fset.Position(id.Pos()), text) }
	if kv, ok := stack[len(stack)-1].(*ast.KeyValueExpr); ok && kv.Key == id {
		if !p.isHandleValue(pkg, kv.Value) {
			block(handleStays)
		}
		return
	}
	if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok && sel.Sel == id {
		stack = stack[:len(stack)-1]
	}
	if u, ok := stack[len(stack)-1].(*ast.UnaryExpr); ok && u.Op == token.AND {
		stack = stack[:len(stack)-1]
	}
	switch n := stack[len(stack)-1].(type) {
	case *ast.CallExpr:
		if p.libraryFunc(pkg.Info, n.Fun) == nil {
			block(handleStays)
		}
	case *ast.SelectorExpr:
		block(fieldOption)
	case *ast.AssignStmt:
		if len(n.Lhs) != 1 || len(n.Rhs) != 1 || !p.isHandleValue(pkg, n.Rhs[0]) {
			block(handleStays)
		}
	default:
		block(handleStays)
	}
}

// isKnown reports whether the options of a handle that is an argument are known: it is a
// variable, a field or a new handle.
func (p *program) isKnown(pkg *Package, e ast.Expr) bool {
	if u, ok := ast.Unparen(e).(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		_, isVar := pkg.Info.Uses[e.Sel].(*types.Var)
		return isVar
	default:
		return p.isHandleValue(pkg, e)
	}
}
