package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

const isCopied = "it is copied, and copies share their memory, which copies of a bytebuf.Buffer do only if it is long"

const isRenewed = "a new value is assigned to it, which in a bytebuf.Buffer changes the slices that its methods have returned"

// keepCopied keeps the values of types of the standard library that are copied: the copies
// of a bytes.Buffer share memory.
func (p *program) keepCopied(info *types.Info, e ast.Expr) { p.keepParts(info, info.TypeOf(e), e) }

// keepReceiver keeps the values in the receiver of a method that gets a copy.
func (p *program) keepReceiver(info *types.Info, e *ast.SelectorExpr) {
	if s := info.Selections[e]; s != nil && s.Kind() == types.MethodVal {
		p.keepParts(info, s.Obj().(*types.Func).Signature().Recv().Type(), e.X)
	}
}

// keepParts keeps the values in a value of type t that is copied from an expression.
func (p *program) keepParts(info *types.Info, t types.Type, e ast.Expr) {
	switch e := ast.Unparen(e).(type) {
	case *ast.CallExpr:
		if info.Types[e.Fun].IsType() && len(e.Args) == 1 {
			p.keepParts(info, info.TypeOf(e.Args[0]), e.Args[0])
		}
	case *ast.Ident, *ast.SelectorExpr, *ast.StarExpr, *ast.IndexExpr, *ast.SliceExpr:
		p.parts(t, p.carrier(info, e), 0, func(n node) { p.flow.block(n, p.fset.Position(e.Pos()), isCopied) })
	} // others are new values
}

// lenders are the methods of a Buffer whose results can be its memory.
var lenders = []string{"AvailableBuffer", "Bytes", "Next", "Peek"}

// A renewal is a value of a type of the standard library that an assignment replaces.
type renewal struct {
	at  node
	pos token.Pos
}

// A partInGeneric is a value of the type of a type parameter. It is visited if the parameter stands for a type that
// contains values of types of the standard library, which is known at the end.
type partInGeneric struct {
	param node
	visit func()
}

// renews records that a value is assigned to an expression that declares no variable.
func (p *program) renews(info *types.Info, left ast.Expr) {
	if id, ok := left.(*ast.Ident); ok && (id.Name == "_" || info.Defs[id] != nil) {
		return
	}
	p.renewParts(info, info.TypeOf(left), left)
}

// renewParts records that the values in an expression, or its elements, of type t get new values.
func (p *program) renewParts(info *types.Info, t types.Type, e ast.Expr) {
	p.parts(t, p.carrier(info, e), 0, func(n node) { p.renewed = append(p.renewed, renewal{n, e.Pos()}) })
}

// lends records that a method is used whose result can be memory of its receiver.
func (p *program) lends(info *types.Info, e *ast.SelectorExpr) {
	f, ok := info.Uses[e.Sel].(*types.Func)
	if !ok || f.Signature().Recv() == nil || p.libraryNamed(f.Signature().Recv().Type()) == nil || !slices.Contains(lenders, f.Name()) {
		return
	}
	p.lent = append(p.lent, p.carrier(info, e.X))
	if v := p.promotedFrom(info.Selections[e]); v != nil {
		p.lent = append(p.lent, p.at(v.Pos()))
	}
}

// keepRenewed keeps the values that are replaced while slices of their memory can be in use.
func (p *program) keepRenewed() {
	values := map[node]bool{}
	for _, n := range p.valued {
		values[p.flow.find(n)] = true
	}
	for _, g := range p.inGeneric {
		if values[p.flow.find(g.param)] {
			g.visit()
		}
	}
	for _, s := range p.stored {
		for m := range s.in.Methods() {
			if slices.Contains(lenders, m.Name()) {
				p.lent = append(p.lent, s.value)
			}
		}
	}
	lent := map[node]bool{}
	for _, n := range p.lent {
		lent[p.flow.find(n)] = true
	}
	for _, r := range p.renewed {
		if lent[p.flow.find(r.at)] {
			p.flow.block(r.at, p.fset.Position(r.pos), isRenewed)
		}
	}
}

// parts calls f with the nodes of the values of types of the standard library in a value at a node.
func (p *program) parts(t types.Type, at node, depth int, f func(node)) {
	if t == nil || depth > 20 {
		return
	}
	depth++
	if param, ok := types.Unalias(t).(*types.TypeParam); ok {
		p.inGeneric = append(p.inGeneric, partInGeneric{p.at(param.Obj().Pos()), func() { f(at) }})
	}
	if named, ok := types.Unalias(t).(*types.Named); ok && p.isLibraryType(named.Obj()) {
		if p.library(named.Obj()).Profile == "" {
			f(at)
		}
		return
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		p.parts(u.Elem(), at, depth, f)
	case *types.Struct:
		for v := range u.Fields() {
			p.parts(v.Type(), p.at(v.Pos()), depth, f)
		}
	}
}
