package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
)

// A caller is a call of a function or method of the program, of the method of an interface, or of a
// function value.
type caller struct {
	pkg   *Package
	file  *ast.File
	call  *ast.CallExpr
	stack []ast.Node  // around the call
	f     *types.Func // nil for a function value
}

// callsOf are the calls in a program.
type callsOf struct {
	byName map[string][]caller // "" for function values
	values map[node]bool       // the functions that are used as values
}

// findCallers returns the calls in the program.
func (p *program) findCallers() callsOf {
	if p.callers.byName != nil {
		return p.callers
	}
	p.callers = callsOf{map[string][]caller{}, map[node]bool{}}
	for _, pkg := range p.packages {
		for _, file := range pkg.Files {
			called := map[*types.Func]int{} // less the uses
			ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
				switch n := n.(type) {
				case *ast.CallExpr:
					name, f := "", function(pkg.Info, n.Fun)
					if f != nil {
						name = f.Name()
						called[f]++
					}
					p.callers.byName[name] = append(p.callers.byName[name], caller{pkg, file, n, slices.Clone(stack), f})
				case *ast.Ident:
					if f, ok := pkg.Info.Uses[n].(*types.Func); ok {
						called[f]--
					}
				}
				return true
			})
			for f, n := range called {
				if n < 0 {
					p.callers.values[p.at(f.Pos())] = true
				}
			}
		}
	}
	return p.callers
}

// callersOf returns the calls that run a function, also those through an interface that the receiver of a
// method can be in, and those of function values that can be the function.
func (p *program) callersOf(f *types.Func) (list []caller) {
	all := p.findCallers()
	for _, c := range all.byName[f.Name()] {
		if p.at(c.f.Pos()) == p.at(f.Pos()) || implements(f, c.f) {
			list = append(list, c)
		}
	}
	if !all.values[p.at(f.Pos())] {
		return list
	}
	for _, c := range all.byName[""] {
		if t := c.pkg.Info.TypeOf(c.call.Fun); t != nil {
			if s, ok := t.Underlying().(*types.Signature); ok && sameParams(f.Signature(), s) {
				list = append(list, c)
			}
		}
	}
	return list
}

// sameParams compares the parameters of functions. It compares texts, because a package with tests has types
// of its own.
func sameParams(a, b *types.Signature) bool {
	same := a.Params().Len() == b.Params().Len()
	for n := 0; same && n < a.Params().Len(); n++ {
		same = a.Params().At(n).Type().String() == b.Params().At(n).Type().String()
	}
	return same
}

// implements reports whether the receiver of a method has all methods of the interface that another
// method is of.
func implements(f, of *types.Func) bool {
	recv, other := f.Signature().Recv(), of.Signature().Recv()
	if recv == nil || other == nil || !types.IsInterface(other.Type()) || !sameParams(f.Signature(), of.Signature()) {
		return false
	}
	i, ok := other.Type().Underlying().(*types.Interface)
	for n := 0; ok && n < i.NumMethods(); n++ {
		m, _, _ := types.LookupFieldOrMethod(recv.Type(), true, i.Method(n).Pkg(), i.Method(n).Name())
		_, ok = m.(*types.Func)
	}
	return ok
}

// readByCallers returns why a Decoder cannot read from the parameter of a function: a caller reads from the
// same variable again. seen has the parameters that were looked at, because functions can call each other.
func (p *program) readByCallers(pkg *Package, stack []ast.Node, v *types.Var, seen map[node]bool) (why string) {
	i := slices.IndexFunc(stack, func(n ast.Node) bool { _, ok := n.(*ast.FuncDecl); return ok })
	if i < 0 || seen[p.at(v.Pos())] {
		return ""
	}
	seen[p.at(v.Pos())] = true
	f, ok := pkg.Info.Defs[stack[i].(*ast.FuncDecl).Name].(*types.Func)
	if !ok {
		return ""
	}
	params := f.Signature().Params()
	n := 0
	for n < params.Len() && params.At(n) != v {
		n++
	}
	if n == params.Len() || f.Signature().Variadic() && n == params.Len()-1 {
		return ""
	}
	for _, c := range p.callersOf(f) {
		if n >= len(c.call.Args) {
			continue // it is called with the results of another function
		}
		arg := ast.Unparen(c.call.Args[n])
		if address, ok := arg.(*ast.UnaryExpr); ok {
			arg = ast.Unparen(address.X)
		}
		id, ok := arg.(*ast.Ident)
		if !ok {
			continue
		}
		given, ok := c.pkg.Info.Uses[id].(*types.Var)
		if !ok || given.Parent() == c.pkg.Types.Scope() {
			continue
		}
		s := &site{pkg: c.pkg, file: c.file, id: id, stack: append(slices.Clip(c.stack), c.call)}
		if reads(s, given, true) > 1 || repeated(s, given) {
			return readsAhead + "; the reader is that of " + p.lineOf(id.Pos())
		}
		if given.Kind() == types.ParamVar {
			if why := p.readByCallers(c.pkg, c.stack, given, seen); why != "" {
				return why
			}
		}
	}
	return ""
}
