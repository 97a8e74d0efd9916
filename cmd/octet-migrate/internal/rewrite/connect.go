package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// connect joins the nodes between which the code of a file moves values.
func (p *program) connect(pkg *Package, file *ast.File) {
	info := pkg.Info
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			p.joinAlias(pkg, file, n, stack)
		case *ast.TypeSpec:
			p.keepAlias(info, file, n)
		case *ast.AssignStmt:
			p.assignAll(info, n.Lhs, n.Rhs)
			for _, l := range n.Lhs {
				p.renews(info, l)
			}
		case *ast.SelectorExpr:
			p.lends(info, n)
			p.keepReceiver(info, n)
			p.moveReceiver(info, n)
		case *ast.TypeAssertExpr:
			if n.Type != nil {
				p.asks(info, n.X, p.at(n.Pos()), n.Type)
				p.moveTypes(info, info.TypeOf(n), p.at(n.Pos()), n.X)
			}
		case *ast.TypeSwitchStmt:
			var x ast.Expr
			var result node
			switch a := n.Assign.(type) {
			case *ast.AssignStmt:
				x, result = a.Rhs[0], p.at(a.Lhs[0].Pos())
				_, from := p.source(info, x)
				p.dynamic.edge(result, from)
			case *ast.ExprStmt:
				x = a.X
			}
			for _, c := range n.Body.List {
				p.asks(info, ast.Unparen(x).(*ast.TypeAssertExpr).X, result, c.(*ast.CaseClause).List...)
			}
		case *ast.ValueSpec:
			var left []ast.Expr
			for _, id := range n.Names {
				left = append(left, id)
			}
			p.assignAll(info, left, n.Values)
		case *ast.ReturnStmt:
			switch s := enclosing(info, stack); {
			case s == nil:
			case s.Results().Len() == len(n.Results):
				for i, e := range n.Results {
					p.assign(info, s.Results().At(i).Type(), p.at(s.Results().At(i).Pos()), e)
					if !isLocal(info, e, stack) {
						p.keepCopied(info, e)
					} else { // a variable of the function ends with it, but not slices of its memory
						p.renewParts(info.TypeOf(e), p.carrier(info, e), e.Pos(), isReturned)
					}
				}
			case len(n.Results) == 0:
				for v := range s.Results().Variables() {
					p.renewParts(v.Type(), p.at(v.Pos()), n.Pos(), isReturned)
				}
			case len(n.Results) == 1:
				p.passResults(info, variables(s.Results()), false, n.Results[0])
			}
		case *ast.CallExpr:
			p.pass(info, n)
		case *ast.CompositeLit:
			p.compose(info, n)
		case *ast.RangeStmt:
			for i, v := range []ast.Expr{n.Key, n.Value} {
				if v != nil {
					p.yields(info, n.X, i, v)
					p.keepCopied(info, v)
				}
				if v != nil && p.mentions(info.TypeOf(v)) {
					p.flow.join(p.carrier(info, v), p.carrier(info, n.X))
				}
				if v != nil && holdsAny(info.TypeOf(v)) {
					p.dynamic.edge(p.carrier(info, v), p.carrier(info, n.X))
				}
			}
		case *ast.SendStmt:
			if c, ok := info.TypeOf(n.Chan).Underlying().(*types.Chan); ok {
				p.assign(info, c.Elem(), p.carrier(info, n.Chan), n.Value)
				p.keepCopied(info, n.Value)
			}
		case *ast.FuncDecl:
			if n.Recv != nil {
				p.joinMethod(info.Defs[n.Name])
			}
			if !p.Closed && n.Name.IsExported() && file.Name.Name != "main" && !strings.HasSuffix(p.filename(file), "_test.go") {
				p.blockExported(info.Defs[n.Name].Type())
			}
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				for _, id := range m.Names {
					p.joinMethod(info.Defs[id])
				}
			}
		case *ast.Field:
			for _, id := range n.Names {
				if v, ok := info.Defs[id].(*types.Var); ok && v.IsField() && v.Exported() {
					p.blockVariable(file, v)
				}
			}
		case *ast.GenDecl:
			if len(stack) == 1 && n.Tok == token.VAR {
				for _, s := range n.Specs {
					for _, id := range s.(*ast.ValueSpec).Names {
						if id.IsExported() {
							p.blockVariable(file, info.Defs[id])
						}
					}
				}
			}
		}
		return true
	})
}

const isExported = "other packages can use it: run octet-migrate on all of them together"

// blockVariable keeps the type of an exported variable or field, unless the whole
// program is known.
func (p *program) blockVariable(file *ast.File, v types.Object) {
	if v != nil && !p.Closed && file.Name.Name != "main" && p.mentions(v.Type()) {
		p.blockPlace(v)
	}
}

// blockPlace keeps the type of a variable, and all values of a type of data.
func (p *program) blockPlace(v types.Object) {
	p.flow.block(p.at(v.Pos()), p.fset.Position(v.Pos()), isExported)
	if p.isData(v.Type()) {
		p.flow.block(p.dataNode(p.libraryNamed(v.Type()).Obj()), p.fset.Position(v.Pos()), isExported)
	}
}

func (p *program) blockExported(t types.Type) {
	s, ok := t.(*types.Signature)
	if !ok {
		return
	}
	for _, list := range []*types.Tuple{s.Params(), s.Results()} {
		for v := range list.Variables() {
			if p.mentions(v.Type()) {
				p.blockPlace(v)
			}
		}
	}
}

// enclosing returns the type of the innermost function on the stack.
func enclosing(info *types.Info, stack []ast.Node) *types.Signature {
	for i := len(stack) - 1; i >= 0; i-- {
		switch f := stack[i].(type) {
		case *ast.FuncLit:
			s, _ := info.TypeOf(f).(*types.Signature)
			return s
		case *ast.FuncDecl:
			if o := info.Defs[f.Name]; o != nil {
				s, _ := o.Type().(*types.Signature)
				return s
			}
			return nil
		}
	}
	return nil
}

// isLocal reports whether an expression is a variable of the innermost function on the stack.
func isLocal(info *types.Info, e ast.Expr, stack []ast.Node) bool {
	id, ok := ast.Unparen(e).(*ast.Ident)
	if !ok || object(info, id) == nil {
		return false
	}
	for _, n := range slices.Backward(stack) {
		switch n.(type) {
		case *ast.FuncLit, *ast.FuncDecl:
			at := object(info, id).Pos()
			return n.Pos() <= at && at < n.End()
		}
	}
	return false
}

func (p *program) assignAll(info *types.Info, left, right []ast.Expr) {
	for _, l := range left {
		p.assignKey(info, l)
	}
	if len(left) == len(right) {
		for i, e := range right {
			if id, ok := left[i].(*ast.Ident); ok && id.Name == "_" {
				continue
			}
			p.assign(info, info.TypeOf(left[i]), p.carrier(info, left[i]), e)
			p.keepCopied(info, e)
		}
		return
	}
	if len(right) != 1 {
		return
	}
	call, ok := right[0].(*ast.CallExpr)
	for i, l := range left {
		t := info.TypeOf(l)
		mentions := p.mentions(t)
		if id, blank := l.(*ast.Ident); blank && id.Name == "_" || !mentions && !holdsAny(t) {
			continue
		}
		from := p.at(right[0].Pos())
		if ok && p.libraryFunc(info, call.Fun) == nil {
			from = nowhere
			if r := resultsOf(info, call); i < len(r) {
				from = p.at(r[i].Pos())
			}
		} else if !ok { // x, ok := m[k], a type assertion or a receive
			from = p.carrier(info, right[0])
		}
		if !mentions {
			if !ok {
				_, from = p.source(info, right[0])
				p.dynamic.edge(p.carrier(info, l), from)
			} else if results := resultsOf(info, call); i < len(results) {
				p.move(t, p.carrier(info, l), results[i].Type(), from)
			}
			continue
		}
		p.flow.join(p.carrier(info, l), from)
		p.holdData(from, t)
	}
}

// assign records that a value moves to a place of type t.
func (p *program) assign(info *types.Info, t types.Type, to node, e ast.Expr) {
	if t != nil {
		p.moveTypes(info, t, to, e)
	}
	from := info.TypeOf(e)
	if from == nil || t == nil || p.libraryFunc(info, e) != nil { // nodesOf finds where a function of a library goes
		return
	}
	p.joinTypes(t, from)
	p.joinFields(t, from, 0)
	p.joinMethods(t, from)
	p.forgetsMethods(info, t, e)
	if !p.mentions(from) {
		b, ok := from.(*types.Basic)
		if !ok && p.mentions(t) && !p.isData(t) && !types.IsInterface(t) {
			p.flow.block(to, p.fset.Position(e.Pos()), "a value of the type "+types.TypeString(from, types.RelativeTo(p.packages[0].Types))+" becomes one of this type")
		}
		if !ok || b.Kind() != types.UntypedNil || !p.mentions(t) {
			return
		}
	}
	if p.mentions(t) {
		p.flow.join(to, p.carrier(info, e))
		p.holdData(to, from)
		return
	}
	in, ok := t.Underlying().(*types.Interface)
	if !ok && !p.isData(from) {
		p.flow.block(p.carrier(info, e), p.fset.Position(e.Pos()), "it is converted to the type "+types.TypeString(t, types.RelativeTo(p.packages[0].Types)))
	}
	if ok && !types.IsInterface(from) && !p.isData(from) {
		if p.fits(from, in) {
			p.store(info, in, to, e)
			return
		}
		p.flow.block(p.carrier(info, e), p.fset.Position(e.Pos()), "it is stored in an interface of type "+types.TypeString(t, types.RelativeTo(p.packages[0].Types)))
	}
}

// fits reports whether the replacement of a type has the methods of an interface.
func (p *program) fits(t types.Type, in *types.Interface) bool {
	if in.NumMethods() == 0 {
		return false
	}
	pointer, ok := types.Unalias(t).(*types.Pointer)
	if !ok {
		return false
	}
	named, ok := types.Unalias(pointer.Elem()).(*types.Named)
	if !ok {
		return false
	}
	lib := p.library(named.Obj())
	if lib == nil {
		return false
	}
	for m := range in.Methods() {
		r, _ := lib.Row(named.Obj().Name() + "." + m.Name())
		if value := r.ValueFor(m.Signature().Params().Len()); p.mentions(m.Type()) || value != "{recv}."+m.Name() && value != "{recv}.{name}" {
			return false
		}
	}
	return true
}

// pass records that the arguments of a call move to the parameters.
func (p *program) pass(info *types.Info, call *ast.CallExpr) {
	tv := info.Types[call.Fun]
	if tv.IsType() || tv.IsBuiltin() {
		if tv.IsBuiltin() {
			p.passBuiltin(info, call)
		}
		if tv.IsType() && len(call.Args) == 1 {
			p.assign(info, tv.Type, p.at(call.Pos()), call.Args[0])
		}
		return
	}
	s, ok := tv.Type.(*types.Signature)
	if !ok {
		if tv.Type == nil {
			return
		}
		if s, ok = tv.Type.Underlying().(*types.Signature); !ok {
			return
		}
	}
	library := p.libraryFunc(info, call.Fun) != nil || p.generatedCall(info, call.Fun)
	if len(call.Args) == 1 && !library {
		p.passResults(info, variables(s.Params()), s.Variadic(), call.Args[0])
	}
	for i, e := range call.Args {
		param := s.Params().Len() - 1
		if param < 0 {
			break
		}
		if i < param || !s.Variadic() {
			param = min(param, i)
		}
		v := s.Params().At(param)
		t := v.Type()
		if s.Variadic() && param == s.Params().Len()-1 && !call.Ellipsis.IsValid() {
			t = t.(*types.Slice).Elem()
		}
		to := p.at(v.Pos())
		if to == nowhere && !library && forgets(info, call.Fun) {
			to = "forgotten " + p.at(e.Pos()) // a node of its own, because values do not flow between arguments
			if p.mentions(info.TypeOf(e)) {
				to = nowhere
			}
		}
		if library { // its own parameters are not nodes, because the row decides
			if p.mentions(t) || !p.mentions(info.TypeOf(e)) || p.isData(info.TypeOf(e)) {
				continue
			}
		}
		p.assign(info, t, to, e)
		p.keepCopied(info, e)
		if !library && p.at(v.Pos()) == nowhere {
			p.shows(info, call.Fun, t, e)
		}
		if of := info.TypeOf(e); types.IsInterface(t) && of != nil && p.looksInside(info, call.Fun) {
			if p.mentions(of) && !p.isData(of) {
				p.flow.block(p.carrier(info, e), p.fset.Position(e.Pos()), looksAtHTTP)
			} else if types.IsInterface(of) {
				_, at := p.source(info, e)
				p.looks = append(p.looks, look{at: at, of: of, pos: e.Pos(), text: looksAtHTTP})
			}
		}
	}
}

// compose records that the values of a composite literal move into it.
func (p *program) compose(info *types.Info, lit *ast.CompositeLit) {
	t := info.TypeOf(lit)
	if t == nil {
		return
	}
	if pt, ok := t.Underlying().(*types.Pointer); ok { // an element &T{} without its type
		t = pt.Elem()
	}
	structure, isStruct := t.Underlying().(*types.Struct)
	for i, e := range lit.Elts {
		to, value := p.at(lit.Pos()), e
		var place types.Type
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			value = kv.Value
			if m, ok := t.Underlying().(*types.Map); ok {
				p.assign(info, m.Key(), to, kv.Key)
			}
			if id, ok := kv.Key.(*ast.Ident); ok && isStruct {
				if f, ok := info.Uses[id].(*types.Var); ok {
					place, to = f.Type(), p.at(f.Pos())
					if p.library(f) != nil {
						to = p.at(lit.Pos())
					}
				}
			}
		} else if isStruct && i < structure.NumFields() {
			place, to = structure.Field(i).Type(), p.at(structure.Field(i).Pos())
		}
		if place == nil {
			switch u := t.Underlying().(type) {
			case *types.Slice:
				place = u.Elem()
			case *types.Array:
				place = u.Elem()
			case *types.Map:
				place = u.Elem()
			default:
				continue
			}
		}
		p.assign(info, place, to, value)
		p.keepCopied(info, value)
	}
}

// isData reports whether the library's types in t are types of data, which may be
// stored in interfaces.
func (p *program) isData(t types.Type) bool {
	named := p.libraryNamed(t)
	if named == nil {
		return false
	}
	r, _ := p.library(named.Obj()).Row(named.Obj().Name())
	return r.Flags&tableData != 0
}

// libraryNamed returns the library's type that t is, points to or has as elements.
func (p *program) libraryNamed(t types.Type) *types.Named {
	for range 20 {
		switch x := types.Unalias(t).(type) {
		case *types.Named:
			if p.isLibraryType(x.Obj()) {
				return x
			}
			return nil
		case *types.Pointer:
			t = x.Elem()
		case *types.Slice:
			t = x.Elem()
		case *types.Array:
			t = x.Elem()
		case *types.Map:
			t = x.Elem()
		case *types.Chan:
			t = x.Elem()
		default:
			return nil
		}
	}
	return nil
}

// dataNode is the node of all values of a type of data.
func (p *program) dataNode(o types.Object) node { return dataNode(o.Pkg().Path(), o.Name()) }

func dataNode(library, name string) node { return node("type " + library + "." + name) }

// holdData keeps a type of data if a place outside the program has it.
func (p *program) holdData(place node, t types.Type) {
	if p.flow.find(place) == p.flow.find(nowhere) {
		if named := p.libraryNamed(t); named != nil && p.isData(t) {
			p.flow.block(p.dataNode(named.Obj()), token.Position{}, "a package that is not rewritten uses it")
		}
	}
}
