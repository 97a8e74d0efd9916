package rewrite

import (
	"go/types"
	"slices"
	"strconv"
)

// joinMethod joins the parameters and results of all methods with the same name,
// because one of them can be called in place of another through an interface.
func (p *program) joinMethod(o types.Object) {
	f, ok := o.(*types.Func)
	if !ok {
		return
	}
	p.moveMethod(f.Name(), f.Signature())
	if !p.mentions(f.Type()) {
		return
	}
	p.methods[f.Name()] = append(p.methods[f.Name()], f)
	p.joinSignature(f.Name(), f.Signature())
}

// joinSignature joins the parameters and results of a method, and of the functions that it takes and returns, with
// those of the methods with the same name.
func (p *program) joinSignature(name string, s *types.Signature) {
	for kind, list := range map[string]*types.Tuple{"parameter": s.Params(), "result": s.Results()} {
		for i := range list.Len() {
			v, place := list.At(i), name+" "+kind+" "+strconv.Itoa(i)
			if p.mentions(v.Type()) {
				p.flow.join(node("method "+place), p.at(v.Pos()))
				if f, ok := types.Unalias(v.Type()).(*types.Signature); ok {
					p.joinSignature(place, f)
				}
			}
		}
	}
}

// joinMethods joins the methods of an interface and of a type whose value is stored in it.
// Either of them can be declared in another module.
func (p *program) joinMethods(t, from types.Type) {
	in, ok := t.Underlying().(*types.Interface)
	if !ok || types.IsInterface(from) && types.Identical(t, from) {
		return
	}
	for m := range in.Methods() {
		if p.library(m) == nil && p.mentions(m.Type()) {
			p.joinMethod(m)
			o, _, _ := types.LookupFieldOrMethod(from, true, m.Pkg(), m.Name())
			p.joinMethod(o)
		}
	}
}

// joinImported joins the methods of the program and those of other modules that have the same
// name and type: a value in an interface can be asked for them.
func (p *program) joinImported() {
	if len(p.methods) == 0 {
		return
	}
	seen := map[*types.Package]bool{}
	var list []*types.Package
	for _, pkg := range p.packages {
		list = append(list, pkg.Types)
	}
	for len(list) > 0 {
		pkg := list[0]
		list = list[1:]
		if seen[pkg] {
			continue
		}
		seen[pkg] = true
		list = append(list, pkg.Imports()...)
		for _, name := range pkg.Scope().Names() {
			named, ok := types.Unalias(pkg.Scope().Lookup(name).Type()).(*types.Named)
			if !ok || p.library(named.Obj()) != nil || p.at(named.Obj().Pos()) != nowhere {
				continue
			}
			methods := slices.Collect(named.Methods())
			if in, ok := named.Underlying().(*types.Interface); ok {
				methods = slices.Collect(in.ExplicitMethods())
			}
			for _, m := range methods {
				if slices.ContainsFunc(p.methods[m.Name()], func(f *types.Func) bool { return f.Id() == m.Id() && types.Identical(f.Type(), m.Type()) }) {
					p.joinMethod(m)
				}
			}
		}
	}
}
