package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

const isCopied = "copies share their memory, which copies of a bytebuf.Buffer do only if it is long"

const isRenewed = "a new value is assigned to it, which in a bytebuf.Buffer changes the slices that its methods have returned"

const isReturned = "it is returned as a copy, which shares the slices that its methods have returned, but a bytebuf.Buffer only if it is long"

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
		p.copies(t, p.carrier(info, e), e.Pos(), "it is copied, and "+isCopied)
	} // others are new values
}

// copies keeps the values in a value of type t at a node, because it is copied.
func (p *program) copies(t types.Type, at node, pos token.Pos, why string) {
	p.parts(t, at, 0, func(n node) { p.flow.block(n, p.fset.Position(pos), why) })
}

// keepElements keeps the values in those of a type for which a generic function of another module is called, such as
// slices.Delete: it can copy them.
func (p *program) keepElements(id *ast.Ident, f *types.Func, t types.Type) {
	switch u := t.Underlying().(type) {
	case *types.Slice:
		t = u.Elem()
	case *types.Map:
		t = u.Elem()
	}
	p.copies(t, "", id.Pos(), f.Pkg().Name()+"."+f.Name()+" can copy it, and "+isCopied)
}

// lenders are the methods of a Buffer whose results can be its memory.
var lenders = []string{"AvailableBuffer", "Bytes", "Next", "Peek"}

// A renewal is a value of a type of the standard library that is replaced, or returned as the last copy.
type renewal struct {
	at  node
	pos token.Pos
	why string
}

// A partInGeneric is a value of the type of a type parameter. What is done with it is done with the values of types of the
// standard library in the types that the parameter stands for, which are known at the end.
type partInGeneric struct {
	param node
	visit func(node)
}

// A valued is a value of a type of the standard library in a type that a type parameter stands for.
type valued struct{ param, part node }

// renews records that a value is assigned to an expression that declares no variable.
func (p *program) renews(info *types.Info, left ast.Expr) {
	if id, ok := left.(*ast.Ident); ok && (id.Name == "_" || info.Defs[id] != nil) {
		return
	}
	p.renewParts(info.TypeOf(left), p.carrier(info, left), left.Pos(), isRenewed)
}

// renewParts records that the values in a value of type t at a node are replaced or returned.
func (p *program) renewParts(t types.Type, at node, pos token.Pos, why string) {
	p.parts(t, at, 0, func(n node) { p.renewed = append(p.renewed, renewal{n, pos, why}) })
}

// A lending is a value whose memory is the result of a method.
type lending struct {
	at      node
	pointer bool // the value is not the variable at the node, but what it points to
}

func isPointer(t types.Type) bool {
	_, ok := t.Underlying().(*types.Pointer)
	return ok
}

// lends records that a method is used whose result can be memory of its receiver.
func (p *program) lends(info *types.Info, e *ast.SelectorExpr) {
	f, ok := info.Uses[e.Sel].(*types.Func)
	if !ok || f.Signature().Recv() == nil || p.libraryNamed(f.Signature().Recv().Type()) == nil || !slices.Contains(lenders, f.Name()) {
		return
	}
	p.lent = append(p.lent, lending{p.carrier(info, e.X), isPointer(info.TypeOf(e.X))})
	if v := p.promotedFrom(info.Selections[e]); v != nil {
		p.lent = append(p.lent, lending{p.at(v.Pos()), isPointer(v.Type())})
	}
}

// keepRenewed keeps the values that are replaced while slices of their memory can be in use.
func (p *program) keepRenewed() {
	for _, g := range p.inGeneric {
		for _, v := range p.valued {
			if p.flow.find(v.param) == p.flow.find(g.param) {
				g.visit(v.part)
			}
		}
	}
	for _, s := range p.stored {
		for m := range s.in.Methods() {
			if slices.Contains(lenders, m.Name()) {
				p.lent = append(p.lent, lending{s.value, true})
			}
		}
	}
	lent, alone, pointers := map[node]bool{}, map[node]bool{}, map[node]bool{}
	for _, l := range p.lent {
		is := p.flow.find(l.at)
		lent[is], alone[l.at], pointers[is] = true, true, pointers[is] || l.pointer
	}
	for _, r := range p.renewed {
		// The variable to which a result is assigned lends its own memory.
		if is := p.flow.find(r.at); r.why != isReturned && lent[is] || alone[r.at] || pointers[is] {
			p.flow.block(r.at, p.fset.Position(r.pos), r.why)
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
		p.inGeneric = append(p.inGeneric, partInGeneric{p.at(param.Obj().Pos()), f})
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
