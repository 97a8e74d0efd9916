package rewrite

import (
	"go/ast"
	"go/types"
)

// A type parameter is a node that is joined with everything whose type it is a part of, so
// that its instances with the types of libraries are all rewritten or none.

// joinParams joins the type parameters of a package with what they are the types of.
func (p *program) joinParams(info *types.Info) {
	for _, o := range info.Defs {
		switch o := o.(type) {
		case *types.Var:
			p.joinParam(p.at(o.Pos()), o.Type(), 0)
		case *types.Func: // whose results and parameters can have no names
			p.joinReceiver(o.Signature())
			for _, list := range []*types.Tuple{o.Signature().Params(), o.Signature().Results()} {
				for v := range list.Variables() {
					p.joinParam(p.at(v.Pos()), v.Type(), 0)
				}
			}
		case *types.TypeName:
			if param, ok := o.Type().(*types.TypeParam); ok && p.namesLibrary(param.Constraint(), 0) {
				p.flow.block(p.at(o.Pos()), p.fset.Position(o.Pos()), "a constraint names the type")
			}
		}
	}
}

// joinReceiver joins the type parameters of the receiver of a method, which are declared again by each method, with
// those of its type.
func (p *program) joinReceiver(s *types.Signature) {
	for i := range s.RecvTypeParams().Len() {
		named := namedOf(s.Recv().Type())
		if named == nil || i >= named.TypeParams().Len() { // an error in the program
			return
		}
		of, own := p.at(named.TypeParams().At(i).Obj().Pos()), p.at(s.RecvTypeParams().At(i).Obj().Pos())
		p.flow.join(of, own)
		p.dynamic.both(of, own)
	}
}

func (p *program) joinParam(n node, t types.Type, depth int) {
	if depth > 20 {
		return
	}
	depth++
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		p.flow.join(n, p.at(t.Obj().Pos()))
	case *types.Named:
		for i := range min(t.TypeArgs().Len(), t.Origin().TypeParams().Len()) {
			if param := t.Origin().TypeParams().At(i); param != types.Unalias(t.TypeArgs().At(i)) {
				p.joinParam(p.at(param.Obj().Pos()), t.TypeArgs().At(i), depth)
			}
			p.joinParam(n, t.TypeArgs().At(i), depth)
		}
	case *types.Map:
		p.joinParam(n, t.Key(), depth)
		p.joinParam(n, t.Elem(), depth)
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				p.joinParam(p.at(v.Pos()), v.Type(), depth)
			}
		}
	case *types.Slice, *types.Array, *types.Pointer, *types.Chan:
		p.joinParam(n, t.(interface{ Elem() types.Type }).Elem(), depth)
	}
}

// namesLibrary reports whether a constraint has a library's type among its types.
func (p *program) namesLibrary(t types.Type, depth int) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		for e := range u.EmbeddedTypes() {
			if union, ok := e.(*types.Union); ok {
				for term := range union.Terms() {
					if p.mentions(term.Type()) {
						return true
					}
				}
			} else if p.mentions(e) || depth < 20 && p.namesLibrary(e, depth+1) {
				return true
			}
		}
	}
	return false
}

// joinInstance joins a type parameter with the type that it stands for.
func (p *program) joinInstance(param *types.TypeParam, t types.Type) {
	n := p.at(param.Obj().Pos())
	p.parts(t, n, 0, func(part node) { p.valued = append(p.valued, valued{n, part}) })
	if !p.mentions(t) {
		p.joinParam(n, t, 0) // another type parameter
		return
	}
	in, ok := param.Constraint().Underlying().(*types.Interface)
	if ok && in.NumMethods() > 0 && !p.fits(t, in) {
		p.flow.block(n, p.fset.Position(param.Obj().Pos()), "a constraint has methods that only the type has")
	}
}

// paramOf returns the node of the type parameter that a type argument stands for.
func (p *program) paramOf(info *types.Info, x ast.Expr, i int) node {
	var params *types.TypeParamList
	switch o := info.Uses[lastName(x)].(type) {
	case *types.Func:
		params = o.Signature().TypeParams()
	case *types.TypeName:
		switch t := o.Type().(type) {
		case *types.Named:
			params = t.TypeParams()
		case *types.Alias:
			params = t.TypeParams()
		}
	}
	if i >= params.Len() {
		return nowhere
	}
	return p.at(params.At(i).Obj().Pos())
}
