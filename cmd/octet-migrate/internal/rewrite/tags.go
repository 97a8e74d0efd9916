package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// findTags rewrites and reports tags and directives. Types with tags need not be in
// the packages that import the library.
func (p *program) findTags() {
	var used []*table.Library
	gone := map[*table.Library]bool{}
	for _, lib := range p.libraries {
		if lib.Profile != "" && slices.ContainsFunc(p.packages, func(pkg *Package) bool { return p.usesLibrary(pkg, lib) }) {
			used = append(used, lib)
			if gone[lib] = p.gone(lib); !gone[lib] && !p.rehearsal {
				p.uses[lib] = true
			}
		}
	}
	stays := func(lib *table.Library) bool {
		return slices.ContainsFunc(used, func(other *table.Library) bool { return other.TagKey == lib.TagKey && !gone[other] })
	}
	for _, pkg := range p.packages {
		own := slices.DeleteFunc(slices.Clone(used), func(lib *table.Library) bool { return !p.usesLibrary(pkg, lib) })
		for _, lib := range used {
			// A tag belongs to a library that the package imports, if there is one.
			sameKey := func(l *table.Library) bool { return l.TagKey == lib.TagKey }
			if !slices.Contains(own, lib) {
				if slices.ContainsFunc(own, sameKey) {
					continue
				}
				own = append(own, lib)
			}
			for _, f := range pkg.Files {
				if !ast.IsGenerated(f) && p.generatedBy(f) == nil {
					p.tags(pkg, f, lib, !stays(lib), sharing(used, lib))
				}
			}
		}
	}
}

// sharing returns the other libraries of a list that read the same tags as lib.
func sharing(list []*table.Library, lib *table.Library) (others []*table.Library) {
	for _, other := range list {
		if other != lib && other.TagKey == lib.TagKey {
			others = append(others, other)
		}
	}
	return others
}

// usesLibrary reports whether a file of the package imports a library.
func (p *program) usesLibrary(pkg *Package, lib *table.Library) bool {
	return slices.ContainsFunc(pkg.Files, func(f *ast.File) bool { return imports(f, lib) })
}

// imports reports whether a file imports a library.
func imports(f *ast.File, lib *table.Library) bool {
	return slices.ContainsFunc(f.Imports, func(spec *ast.ImportSpec) bool {
		return table.For([]*table.Library{lib}, strings.Trim(spec.Path.Value, `"`)) != nil
	})
}

// gone reports whether the program does not use a library any more.
func (p *program) gone(lib *table.Library) bool {
	if p.rehearsal {
		return p.Closed && !p.kept[lib]
	}
	return p.Closed && !slices.ContainsFunc(p.findings, func(f Finding) bool {
		return f.Library == lib.Name && (f.Kind == Left || f.Kind == Held)
	})
}

// A tagged is a field with a tag for a library.
type tagged struct {
	pkg   *Package
	file  *ast.File
	lib   *table.Library
	owner *types.TypeName // the declared type whose struct has the field, or nil
	in    *ast.StructType
	field *ast.Field
	value string           // of the tag
	gone  bool             // nothing uses the library any more, nor another one that reads the tag
	with  []*table.Library // which the program uses, too, and which read the tag
}

func (p *program) tags(pkg *Package, file *ast.File, lib *table.Library, gone bool, with []*table.Library) {
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		structure, ok := n.(*ast.StructType)
		if !ok {
			return true
		}
		var owner *types.TypeName
		if spec, ok := stack[len(stack)-1].(*ast.TypeSpec); ok {
			owner, _ = pkg.Info.Defs[spec.Name].(*types.TypeName)
		}
		for _, f := range structure.Fields.List {
			if f.Tag == nil {
				continue
			}
			quoted, err := strconv.Unquote(f.Tag.Value)
			if err != nil {
				continue
			}
			if value, ok := reflect.StructTag(quoted).Lookup(lib.TagKey); ok {
				p.tag(tagged{pkg, file, lib, owner, structure, f, value, gone, with})
			}
		}
		return true
	})
	for _, d := range directivesOf(file, lib) {
		for _, row := range lib.Comments {
			if d.words[0] == row.Name {
				p.directive(pkg, lib, row, d)
			}
		}
	}
}

// octetOptions are the tag options of Octet.
var octetOptions = []string{"omitempty", "omitzero", "inline", "as_array", "required", "set", "alias", "keyasint"}

const (
	optionGains   = "the option has a meaning in Octet, but not in the library: remove it to keep the same bytes"
	withoutSpaces = "written without spaces"
	noEffect      = "the option has no effect and is removed"
	oddlyRead     = "the library has rules of its own for quotes, parentheses, backslashes and spaces in tags, and a colon in the name makes the name an option: write the tag without them"
)

// oddTag reports whether the library finds other names and options between the commas of a tag.
func oddTag(g tagged) bool {
	name, _, _ := strings.Cut(g.value, ",")
	value := strings.ReplaceAll(g.value, ", ", ",")
	return g.lib.Spaces && (strings.Contains(name, ":") || strings.Contains(value, "'") || strings.Contains(value, ":") && strings.ContainsAny(value, `(\`)) ||
		g.lib.OneSpace && slices.ContainsFunc(strings.Split(value, ","), func(part string) bool { return strings.TrimSpace(part) != part })
}

func (p *program) tag(g tagged) {
	if len(g.field.Names) == 1 && p.wholeTag(g) {
		return
	}
	parts := strings.Split(g.value, ",")
	if g.value == "-" || p.unexportedTag(g) {
		return
	}
	if oddTag(g) {
		p.find(Left, g.field.Pos(), g.lib, "tag", oddlyRead)
		p.keepField(g, "tag")
		return
	}
	find := func(kind Kind, option, text string) { p.find(kind, g.field.Pos(), g.lib, "tag option "+option, text) }
	if g.lib.Promotes && len(g.field.Names) == 0 && p.promoted(g, parts) {
		return
	}
	changed := false
	kept := parts[:1:1]
	if trimmed := strings.TrimSpace(parts[0]); trimmed != parts[0] && g.lib.Spaces { // Octet takes a space as a part of the name
		kept[0], changed = trimmed, true
		find(Done, trimmed, withoutSpaces)
	}
	for _, part := range parts[1:] {
		if trimmed := strings.TrimSpace(part); trimmed != part && g.lib.Spaces {
			part, changed = trimmed, true
			find(Done, trimmed, withoutSpaces)
		}
		name, _, _ := strings.Cut(part, ":")
		name, _, _ = strings.Cut(name, "=")
		row, known := findTag(g.lib, name)
		switch {
		case known && name == "alias":
			if alias, ok := strings.CutPrefix(part, "alias:"); ok && g.gone && !strings.Contains(alias, "'") && p.isFree(g, alias) {
				part, changed = "alias="+alias, true
				find(Done, name, "rewritten")
			} else if ok {
				find(Left, name, row.Do)
				p.keepField(g, "tag option "+name)
			}
		case known && row.Flags&table.Replaced != 0:
			if !slices.Contains(parts, row.Value) {
				if len(g.field.Names) > 0 { // the library ignores it
					break
				}
				kept[0] = "" // the library ignores the name
				if !g.gone {
					kept = append(kept, part)
				}
				part, changed = row.Value, true
				find(Done, name, "rewritten")
			}
		case known && row.Do != "":
			find(Left, name, row.Do)
			if row.Flags&table.Shape != 0 {
				p.keepField(g, "tag option "+name)
			}
		case g.lib.Promotes && name == "inline" && len(g.field.Names) > 0: // only for embedded structs
			changed = true
			find(Done, name, noEffect)
			continue
		case known:
			if p.Shortest && row.Value != name && p.needsZero(g.pkg, g.field) && !slices.Contains(parts, row.Value) {
				kept = append(kept, part)
				part, changed = row.Value, true
				find(Done, name, "rewritten")
			}
		case slices.Contains(octetOptions, name):
			if !p.Shortest && !p.replaced(g.lib, name) {
				find(Beside, name, optionGains)
			}
		case g.meansElsewhere(name): // what is to be done with it is found there
		case len(g.lib.TagKeys) == 0: // with its own key, Octet refuses unknown options
			changed = true
			find(Done, name, noEffect)
			continue
		}
		kept = append(kept, part)
	}
	if changed {
		p.setTag(g, strings.Join(kept, ","))
	}
}

// meansElsewhere reports whether an option has a meaning for another library that reads the tag.
func (g tagged) meansElsewhere(option string) bool {
	return slices.ContainsFunc(g.with, func(lib *table.Library) bool {
		_, known := findTag(lib, option)
		return known
	})
}

// isFree reports whether no field of the struct, nor one that is promoted into it, has
// a name.
func (p *program) isFree(g tagged, name string) bool {
	var has func(t types.Type, depth int) bool
	has = func(t types.Type, depth int) bool {
		if pointer, ok := t.Underlying().(*types.Pointer); ok {
			t = pointer.Elem()
		}
		s, ok := t.Underlying().(*types.Struct)
		for i := 0; ok && i < s.NumFields(); i++ {
			tag, options, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get(g.lib.TagKey), ",")
			tag = strings.TrimSpace(tag)
			if tag == name || tag == "" && s.Field(i).Name() == name || s.Field(i).Embedded() && depth < 10 && has(s.Field(i).Type(), depth+1) {
				return true
			}
			for _, o := range strings.Split(options, ",") {
				if o = strings.TrimSpace(o); (o == "alias:"+name || o == "alias="+name) && s.Field(i).Pos() != p.fieldPos(g) {
					return true
				}
			}
		}
		return false
	}
	t := g.pkg.Info.TypeOf(g.in)
	return t != nil && !has(t, 0)
}

// fieldPos returns the position of a field.
func (p *program) fieldPos(g tagged) token.Pos {
	if len(g.field.Names) > 0 {
		return g.field.Names[0].Pos()
	}
	return g.field.Type.Pos()
}

// findTag returns the row of a tag option.
func findTag(lib *table.Library, name string) (table.Row, bool) {
	for _, row := range lib.Tags {
		if row.Name == name {
			return row, true
		}
	}
	return table.Row{}, false
}

// replaced reports whether an option of Octet takes the place of one of the library.
func (p *program) replaced(lib *table.Library, option string) bool {
	return slices.ContainsFunc(lib.Tags, func(r table.Row) bool { return r.Flags&table.Replaced != 0 && r.Value == option })
}

// setTag replaces the value of a tag.
func (p *program) setTag(g tagged, value string) {
	literal := g.field.Tag.Value
	text, err := strconv.Unquote(literal)
	if err != nil { // the caller has read the value from it
		return
	}
	before, after, _ := strings.Cut(text, g.lib.TagKey+":"+quotedValue(text, g.lib.TagKey))
	text = before + g.lib.TagKey + ":" + strconv.Quote(value) + after
	if literal[0] == '`' && strconv.CanBackquote(text) {
		text = "`" + text + "`"
	} else {
		text = strconv.Quote(text)
	}
	p.editsOf(g.pkg, g.file).replace(g.field.Tag.Pos(), g.field.Tag.End(), piece{text: text})
	p.newTags[g.lib.TagKey] = g.lib
}

// quotedValue returns the value of a key of a struct tag, as it is in the tag.
func quotedValue(tag, key string) string {
	for tag != "" {
		tag = strings.TrimLeft(tag, " ")
		name, rest, ok := strings.Cut(tag, ":")
		if !ok {
			return ""
		}
		value, err := strconv.QuotedPrefix(rest)
		if err != nil || name == key {
			return value
		}
		tag = rest[len(value):]
	}
	return ""
}

// unexportedTag deals with the tag of fields that are not exported, if the library
// ignores it and Octet refuses it. It reports whether nothing else is to do. Embedded
// fields are different, unless the library ignores them, too: their exported fields are
// promoted. So are the blank fields that Octet understands.
func (p *program) unexportedTag(g tagged) bool {
	i := slices.IndexFunc(g.lib.Tags, func(r table.Row) bool { return r.Flags&table.Unexported != 0 })
	exported := func(n *ast.Ident) bool { return n.IsExported() }
	hidden := func(n *ast.Ident) bool { return !n.IsExported() }
	if len(g.field.Names) == 0 { // embedded
		if i < 0 || g.lib.Embedded != table.EmbeddedSkipped || ast.IsExported(embeddedName(g.field.Type)) {
			return false
		}
	} else if i < 0 || !slices.ContainsFunc(g.field.Names, hidden) {
		return false
	}
	name, options, _ := strings.Cut(g.value, ",")
	if len(g.field.Names) > 0 && g.field.Names[0].Name == "_" && name == "" && slices.Contains(octetOptions, options) {
		return false
	}
	row := g.lib.Tags[i]
	if slices.ContainsFunc(g.field.Names, exported) {
		p.find(Left, g.field.Pos(), g.lib, row.Name, row.Do)
		p.keepField(g, row.Name)
		return false
	}
	p.find(Done, g.field.Pos(), g.lib, row.Name, "the library ignores the tag, and Octet refuses it")
	start, text := g.field.Type.End(), ""
	if rest := withoutKey(g.field.Tag.Value, g.lib.TagKey); rest != "" {
		start, text = g.field.Tag.Pos(), rest
	}
	p.editsOf(g.pkg, g.file).replace(start, g.field.Tag.End(), piece{text: text})
	p.newTags[g.lib.TagKey] = g.lib
	return true
}

// withoutKey returns a tag, as it is in the source, without a key and its value, or ""
// if it has no other key.
func withoutKey(tag, key string) string {
	text, err := strconv.Unquote(tag)
	if err != nil { // the caller has read the value from it
		return tag
	}
	before, after, _ := strings.Cut(text, key+":"+quotedValue(text, key))
	text = strings.TrimSpace(strings.TrimSpace(before) + " " + strings.TrimSpace(after))
	switch {
	case text == "":
		return ""
	case tag[0] == '`':
		return "`" + text + "`"
	}
	return strconv.Quote(text)
}

// promoted deals with the tag of an embedded struct of a library that promotes its
// fields although the tag has a name. It reports whether nothing else is to do.
func (p *program) promoted(g tagged, parts []string) bool {
	t := g.pkg.Info.TypeOf(g.field.Type)
	if t == nil {
		return false
	}
	pointer, isPointer := t.Underlying().(*types.Pointer)
	if isPointer {
		t = pointer.Elem()
	}
	inner, ok := t.Underlying().(*types.Struct)
	if !ok || ownForm(t) {
		return false
	}
	if slices.Contains(parts[1:], "noinline") {
		if !g.gone {
			return false
		}
		if parts[0] == "" {
			parts[0] = embeddedName(g.field.Type)
		}
		p.find(Done, g.field.Pos(), g.lib, "tag option noinline", "rewritten")
		p.setTag(g, strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "noinline" }), ","))
		return true
	}
	if parts[0] == "" && (len(parts) == 1 || g.value == ",inline") {
		return true
	}
	if name := p.clash(g, inner); name != "" {
		p.find(Left, g.field.Pos(), g.lib, "tag of "+embeddedName(g.field.Type), "the library promotes the fields of the struct in spite of the name, unless one of them is there already: rename "+name+", and remove the name from the tag")
		p.keepField(g, "tag of "+embeddedName(g.field.Type))
		return true
	}
	if slices.ContainsFunc(g.with, func(lib *table.Library) bool { return !lib.Promotes }) {
		p.find(Left, g.field.Pos(), g.lib, "tag of "+embeddedName(g.field.Type), "the library promotes the fields of the struct in spite of the name, and another library of the program does not: declare a type for each of them")
		p.keepField(g, "tag of "+embeddedName(g.field.Type))
		return true
	}
	p.find(Done, g.field.Pos(), g.lib, "tag of "+embeddedName(g.field.Type), "rewritten")
	value := ",inline"
	if isPointer && !g.gone { // the library panics
		value = ""
	}
	p.setTag(g, value)
	return true
}

// clash returns the name of a field of the embedded struct that a field beside it
// has, too, or "".
func (p *program) clash(g tagged, inner *types.Struct) string {
	outer, ok := g.pkg.Info.TypeOf(g.in).(*types.Struct)
	if !ok {
		return ""
	}
	name := func(s *types.Struct, i int) string {
		tag, _, _ := strings.Cut(reflect.StructTag(s.Tag(i)).Get(g.lib.TagKey), ",")
		if tag != "" {
			return tag
		}
		return s.Field(i).Name()
	}
	names := map[string]bool{}
	for i := range outer.NumFields() {
		if !outer.Field(i).Embedded() {
			names[name(outer, i)] = true
		}
	}
	for i := range inner.NumFields() {
		if n := name(inner, i); n != "-" && inner.Field(i).Exported() && names[n] {
			return n
		}
	}
	return ""
}

// embeddedName returns the name of an embedded field.
func embeddedName(e ast.Expr) string {
	if star, ok := e.(*ast.StarExpr); ok {
		e = star.X
	}
	text := types.ExprString(e)
	text, _, _ = strings.Cut(text, "[")
	return strings.TrimPrefix(path.Ext("."+text), ".")
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
