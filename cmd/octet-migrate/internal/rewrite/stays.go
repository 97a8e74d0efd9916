package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// Some types must stay with their library: those with methods that only the library
// calls, with tags that Octet refuses, or with an ext of their own. A call that may
// reach a value of such a type stays, too, because Octet would write other bytes or
// return an error when the program runs.

// exts is what a program registers with a library for all of its calls.
type exts struct {
	all string // a setting that concerns every type
	any string // an ext of a type, which a value in an interface can become
	out string // the same, in a package that is not rewritten
}

// place returns the text of a position, which identifies a declaration also outside
// the program.
func (p *program) place(pos token.Pos) node {
	at := p.fset.Position(pos)
	return node(fmt.Sprintf("%s:%d:%d", at.Filename, at.Line, at.Column))
}

// lineOf returns where something is, for people.
func (p *program) lineOf(pos token.Pos) string { return p.lineAt(p.fset.Position(pos)) }

// lineAt is lineOf for a position that is known. A file has its folders, as far as another file of the program has the
// same name.
func (p *program) lineAt(at token.Position) string {
	short, rest := "", filepath.ToSlash(at.Filename)
	for more := true; more; {
		i := strings.LastIndexByte(rest, '/')
		short, rest, more = rest[i+1:]+short, rest[:max(i, 0)], false
		for name := range p.inside {
			more = more || i >= 0 && name != at.Filename && strings.HasSuffix(filepath.ToSlash(name), "/"+short)
		}
		if more {
			short = "/" + short
		}
	}
	return fmt.Sprintf("line %d of %s", at.Line, short)
}

// findStays finds what the program registers with its libraries, and the fields whose
// tags have no counterpart.
func (p *program) findStays() {
	for _, s := range p.sites {
		e := p.registered[s.lib]
		switch {
		case s.row.Flags&table.Global != 0:
			e.all = s.name + " (" + p.lineOf(s.at()) + ")"
		case s.row.Flags&table.Registers != 0:
			e.any = s.name + " (" + p.lineOf(s.at()) + ")"
			for _, a := range s.arguments() {
				p.register(s, a, e.any)
			}
		default:
			continue
		}
		p.registered[s.lib] = e
	}
	for _, other := range p.Elsewhere {
		e, text := p.registered[other.Library], other.Name+" ("+other.File+" of package "+other.Package+")"
		if other.All {
			e.all = text
		} else {
			e.any, e.out = text, text
		}
		p.registered[other.Library] = e
	}
	// The tags are rewritten when it is known what stays. This is a rehearsal.
	findings, files := p.findings, p.files
	p.files, p.rehearsal = map[*ast.File]*fileEdits{}, true
	p.findTags()
	p.findings, p.files, p.rehearsal = findings, files, false
}

// register keeps the types of an argument that gives an example of a type.
func (p *program) register(s *site, a ast.Expr, by string) {
	e, at := p.source(s.pkg.Info, a)
	t := s.pkg.Info.TypeOf(e)
	if t == nil {
		return
	}
	list := []types.Type{t}
	if types.IsInterface(t) {
		list = p.dynamic.of(at)
	}
	for _, t := range list {
		if named := namedOf(t); named != nil {
			p.stays[p.place(named.Obj().Pos())] = "it is registered by " + by
		}
	}
}

// keepField keeps the type with a field whose tag has no counterpart.
func (p *program) keepField(g tagged, tag string) {
	if p.rehearsal {
		at := g.field.Type.Pos()
		if len(g.field.Names) > 0 {
			at = g.field.Names[0].Pos()
		}
		p.stays[p.place(at)] = tag + " (" + p.lineOf(at) + ")"
	}
}

// keepType keeps the types of structs that have the field g, which stands for all of
// the struct.
func (p *program) keepType(g tagged, tag string) {
	if p.rehearsal {
		p.stays[p.place(g.in.Pos())] = tag + " (" + p.lineOf(g.field.Pos()) + ")"
		if g.owner != nil {
			p.stays[p.place(g.owner.Pos())] = "of the " + tag + " (" + p.lineOf(g.field.Pos()) + ")"
		}
	}
}

// hold keeps the sites that may reach a type that stays.
func (p *program) hold() {
	looked := map[*table.Library]*lookedAt{}
	for _, s := range p.sites {
		if s.lib.Profile == "" {
			continue
		}
		if s.why != "" {
			p.keepData(s, looked)
			continue
		}
		r := &reach{p: p, s: s, seen: map[types.Type]bool{}, nodes: map[node]bool{}, bare: true}
		why := r.why()
		s.nodes = append(s.nodes, r.data...)
		s.values, s.types, s.hidden = r.values, r.seen, len(r.nodes) > 0
		s.open, s.any, s.byAny, s.lost = r.open, r.any, r.byAny, r.lost
		if why == "" {
			continue
		}
		s.why = "not rewritten, because " + why
		for _, n := range append(slices.Clone(s.nodes), p.handleNodes(s)...) {
			p.flow.block(n, p.fset.Position(s.at()), s.name+" is not rewritten")
		}
		p.keepData(s, looked)
		p.find(Held, s.at(), s.lib, s.name, s.why)
	}
}

// A reach looks for types that stay in the values that a site encodes or decodes.
type reach struct {
	p      *program
	s      *site
	values bool   // the site has values
	open   bool   // some can be those of other modules
	inside int    // the number of interfaces around what in looks at
	any    bool   // some are decoded into interfaces
	byAny  bool   // some are maps whose keys are interfaces
	bare   bool   // what in looks at is not a part of a struct or of a type with generated code
	guess  bool   // of a value that in looks at, it is not known that it reaches the site
	lost   string // what Octet refuses, if it is only in an interface
	seen   map[types.Type]bool
	nodes  map[node]bool
	data   []node // of types of data of the library, whose replacement the site depends on
}

// why returns why the site stays, or "".
func (r *reach) why() string {
	p, s := r.p, r.s
	why := ""
	f, ok := s.pkg.Info.Uses[s.id].(*types.Func)
	if !ok {
		return ""
	}
	r.eachValue(f, func(t types.Type, at node) {
		r.values = true
		if why == "" {
			why = r.in(t, at, 0)
		}
	})
	e := p.registered[s.lib]
	if why == "" && e.all != "" && r.values {
		why = e.all + " changes what the library does"
	}
	if why == "" && e.out != "" && r.open {
		why = "a value of another package can be of the type of " + e.out
	}
	if why == "" && e.any != "" && f.Signature().Results().Len() > 1 && holdsAny(f.Signature().Results().At(0).Type()) {
		why = "a value in an interface can be of the type of " + e.any
	}
	return why
}

// isValue reports whether a parameter of this type takes a value to encode or decode.
func isValue(t types.Type) bool {
	if _, ok := t.Underlying().(*types.Signature); ok || !holdsAny(t) {
		return false
	}
	for _, name := range []string{"Read", "Write", "getBasicHandle"} {
		if o, _, _ := types.LookupFieldOrMethod(t, true, nil, name); o != nil {
			return false
		}
	}
	named, ok := types.Unalias(t).(*types.Named)
	return !ok || named.Obj().Name() != "Handle"
}

// param returns the type of the parameter for an argument of a site.
func (s *site) param(p *program, f *types.Func, i int) types.Type {
	if s.inner != nil {
		if i < len(s.inner.Args) {
			return nil
		}
		i -= len(s.inner.Args)
	}
	return parameter(f.Signature(), i, s.call.Ellipsis.IsValid())
}

// in returns why values of type t at a node stay, or "". depth is 0 for the value that
// the library gets, whose type is not changed by decoding.
func (r *reach) in(t types.Type, at node, depth int) string {
	if depth > 50 {
		return ""
	}
	switch t := types.Unalias(t).(type) {
	case *types.TypeParam:
		if why := r.at(r.p.at(t.Obj().Pos()), depth); why != "" {
			return why
		}
		return r.at(at, depth)
	case *types.Named:
		if types.IsInterface(t) {
			break
		}
		if r.seen[t] && !holdsAny(t) { // the values in it are those of the node
			return r.empty(t) // which can have been in an interface before
		}
		r.seen[t] = true
		if why := r.named(t); why != "" { // before empty, which does not know what the library does instead
			return why
		}
		if why := r.empty(t); why != "" {
			return why
		}
		if r.p.library(t.Obj()) != nil {
			return ""
		}
		if r.p.hasGenerated(r.s.lib, t) {
			defer r.setBare(false)()
		}
	}
	depth++
	if why := r.kind(t); why != "" {
		return why
	}
	switch u := t.Underlying().(type) {
	case *types.Interface:
		r.any = r.any || depth > 1 && r.decodes() && u.NumMethods() == 0
		if e := r.p.registered[r.s.lib]; e.any != "" && depth > 1 && r.decodes() {
			return "a value in an interface can be of the type of " + e.any
		}
		return r.at(at, depth-1)
	case *types.Struct:
		return r.fields(t, u, depth)
	case *types.Map:
		r.byAny = r.byAny || types.IsInterface(u.Key()) && !r.decodes()
		if why := r.in(u.Key(), at, depth); why != "" {
			return why
		}
		return r.in(u.Elem(), at, depth)
	case *types.Chan:
	case interface{ Elem() types.Type }:
		return r.in(u.Elem(), at, depth)
	}
	return ""
}

// at looks at the types that the values of an interface can have.
func (r *reach) at(n node, depth int) string {
	if r.nodes[n] {
		return ""
	}
	r.nodes[n] = true
	r.open = r.open || r.p.dynamic.reaches(n, exported)
	r.inside++
	defer func() { r.inside-- }()
	guess := r.guess
	defer func() { r.guess = guess }()
	defer r.setBare(true)()
	all, known := r.p.dynamic.sources(n)
	for i, from := range all {
		r.guess = guess || i >= known
		for _, t := range r.p.dynamic.types[from] {
			if why := r.in(t, n, depth); why != "" {
				return why
			}
		}
	}
	return ""
}

func (r *reach) fields(t types.Type, s *types.Struct, depth int) string {
	defer r.setBare(false)()
	if why := sharedName(r.s.lib, s); why != "" {
		return "it can reach a struct with " + why
	}
	if f := r.p.wholeField(r.s.lib, s); f != nil {
		return "it can reach a struct for which the library takes the options of the field " + f.Name() + " (" + r.p.lineOf(f.Pos()) + ")"
	}
	for i := range s.NumFields() {
		f := s.Field(i)
		if why := r.p.stays[r.p.place(f.Pos())]; why != "" {
			return "it can reach the " + why
		}
		tag, tagged := reflect.StructTag(s.Tag(i)).Lookup(r.s.lib.TagKey)
		if own, _ := tagOf(r.s.lib, reflect.StructTag(s.Tag(i))); own == "-" {
			continue
		}
		if tagged && r.p.at(f.Pos()) == nowhere {
			if why := refusedTag(r.s.lib, f, tag); why != "" {
				return "it can reach the field " + f.Name() + " of another module, and " + why
			}
		}
		if !f.Exported() && !f.Embedded() {
			continue
		}
		if strings.HasPrefix(r.s.lib.Profile, "Shamaton") && f.Name()[0] >= utf8.RuneSelf {
			return "it can reach the field " + f.Name() + " (" + r.p.lineOf(f.Pos()) + "), which the library leaves out because its name does not begin with a letter from A to Z"
		}
		if why := fallbackTag(r.s.lib, f, reflect.StructTag(s.Tag(i))); why != "" {
			return "it can reach the field " + f.Name() + " (" + r.p.lineOf(f.Pos()) + "): " + why
		}
		// Types of other modules without exported fields, such as reflect.Value, are no data.
		if why := embeddedForm(r.s.lib, f, reflect.StructTag(s.Tag(i))); why != "" && (r.p.at(f.Pos()) != nowhere || hasExported(s, 0)) {
			return "it can reach the embedded field " + f.Name() + " (" + r.p.lineOf(f.Pos()) + "), and " + why
		}
		if why := r.nestedForm(t, f, reflect.StructTag(s.Tag(i))); why != "" {
			return "it can reach the embedded field " + f.Name() + " (" + r.p.lineOf(f.Pos()) + "), and " + why
		}
		if why := r.in(f.Type(), r.p.at(f.Pos()), depth); why != "" {
			return why
		}
	}
	return ""
}

// refusedTag returns why Octet refuses a tag that is not rewritten, or does something
// else than the library.
func refusedTag(lib *table.Library, f *types.Var, tag string) string {
	parts := strings.Split(tag, ",")
	if option := refusedOption(lib, parts[1:]); option != "" {
		return "Octet does not have the option " + option + " of its tag"
	}
	_, isStruct := f.Type().Underlying().(*types.Struct)
	switch {
	case len(lib.TagKeys) == 0 && !f.Exported() && !f.Embedded() && f.Name() != "_":
		return "Octet refuses the tag of a field that is not exported"
	case lib.Promotes && f.Embedded() && isStruct && parts[0] != "" && !ownForm(f.Type()):
		return "the library promotes its fields in spite of the name"
	}
	return ""
}

// named returns why values of a named type stay.
func (r *reach) named(t *types.Named) string {
	p, lib := r.p, r.s.lib
	name := types.TypeString(t, func(*types.Package) string { return "" })
	reaches := "it can reach a value of type " + name + ", and "
	if why := p.stays[p.place(t.Obj().Pos())]; why != "" {
		return "it can reach a value of type " + name + ", because " + why
	}
	for _, other := range p.Elsewhere {
		if other.Library == lib && t.Obj().Pkg() != nil && t.Obj().Pkg().Path() == other.Package {
			return reaches + "its package registers types with the library by " + other.Name + " (" + other.File + ")"
		}
	}
	if owner := p.library(t.Obj()); owner != nil {
		row, _ := owner.Row(t.Obj().Name())
		switch {
		case row.Flags&table.Handle != 0 || owner != lib && row.Value == "":
			return ""
		case row.Value == "":
			return reaches + "nothing replaces this type"
		case row.Flags&table.Data != 0:
			r.data = append(r.data, p.dataNode(t.Obj()))
		}
		return ""
	}
	if why := p.hookOf(lib, t); why != "" {
		return reaches + why
	}
	if why := p.methodForm(lib, t); why != "" {
		return reaches + why
	}
	if lib.Generator == nil {
		return ""
	}
	why := p.shapes[p.at(t.Obj().Pos())]
	if p.at(t.Obj().Pos()) == nowhere && (p.hasGenerated(lib, t) || p.outside[t.Obj().Pkg()] != nil) {
		why = p.shapeOutside(t.Obj(), lib)
	}
	if why != "" {
		return reaches + "its generated code writes something else than Octet, because " + why
	}
	return ""
}

// hooksOf returns the names of the methods of user types that a library calls.
func hooksOf(lib *table.Library) (names []string) {
	for _, h := range lib.Hooks {
		names = append(names, h.Name)
	}
	if lib.Generator != nil {
		names = append(names, "MarshalMsg", "UnmarshalMsg")
	}
	return names
}

// hookOf returns why values of a type stay because of a method that the library calls,
// and that its generator did not write for this type.
func (p *program) hookOf(lib *table.Library, t types.Type) string {
	for _, name := range hooksOf(lib) {
		o, index, _ := types.LookupFieldOrMethod(t, true, nil, name)
		f, ok := o.(*types.Func)
		if !ok {
			continue
		}
		generated := lib.Generator != nil && p.isGenerated(p.fset.Position(f.Pos()).Filename, lib)
		switch {
		case lib.Generator == nil && !namedHook(lib, name) && !p.takes(f, lib):
		case len(index) > 1:
			return "its method " + name + " is that of an embedded field"
		case !generated:
			return "the library calls its method " + name + " (" + p.lineOf(f.Pos()) + ")"
		}
	}
	return ""
}

// namedHook reports whether a library finds a method of user types by a name that is enough.
func namedHook(lib *table.Library, name string) bool {
	row, _ := lib.Hook(name)
	return row.Flags&table.Named != 0
}

// hasGenerated reports whether a type has a method that the generator wrote.
func (p *program) hasGenerated(lib *table.Library, t types.Type) bool {
	for _, name := range hooksOf(lib) {
		if o, _, _ := types.LookupFieldOrMethod(t, true, nil, name); o != nil {
			return true
		}
	}
	return false
}
