package rewrite

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// findShapes finds the types for which a generator writes other bytes than Octet,
// because of a directive or a field, and the types that contain them. Calls of their
// generated methods stay.
func (p *program) findShapes() {
	for _, lib := range p.libraries {
		if lib.Generator == nil {
			continue
		}
		for _, pkg := range p.packages {
			p.markShapes(pkg, lib, func(t *types.TypeName, why string) {
				if n := p.at(t.Pos()); p.shapes[n] == "" {
					p.shapes[n] = why
				}
			})
		}
	}
	for changed := true; changed; {
		changed = false
		for _, pkg := range p.packages {
			for _, t := range declared(pkg) {
				if n := p.at(t.Pos()); p.shapes[n] == "" {
					p.shapes[n] = p.contained(t.Type().Underlying(), 0)
					changed = changed || p.shapes[n] != ""
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

// markShapes marks the types with a field of which a generator makes something else, or
// that directives name, unless a blank field can replace the directive. A directive for
// other types, such as shim, can concern every type of the package.
func (p *program) markShapes(pkg *Package, lib *table.Library, mark func(*types.TypeName, string)) {
	for _, t := range declared(pkg) {
		mark(t, hides(t, lib))
		mark(t, p.embeds(pkg, t, lib))
	}
	for _, f := range pkg.Files {
		p.markFields(pkg, f, lib, mark)
		for _, d := range directivesOf(f, lib) {
			for _, row := range lib.Comments {
				if d.words[0] != row.Name || row.Flags&table.Shape == 0 {
					continue
				}
				named := map[string]bool{}
				for _, w := range d.words[1:] {
					named[w] = true
				}
				everywhere := len(named) == 0 || row.Flags&table.Everywhere != 0
				if row.Flags&table.OfType != 0 && len(d.words) > 1 && pkg.Types.Scope().Lookup(d.words[1]) != nil {
					everywhere = false
				}
				for _, t := range declared(pkg) {
					if (everywhere || named[t.Name()]) && !(row.Value != "" && p.arrays[p.at(t.Pos())]) {
						mark(t, "of the directive "+row.Name+" ("+p.lineOf(d.comment.Pos())+")")
					}
				}
			}
		}
	}
	for _, t := range declared(pkg) {
		_, isStruct := t.Type().Underlying().(*types.Struct)
		if isStruct && p.readsFirst(pkg, t, lib) == "Array" && !p.arrays[p.at(t.Pos())] {
			mark(t, "it makes arrays of the structs")
		}
	}
}

// hides returns the field of a struct type of which generated code makes something else
// than Octet, or "". Generators write unexported fields, which Octet does not.
func hides(t *types.TypeName, lib *table.Library) string {
	s, ok := t.Type().Underlying().(*types.Struct)
	if !ok {
		return strangeForm(t.Type().Underlying(), 0)
	}
	return hidesField(s, lib, 0)
}

// embeds returns the embedded field of a struct type whose type is not exported, or "", if generated
// code has it. Octet leaves it out, as the generator does without the flag for unexported fields.
func (p *program) embeds(pkg *Package, t *types.TypeName, lib *table.Library) string {
	s, ok := t.Type().Underlying().(*types.Struct)
	for i := 0; ok && i < s.NumFields(); i++ {
		field := s.Field(i)
		if !field.Embedded() || field.Exported() {
			continue
		}
		for _, f := range pkg.Files {
			if p.generatedBy(f) == lib && selects(pkg, f, field) {
				return "of the embedded field " + field.Name() + ", whose type is not exported"
			}
		}
	}
	return ""
}

// selects reports whether a file has a selector of a field.
func selects(pkg *Package, f *ast.File, field *types.Var) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok && (pkg.Info.Uses[s.Sel] == field || pkg.Info.Uses == nil && s.Sel.Name == field.Name()) {
			found = true
		}
		return !found
	})
	return found
}

// readsFirst returns "Array" or "Map" if the generated code of a type reads the header of one first, or "". A
// directive does not concern types of other files, unless the generator reads the folder, and can be in a Makefile.
func (p *program) readsFirst(pkg *Package, t *types.TypeName, lib *table.Library) (kind string) {
	for _, f := range pkg.Files {
		if p.generatedBy(f) != lib {
			continue
		}
		for _, d := range f.Decls {
			m, ok := d.(*ast.FuncDecl)
			if !ok || m.Recv == nil || m.Name.Name != "DecodeMsg" && m.Name.Name != "UnmarshalMsg" || receiver(m) != t.Name() {
				continue
			}
			ast.Inspect(m, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok && kind == "" {
					if name, isRead := strings.CutPrefix(strings.TrimSuffix(id.Name, "Bytes"), "Read"); isRead && strings.HasSuffix(name, "Header") {
						kind = strings.TrimSuffix(name, "Header")
					}
				}
				return kind == ""
			})
		}
	}
	return kind
}

// receiver returns the name of the type of a method, or "".
func receiver(m *ast.FuncDecl) string {
	t := m.Recv.List[0].Type
	if star, ok := t.(*ast.StarExpr); ok {
		t = star.X
	}
	switch x := t.(type) {
	case *ast.IndexExpr:
		t = x.X
	case *ast.IndexListExpr:
		t = x.X
	}
	id, _ := t.(*ast.Ident)
	if id == nil {
		return ""
	}
	return id.Name
}

// shapeOutside returns why the generated code of a type of another module writes something else than Octet, or "".
func (p *program) shapeOutside(t *types.TypeName, lib *table.Library) string {
	if _, known := p.outside[t.Pkg()]; !known {
		pkg := &Package{Types: t.Pkg(), Info: &types.Info{}}
		var names []string
		p.fset.Iterate(func(f *token.File) bool {
			if filepath.Dir(f.Name()) == filepath.Dir(p.fset.Position(t.Pos()).Filename) && !slices.Contains(names, f.Name()) {
				names = append(names, f.Name())
			}
			return true
		})
		for _, name := range names {
			text, err := p.Read(name)
			if err != nil {
				continue
			}
			if f, err := parser.ParseFile(p.fset, name, text, parser.ParseComments|parser.SkipObjectResolution); err == nil {
				pkg.Files = append(pkg.Files, f)
			}
		}
		shapes := map[string]string{}
		p.markShapes(pkg, lib, func(t *types.TypeName, why string) {
			if shapes[t.Name()] == "" {
				shapes[t.Name()] = why
			}
		})
		p.outside[t.Pkg()] = shapes
	}
	return p.outside[t.Pkg()][t.Name()]
}

func hidesField(s *types.Struct, lib *table.Library, depth int) string {
	for i := range s.NumFields() {
		f := s.Field(i)
		if f.Name() == "_" || reflect.StructTag(s.Tag(i)).Get(lib.TagKey) == "-" || f.Embedded() {
			continue
		}
		if !f.Exported() {
			return "of the field " + f.Name() + ", which is not exported"
		}
		if inner, ok := f.Type().(*types.Struct); ok && depth < 20 {
			if why := hidesField(inner, lib, depth+1); why != "" {
				return why
			}
		}
		if why := strangeForm(f.Type(), 0); why != "" && octetOnly(lib, s.Tag(i)) != "-" {
			return "of the field " + f.Name() + ": " + why
		}
	}
	return ""
}

// octetOnly returns the tag that Octet reads.
func octetOnly(lib *table.Library, tag string) string {
	for _, key := range lib.TagKeys {
		if value, ok := reflect.StructTag(tag).Lookup(key); ok {
			return value
		}
	}
	return ""
}

// strangeForm returns what a generator does with values of a type without a name that Octet
// does not, or "". It looks at the text of a type, so that a uint8 is no byte.
func strangeForm(t types.Type, depth int) string {
	const leftOut = "the library leaves out fields of this type, and Octet does so if the tag is -"
	if depth > 20 {
		return ""
	}
	depth++
	octet := func(elem types.Type) bool {
		b, ok := elem.Underlying().(*types.Basic)
		return ok && b.Kind() == types.Uint8 && elem != types.Universe.Lookup("byte").Type()
	}
	switch t := types.Unalias(t).(type) {
	case *types.Signature, *types.Chan:
		return leftOut
	case *types.Interface:
		if t.NumMethods() > 0 {
			return leftOut
		}
	case *types.Map:
		if key, ok := types.Unalias(t.Key()).(*types.Basic); !ok || key.Kind() != types.String {
			return leftOut
		}
		return strangeForm(t.Elem(), depth)
	case *types.Slice:
		if octet(t.Elem()) {
			return "the library writes an array, because its elements are not of type byte"
		}
		return strangeForm(t.Elem(), depth)
	case *types.Array:
		if octet(t.Elem()) {
			return "the library writes an array, because its elements are not of type byte"
		}
		return strangeForm(t.Elem(), depth)
	case *types.Pointer:
		return strangeForm(t.Elem(), depth)
	}
	return ""
}

// markFields marks the types of a file with fields that only their text tells from others:
// several fields with one tag, of which a generator uses nothing, and arrays whose length it does not
// understand.
func (p *program) markFields(pkg *Package, file *ast.File, lib *table.Library, mark func(*types.TypeName, string)) {
	ast.Inspect(file, func(n ast.Node) bool {
		if _, ok := n.(*ast.FuncDecl); ok {
			return false
		}
		spec, ok := n.(*ast.TypeSpec)
		if !ok {
			return true
		}
		owner, ok := pkg.Types.Scope().Lookup(spec.Name.Name).(*types.TypeName)
		if !ok {
			return true
		}
		ast.Inspect(spec.Type, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.Field:
				if n.Tag == nil {
					break
				}
				text, _ := strconv.Unquote(n.Tag.Value) // a file with a malformed one is a syntax error
				tag := octetOnly(lib, text)
				if tag == "-" {
					return false // both leave it out
				}
				if tag != "" && len(n.Names) > 1 {
					mark(owner, "of the field "+n.Names[0].Name+": the library ignores a tag that several fields share")
				}
			case *ast.ArrayType:
				switch n.Len.(type) {
				case nil, *ast.BasicLit, *ast.Ident, *ast.SelectorExpr:
				default:
					mark(owner, "of an array: the library leaves out fields whose length is an expression, and Octet does so if the tag is - ("+p.lineOf(n.Pos())+")")
				}
			}
			return true
		})
		return true
	})
}

// contained returns why the generated code of a type in t writes something else, or "".
func (p *program) contained(t types.Type, depth int) string {
	if depth > 20 {
		return ""
	}
	depth++
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if t.Obj().Pos() == token.NoPos {
			return ""
		}
		return p.shapes[p.at(t.Obj().Pos())]
	case *types.Pointer:
		return p.contained(t.Elem(), depth)
	case *types.Slice:
		return p.contained(t.Elem(), depth)
	case *types.Array:
		return p.contained(t.Elem(), depth)
	case *types.Map:
		return p.contained(t.Elem(), depth)
	case *types.Struct:
		for f := range t.Fields() {
			if why := p.contained(f.Type(), depth); why != "" {
				return why
			}
		}
	}
	return ""
}
