package rewrite

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// nodesOf returns the nodes whose types a site depends on.
func (p *program) nodesOf(s *site, o types.Object) []node {
	info := s.pkg.Info
	if s.lib.Same {
		return nil
	}
	switch o := o.(type) {
	case *types.TypeName:
		if s.row.Flags&table.Data != 0 {
			return []node{p.dataNode(o)}
		}
		return p.placesOf(s)
	case *types.Func:
		var nodes []node
		if sel, ok := s.ref.(*ast.SelectorExpr); ok && s.method {
			nodes = append(nodes, p.carrier(info, sel.X))
			if f := p.promotedFrom(info.Selections[sel]); f != nil {
				nodes = append(nodes, p.at(f.Pos()))
			}
			if named := namedOf(o.Signature().Recv().Type()); named != nil && p.isData(named) {
				nodes = append(nodes, p.dataNode(named.Obj()))
			}
		}
		if s.call != nil && p.mentions(o.Signature().Results()) {
			nodes = append(nodes, p.carrier(info, s.call))
		}
		if s.call != nil && s.inner != nil {
			nodes = append(nodes, p.carrier(info, s.inner))
		}
		for i, e := range s.arguments() {
			if t := info.TypeOf(e); p.mentions(t) {
				nodes = append(nodes, p.inSignature(t)...)
				if named := p.libraryNamed(t); named != nil && p.isData(t) {
					nodes = append(nodes, p.dataNode(named.Obj()))
				} else if _, handle := s.handleArg(i); !handle {
					nodes = append(nodes, p.carrier(info, e))
				}
			}
		}
		for i := range o.Signature().Results().Len() {
			if t := o.Signature().Results().At(i).Type(); p.isData(t) {
				nodes = append(nodes, p.dataNode(p.libraryNamed(t).Obj()))
			}
		}
		// A function value flows where its type does: to parameters and results. The receiver of a method
		// expression is a parameter.
		if s.call == nil && (p.mentions(o.Type()) || methodExpression(s) != "") {
			for _, n := range slices.Backward(slices.Sorted(maps.Keys(p.signatureNodes(s, o)))) { // in one order, with unwritten before nowhere
				nodes = append(nodes, n)
			}
		}
		return nodes
	case *types.Var:
		if sel, ok := s.ref.(*ast.SelectorExpr); ok && o.IsField() {
			return []node{p.carrier(info, sel.X)}
		}
	}
	return nil
}

// promotedFrom returns the embedded field that a selection takes a method or field from
// without naming it, or nil.
func (p *program) promotedFrom(s *types.Selection) (field *types.Var) {
	if s == nil {
		return nil
	}
	t := s.Recv()
	for _, i := range s.Index()[:len(s.Index())-1] {
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		structure, ok := t.Underlying().(*types.Struct)
		if named := namedOf(t); !ok || named != nil && p.isLibraryType(named.Obj()) {
			break // what the library embeds in its own types does not matter
		}
		field = structure.Field(i)
		t = field.Type()
	}
	return field
}

// inSignature returns the nodes of the parameters and results of a function type.
func (p *program) inSignature(t types.Type) (nodes []node) {
	sig, ok := t.Underlying().(*types.Signature)
	if !ok {
		return nil
	}
	for _, list := range []*types.Tuple{sig.Params(), sig.Results()} {
		for v := range list.Variables() {
			if p.mentions(v.Type()) {
				nodes = append(nodes, p.at(v.Pos()))
			}
		}
	}
	return nodes
}

// signatureNodes returns the nodes of the function type that a function value is
// assigned to.
func (p *program) signatureNodes(s *site, f *types.Func) map[node]bool {
	nodes := map[node]bool{}
	targets, unknown := p.targetsOf(s)
	if unknown {
		nodes[unwritten] = true
	}
	for _, t := range targets {
		if _, ok := t.Underlying().(*types.Signature); !ok {
			nodes[nowhere] = true
		}
		for _, n := range p.inSignature(t) {
			nodes[n] = true
		}
	}
	return nodes
}

// targetsOf returns the types that a function value is assigned to. Some are unknown
// if it is assigned to a variable that has its type, or in an unusual way.
func (p *program) targetsOf(s *site) (list []types.Type, unknown bool) {
	add := func(t types.Type) {
		if t != nil {
			list = append(list, t)
		}
	}
	info := s.pkg.Info
	switch n := s.parent().(type) {
	case *ast.AssignStmt:
		for i, r := range n.Rhs {
			if r == s.ref && i < len(n.Lhs) && len(n.Lhs) == len(n.Rhs) {
				if id, ok := n.Lhs[i].(*ast.Ident); ok && info.Defs[id] != nil {
					unknown = true // its type comes from the library's function
				}
				add(info.TypeOf(n.Lhs[i]))
			}
		}
	case *ast.CallExpr:
		if info.Types[n.Fun].IsType() { // a conversion
			add(info.TypeOf(n))
			break
		}
		sig, ok := info.TypeOf(n.Fun).Underlying().(*types.Signature)
		for i, a := range n.Args {
			if a != s.ref {
				continue
			}
			if t := parameter(sig, i, n.Ellipsis.IsValid()); ok && t != nil {
				add(t)
			} else {
				unknown = true
			}
		}
	case *ast.SendStmt:
		if c, ok := info.TypeOf(n.Chan).Underlying().(*types.Chan); ok {
			add(c.Elem())
		}
	case *ast.ValueSpec:
		if n.Type == nil {
			unknown = true
		} else {
			add(info.TypeOf(n.Type))
		}
	case *ast.CompositeLit:
		if t, ok := info.TypeOf(n).Underlying().(interface{ Elem() types.Type }); ok {
			add(t.Elem())
		} else if structure, ok := info.TypeOf(n).Underlying().(*types.Struct); ok {
			add(structure.Field(slices.Index(n.Elts, s.ref)).Type())
		} else {
			unknown = true
		}
	case *ast.KeyValueExpr:
		lit, _ := s.stack[len(s.stack)-2].(*ast.CompositeLit)
		if t, ok := info.TypeOf(lit).Underlying().(interface{ Elem() types.Type }); ok {
			add(t.Elem())
		} else if id, ok := n.Key.(*ast.Ident); ok && info.Uses[id] != nil {
			add(info.Uses[id].Type())
		} else {
			unknown = true
		}
	case *ast.ReturnStmt:
		if sig := enclosing(info, s.stack); sig != nil && sig.Results().Len() == len(n.Results) {
			for i, r := range n.Results {
				if r == s.ref {
					add(sig.Results().At(i).Type())
				}
			}
		}
	default:
		unknown = true
	}
	return list, unknown
}

// parameter returns the type of the parameter for argument i of a call, or nil.
func parameter(sig *types.Signature, i int, spread bool) types.Type {
	if sig == nil || sig.Params().Len() == 0 {
		return nil
	}
	last := sig.Params().Len() - 1
	t := sig.Params().At(min(i, last)).Type()
	if slice, ok := t.(*types.Slice); ok && sig.Variadic() && i >= last && !spread {
		return slice.Elem()
	}
	return t
}

// placesOf returns the nodes that a type is written for, such as those of the
// variables that a declaration declares.
func (p *program) placesOf(s *site) (nodes []node) {
	var inner ast.Node = s.ref
	for i := len(s.stack) - 1; i >= 0; i-- {
		switch n := s.stack[i].(type) {
		case *ast.StarExpr, *ast.ArrayType, *ast.MapType, *ast.ChanType, *ast.Ellipsis, *ast.ParenExpr:
		case *ast.Field:
			for _, id := range n.Names {
				nodes = append(nodes, p.at(id.Pos()))
			}
			if len(n.Names) == 0 {
				if len(s.stack) > 1 && i > 1 {
					if _, embedded := s.stack[i-2].(*ast.StructType); embedded {
						return []node{nowhere, p.at(s.id.Pos())} // which is the position of the field
					}
					if _, embedded := s.stack[i-2].(*ast.InterfaceType); embedded {
						return []node{nowhere}
					}
				}
				nodes = append(nodes, p.at(n.Type.Pos()))
			}
			return nodes
		case *ast.ValueSpec:
			for _, id := range n.Names {
				nodes = append(nodes, p.at(id.Pos()))
			}
			return nodes
		case *ast.CompositeLit:
			if n.Type == inner {
				return []node{p.at(n.Pos())}
			}
			return []node{nowhere}
		case *ast.TypeSpec:
			if !n.Assign.IsValid() || n.TypeParams != nil {
				return []node{nowhere}
			}
			return []node{p.at(n.Name.Pos())}
		case *ast.IndexExpr: // a type argument
			if n.X == inner {
				return []node{nowhere}
			}
			return []node{p.paramOf(s.pkg.Info, n.X, 0)}
		case *ast.IndexListExpr:
			if n.X == inner {
				return []node{nowhere}
			}
			return []node{p.paramOf(s.pkg.Info, n.X, slices.IndexFunc(n.Indices, func(e ast.Expr) bool { return e == inner }))}
		case *ast.CallExpr: // new, make or a conversion
			return []node{p.at(n.Pos()), p.carrier(s.pkg.Info, n)}
		default: // a type declaration, an assertion, a case
			return []node{nowhere}
		}
		inner = s.stack[i]
	}
	return []node{nowhere}
}

// unfitType returns what to do by hand if the use of a type, variable or field
// cannot be rewritten, or "".
func (p *program) unfitType(s *site, o types.Object) string {
	if s.row.Flags&table.Handle != 0 || s.lib.Same {
		return ""
	}
	if s.row.Value == "" {
		return s.row.Do
	}
	for _, n := range s.nodes {
		if n == nowhere {
			return "the type is part of another type here: replace it by hand" + orDo(s.row)
		}
	}
	if places := p.placesOf(s); len(places) == 2 && places[0] == nowhere && !strings.HasSuffix(s.row.Value, "."+o.Name()) {
		return "it is an embedded field, and the name of the field would change: give the field this name"
	}
	_, isPointer := s.parent().(*ast.StarExpr)
	if _, isAlias := s.parent().(*ast.TypeSpec); !isPointer && !isAlias && s.row.Flags&table.Pointer != 0 {
		return "use a pointer that New" + o.Name() + " returns: the zero value is not ready"
	}
	if sel, ok := s.parent().(*ast.SelectorExpr); ok && sel.X == s.ref {
		return "call the method on a value: a method expression has another type in Octet"
	}
	return ""
}
