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
		if !ordered || s.info != h.home || slices.ContainsFunc(h.used, early) || h.block == nil && p.usedDuringStart(h, s) {
			p.flow.block(h.node, p.fset.Position(s.pos), orderUnknown)
		}
	}
}

// sameFunc reports whether a position is in the function in which an option is set.
func (p *program) sameFunc(s setting, pos token.Pos) bool {
	i := slices.IndexFunc(s.stack, func(n ast.Node) bool { _, ok := n.(*ast.FuncDecl); return ok })
	return i >= 0 && s.stack[i].Pos() <= pos && pos < s.stack[i].End()
}

// usedDuringStart reports whether a program can use a handle before the function init or main in which
// an option is set: in what the initializers of variables and other functions init run.
func (p *program) usedDuringStart(h *handle, s setting) bool {
	used, seen := map[node]bool{}, map[ast.Node]bool{}
	for _, u := range h.used {
		used[p.at(u.pos)] = true
	}
	var reaches func(info *types.Info, n ast.Node) bool
	reaches = func(info *types.Info, n ast.Node) (found bool) {
		if seen[n] {
			return false
		}
		seen[n] = true
		ast.Inspect(n, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			if !ok || found {
				return !found
			}
			f, ok := info.Uses[id].(*types.Func)
			found = used[p.at(id.Pos())] || ok && slices.ContainsFunc(p.bodiesOf(f), func(d body) bool { return reaches(d.info, d.decl) })
			return true
		})
		return found
	}
	within := s.stack[1].(*ast.FuncDecl)
	i := slices.IndexFunc(p.packages, func(pkg *Package) bool { return pkg.Info == s.info })
	before := true // the functions init of the file, and of those after it
	for _, file := range p.packages[i].Files {
		for _, d := range file.Decls {
			f, isFunc := d.(*ast.FuncDecl)
			before = before && (f != within || f.Name.Name == "main")
			if (!isFunc || before && f.Recv == nil && f.Name.Name == "init") && reaches(s.info, d) {
				return true
			}
		}
	}
	return false
}

// A body is the declaration of a function.
type body struct {
	info *types.Info
	decl *ast.FuncDecl
}

// bodiesOf returns the declarations of a function, or of all methods with the name of a method that
// is declared elsewhere, such as in an interface.
func (p *program) bodiesOf(f *types.Func) (list []body) {
	if p.bodies == nil {
		p.bodies = map[string][]body{}
		for _, pkg := range p.packages {
			for _, file := range pkg.Files {
				for _, d := range file.Decls {
					if d, ok := d.(*ast.FuncDecl); ok {
						p.bodies[d.Name.Name] = append(p.bodies[d.Name.Name], body{pkg.Info, d})
					}
				}
			}
		}
	}
	for _, b := range p.bodies[f.Name()] {
		if p.at(b.decl.Name.Pos()) == p.at(f.Pos()) {
			return []body{b}
		}
		if b.decl.Recv != nil && f.Signature().Recv() != nil {
			list = append(list, b)
		}
	}
	return list
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
