package rewrite

import (
	"cmp"
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
	info := s.pkg.Info
	switch r := ast.Unparen(r).(type) {
	case *ast.UnaryExpr: // an address, or what a channel has
		if r.Op == token.ARROW {
			return readsAhead, ""
		}
		return p.readsAhead(s, r.X)
	case *ast.StarExpr:
		return p.readsAhead(s, r.X)
	case *ast.TypeAssertExpr:
		return p.readsAhead(s, r.X)
	case *ast.IndexExpr:
		return p.readsAhead(s, r.X)
	case *ast.Ident:
		v, _ := info.Uses[r].(*types.Var)
		return p.readsVariable(s, v)
	case *ast.SelectorExpr:
		v, _ := info.Uses[r.Sel].(*types.Var)
		return p.readsVariable(s, v)
	case *ast.CompositeLit: // which can have other readers in it
		for _, e := range r.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			why, note = p.readsThrough(s, e, why, note)
		}
	case *ast.CallExpr:
		if tv := info.Types[r.Fun]; tv.IsBuiltin() {
			return "", ""
		} else if !tv.IsType() {
			f := function(info, r.Fun)
			switch {
			case f == nil || p.at(f.Pos()) != nowhere: // of the program, and can return the same one each time
				return readsAhead, ""
			case f.Pkg() != nil && f.Pkg().Path() == "bufio": // reads ahead by itself
				return "", ""
			case f.Signature().Recv() != nil:
				note = checkReader
			}
		}
		for _, e := range r.Args {
			why, note = p.readsThrough(s, e, why, note)
		}
	}
	return why, note
}

// readsThrough looks at a part of a new reader if it is a reader or writer, and adds what it
// finds to what is known of other parts.
func (p *program) readsThrough(s *site, part ast.Expr, why, note string) (string, string) {
	t := s.pkg.Info.TypeOf(part)
	if t == nil || why != "" || !hasMethod(t, "Read") && !hasMethod(t, "Write") {
		return why, note
	}
	why, more := p.readsAhead(s, part)
	return why, cmp.Or(note, more)
}

// function returns the function or method that is called, or nil.
func function(info *types.Info, fun ast.Expr) *types.Func {
	if x, ok := ast.Unparen(fun).(*ast.IndexExpr); ok {
		return function(info, x.X)
	}
	f, _ := info.Uses[lastName(fun)].(*types.Func)
	return f
}

// readsVariable is readsAhead for a variable or field.
func (p *program) readsVariable(s *site, v *types.Var) (why, note string) {
	switch {
	case v == nil:
		return "", ""
	case reads(s, v, false) > 1 || repeated(s, v):
		return readsAhead, ""
	case v.IsField() && hasMethod(v.Type(), "UnreadByte"):
		return readsAhead, ""
	case (v.IsField() || v.Parent() == s.pkg.Types.Scope()) && !p.keepsResult(s) && p.hasBuffer(v):
		return readsAhead, "" // each call makes a Decoder
	}
	if v.Kind() == types.ParamVar {
		if why := p.readByCallers(s.pkg, s.stack, v, map[node]bool{}); why != "" {
			return why, ""
		}
	}
	if (v.IsField() || v.Kind() == types.ParamVar || v.Parent() == s.pkg.Types.Scope()) && !strings.HasSuffix(p.filename(s.file), "_test.go") {
		return "", checkReader
	}
	return "", ""
}

// reads counts the uses of a variable that can read from it, or that look at what is
// left to read after the site. With after, it does not count those before the site.
func reads(s *site, v *types.Var, after bool) (n int) {
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
			if !writes(stack, use) && !(before && after) || looks(stack, use) && !before {
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

// repeated reports whether a site is in a loop around which the variable lives, or in a
// function literal, so that each turn or call makes a Decoder of the same reader.
func repeated(s *site, v *types.Var) bool {
	for i, n := range s.stack {
		switch n := n.(type) {
		case *ast.FuncLit:
			if call, ok := s.stack[i-1].(*ast.CallExpr); ok && call.Fun == n {
				continue // it is called once
			}
		case *ast.ForStmt, *ast.RangeStmt:
		default:
			continue
		}
		if (v.Pos() < n.Pos() || v.Pos() >= n.End()) && v.Pkg() == s.pkg.Types && !v.IsField() {
			return true
		}
	}
	return false
}

// keepsResult reports whether the Decoder of a site is stored or returned, so that it can be used again.
func (p *program) keepsResult(s *site) bool {
	if s.call == nil || !p.mentions(s.pkg.Info.TypeOf(s.call)) {
		return false
	}
	switch n := s.parent().(type) {
	case *ast.KeyValueExpr, *ast.CompositeLit, *ast.ReturnStmt:
		return true
	case *ast.AssignStmt:
		return slices.ContainsFunc(n.Lhs, func(e ast.Expr) bool { _, ok := e.(*ast.Ident); return !ok })
	}
	return false
}

// hasBuffer reports whether the program gives a variable a reader with a buffer of its own, which the
// libraries do not read ahead from.
func (p *program) hasBuffer(v *types.Var) bool {
	all, known := p.dynamic.sources(p.at(v.Pos()))
	return slices.ContainsFunc(all[:known], func(n node) bool {
		return slices.ContainsFunc(p.dynamic.types[n], func(t types.Type) bool { return hasMethod(t, "UnreadByte") })
	})
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
