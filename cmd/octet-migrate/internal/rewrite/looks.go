package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
)

// A value of a library's type that is stored in an interface has another type when it is
// rewritten. Code that asks for its type, or for methods that only the library has, would go
// another way without an error.

// A stored is a value of a library's type that is stored in an interface.
type stored struct {
	to    node // the place of the interface
	value node
	in    *types.Interface
	t     types.Type
	lib   *types.Named
	pos   token.Pos
}

// A look is a place that asks for the type of the value in an interface.
type look struct {
	at      node
	of      types.Type       // the type of the expression, an interface
	methods *types.Interface // that it asks for, or nil if it asks for the type
	through bool             // the value can have been in a variable of another module
	pos     token.Pos
	text    string
}

const (
	looksAtType = "the type of the value in an interface is asked for"
	looksAtHTTP = "net/http treats *bytes.Buffer in a special way"
)

// store records that a value is stored in an interface whose methods its replacement has.
func (p *program) store(info *types.Info, in *types.Interface, to node, e ast.Expr) {
	t := info.TypeOf(e)
	if named := p.libraryNamed(t); named != nil {
		p.stored = append(p.stored, stored{to, p.carrier(info, e), in, t, named, e.Pos()})
	}
}

// asks records that an expression is asserted to have one of some types. The result is at a node.
func (p *program) asks(info *types.Info, x ast.Expr, result node, list ...ast.Expr) {
	of := info.TypeOf(x)
	e, at := p.source(info, x)
	for _, asked := range list {
		t := info.TypeOf(asked)
		if t == nil || of == nil {
			continue
		}
		p.moveAsserted(t)
		l := look{at: at, of: of, through: true, pos: asked.Pos(), text: looksAtType}
		if in, ok := t.Underlying().(*types.Interface); ok {
			l.methods = in
		} else if !p.mentions(t) || p.isData(t) {
			continue
		} else {
			p.flow.block(result, p.fset.Position(l.pos), looksAtType)
		}
		if param, ok := types.Unalias(info.TypeOf(e)).(*types.TypeParam); ok && l.methods == nil {
			p.flow.block(p.at(param.Obj().Pos()), p.fset.Position(l.pos), l.text)
		}
		p.looks = append(p.looks, l)
	}
}

// forgetsMethods records that the value of an interface moves to one without methods, where
// it can be printed or compared with its type.
func (p *program) forgetsMethods(info *types.Info, t types.Type, e ast.Expr) {
	in, ok := t.Underlying().(*types.Interface)
	if _, isParam := types.Unalias(t).(*types.TypeParam); !ok || isParam || in.NumMethods() > 0 {
		return
	}
	e, at := p.source(info, e)
	of := info.TypeOf(e)
	if of == nil {
		return
	}
	if param, ok := types.Unalias(of).(*types.TypeParam); ok {
		p.flow.block(p.at(param.Obj().Pos()), p.fset.Position(e.Pos()), looksAtType)
		return
	}
	if from, ok := of.Underlying().(*types.Interface); ok && from.NumMethods() > 0 {
		p.looks = append(p.looks, look{at: at, of: of, pos: e.Pos(), text: looksAtType})
	}
}

// keepLooked keeps the values whose types are asked for.
func (p *program) keepLooked() {
	for _, l := range p.looks {
		var from map[node]bool
		for _, s := range p.stored {
			if !types.Implements(s.t, l.of.Underlying().(*types.Interface)) || l.methods != nil && (!types.Implements(s.t, l.methods) || p.fits(s.t, l.methods)) {
				continue
			}
			if from == nil {
				from = p.dynamic.inside(l.at)
			}
			// Another module that gets one kind of interface hardly gives it back as another.
			through := l.through && types.Identical(s.in, l.of.Underlying())
			if from[s.to] && (s.to != nowhere || through) {
				p.flow.block(s.value, p.fset.Position(l.pos), l.text)
			}
		}
	}
}

// inside returns the nodes from which values flow to n, without those that only other
// modules pass to exported functions.
func (d *dynamic) inside(n node) map[node]bool {
	seen, list := map[node]bool{n: true}, []node{n}
	for len(list) > 0 {
		n, list = list[0], list[1:]
		if n == nowhere {
			continue
		}
		for _, from := range d.from[n] {
			if !seen[from] && from != exported && from != callers {
				seen[from] = true
				list = append(list, from)
			}
		}
	}
	return seen
}

// holdStored keeps the values in interfaces whose methods get a value that must stay with
// the library.
func (p *program) holdStored() {
	for _, s := range p.stored {
		lib := p.library(s.lib.Obj())
		if lib.Profile == "" {
			continue
		}
		for m := range s.in.Methods() {
			r := &reach{p: p, s: &site{lib: lib, name: s.lib.Obj().Name() + "." + m.Name()}, seen: map[types.Type]bool{}, nodes: map[node]bool{}}
			for _, v := range slices.Collect(m.Signature().Params().Variables()) {
				if !isValue(v.Type()) {
					continue
				}
				why := r.in(v.Type(), p.at(v.Pos()), 0)
				if e := p.registered[lib]; why == "" && e.all != "" {
					why = e.all + " changes what the library does"
				}
				if why != "" {
					p.flow.block(s.value, p.fset.Position(s.pos), "its method "+m.Name()+" is called through an interface, and "+why)
				}
			}
		}
	}
}

// looksInside reports whether a function is one of net/http, which finds out the
// length of a *bytes.Buffer that it gets as an io.Reader, or can call one.
func (p *program) looksInside(info *types.Info, fun ast.Expr) bool {
	if f, ok := object(info, lastName(fun)).(*types.Func); ok && isHTTP(f) {
		return true
	}
	s, ok := info.TypeOf(fun).Underlying().(*types.Signature)
	return ok && slices.ContainsFunc(variables(s.Results()), func(v *types.Var) bool {
		named := namedOf(v.Type())
		return named != nil && p.at(v.Pos()) == nowhere && isHTTP(named.Obj())
	})
}

func isHTTP(o types.Object) bool {
	return o.Pkg() != nil && (o.Pkg().Path() == "net/http" || o.Pkg().Path() == "net/http/httptest")
}
