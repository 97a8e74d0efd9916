package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// In the libraries, a field with a certain name or a directive says that a struct
// is an array. In Octet, a blank field of type struct{} does.

// wholeTag deals with the tag of a field that stands for the whole struct, such as
// _msgpack. It reports whether the field is one.
func (p *program) wholeTag(g tagged) bool {
	name := "field " + g.field.Names[0].Name
	options := slices.DeleteFunc(strings.Split(g.value, ",")[1:], func(s string) bool { return s == "" })
	row, ok := findTag(g.lib, name+" "+strings.Join(options, ","))
	if !ok {
		if row, ok = findTag(g.lib, name); ok && len(options) > 0 {
			p.find(Left, g.field.Pos(), g.lib, row.Name, row.Do)
			p.keepType(g, row.Name)
		}
		return ok
	}
	if row.Value == "keyasint" {
		p.integerKeys(g, row)
		return true
	}
	if hasBlank(g.in, row.Value) {
		return true
	}
	tag := "`" + g.lib.TagKey + `:",` + row.Value + "\"`"
	free := p.canChange(g.owner)
	e := p.editsOf(g.pkg, g.file)
	switch {
	case free && g.gone && !p.isUsed(g.pkg, g.field):
		e.replace(g.field.Pos(), g.field.End(), piece{text: "_ struct{} " + tag})
	case free && len(g.lib.TagKeys) > 0: // the library and Octet each ignore the field of the other
		e.replace(g.field.Pos(), g.field.Pos(), piece{text: "_ struct{} " + tag + "\n"})
	default:
		p.find(Left, g.field.Pos(), g.lib, row.Name, row.Do)
		p.keepType(g, row.Name)
		return true
	}
	p.foundBlank(g.field.Pos(), g.lib, row.Name, g.owner)
	return true
}

// wholeField returns the field from which a library with keys of its own takes options for the whole struct, if its tag is not
// rewritten: that of an embedded struct or of another module, or with another key. Otherwise it returns nil.
func (p *program) wholeField(lib *table.Library, s *types.Struct) *types.Var {
	i := slices.IndexFunc(lib.Tags, func(r table.Row) bool {
		return strings.HasPrefix(r.Name, "field _") && !strings.Contains(r.Name[6:], " ")
	})
	if i < 0 || len(lib.TagKeys) == 0 {
		return nil
	}
	name := strings.TrimPrefix(lib.Tags[i].Name, "field ")
	for level, depth := []*types.Struct{s}, 0; len(level) > 0 && depth < 20; depth++ {
		var found *types.Var
		var tags reflect.StructTag
		var next []*types.Struct
		several := false
		for _, s := range level {
			for i := range s.NumFields() {
				f := s.Field(i)
				if f.Name() == name {
					several = found != nil
					found, tags = f, reflect.StructTag(s.Tag(i))
				}
				inner := f.Type()
				if pointer, ok := inner.Underlying().(*types.Pointer); ok {
					inner = pointer.Elem()
				}
				if in, ok := inner.Underlying().(*types.Struct); ok && f.Embedded() {
					next = append(next, in)
				}
			}
		}
		if found != nil {
			tag, _ := tagOf(lib, tags)
			_, own := tags.Lookup(lib.TagKey)
			_, options, _ := strings.Cut(tag, ",")
			if several || options == "" || own && depth == 0 && p.at(found.Pos()) != nowhere {
				return nil
			}
			return found
		}
		level = next
	}
	return nil
}

// integerKeys gives all fields of a struct the option keyasint, which the library
// ignores.
func (p *program) integerKeys(g tagged, row table.Row) {
	var fields []tagged
	for _, f := range g.in.Fields.List {
		if f == g.field || f.Tag == nil && len(f.Names) == 1 && !f.Names[0].IsExported() {
			continue
		}
		value := ""
		if f.Tag != nil {
			text, _ := strconv.Unquote(f.Tag.Value)
			value = reflect.StructTag(text).Get(g.lib.TagKey)
		}
		name, options, _ := strings.Cut(value, ",")
		if _, err := strconv.ParseInt(name, 10, 64); value != "-" && err != nil || len(f.Names) != 1 {
			p.find(Left, g.field.Pos(), g.lib, row.Name, row.Do)
			p.keepType(g, row.Name)
			return
		}
		if value != "-" && !slices.Contains(strings.Split(options, ","), row.Value) {
			t := g
			t.field, t.value = f, value
			fields = append(fields, t)
		}
	}
	for _, f := range fields {
		p.setTag(f, f.value+","+row.Value)
	}
	if len(fields) > 0 {
		p.find(Done, g.field.Pos(), g.lib, row.Name, "rewritten")
	}
}

// directive deals with a directive.
func (p *program) directive(pkg *Package, lib *table.Library, row table.Row, d directive) {
	c := d.comment
	if row.Value == "" {
		p.find(Left, c.Pos(), lib, row.Name, row.Do)
		return
	}
	var changed []*types.TypeName
	for _, name := range d.words[1:] {
		structure, in := p.structOf(pkg, name)
		switch {
		case structure == nil || !p.arrays[p.at(pkg.Types.Scope().Lookup(name).Pos())]:
			p.find(Left, c.Pos(), lib, row.Name, row.Do)
		case !hasBlank(structure, row.Value) && !p.encodes(lib, pkg.Types.Scope().Lookup(name)):
			p.find(Left, c.Pos(), lib, row.Name, "no call that is rewritten encodes "+name+"; before you replace one by hand: "+row.Do)
		case !hasBlank(structure, row.Value):
			o, _ := pkg.Types.Scope().Lookup(name).(*types.TypeName)
			changed = append(changed, o)
			text := "\n_ struct{} `msgpack:\"," + row.Value + "\"`\n\n"
			if p.fset.Position(structure.Pos()).Line == p.fset.Position(structure.End()).Line {
				text = "_ struct{} `msgpack:\"," + row.Value + "\"`; "
			}
			at := structure.Fields.Opening + 1
			p.editsOf(pkg, in).replace(at, at, piece{text: text})
		}
	}
	if len(changed) > 0 {
		p.foundBlank(c.Pos(), lib, row.Name, changed...)
	}
}

// encodes reports whether a call is rewritten that encodes or decodes values of a type, or values in interfaces.
func (p *program) encodes(lib *table.Library, o types.Object) bool {
	return p.rehearsal || slices.ContainsFunc(p.sites, func(s *site) bool {
		if s.lib != lib || !s.values || s.why != "" {
			return false
		}
		for t := range s.types {
			if named := namedOf(t); named != nil && p.at(named.Obj().Pos()) == p.at(o.Pos()) {
				return true
			}
		}
		return s.hidden
	})
}

// foundBlank records that types get a blank field, which a program can print.
func (p *program) foundBlank(at token.Pos, lib *table.Library, name string, list ...*types.TypeName) {
	kind, text := Done, "rewritten"
	for _, t := range list {
		if t != nil && p.looked[p.at(t.Pos())] != "" {
			kind, text = Check, "type "+t.Name()+" has a blank field now, which is printed as {} or _:{}: "+p.looked[p.at(t.Pos())]
			break
		}
	}
	p.find(kind, at, lib, name, text)
}

// findArrays finds the types that a directive with a counterpart names, and that
// can have a blank field.
func (p *program) findArrays() {
	for _, lib := range p.libraries {
		for _, row := range lib.Comments {
			if row.Value == "" {
				continue
			}
			for _, pkg := range p.packages {
				for _, name := range named(pkg, lib, row.Name) {
					o, ok := pkg.Types.Scope().Lookup(name).(*types.TypeName)
					if !ok {
						continue
					}
					if s, _ := p.structOf(pkg, name); s != nil && p.readsFirst(pkg, o, lib) != "Map" && (hasBlank(s, row.Value) || !p.sharesTags(lib) && p.canChange(o)) {
						p.arrays[p.at(o.Pos())] = true
					}
				}
			}
		}
	}
}

// sharesTags reports whether the program has another library whose calls would read the blank field, too, or uses Octet already,
// perhaps in the place of one.
func (p *program) sharesTags(lib *table.Library) bool {
	others := []*table.Library{{Path: table.Octet}}
	for _, other := range p.libraries {
		if other != lib && other.Profile != "" && len(other.TagKeys) == 0 {
			others = append(others, other)
		}
	}
	return slices.ContainsFunc(others, func(other *table.Library) bool {
		return slices.ContainsFunc(p.packages, func(pkg *Package) bool { return p.usesLibrary(pkg, other) })
	})
}

// structOf returns the declaration of a struct type of a package.
func (p *program) structOf(pkg *Package, name string) (found *ast.StructType, in *ast.File) {
	for _, f := range pkg.Files {
		for _, d := range f.Decls {
			if g, ok := d.(*ast.GenDecl); ok {
				for _, s := range g.Specs {
					if t, ok := s.(*ast.TypeSpec); ok && t.Name.Name == name && p.generatedBy(f) == nil {
						if s, ok := t.Type.(*ast.StructType); ok {
							return s, f
						}
					}
				}
			}
		}
	}
	return nil, nil
}

// hasBlank reports whether a struct has a blank field with an option.
func hasBlank(s *ast.StructType, option string) bool {
	for _, f := range s.Fields.List {
		if len(f.Names) == 1 && f.Names[0].Name == "_" && f.Tag != nil {
			quoted, _ := strconv.Unquote(f.Tag.Value)
			for _, key := range []string{"msgpack", "codec", "msg"} {
				if reflect.StructTag(quoted).Get(key) == ","+option {
					return true
				}
			}
		}
	}
	return false
}

// canChange reports whether a struct type can have another field: no literal gives
// its values without names, no value of it is converted to another type, and no type is
// declared with its fields.
func (p *program) canChange(t *types.TypeName) bool {
	if t == nil || t.Exported() && !p.Closed {
		return false
	}
	if p.fixed == nil {
		p.fixed = map[node]bool{}
		for _, pkg := range p.packages {
			for _, f := range pkg.Files {
				p.findFixed(pkg, f)
			}
		}
	}
	return !p.fixed[p.at(t.Pos())]
}

func (p *program) findFixed(pkg *Package, file *ast.File) {
	fix := func(t types.Type) {
		if named := namedOf(t); named != nil {
			p.fixed[p.at(named.Obj().Pos())] = true
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.TypeSpec:
			if !n.Assign.IsValid() {
				fix(pkg.Info.TypeOf(n.Type))
			}
		case *ast.CompositeLit:
			if len(n.Elts) > 0 {
				if _, keyed := n.Elts[0].(*ast.KeyValueExpr); !keyed {
					fix(pkg.Info.TypeOf(n))
				}
			}
		case *ast.CallExpr:
			if tv := pkg.Info.Types[n.Fun]; tv.IsType() && len(n.Args) == 1 {
				from := pkg.Info.TypeOf(n.Args[0])
				if from != nil && !types.Identical(from, tv.Type) && !types.IsInterface(tv.Type) {
					fix(from)
					fix(tv.Type)
				}
			}
		}
		return true
	})
}

// isUsed reports whether code names a field.
func (p *program) isUsed(pkg *Package, f *ast.Field) bool {
	o := pkg.Info.Defs[f.Names[0]]
	for _, other := range p.packages {
		for _, used := range other.Info.Uses {
			if used == o {
				return true
			}
		}
	}
	return false
}
