package rewrite

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// A placed is a type at a node.
type placed struct {
	t  types.Type
	at node
}

// A lookedAt has the types and places that were looked at for the sites of a library.
type lookedAt struct {
	types map[placed]bool
	nodes map[node]bool
}

// keepData keeps the types of data, such as raw messages, in the values of a site that is not rewritten: the library does
// not know their replacements, and would encode them in another way. It looks at what sites of the library have in common once.
func (p *program) keepData(s *site, looked map[*table.Library]*lookedAt) {
	f, ok := s.pkg.Info.Uses[s.id].(*types.Func)
	if !ok {
		return
	}
	l := looked[s.lib]
	if l == nil {
		l = &lookedAt{map[placed]bool{}, map[node]bool{}}
		looked[s.lib] = l
	}
	r := &reach{p: p, s: s, nodes: l.nodes}
	r.eachValue(f, func(t types.Type, at node) { r.dataIn(t, at, l.types, 0) })
	for _, n := range r.data {
		p.flow.block(n, p.fset.Position(s.at()), s.name+" is not rewritten")
	}
}

// dataIn adds the types of data in values of type t at a node. Unlike in, it looks at all of them.
func (r *reach) dataIn(t types.Type, at node, seen map[placed]bool, depth int) {
	if depth > 50 || seen[placed{t, at}] {
		return
	}
	seen[placed{t, at}] = true
	depth++
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		r.dataAt(r.p.at(t.Obj().Pos()), seen)
	case *types.Named:
		if r.p.library(t.Obj()) == r.s.lib && r.p.isData(t) {
			r.data = append(r.data, r.p.dataNode(t.Obj()))
			return
		}
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		r.dataAt(at, seen)
	case *types.Struct:
		for f := range u.Fields() {
			r.dataIn(f.Type(), r.p.at(f.Pos()), seen, depth)
		}
	case *types.Map:
		r.dataIn(u.Key(), at, seen, depth)
		r.dataIn(u.Elem(), at, seen, depth)
	case *types.Chan:
	case interface{ Elem() types.Type }:
		r.dataIn(u.Elem(), at, seen, depth)
	}
}

// dataAt looks at the types that the values of an interface can have.
func (r *reach) dataAt(n node, seen map[placed]bool) {
	if r.nodes[n] {
		return
	}
	r.nodes[n] = true
	for _, t := range r.p.dynamic.of(n) {
		r.dataIn(t, n, seen, 0)
	}
}

// eachValue calls look with the types and places of the values that a site encodes or decodes with f.
func (r *reach) eachValue(f *types.Func, look func(types.Type, node)) {
	p, s := r.p, r.s
	switch {
	case strings.HasPrefix(s.row.Name, "."): // a generated method
		x := s.ref.(*ast.SelectorExpr).X
		e, at := p.source(s.pkg.Info, x)
		look(s.pkg.Info.TypeOf(e), at)
	case s.call == nil:
		targets, unknown := p.targetsOf(s)
		if unknown {
			targets = append(targets, f.Type())
		}
		for _, t := range targets {
			if sig, ok := t.Underlying().(*types.Signature); ok {
				for v := range sig.Params().Variables() {
					if isValue(v.Type()) {
						look(v.Type(), p.at(v.Pos()))
					}
				}
			}
		}
	default:
		for i, a := range s.arguments() {
			param := s.param(p, f, i)
			e, at := p.source(s.pkg.Info, a)
			t := s.pkg.Info.TypeOf(e)
			switch {
			case t == nil || param == nil:
			case param.String() == "reflect.Value":
				look(r.reflected(e))
			case isValue(param):
				look(t, at)
			}
		}
	}
}

// reflected returns the type of the value in a reflect.Value.
func (r *reach) reflected(e ast.Expr) (types.Type, node) {
	info := r.s.pkg.Info
	if call, ok := e.(*ast.CallExpr); ok && len(call.Args) == 1 && types.ExprString(call.Fun) == "reflect.ValueOf" {
		e, at := r.p.source(info, call.Args[0])
		return info.TypeOf(e), at
	}
	return types.Universe.Lookup("any").Type(), nowhere
}
