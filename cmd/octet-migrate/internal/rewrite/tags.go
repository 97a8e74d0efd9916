package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// findTags rewrites and reports tags and directives in the packages that use a
// library.
func (p *program) findTags() {
	for _, pkg := range p.packages {
		for _, lib := range p.libraries {
			if lib.Profile == "" || !p.usesLibrary(pkg, lib) {
				continue
			}
			for _, f := range pkg.Files {
				if !ast.IsGenerated(f) {
					p.tags(pkg, f, lib)
				}
			}
		}
	}
}

// usesLibrary reports whether a file of the package imports a library.
func (p *program) usesLibrary(pkg *Package, lib *table.Library) bool {
	for _, f := range pkg.Files {
		for _, spec := range f.Imports {
			if table.For([]*table.Library{lib}, strings.Trim(spec.Path.Value, `"`)) != nil {
				return true
			}
		}
	}
	return false
}

func (p *program) tags(pkg *Package, file *ast.File, lib *table.Library) {
	ast.Inspect(file, func(n ast.Node) bool {
		structure, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		for _, f := range structure.Fields.List {
			if f.Tag != nil {
				p.tag(pkg, file, lib, f)
			}
		}
		return true
	})
	for _, group := range file.Comments {
		for _, c := range group.List {
			for _, row := range lib.Comments {
				if strings.HasPrefix(c.Text, row.Name) {
					p.find(Left, c.Pos(), lib, row.Name, row.Do)
				}
			}
		}
	}
}

func (p *program) tag(pkg *Package, file *ast.File, lib *table.Library, f *ast.Field) {
	quoted, err := strconv.Unquote(f.Tag.Value)
	if err != nil {
		return
	}
	value, ok := reflect.StructTag(quoted).Lookup(lib.TagKey)
	if !ok {
		return
	}
	at := f.Pos()
	for _, id := range f.Names {
		for _, row := range lib.Tags {
			if row.Name == "field "+id.Name {
				p.find(Left, at, lib, row.Name, row.Do)
			}
		}
	}
	parts := strings.Split(value, ",")
	changed := false
	for i := 1; i < len(parts); i++ {
		name, _, _ := strings.Cut(strings.TrimSpace(parts[i]), ":")
		for _, row := range lib.Tags {
			if row.Name != name {
				continue
			}
			switch {
			case row.Do != "":
				p.find(Left, at, lib, "tag option "+name, row.Do)
			case row.Value != "" && p.Shortest && p.needsZero(pkg, f) && !strings.Contains(value, row.Value):
				parts[i] += "," + row.Value
				changed = true
				p.find(Done, at, lib, "tag option "+name, "rewritten")
			}
		}
	}
	if changed && strings.HasPrefix(f.Tag.Value, "`") {
		old := lib.TagKey + `:"` + value + `"`
		e := p.editsOf(pkg, file)
		start := f.Tag.Pos() + token.Pos(strings.Index(f.Tag.Value, old))
		e.replace(start, start+token.Pos(len(old)), piece{text: lib.TagKey + `:"` + strings.Join(parts, ",") + `"`})
	}
}

// needsZero reports whether a field of this type is empty by its method IsZero.
// The libraries ask the method for omitempty, as the profiles do. Octet asks it for
// omitzero.
func (p *program) needsZero(pkg *Package, f *ast.Field) bool {
	t := pkg.Info.TypeOf(f.Type)
	if t == nil {
		return false
	}
	switch t.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Slice:
		return false
	}
	o, _, _ := types.LookupFieldOrMethod(t, false, nil, "IsZero")
	m, ok := o.(*types.Func)
	return ok && m.Signature().Params().Len() == 0 && m.Signature().Results().Len() == 1
}
