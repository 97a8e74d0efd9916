package rewrite

import (
	"go/token"
	"go/types"
	"reflect"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// findShapes finds the types for which a generator writes other bytes than those
// of the exported fields, because of a directive or an unexported field, and the
// types that contain them. Calls of their generated methods stay.
func (p *program) findShapes() {
	for _, lib := range p.libraries {
		if lib.Generator == nil {
			continue
		}
		for _, pkg := range p.packages {
			p.markShapes(pkg, lib)
		}
	}
	for changed := true; changed; {
		changed = false
		for _, pkg := range p.packages {
			for _, t := range declared(pkg) {
				if n := p.at(t.Pos()); !p.shapes[n] && p.contains(t.Type().Underlying(), 0) {
					p.shapes[n] = true
					changed = true
				}
			}
		}
	}
}

// declared returns the types that a package declares.
func declared(pkg *Package) (list []*types.TypeName) {
	scope := pkg.Types.Scope()
	for _, n := range scope.Names() {
		if t, ok := scope.Lookup(n).(*types.TypeName); ok && !t.IsAlias() {
			list = append(list, t)
		}
	}
	return list
}

// markShapes marks the types that have unexported fields or that directives name,
// unless a blank field can replace the directive. A directive for other types, such
// as shim, can concern every type of the package.
func (p *program) markShapes(pkg *Package, lib *table.Library) {
	for _, t := range declared(pkg) {
		if hides(t, lib.TagKey) {
			p.shapes[p.at(t.Pos())] = true
		}
	}
	for _, f := range pkg.Files {
		for _, group := range f.Comments {
			for _, c := range group.List {
				words := strings.Fields(c.Text)
				for _, row := range lib.Comments {
					if len(words) == 0 || words[0] != row.Name || row.Flags&table.Shape == 0 {
						continue
					}
					named := map[string]bool{}
					for _, w := range words[1:] {
						named[w] = true
					}
					for _, t := range declared(pkg) {
						if (len(named) == 0 || row.Flags&table.Everywhere != 0 || named[t.Name()]) && !(row.Value != "" && p.arrays[p.at(t.Pos())]) {
							p.shapes[p.at(t.Pos())] = true
						}
					}
				}
			}
		}
	}
}

// hides reports whether a struct type has an unexported field. Generators write
// these, and Octet does not.
func hides(t *types.TypeName, tagKey string) bool {
	s, ok := t.Type().Underlying().(*types.Struct)
	if !ok {
		return false
	}
	for i := range s.NumFields() {
		f := s.Field(i)
		if !f.Exported() && !f.Embedded() && f.Name() != "_" && reflect.StructTag(s.Tag(i)).Get(tagKey) != "-" {
			return true
		}
	}
	return false
}

// contains reports whether a value of a type contains one of a marked type.
func (p *program) contains(t types.Type, depth int) bool {
	if depth > 20 {
		return false
	}
	depth++
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		return t.Obj().Pos() != token.NoPos && p.shapes[p.at(t.Obj().Pos())]
	case *types.Pointer:
		return p.contains(t.Elem(), depth)
	case *types.Slice:
		return p.contains(t.Elem(), depth)
	case *types.Array:
		return p.contains(t.Elem(), depth)
	case *types.Map:
		return p.contains(t.Elem(), depth)
	case *types.Struct:
		for f := range t.Fields() {
			if p.contains(f.Type(), depth) {
				return true
			}
		}
	}
	return false
}
