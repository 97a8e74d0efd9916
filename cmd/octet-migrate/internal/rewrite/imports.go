package rewrite

import (
	"bytes"
	"go/ast"
	"go/token"
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// finish chooses names, adds and removes imports, and adds the declarations that
// the rewritten code of a package needs.
func (p *program) finish(pkg *Package) {
	p.dropUnused(pkg)
	var edited []*fileEdits
	for _, f := range pkg.Files {
		if e := p.files[f]; e != nil && len(e.edits) > 0 {
			edited = append(edited, e)
		}
	}
	if len(edited) == 0 {
		return
	}
	for _, e := range edited {
		e.collect()
	}
	for _, e := range p.declare(pkg, edited) {
		e.imports()
		if ast.IsGenerated(e.file) {
			for _, spec := range e.file.Imports {
				if lib := table.For(p.libraries, pathOf(spec)); lib != nil {
					p.find(Left, e.file.Package, lib, "generated file", "rewritten, but a generator wrote this file: change what it writes, because its next run undoes the change")
					break
				}
			}
		}
	}
}

// dropUnused removes the imports of libraries that a file does not use, such as those
// whose last use was removed by hand. The file does not compile with them.
func (p *program) dropUnused(pkg *Package) {
	for _, f := range pkg.Files {
		if p.generatedBy(f) != nil || p.skipped(f) {
			continue
		}
		for _, spec := range f.Imports {
			lib := table.For(p.libraries, pathOf(spec))
			o := pkg.Info.Implicits[spec]
			if spec.Name != nil {
				o = pkg.Info.Defs[spec.Name]
			}
			if lib == nil || lib.Profile == "" || o == nil || !isLoaded(o) || isDot(spec) && usesImport(pkg, f, spec, o) || !isDot(spec) && mentionsName(f, o.Name()) {
				continue
			}
			e := p.editsOf(pkg, f)
			e.removeSpec(spec)
			e.useless = append(e.useless, spec)
			p.find(Done, spec.Pos(), lib, "import", "removed, because nothing uses it")
		}
	}
}

// isLoaded reports whether the package of an import was found.
func isLoaded(o types.Object) bool {
	name, ok := o.(*types.PkgName)
	return ok && name.Imported().Complete()
}

// isDot reports whether an import makes the names of its package those of the file.
func isDot(spec *ast.ImportSpec) bool { return spec.Name != nil && spec.Name.Name == "." }

// stands reports whether an identifier stands for an import, or for what it declares if it is a
// dot import. o is the object of the import.
func stands(info *types.Info, id *ast.Ident, spec *ast.ImportSpec, o types.Object) bool {
	used := info.Uses[id]
	if imported, ok := o.(*types.PkgName); ok && isDot(spec) {
		return used != nil && used.Parent() == imported.Imported().Scope()
	}
	return used == o
}

// usesImport reports whether an identifier of a file stands for an import.
func usesImport(pkg *Package, f *ast.File, spec *ast.ImportSpec, o types.Object) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		found = found || ok && stands(pkg.Info, id, spec, o)
		return !found
	})
	return found
}

// mentionsName reports whether a file has a qualified name X.Y with this X.
func mentionsName(f *ast.File, name string) (found bool) {
	ast.Inspect(f, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok {
			id, ok := sel.X.(*ast.Ident)
			found = found || ok && id.Name == name
		}
		return !found
	})
	return found
}

// collect finds out which packages and codecs the edits need.
func (e *fileEdits) collect() {
	for _, d := range e.edits {
		for _, pc := range d.pieces {
			switch {
			case pc.codec != nil:
				pc.codec.uses(pc.name)
				if !slices.Contains(e.needs, pc.codec) {
					e.needs = append(e.needs, pc.codec)
				}
			case pc.name != "":
				e.names[pc.name] = ""
			}
		}
	}
}

func (e *fileEdits) nameOf(pc piece) string {
	if pc.codec != nil {
		return pc.codec.nameOf(pc.name)
	}
	return e.names[pc.name]
}

// imports drops the imports that the edits leave without uses and adds those that
// they need.
func (e *fileEdits) imports() {
	dropped := map[*ast.ImportSpec]bool{}
	var first *ast.ImportSpec
	var last *ast.ImportSpec
	free := map[string]bool{} // names of dropped imports
	for _, spec := range e.file.Imports {
		if slices.Contains(e.useless, spec) {
			continue
		}
		name, total, left := e.usesOf(spec)
		if total > 0 && left == 0 {
			dropped[spec] = true
			free[name] = true
		}
		if table.For(e.p.libraries, pathOf(spec)) != nil {
			last = spec
			if dropped[spec] && first == nil {
				first = spec
			}
		}
	}
	var add, standard []string
	for _, importPath := range sortedKeys(e.names) {
		if e.names[importPath] != "" {
			continue
		}
		if name := e.imported(importPath); name != "" {
			e.names[importPath] = name
			continue
		}
		name := e.choose(importPath, free)
		e.names[importPath] = name
		spec := strconv.Quote(importPath)
		if name != path.Base(importPath) {
			spec = name + " " + spec
		}
		if isStandard(importPath) {
			standard = append(standard, spec)
		} else {
			add = append(add, spec)
		}
	}
	i := slices.IndexFunc(e.file.Imports, func(spec *ast.ImportSpec) bool {
		return !dropped[spec] && !slices.Contains(e.useless, spec) && isStandard(pathOf(spec))
	})
	if i >= 0 && len(standard) > 0 {
		e.addAfter(e.file.Imports[i], standard)
	} else {
		add = append(standard, add...)
	}
	place := first
	if place == nil {
		place = last
	}
	if place != nil && isStandard(pathOf(place)) && len(add) > 0 { // its place is not for packages of modules
		if beside := e.lastImport(dropped); beside != nil {
			first, last = nil, beside
			if isStandard(pathOf(last)) && e.prefix(last) == "\t" {
				add[0] = "\n\t" + add[0]
			}
		}
	}
	for spec := range dropped {
		if spec != first || len(add) == 0 {
			e.removeSpec(spec)
		}
	}
	e.removeEmpty(func(spec *ast.ImportSpec) bool {
		stays := len(add) > 0 && (spec == first || first == nil && spec == last)
		return (dropped[spec] || slices.Contains(e.useless, spec)) && !stays
	})
	if len(add) == 0 {
		return
	}
	switch {
	case first != nil:
		text := e.specs(first, add)
		if head := e.head(first); head != first && head.Doc != nil {
			text = "\n\t" + text
		}
		e.replace(first.Pos(), first.End(), piece{text: text})
	case last != nil:
		e.addAfter(last, add)
	default:
		text := "\n"
		for _, a := range add {
			text += "\nimport " + a
		}
		e.replace(e.file.Name.End(), e.file.Name.End(), piece{text: text})
	}
}

// addAfter adds imports behind another one.
func (e *fileEdits) addAfter(spec *ast.ImportSpec, add []string) {
	text, end := "\n"+e.prefix(spec)+e.specs(spec, add), spec.End()
	if spec.Comment != nil {
		end = spec.Comment.End()
	}
	if e.head(spec).Doc != nil {
		text = "\n" + text
	}
	e.replace(end, end, piece{text: strings.ReplaceAll(text, "\t\n", "\n")})
}

// lastImport returns the last import that stays, one of a module if there is any.
func (e *fileEdits) lastImport(dropped map[*ast.ImportSpec]bool) (last *ast.ImportSpec) {
	for _, spec := range e.file.Imports {
		if !dropped[spec] && !slices.Contains(e.useless, spec) && (last == nil || isStandard(pathOf(last)) || !isStandard(pathOf(spec))) {
			last = spec
		}
	}
	return last
}

// head returns the first import of the lines around a spec without an empty line or a comment between them. Package
// format sorts these lines, but the comment above them stays where it is.
func (e *fileEdits) head(spec *ast.ImportSpec) *ast.ImportSpec {
	decl := e.declOf(spec)
	for i := slices.Index(decl.Specs, ast.Spec(spec)); decl.Lparen.IsValid() && i > 0 && spec.Doc == nil; i-- {
		before := decl.Specs[i-1].(*ast.ImportSpec)
		if e.p.fset.Position(before.End()).Line+1 < e.p.fset.Position(spec.Pos()).Line {
			break
		}
		spec = before
	}
	return spec
}

func pathOf(spec *ast.ImportSpec) string { return strings.Trim(spec.Path.Value, `"`) }

// isStandard reports whether the package with an import path is of the standard library.
func isStandard(importPath string) bool {
	first, _, _ := strings.Cut(importPath, "/")
	return !strings.Contains(first, ".")
}

// prefix is what an import needs on its line before its path beside a spec.
func (e *fileEdits) prefix(beside *ast.ImportSpec) string {
	if decl := e.declOf(beside); decl != nil && !decl.Lparen.IsValid() {
		return "import "
	}
	return "\t"
}

func (e *fileEdits) specs(beside *ast.ImportSpec, add []string) string {
	return strings.Join(add, "\n"+e.prefix(beside))
}

func sortedKeys(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// usesOf returns the name of an import and how often the file uses it, before and
// after the edits.
func (e *fileEdits) usesOf(spec *ast.ImportSpec) (name string, total, left int) {
	var o types.Object
	if spec.Name != nil {
		o = e.pkg.Info.Defs[spec.Name]
	} else {
		o = e.pkg.Info.Implicits[spec]
	}
	if o == nil {
		return "", 0, 0
	}
	ast.Inspect(e.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && stands(e.pkg.Info, id, spec, o) {
			total++
			if !e.gone(id.Pos()) {
				left++
			}
		}
		return true
	})
	return o.Name(), total, left
}

// imported returns the name of a package that the file imports already.
func (e *fileEdits) imported(importPath string) string {
	for _, spec := range e.file.Imports {
		if pathOf(spec) == importPath {
			if spec.Name != nil {
				return spec.Name.Name
			}
			return path.Base(importPath)
		}
	}
	return ""
}

// choose returns a name for an import that means nothing else in the file.
func (e *fileEdits) choose(importPath string, free map[string]bool) string {
	standard := path.Base(importPath)
	for _, name := range []string{standard, "octet" + standard} {
		if e.unused(name, free[name]) {
			return name
		}
	}
	for i := 2; ; i++ {
		if name := "octet" + standard + strconv.Itoa(i); e.unused(name, false) {
			return name
		}
	}
}

func (e *fileEdits) unused(name string, dropped bool) bool {
	if e.p.declares(e.pkg, name) {
		return false
	}
	used := false
	for _, spec := range e.file.Imports {
		if o := e.pkg.Info.Implicits[spec]; o != nil && o.Name() == name && !dropped {
			used = true
		}
	}
	ast.Inspect(e.file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && id.Name == name {
			_, isPackage := object(e.pkg.Info, id).(*types.PkgName)
			// The name of a field or method is always after a dot.
			if v, ok := object(e.pkg.Info, id).(*types.Var); ok && v.IsField() {
				return true
			}
			if f, ok := object(e.pkg.Info, id).(*types.Func); ok && f.Signature().Recv() != nil {
				return true
			}
			if !(isPackage && dropped) && id != e.file.Name {
				used = true
			}
		}
		return true
	})
	return !used
}

func (e *fileEdits) declOf(spec *ast.ImportSpec) *ast.GenDecl {
	for _, d := range e.file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			for _, s := range g.Specs {
				if s == ast.Spec(spec) {
					return g
				}
			}
		}
	}
	return nil
}

// removeEmpty removes the declarations all of whose imports are removed, unless they have comments beside these.
func (e *fileEdits) removeEmpty(removed func(*ast.ImportSpec) bool) {
	for _, d := range e.file.Decls {
		g, ok := d.(*ast.GenDecl)
		if !ok || g.Tok != token.IMPORT || !g.Lparen.IsValid() || len(g.Specs) == 0 {
			continue
		}
		inside := func(group *ast.CommentGroup) bool {
			return g.Lparen < group.Pos() && group.Pos() < g.Rparen && !slices.ContainsFunc(g.Specs, func(s ast.Spec) bool {
				spec := s.(*ast.ImportSpec)
				return spec.Doc == group || spec.Comment == group
			})
		}
		stays := func(s ast.Spec) bool { return !removed(s.(*ast.ImportSpec)) }
		if !slices.ContainsFunc(g.Specs, stays) && !slices.ContainsFunc(e.file.Comments, inside) {
			e.removeLines(g.Pos(), g.End())
		}
	}
}

// removeSpec removes an import with its line.
func (e *fileEdits) removeSpec(spec *ast.ImportSpec) {
	decl := e.declOf(spec)
	pos, end := spec.Pos(), spec.End()
	if spec.Comment != nil {
		end = spec.Comment.End()
	}
	if decl != nil && !decl.Lparen.IsValid() {
		pos = decl.Pos()
	}
	e.removeLines(pos, end)
}

// removeLines removes an import or a declaration with its lines, or, if something else is on them, with
// the semicolon behind it.
func (e *fileEdits) removeLines(pos, end token.Pos) {
	from, to := e.lines(pos, end)
	text := e.p.sources[e.p.filename(e.file)][end-e.file.FileStart:]
	if rest := bytes.TrimLeft(text, " \t"); from == pos && to == end && bytes.HasPrefix(rest, []byte(";")) {
		to += token.Pos(len(text) - len(bytes.TrimLeft(rest[1:], " \t")))
	}
	e.replace(from, to)
}

// lines widens a range to whole lines if nothing else is on them.
func (e *fileEdits) lines(pos, end token.Pos) (token.Pos, token.Pos) {
	text := e.p.sources[e.p.filename(e.file)]
	from, to := int(pos-e.file.FileStart), int(end-e.file.FileStart)
	for from > 0 && (text[from-1] == ' ' || text[from-1] == '\t') {
		from--
	}
	rest := to
	for rest < len(text) && (text[rest] == ' ' || text[rest] == '\t' || text[rest] == ';' || text[rest] == '\r') {
		rest++
	}
	if (from == 0 || text[from-1] == '\n') && (rest == len(text) || text[rest] == '\n') {
		if rest < len(text) {
			rest++
		}
		return e.file.FileStart + token.Pos(from), e.file.FileStart + token.Pos(rest)
	}
	return pos, end
}
