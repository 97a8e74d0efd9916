package rewrite

import (
	"go/ast"
	"go/types"
)

// The ways on which values move without an assignment of one expression to one place.

// passResults records that the results of a call move to the parameters or results of a
// function: f(g()) and return g().
func (p *program) passResults(info *types.Info, to []*types.Var, variadic bool, e ast.Expr) {
	call, ok := ast.Unparen(e).(*ast.CallExpr)
	if !ok {
		return
	}
	results := resultsOf(info, call)
	if len(results) < 2 {
		return
	}
	library := p.libraryFunc(info, call.Fun) != nil
	for i, r := range results {
		if len(to) == 0 || i >= len(to) && !variadic {
			return
		}
		v := to[min(i, len(to)-1)]
		t := v.Type()
		if slice, ok := t.(*types.Slice); ok && variadic && i >= len(to)-1 {
			t = slice.Elem()
		}
		from := p.at(r.Pos())
		if library {
			from = p.at(call.Pos())
		}
		p.move(t, p.at(v.Pos()), r.Type(), from)
		if p.mentions(t) || p.mentions(r.Type()) {
			p.flow.join(p.at(v.Pos()), from)
			p.holdData(from, r.Type())
			p.joinTypes(t, r.Type())
		}
		p.joinFields(t, r.Type(), 0)
	}
}

// resultsOf returns the results of the function that a call calls.
func resultsOf(info *types.Info, call *ast.CallExpr) []*types.Var {
	if t := info.TypeOf(call.Fun); t != nil {
		if s, ok := t.Underlying().(*types.Signature); ok {
			return variables(s.Results())
		}
	}
	return nil
}

// passBuiltin records what append and copy move, and what clear overwrites.
func (p *program) passBuiltin(info *types.Info, call *ast.CallExpr) {
	id, ok := ast.Unparen(call.Fun).(*ast.Ident)
	if ok && (id.Name == "append" || id.Name == "clear") {
		if slice, ok := info.TypeOf(call.Args[0]).Underlying().(*types.Slice); !ok {
		} else if id.Name == "clear" {
			p.renewParts(slice.Elem(), p.carrier(info, call.Args[0]), call.Pos(), isRenewed)
		} else if len(call.Args) > 1 {
			p.copies(slice.Elem(), p.carrier(info, call.Args[0]), call.Pos(), "append copies it if the slice grows, and "+isCopied)
		}
	}
	switch {
	case !ok:
	case id.Name == "panic":
		p.moveTypes(info, types.Universe.Lookup("any").Type(), panics, call.Args[0])
	case id.Name == "recover":
		p.dynamic.edge(p.at(call.Pos()), panics)
	}
	if !ok || id.Name != "append" && id.Name != "copy" {
		return
	}
	to, list := p.carrier(info, call.Args[0]), info.TypeOf(call.Args[0])
	for i, e := range call.Args[1:] {
		t := info.TypeOf(e)
		switch slice, ok := list.Underlying().(*types.Slice); {
		case id.Name == "copy" || call.Ellipsis.IsValid() && i == len(call.Args)-2:
			t = list
			if from, ok := info.TypeOf(e).Underlying().(*types.Slice); ok {
				p.keepParts(info, from.Elem(), e)
			}
		case ok:
			t = slice.Elem()
		}
		p.assign(info, t, to, e)
		p.keepCopied(info, e)
	}
}

// panics is the node of the values that recover returns.
const panics node = "panics"

// assignKey records that a key moves to the map in which an element is set.
func (p *program) assignKey(info *types.Info, left ast.Expr) {
	index, ok := ast.Unparen(left).(*ast.IndexExpr)
	if !ok || info.TypeOf(index.X) == nil {
		return
	}
	if m, ok := info.TypeOf(index.X).Underlying().(*types.Map); ok {
		p.assign(info, m.Key(), p.carrier(info, index.X), index.Index)
	}
}

// yields records that value i of an iterator moves to the variable of a range statement.
func (p *program) yields(info *types.Info, iterator ast.Expr, i int, v ast.Expr) {
	t := info.TypeOf(iterator)
	if t == nil {
		return
	}
	s, ok := t.Underlying().(*types.Signature)
	if !ok || s.Params().Len() != 1 {
		return
	}
	if yield, ok := s.Params().At(0).Type().Underlying().(*types.Signature); ok && i < yield.Params().Len() && info.TypeOf(v) != nil {
		from := yield.Params().At(i)
		p.move(info.TypeOf(v), p.carrier(info, v), from.Type(), p.at(from.Pos()))
		if p.mentions(from.Type()) {
			p.flow.join(p.carrier(info, v), p.at(from.Pos()))
		}
	}
}

// joinFields joins the fields of two struct types between which values move: those of a
// conversion, and types without a name, which can be written in several places.
func (p *program) joinFields(a, b types.Type, depth int) {
	a, b = types.Unalias(a), types.Unalias(b)
	if a == b || depth > 20 {
		return
	}
	if x, ok := a.(*types.Named); ok {
		if y, ok := b.(*types.Named); ok && x.Obj() == y.Obj() {
			return
		}
	}
	depth++
	switch x := a.Underlying().(type) {
	case *types.Struct:
		y, ok := b.Underlying().(*types.Struct)
		if !ok || x == y || x.NumFields() != y.NumFields() {
			return
		}
		for i := range x.NumFields() {
			f, g := x.Field(i), y.Field(i)
			if holdsAny(f.Type()) {
				p.dynamic.both(p.at(f.Pos()), p.at(g.Pos()))
			}
			if p.mentions(f.Type()) {
				p.flow.join(p.at(f.Pos()), p.at(g.Pos()))
			}
			p.joinFields(f.Type(), g.Type(), depth)
		}
	case *types.Map:
		if y, ok := b.Underlying().(*types.Map); ok {
			p.joinFields(x.Key(), y.Key(), depth)
			p.joinFields(x.Elem(), y.Elem(), depth)
		}
	case *types.Slice, *types.Array, *types.Pointer, *types.Chan:
		if y, ok := b.Underlying().(interface{ Elem() types.Type }); ok {
			p.joinFields(x.(interface{ Elem() types.Type }).Elem(), y.Elem(), depth)
		}
	}
}

// moveReceiver records that the values in what a method is selected from are those in its receiver.
func (p *program) moveReceiver(info *types.Info, e *ast.SelectorExpr) {
	s := info.Selections[e]
	if s == nil || s.Kind() != types.MethodVal {
		return
	}
	if param, ok := types.Unalias(s.Recv()).(*types.TypeParam); ok { // the type arguments have the method
		p.dynamic.both(p.at(param.Obj().Pos()), p.carrier(info, e.X))
		return
	}
	p.joinReceived(s, p.carrier(info, e.X))
}

// moveReceivers is moveReceiver for all methods of the type of a value at a node, which an interface or a generic
// function can call.
func (p *program) moveReceivers(t types.Type, at node) {
	if types.IsInterface(t) {
		return
	}
	if _, ok := t.Underlying().(*types.Pointer); !ok {
		t = types.NewPointer(t)
	}
	for s := range p.methodSets.MethodSet(t).Methods() {
		p.joinReceived(s, at)
	}
}

// joinReceived joins the receiver of a selected method with the node of its value, or with the embedded field that has it.
func (p *program) joinReceived(s *types.Selection, at node) {
	v := s.Obj().(*types.Func).Signature().Recv()
	if types.IsInterface(v.Type()) || !holdsAny(v.Type()) || p.at(v.Pos()) == nowhere {
		return
	}
	if field := p.promotedFrom(s); field != nil {
		at = p.at(field.Pos())
	}
	p.dynamic.both(p.at(v.Pos()), at)
}
