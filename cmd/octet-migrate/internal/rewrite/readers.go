package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

const (
	readsAhead = "a Decoder of Octet reads ahead, so the bytes after the value would be lost: make one Decoder for the reader, " +
		"use the reader in no other way, and get the bytes after the value from Buffered; then replace the call by hand"
	checkReader = "a Decoder of Octet reads ahead: check that nothing else reads from the reader afterwards"
)

// readsAhead returns why a reader cannot be given to a Decoder, or "", and what to
// check if it can. A Decoder of Octet reads more than one value at a time. The other
// libraries do not if the reader has a buffer of its own, and some never do.
func (p *program) readsAhead(s *site, r ast.Expr) (why, note string) {
	r = ast.Unparen(r)
	if u, ok := r.(*ast.UnaryExpr); ok && u.Op == token.AND {
		r = ast.Unparen(u.X)
	}
	var v *types.Var
	switch r := r.(type) {
	case *ast.Ident:
		v, _ = s.pkg.Info.Uses[r].(*types.Var)
	case *ast.SelectorExpr:
		v, _ = s.pkg.Info.Uses[r.Sel].(*types.Var)
	}
	switch {
	case v == nil:
		return "", "" // made for this call
	case reads(s, v) > 1 || repeated(s, v):
		return readsAhead, ""
	case v.IsField() && hasMethod(v.Type(), "UnreadByte"):
		return readsAhead, ""
	case (v.IsField() || v.Kind() == types.ParamVar || v.Parent() == s.pkg.Types.Scope()) && !strings.HasSuffix(p.filename(s.file), "_test.go"):
		return "", checkReader
	}
	return "", ""
}

// reads counts the uses of a variable that can read from it, or that look at what is
// left to read after the site.
func reads(s *site, v *types.Var) (n int) {
	local := !v.IsField() && v.Parent() != s.pkg.Types.Scope()
	for _, file := range s.pkg.Files {
		ast.PreorderStack(file, nil, func(x ast.Node, stack []ast.Node) bool {
			id, ok := x.(*ast.Ident)
			if !ok || s.pkg.Info.Uses[id] != v {
				return true
			}
			var use ast.Expr = id
			if sel, ok := stack[len(stack)-1].(*ast.SelectorExpr); ok && sel.Sel == id {
				use, stack = sel, stack[:len(stack)-1]
			}
			before := local && id.Pos() < s.at() && !inOtherFunction(stack, s)
			if !writes(stack, use) || looks(stack, use) && !before {
				n++
			}
			return true
		})
	}
	return n
}

// inOtherFunction reports whether a function literal on the stack does not contain the
// site, so that it may run later.
func inOtherFunction(stack []ast.Node, s *site) bool {
	return slices.ContainsFunc(stack, func(n ast.Node) bool {
		f, ok := n.(*ast.FuncLit)
		return ok && (s.at() < f.Pos() || s.at() >= f.End())
	})
}

// looks reports whether a use of a variable depends on how much was read from it.
func looks(stack []ast.Node, use ast.Expr) bool {
	sel, ok := stack[len(stack)-1].(*ast.SelectorExpr)
	return ok && sel.X == use && slices.Contains([]string{"Len", "Bytes", "String", "Available", "AvailableBuffer"}, sel.Sel.Name)
}

// repeated reports whether a site is in a loop around which the variable lives, so
// that each turn makes a Decoder of the same reader.
func repeated(s *site, v *types.Var) bool {
	for _, n := range s.stack {
		switch n.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			if (v.Pos() < n.Pos() || v.Pos() >= n.End()) && v.Pkg() == s.pkg.Types {
				return true
			}
		}
	}
	return false
}

func hasMethod(t types.Type, name string) bool {
	o, _, _ := types.LookupFieldOrMethod(t, true, nil, name)
	_, ok := o.(*types.Func)
	return ok
}

// writes reports whether a use of a variable only writes to it, sets it or looks at
// it.
func writes(stack []ast.Node, use ast.Expr) bool {
	if len(stack) == 0 {
		return false
	}
	parent := stack[len(stack)-1]
	if u, ok := parent.(*ast.UnaryExpr); ok && u.Op == token.AND && len(stack) > 1 {
		parent = stack[len(stack)-2]
	}
	switch n := parent.(type) {
	case *ast.SelectorExpr:
		return n.X == use && (strings.HasPrefix(n.Sel.Name, "Write") || strings.HasPrefix(n.Sel.Name, "Set") || strings.HasSuffix(n.Sel.Name, "Addr") ||
			slices.Contains([]string{"Len", "Bytes", "String", "Reset", "Close", "Flush"}, n.Sel.Name))
	case *ast.AssignStmt:
		for _, l := range n.Lhs {
			if l == use {
				return true
			}
		}
	case *ast.BinaryExpr: // a comparison
		return true
	case *ast.KeyValueExpr: // set in a literal
		return n.Key == use
	case *ast.CallExpr:
		name := ""
		switch f := n.Fun.(type) {
		case *ast.SelectorExpr:
			name = f.Sel.Name
		case *ast.Ident:
			name = f.Name
		}
		return strings.HasPrefix(name, "NewEncoder") || strings.HasPrefix(name, "NewWriter") || strings.HasPrefix(name, "Fprint")
	}
	return false
}
