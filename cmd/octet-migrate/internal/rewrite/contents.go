package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"
)

// A function of another module that gets a struct in an interface without methods can print, compare or copy its
// unexported fields, as fmt.Println, reflect.DeepEqual and sort.Slice do. Those of a bytes.Buffer are others than
// those of a bytebuf.Buffer.

// A shown is a value that such a function gets.
type shown struct {
	at      node
	t       types.Type
	pos     token.Pos
	shallow bool // the function does not follow pointers in the value, and calls methods that print it
	text    string
}

// blind are the packages, or folders of them, whose functions do not look into the values that they get.
var blind = []string{"container", "context", "encoding", "errors", "net", "runtime", "sync"}

// shows records that a function of another module gets a value as a parameter of type t.
func (p *program) shows(info *types.Info, fun ast.Expr, t types.Type, e ast.Expr) {
	if slice, ok := t.(*types.Slice); ok {
		t = slice.Elem()
	}
	in, ok := t.Underlying().(*types.Interface)
	f, isFunc := info.Uses[lastName(fun)].(*types.Func)
	if !ok || in.NumMethods() > 0 || !isFunc || f.Pkg() == nil {
		return
	}
	if first, _, _ := strings.Cut(f.Pkg().Path(), "/"); slices.Contains(blind, first) || f.Name() == "Nil" || f.Name() == "NotNil" {
		return
	}
	x, at := p.source(info, e)
	p.shown = append(p.shown, shown{at, info.TypeOf(x), e.Pos(), forgets(info, fun) || f.Pkg().Path() == "sort", f.Pkg().Name() + "." + f.Name() + " can print, compare or copy what is in it"})
}

// keepShown keeps the values in structs that functions of other modules look into.
func (p *program) keepShown() {
	for _, s := range p.shown {
		list := []types.Type{s.t}
		if s.t != nil && holdsAny(s.t) {
			for n := range p.dynamic.inside(s.at) {
				list = append(list, p.dynamic.types[n]...)
			}
		}
		for _, t := range list {
			if t != nil && !(s.shallow && saysItself(t)) {
				p.contents(s, t, "", map[types.Type]bool{})
			}
		}
	}
}

// saysItself reports whether a value has a method that package fmt or log/slog calls to print it.
func saysItself(t types.Type) bool {
	return slices.ContainsFunc([]string{"Error", "Format", "LogValue", "String"}, func(name string) bool {
		o, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		_, ok := o.(*types.Func)
		return ok
	})
}

// contents keeps the values of types of the standard library that a value of type t contains, and those that it refers to,
// unless a function does not follow pointers. It records the types in the value, too.
func (p *program) contents(s shown, t types.Type, at node, seen map[types.Type]bool) {
	if named, ok := types.Unalias(t).(*types.Named); ok {
		if seen[t] {
			return
		}
		seen[t] = true
		if n := p.at(named.Obj().Pos()); p.looked[n] == "" {
			p.looked[n] = s.text + " (" + p.lineOf(s.pos) + ")"
		}
	}
	p.parts(t, at, 0, func(n node) { p.flow.block(n, p.fset.Position(s.pos), s.text) })
	switch u := t.Underlying().(type) {
	case *types.Struct:
		for v := range u.Fields() {
			if _, pointer := v.Type().Underlying().(*types.Pointer); !s.shallow || !pointer {
				p.contents(s, v.Type(), p.at(v.Pos()), seen)
			}
		}
	case *types.Map:
		p.contents(s, u.Key(), at, seen)
		p.contents(s, u.Elem(), at, seen)
	case *types.Slice, *types.Array, *types.Pointer:
		p.contents(s, u.(interface{ Elem() types.Type }).Elem(), at, seen)
	}
}
