package rewrite

import (
	"cmp"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// dynamic knows which types the values in interfaces can have: from where values flow
// to each node, and the types of the values that begin there. Type parameters are
// nodes, too.
type dynamic struct {
	from  map[node][]node
	types map[node][]types.Type
}

func (d *dynamic) edge(to, from node) {
	if to != from && !slices.Contains(d.from[to], from) {
		d.from[to] = append(d.from[to], from)
	}
}

func (d *dynamic) both(a, b node) {
	d.edge(a, b)
	d.edge(b, a)
}

func (d *dynamic) add(n node, t types.Type) {
	if !slices.ContainsFunc(d.types[n], func(u types.Type) bool { return types.Identical(t, u) }) {
		d.types[n] = append(d.types[n], t)
	}
}

// of returns the types that values at a node can have.
func (d *dynamic) of(n node) (list []types.Type) {
	all, _ := d.sources(n)
	for _, n := range all {
		list = append(list, d.types[n]...)
	}
	return list
}

// reaches reports whether values flow from a node to n.
func (d *dynamic) reaches(n, from node) bool {
	all, _ := d.sources(n)
	return slices.Contains(all, from)
}

// sources returns the nodes from which values flow to n, and n. Values of the nodes from
// index known on come through other modules, so that it is not certain that they do.
func (d *dynamic) sources(n node) (list []node, known int) {
	seen, later := map[node]bool{}, []node(nil)
	add := func(n node) {
		switch {
		case seen[n]:
		case n == nowhere || n == exported:
			later = append(later, n)
		default:
			seen[n], list = true, append(list, n)
		}
	}
	follow := func(i int) {
		for ; i < len(list); i++ {
			for _, m := range d.from[list[i]] {
				add(m)
			}
		}
	}
	add(n)
	follow(0)
	for known = len(list); len(later) > 0; {
		n, later = later[0], later[1:]
		if !seen[n] {
			seen[n], list = true, append(list, n)
			follow(len(list) - 1)
		}
	}
	return list, known
}

// holdsAny reports whether t is an interface or a type parameter, or contains one
// without a struct in between, whose fields are nodes of their own.
func holdsAny(t types.Type) bool { return holds(t, map[types.Type]bool{}) }

// holds is holdsAny without the function types in seen, and adds those that it looks into.
func holds(t types.Type, seen map[types.Type]bool) bool {
	for range 20 {
		if t == nil {
			return false
		}
		if _, ok := types.Unalias(t).(*types.TypeParam); ok {
			return true
		}
		switch u := t.Underlying().(type) {
		case *types.Interface:
			return true
		case *types.Map:
			if holds(u.Key(), seen) {
				return true
			}
			t = u.Elem()
		case *types.Signature:
			if seen[t] {
				return false
			}
			seen[t] = true
			return slices.ContainsFunc(slices.Concat(variables(u.Params()), variables(u.Results())), func(v *types.Var) bool { return holds(v.Type(), seen) })
		case interface{ Elem() types.Type }: // pointer, slice, array, channel
			t = u.Elem()
		default:
			return false
		}
	}
	return false
}

func variables(t *types.Tuple) []*types.Var { return slices.Collect(t.Variables()) }

// source returns the expression and the node that the value of e comes from, without
// conversions to interfaces and assertions.
func (p *program) source(info *types.Info, e ast.Expr) (ast.Expr, node) {
	for {
		switch x := e.(type) {
		case *ast.ParenExpr:
			e = x.X
			continue
		case *ast.TypeAssertExpr:
			e = x.X
			continue
		case *ast.CallExpr:
			if tv := info.Types[x.Fun]; tv.IsType() && types.IsInterface(tv.Type) && len(x.Args) == 1 {
				e = x.Args[0]
				continue
			}
		}
		return e, p.carrier(info, e)
	}
}

// moveTypes records that a value moves to a place of type t.
func (p *program) moveTypes(info *types.Info, t types.Type, to node, e ast.Expr) {
	if !holdsAny(t) {
		return
	}
	e, at := p.source(info, e)
	from := info.TypeOf(e)
	if from == nil || p.libraryFunc(info, e) != nil {
		return
	}
	p.move(t, to, from, at)
}

// move records that a value of type from at a node moves to a place of type t.
func (p *program) move(t types.Type, to node, from types.Type, at node) {
	if !holdsAny(t) {
		return
	}
	p.moveSignatures(t, from, map[[2]types.Type]bool{})
	if param, ok := types.Unalias(from).(*types.TypeParam); ok {
		p.dynamic.edge(to, p.at(param.Obj().Pos()))
		p.dynamic.edge(to, at)
		return
	}
	if types.IsInterface(from) {
		p.dynamic.edge(to, at)
		if !types.IsInterface(t) { // an assertion: both share the elements
			p.dynamic.edge(at, to)
		}
		return
	}
	if types.IsInterface(t) {
		p.dynamic.add(to, from)
		p.moveAsserted(from)
		p.moveReceivers(from, at)
	}
	if holdsAny(from) { // both share the elements
		p.dynamic.both(to, at)
	}
}

// moveSignatures joins the parameters and results of two function types. Functions can contain
// themselves, so that it adds the pair to seen, and does nothing if it is there.
func (p *program) moveSignatures(a, b types.Type, seen map[[2]types.Type]bool) {
	x, ok := a.Underlying().(*types.Signature)
	y, same := b.Underlying().(*types.Signature)
	if !ok || !same || seen[[2]types.Type{a, b}] {
		return
	}
	seen[[2]types.Type{a, b}] = true
	for _, pair := range [][2]*types.Tuple{{x.Params(), y.Params()}, {x.Results(), y.Results()}} {
		for i := range min(pair[0].Len(), pair[1].Len()) {
			if v, w := pair[0].At(i), pair[1].At(i); holdsAny(v.Type()) {
				p.dynamic.both(p.at(v.Pos()), p.at(w.Pos()))
				p.moveSignatures(v.Type(), w.Type(), seen) // such as the function that an iterator calls
			}
		}
	}
}

// moveMethod joins the parameters and results of all methods with the same name, like
// joinMethod.
func (p *program) moveMethod(name string, s *types.Signature) {
	for kind, list := range map[string]*types.Tuple{"parameter": s.Params(), "result": s.Results()} {
		for i := range list.Len() {
			v, place := list.At(i), name+" "+kind+" "+strconv.Itoa(i)
			if holdsAny(v.Type()) {
				p.dynamic.both(node("any of method "+place), p.at(v.Pos()))
			}
			if f, ok := types.Unalias(v.Type()).(*types.Signature); ok {
				p.moveMethod(place, f)
			}
		}
	}
}

// moveAsserted joins the parameters and results of all functions in interfaces, of a type that an assertion has or of a
// value that becomes an interface.
func (p *program) moveAsserted(t types.Type) {
	if s, ok := t.Underlying().(*types.Signature); ok {
		p.moveMethod("", s)
	}
}

// exported is the node of the values that other modules have. They can pass values of the
// exported types of a library to its exported functions.
const exported node = "exported"

// callers is the node of the values that other modules pass to exported functions of a
// program, such as those that an interface has.
const callers node = "callers"

// moveExported records the values that exported functions and methods get from other
// modules: those that the program has passed to them, and, if it is a library, those of
// its exported types.
func (p *program) moveExported(pkg *Package) {
	from := callers
	p.dynamic.edge(callers, nowhere)
	if !slices.ContainsFunc(p.packages, func(pkg *Package) bool { return pkg.Types.Name() == "main" }) {
		from = exported
		p.dynamic.edge(exported, nowhere)
		for _, t := range declared(pkg) {
			if t.Exported() && !types.IsInterface(t.Type()) {
				p.dynamic.add(exported, t.Type())
			}
		}
	}
	for id, o := range pkg.Info.Defs {
		switch o := o.(type) {
		case *types.Func:
			for v := range o.Signature().Params().Variables() {
				if id.IsExported() && holdsAny(v.Type()) {
					p.dynamic.edge(p.at(v.Pos()), from)
				}
			}
			p.moveChosen(o, o.Signature().TypeParams(), from)
		case *types.TypeName:
			if t, ok := o.Type().(interface{ TypeParams() *types.TypeParamList }); ok { // not the name of a type parameter
				p.moveChosen(o, t.TypeParams(), from)
			}
		case *types.Var:
			if o.IsField() && id.IsExported() && from == exported && holdsAny(o.Type()) {
				p.dynamic.edge(p.at(o.Pos()), from)
			}
		}
	}
}

// moveChosen records that other modules choose type arguments of an exported function or type.
func (p *program) moveChosen(o types.Object, params *types.TypeParamList, from node) {
	for t := range params.TypeParams() {
		if o.Exported() {
			p.dynamic.edge(p.at(t.Obj().Pos()), from)
		}
	}
}

// moveInstances records the types that type parameters stand for.
func (p *program) moveInstances(info *types.Info) {
	for _, id := range slices.SortedFunc(maps.Keys(info.Instances), func(a, b *ast.Ident) int { return cmp.Compare(a.Pos(), b.Pos()) }) {
		instance := info.Instances[id]
		var params *types.TypeParamList
		switch o := info.Uses[id].(type) {
		case *types.Func:
			params = o.Signature().TypeParams()
		case *types.TypeName:
			if named, ok := o.Type().(*types.Named); ok {
				params = named.TypeParams()
			}
		}
		for i := range min(params.Len(), instance.TypeArgs.Len()) {
			to, t := p.at(params.At(i).Obj().Pos()), instance.TypeArgs.At(i)
			p.joinInstance(params.At(i), t)
			if f, ok := info.Uses[id].(*types.Func); ok && to == nowhere {
				p.keepElements(id, f, t)
			}
			if other, ok := types.Unalias(t).(*types.TypeParam); ok {
				p.dynamic.edge(to, p.at(other.Obj().Pos()))
			} else {
				p.dynamic.add(to, t)
				p.moveReceivers(t, to)
			}
		}
	}
}

// forgets reports whether a function of the standard library only prints or compares
// its arguments, so that they do not come back from it.
func forgets(info *types.Info, fun ast.Expr) bool {
	f, ok := info.Uses[lastName(fun)].(*types.Func)
	if !ok || f.Pkg() == nil {
		return false
	}
	first, _, _ := strings.Cut(f.Pkg().Path(), "/")
	return slices.Contains([]string{"fmt", "log", "testing", "errors", "encoding"}, first)
}
