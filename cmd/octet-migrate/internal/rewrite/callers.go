package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
)

// A caller is a call of a function or method of the program, or of the method of an interface.
type caller struct {
	pkg   *Package
	file  *ast.File
	call  *ast.CallExpr
	stack []ast.Node // around the call
	f     *types.Func
}

// findCallers returns the calls in the program, by the name of the function.
func (p *program) findCallers() map[string][]caller {
	if p.callers != nil {
		return p.callers
	}
	p.callers = map[string][]caller{}
	for _, pkg := range p.packages {
		for _, file := range pkg.Files {
			ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
				if call, ok := n.(*ast.CallExpr); ok {
					if f := function(pkg.Info, call.Fun); f != nil {
						p.callers[f.Name()] = append(p.callers[f.Name()], caller{pkg, file, call, slices.Clone(stack), f})
					}
				}
				return true
			})
		}
	}
	return p.callers
}

// callersOf returns the calls that run a function, also those through an interface that the receiver of a
// method can be in.
func (p *program) callersOf(f *types.Func) (list []caller) {
	for _, c := range p.findCallers()[f.Name()] {
		if p.at(c.f.Pos()) == p.at(f.Pos()) || implements(f, c.f) {
			list = append(list, c)
		}
	}
	return list
}

// implements reports whether the receiver of a method has all methods of the interface that another
// method is of. It compares texts, because a package with tests has types of its own.
func implements(f, of *types.Func) bool {
	recv, other := f.Signature().Recv(), of.Signature().Recv()
	if recv == nil || other == nil || !types.IsInterface(other.Type()) || f.Signature().Params().Len() != of.Signature().Params().Len() {
		return false
	}
	for n := range f.Signature().Params().Len() {
		if f.Signature().Params().At(n).Type().String() != of.Signature().Params().At(n).Type().String() {
			return false
		}
	}
	i, ok := other.Type().Underlying().(*types.Interface)
	for n := 0; ok && n < i.NumMethods(); n++ {
		m, _, _ := types.LookupFieldOrMethod(recv.Type(), true, i.Method(n).Pkg(), i.Method(n).Name())
		_, ok = m.(*types.Func)
	}
	return ok
}

// readByCallers returns why a Decoder cannot read from the parameter of a function: a caller reads from the
// same variable again.
func (p *program) readByCallers(pkg *Package, stack []ast.Node, v *types.Var, depth int) (why string) {
	i := slices.IndexFunc(stack, func(n ast.Node) bool { _, ok := n.(*ast.FuncDecl); return ok })
	if i < 0 || depth > 10 {
		return ""
	}
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
			if why := p.readByCallers(c.pkg, c.stack, given, depth+1); why != "" {
				return why
			}
		}
	}
	return ""
}
