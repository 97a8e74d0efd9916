package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"
)

// wrongArguments reports whether a call does not have the arguments that its function takes, in a program with type errors.
func (p *program) wrongArguments(s *site, f *types.Func) bool {
	return wrongCount(f, s.call) || s.inner != nil && wrongCount(p.libraryFunc(s.pkg.Info, s.inner.Fun), s.inner)
}

// wrongCount reports whether a call has too many or too few arguments. One argument can be the results of a call.
func wrongCount(f *types.Func, call *ast.CallExpr) bool {
	return !f.Signature().Variadic() && len(call.Args) != f.Signature().Params().Len()
}

// dropped returns the arguments of a call that its replacement does not have, such as the size of a buffer. Handles
// are not among them.
func (p *program) dropped(s *site) (list []ast.Expr) {
	if s.call == nil || s.row.Call == "" || s.plain() != "" || strings.Contains(s.row.Call, "{rest}") {
		return nil
	}
	var kept []string
	for _, m := range holes.FindAllStringSubmatch(s.row.Call, -1) {
		kept = append(kept, m[1])
	}
	for i, e := range s.arguments() {
		t := s.pkg.Info.TypeOf(e)
		if !slices.Contains(kept, strconv.Itoa(i+1)) && t != nil && !p.mentions(t) {
			list = append(list, e)
		}
	}
	return list
}

// runs reports whether the evaluation of an expression can do something else than compute its value.
func runs(info *types.Info, e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			tv := info.Types[n.Fun]
			found = found || !tv.IsType() && !tv.IsBuiltin()
		case *ast.UnaryExpr:
			found = found || n.Op == token.ARROW
		}
		return !found
	})
	return found
}

// losesArgument returns what to do by hand if a call has an argument that its replacement does not have, and without which
// the program does something else or does not compile, or "". The arguments in gone are not used afterwards.
func (p *program) losesArgument(s *site, gone []ast.Expr) (why string) {
	for _, e := range p.dropped(s) {
		argument := "its replacement does not have the argument " + types.ExprString(e) + ": "
		if runs(s.pkg.Info, e) {
			return argument + "call the function in a statement of its own before"
		}
		ast.Inspect(e, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := s.pkg.Info.Uses[id].(*types.Var); ok && v.Kind() == types.LocalVar && !usedElsewhere(s, v, gone) {
					why = argument + "nothing else uses the variable " + v.Name() + ", so remove it and give the value here"
				}
			}
			return why == ""
		})
	}
	return why
}

// usedElsewhere reports whether a variable of a function is used outside of some expressions, so that the compiler
// accepts it.
func usedElsewhere(s *site, v *types.Var, outside []ast.Expr) (found bool) {
	ast.PreorderStack(s.file, nil, func(n ast.Node, stack []ast.Node) bool {
		if e, ok := n.(ast.Expr); ok && slices.Contains(outside, e) {
			return false
		}
		if id, ok := n.(*ast.Ident); ok && s.pkg.Info.Uses[id] == v {
			set, ok := stack[len(stack)-1].(*ast.AssignStmt)
			found = found || !ok || set.Tok != token.ASSIGN || !slices.Contains(set.Lhs, ast.Expr(id))
		}
		return !found
	})
	return found
}
