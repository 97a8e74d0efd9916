package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
)

// A node is a place that can hold a value of another library's type: a variable,
// parameter, result or field, or an expression. Nodes between which values flow
// are joined. Either all uses of joined nodes are rewritten or none.
//
// Its text is the position of the declaration, which is the same in all
// variants of a package.
type node string

// nowhere is the node of declarations outside the program. It is blocked.
const nowhere node = "outside"

// unwritten is the node of variables whose type comes from a function of a library. It is blocked.
const unwritten node = "unwritten"

// flow is a set of disjoint sets of nodes.
type flow struct {
	parent map[node]node
	reason map[node]*blocker // by representative
}

// A blocker is the first use that keeps a set of nodes as it is.
type blocker struct {
	pos  token.Position
	text string
}

func newFlow() *flow {
	return &flow{parent: map[node]node{}, reason: map[node]*blocker{
		nowhere:   {text: "it is declared in code that is not rewritten, such as another package or a file that imports C"},
		unwritten: {text: "it is a function in a place without a type of its own: write the type, as in var f func(int) bool = g"},
	}}
}

func (f *flow) find(n node) node {
	for {
		p, ok := f.parent[n]
		if !ok {
			return n
		}
		if g, ok := f.parent[p]; ok {
			f.parent[n] = g
		}
		n = p
	}
}

func (f *flow) join(a, b node) {
	if a == "" || b == "" {
		return
	}
	a, b = f.find(a), f.find(b)
	if a == b {
		return
	}
	if b == nowhere {
		a, b = b, a
	}
	f.parent[b] = a
	if f.reason[a] == nil {
		f.reason[a] = f.reason[b]
	}
}

func (f *flow) block(n node, pos token.Position, text string) {
	if n = f.find(n); n != "" && f.reason[n] == nil {
		f.reason[n] = &blocker{pos, text}
	}
}

// blocked returns why the nodes stay as they are, or nil.
func (f *flow) blocked(n node) *blocker {
	if n == "" {
		return nil
	}
	return f.reason[f.find(n)]
}

// at returns the node of what is declared at a position.
func (p *program) at(pos token.Pos) node {
	if !pos.IsValid() {
		return nowhere
	}
	at := p.fset.Position(pos)
	if !p.inside[at.Filename] {
		return nowhere
	}
	return node(at.Filename + ":" + strconv.Itoa(at.Line) + ":" + strconv.Itoa(at.Column))
}

// mentions reports whether values of type t are values of a library's type, or
// contain or accept them without a named type in between.
func (p *program) mentions(t types.Type) bool { return p.mentioned(t, 0, map[types.Type]int{}) }

// mentioned is mentions without the types of functions in seen, unless they were seen at a
// greater depth, where not all of what they contain was looked at.
func (p *program) mentioned(t types.Type, depth int, seen map[types.Type]int) bool {
	if t == nil || depth > 20 {
		return false
	}
	depth++
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if p.isLibraryType(t.Obj()) {
			return true
		}
		for i := range t.TypeArgs().Len() {
			if p.mentioned(t.TypeArgs().At(i), depth, seen) {
				return true
			}
		}
		// A named type of functions passes what its functions accept.
		if s, ok := t.Underlying().(*types.Signature); ok {
			if d, ok := seen[t]; ok && d <= depth {
				return false
			}
			seen[t] = depth
			return p.mentioned(s, depth, seen)
		}
	case *types.Pointer:
		return p.mentioned(t.Elem(), depth, seen)
	case *types.Slice:
		return p.mentioned(t.Elem(), depth, seen)
	case *types.Array:
		return p.mentioned(t.Elem(), depth, seen)
	case *types.Chan:
		return p.mentioned(t.Elem(), depth, seen)
	case *types.Map:
		return p.mentioned(t.Key(), depth, seen) || p.mentioned(t.Elem(), depth, seen)
	case *types.Tuple:
		for i := range t.Len() {
			if p.mentioned(t.At(i).Type(), depth, seen) {
				return true
			}
		}
	case *types.Signature:
		return p.mentioned(t.Params(), depth, seen) || p.mentioned(t.Results(), depth, seen)
	case *types.Struct:
		for i := range t.NumFields() {
			if p.mentioned(t.Field(i).Type(), depth, seen) {
				return true
			}
		}
	}
	return false
}

// isLibraryType reports whether a type is one that a table replaces or keeps.
func (p *program) isLibraryType(o types.Object) bool {
	lib := p.library(o)
	if lib == nil || lib.Same {
		return false
	}
	if lib.Profile != "" {
		return true
	}
	_, ok := lib.Row(o.Name())
	return ok
}

// carrier returns the node that an expression takes its value from.
func (p *program) carrier(info *types.Info, e ast.Expr) node {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return p.carrier(info, e.X)
	case *ast.StarExpr:
		return p.carrier(info, e.X)
	case *ast.UnaryExpr:
		return p.carrier(info, e.X)
	case *ast.IndexExpr:
		return p.carrier(info, e.X)
	case *ast.SliceExpr:
		return p.carrier(info, e.X)
	case *ast.Ident:
		if v, ok := object(info, e).(*types.Var); ok {
			return p.at(v.Pos())
		}
	case *ast.SelectorExpr:
		if v, ok := info.Uses[e.Sel].(*types.Var); ok {
			if p.library(v) != nil {
				return p.carrier(info, e.X)
			}
			return p.at(v.Pos())
		}
	case *ast.CallExpr:
		if tv := info.Types[e.Fun]; tv.IsType() && len(e.Args) == 1 {
			return p.carrier(info, e.Args[0])
		}
		if tv := info.Types[e.Fun]; tv.IsBuiltin() {
			if len(e.Args) == 0 || info.Types[e.Args[0]].IsType() {
				return p.at(e.Pos())
			}
			return p.carrier(info, e.Args[0])
		}
		if f := p.libraryFunc(info, e.Fun); f != nil {
			if f.Signature().Recv() != nil { // such as SetSortMapKeys, which returns its receiver
				if s, ok := ast.Unparen(e.Fun).(*ast.SelectorExpr); ok {
					return p.carrier(info, s.X)
				}
			}
			return p.at(e.Pos())
		}
		if r := resultsOf(info, e); len(r) == 1 {
			return p.at(r[0].Pos())
		}
	}
	return p.at(e.Pos())
}

func object(info *types.Info, id *ast.Ident) types.Object {
	if o := info.Uses[id]; o != nil {
		return o
	}
	return info.Defs[id]
}

// lastName returns the identifier that e is, or that it selects, or nil.
func lastName(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	}
	return nil
}

// libraryFunc returns the function or method of a library that e denotes.
func (p *program) libraryFunc(info *types.Info, e ast.Expr) *types.Func {
	if f := function(info, e); f != nil && p.library(f) != nil {
		return f
	}
	return nil
}

// joinTypes joins the parameters and results of the function types in two types,
// between which values flow.
func (p *program) joinTypes(a, b types.Type) {
	if a != nil && b != nil && p.mentions(b) {
		p.joinParts(a, b, map[[2]types.Type]bool{})
	}
}

// joinParts is joinTypes without the pairs in seen, and adds those that it joins. Types can
// contain themselves.
func (p *program) joinParts(a, b types.Type, seen map[[2]types.Type]bool) {
	pair := [2]types.Type{a, b}
	if seen[pair] {
		return
	}
	seen[pair] = true
	switch a := a.Underlying().(type) {
	case *types.Signature:
		b, ok := b.Underlying().(*types.Signature)
		if !ok {
			return
		}
		for _, pair := range [][2]*types.Tuple{{a.Params(), b.Params()}, {a.Results(), b.Results()}} {
			for i := range min(pair[0].Len(), pair[1].Len()) {
				x, y := pair[0].At(i), pair[1].At(i)
				if p.mentions(x.Type()) || p.mentions(y.Type()) {
					p.flow.join(p.at(x.Pos()), p.at(y.Pos()))
					p.joinParts(x.Type(), y.Type(), seen)
				}
			}
		}
	case *types.Slice, *types.Array, *types.Pointer, *types.Chan:
		if b, ok := b.Underlying().(interface{ Elem() types.Type }); ok {
			p.joinParts(a.(interface{ Elem() types.Type }).Elem(), b.Elem(), seen)
		}
	case *types.Map:
		if b, ok := b.Underlying().(*types.Map); ok {
			p.joinParts(a.Key(), b.Key(), seen)
			p.joinParts(a.Elem(), b.Elem(), seen)
		}
	}
}
