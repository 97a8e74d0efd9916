// Package rewrite replaces the calls of other libraries by calls of Octet, as the
// tables of package table say.
//
// It rewrites source text, not syntax trees, so that comments and formatting stay.
// A use that has no counterpart is not changed, and neither is anything that must
// have the same type: flow.go finds out what that is.
package rewrite

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// A Package is one package with types. A file that belongs to several variants of
// a package, such as that of its tests, is given once, with the largest.
type Package struct {
	Files   []*ast.File
	Types   *types.Package
	Info    *types.Info
	Ignored []string    // files that build constraints exclude, and the other ones of the folder if Partial is set
	Partial bool        // its files are arguments of the command
	Cgo     []string    // files that import C
	Hidden  []*ast.File // what cgo made from them
}

// Options say how programs are rewritten.
type Options struct {
	// Shortest uses the defaults of Octet instead of the profile of the library.
	Shortest bool
	// Closed is set if no other package uses exported names of the packages.
	// Otherwise exported names keep their types.
	Closed bool
	// Inline adds the declarations that rewritten code needs to a file of the
	// package instead of to a file of their own.
	Inline bool
	// Elsewhere is what packages that are not rewritten change for the libraries.
	Elsewhere []Elsewhere
	// Versions are those of the modules of imported packages, by path, as far as they are known.
	Versions map[string]string
	// Forks are the modules and folders that a go.mod file puts in the place of others, by the paths
	// of the imported packages.
	Forks map[string]string
	// Read returns the text of a file.
	Read func(name string) ([]byte, error)
}

// Elsewhere is a use of a name that changes what a library does for all of its calls, in a
// package that is not rewritten.
type Elsewhere struct {
	Library    *table.Library
	Package    string // its path
	Name, File string
	All        bool // it concerns every type, not one that the package registers
}

// A Kind says what was done with a use.
type Kind uint8

// The kinds of findings.
const (
	Done   Kind = iota // rewritten
	Check              // rewritten, but behaves differently
	Held               // could be rewritten, but something else must be done first
	Left               // has no counterpart
	Beside             // not a use, but behaves differently because of one that is rewritten
)

// A Finding is one use of a library.
type Finding struct {
	Pos     token.Position
	Kind    Kind
	Name    string // such as "Encoder.EncodeMapLen"
	Library string
	Text    string // what to do
	at      token.Pos
}

// At returns the position in the file set of the packages.
func (f Finding) At() token.Pos { return f.at }

// An Edit replaces the bytes from Start to End of a file.
type Edit struct {
	Start, End token.Pos
	Text       string
}

// A Result is what rewriting changes and what it leaves.
type Result struct {
	Edits    map[string][]Edit // by file, in order
	New      map[string]string // new files
	Findings []Finding         // in order of their positions
}

// program is the state of one run.
type program struct {
	Options
	fset       *token.FileSet
	libraries  []*table.Library
	packages   []*Package
	inside     map[string]bool // names of the files
	sources    map[string][]byte
	newTags    map[string]*table.Library // by key, those that were rewritten
	flow       *flow
	dynamic    *dynamic
	names      map[*types.Package]map[types.Object]string
	sites      []*site
	findings   []Finding
	files      map[*ast.File]*fileEdits
	handles    map[node]*handle
	codecs     map[*Package][]*codec
	generated  map[string]string // the text before the first function, by file
	shapes     map[node]string   // why the generated code of types writes something else, by type
	arrays     map[node]bool     // types for which a blank field can replace a directive
	fixed      map[node]bool     // types whose fields cannot change
	stays      map[node]string   // types and fields that the library must encode, with the reason, by place
	registered map[*table.Library]exts
	uses       map[*table.Library]bool // the libraries that the program uses afterwards
	stored     []stored
	looks      []look
	renewed    []renewal
	methods    map[string][]*types.Func // by name, those whose types mention a library
	lent       []lending
	inGeneric  []partInGeneric
	valued     []valued // values of types of the standard library that type parameters stand for
	shown      []shown
	looked     map[node]string         // how functions of other modules look into the values of types
	rehearsal  bool                    // findTags is called before it is known what stays
	kept       map[*table.Library]bool // uses after a first run
	callers    callsOf
	excluded   map[string]map[string]bool           // the names that files declare which build constraints exclude, by folder
	outside    map[*types.Package]map[string]string // like shapes, of types of other modules, by name
	methodSets typeutil.MethodSetCache
	bodies     map[string][]body // by name
}

// Run rewrites a program.
func Run(fset *token.FileSet, packages []*Package, libraries []*table.Library, o Options) (Result, error) {
	libraries = versions(libraries, packages)
	// Some tags can be rewritten only if the program does not use the library any more,
	// and what is rewritten depends on them.
	p := newProgram(fset, packages, libraries, o)
	if err := p.run(); err != nil {
		return Result{}, err
	}
	if kept := p.uses; o.Closed && len(kept) > 0 {
		p = newProgram(fset, packages, libraries, o)
		p.kept = kept
		if err := p.run(); err != nil {
			return Result{}, err
		}
	}
	return p.result()
}

// versions returns the libraries in the versions that the packages import.
func versions(libraries []*table.Library, packages []*Package) (list []*table.Library) {
	for _, lib := range libraries {
		newer := func(i *types.Package) bool { return i.Path() == lib.Path && i.Scope().Lookup(lib.NewerName) != nil }
		if lib.Newer != nil && slices.ContainsFunc(packages, func(p *Package) bool { return slices.ContainsFunc(p.Types.Imports(), newer) }) {
			lib = lib.Newer
		}
		list = append(list, lib)
	}
	return list
}

func newProgram(fset *token.FileSet, packages []*Package, libraries []*table.Library, o Options) *program {
	return &program{Options: o, fset: fset, libraries: libraries, packages: packages, inside: map[string]bool{}, sources: map[string][]byte{}, newTags: map[string]*table.Library{},
		flow: newFlow(), dynamic: &dynamic{map[node][]node{}, map[node][]types.Type{}}, names: map[*types.Package]map[types.Object]string{},
		files: map[*ast.File]*fileEdits{}, handles: map[node]*handle{}, codecs: map[*Package][]*codec{}, generated: map[string]string{},
		shapes: map[node]string{}, arrays: map[node]bool{}, stays: map[node]string{}, registered: map[*table.Library]exts{}, methods: map[string][]*types.Func{}, uses: map[*table.Library]bool{}, looked: map[node]string{}, excluded: map[string]map[string]bool{}, outside: map[*types.Package]map[string]string{}}
}

// run finds out what can be rewritten, and makes the edits.
func (p *program) run() error {
	for _, pkg := range p.packages {
		for _, f := range pkg.Files {
			name := p.filename(f)
			p.inside[name] = true
			text, err := p.Read(name)
			if err != nil {
				return err
			}
			p.sources[name] = text
		}
	}
	for _, pkg := range p.packages {
		for _, f := range pkg.Files {
			p.connect(pkg, f)
			p.keepNamed(pkg.Info, f)
		}
		p.connectHidden(pkg)
		p.joinParams(pkg.Info)
		p.moveInstances(pkg.Info)
		p.moveExported(pkg)
	}
	p.joinImported()
	p.keepLooked()
	p.keepShown()
	p.keepRenewed()
	p.findArrays()
	p.findShapes()
	for _, pkg := range p.packages {
		for _, f := range pkg.Files {
			p.findSites(pkg, f)
			p.findVersions(f)
		}
		p.findExcluded(pkg)
	}
	p.findStays()
	p.hold()
	p.holdStored()
	p.findHandles()
	p.decide()
	p.findTags()
	for _, pkg := range p.packages {
		p.finish(pkg)
	}
	p.findErrorTexts()
	p.findTagReads()
	return nil
}

func (p *program) filename(f *ast.File) string { return p.fset.Position(f.FileStart).Filename }

// library returns the library that declares an object.
func (p *program) library(o types.Object) *table.Library {
	if o == nil || o.Pkg() == nil {
		return nil
	}
	return table.For(p.libraries, o.Pkg().Path())
}

// name returns the name of a library's object in its table.
func (p *program) name(o types.Object) string {
	switch x := o.(type) {
	case *types.Func:
		o = x.Origin()
	case *types.Var:
		o = x.Origin()
	}
	names := p.names[o.Pkg()]
	if names == nil {
		names = Names(o.Pkg())
		p.names[o.Pkg()] = names
	}
	if n, ok := names[o]; ok {
		return n
	}
	return o.Name()
}

// Names returns the names of the exported objects of a package as tables have
// them: functions, types, variables, methods, and fields of structs.
func Names(pkg *types.Package) map[types.Object]string {
	names := map[types.Object]string{}
	scope := pkg.Scope()
	for _, n := range scope.Names() {
		o := scope.Lookup(n)
		if o.Exported() {
			names[o] = n
		} else {
			continue
		}
		t, ok := o.(*types.TypeName)
		if !ok {
			continue
		}
		add := func(m types.Object) {
			if _, seen := names[m]; !seen && m.Exported() && m.Pkg() == pkg {
				names[m] = n + "." + m.Name()
			}
		}
		if named, ok := types.Unalias(t.Type()).(*types.Named); ok && named.Obj() == t {
			for m := range named.Methods() {
				add(m)
			}
		}
		switch u := t.Type().Underlying().(type) {
		case *types.Struct:
			for f := range u.Fields() {
				add(f)
			}
		case *types.Interface:
			for m := range u.ExplicitMethods() {
				add(m)
			}
		}
	}
	// Methods and fields of embedded types that have no exported name.
	for _, n := range scope.Names() {
		t, ok := scope.Lookup(n).(*types.TypeName)
		if !ok || !t.Exported() {
			continue
		}
		for m := range types.NewMethodSet(types.NewPointer(t.Type())).Methods() {
			if o := m.Obj(); names[o] == "" && o.Exported() && o.Pkg() == pkg {
				names[o] = n + "." + o.Name()
			}
		}
	}
	return names
}

func (p *program) find(kind Kind, at token.Pos, lib *table.Library, name, text string) {
	p.findings = append(p.findings, Finding{Pos: p.fset.Position(at), Kind: kind, Name: name, Library: lib.Name, Text: text, at: at})
}

func (p *program) result() (Result, error) {
	r := Result{Edits: map[string][]Edit{}, New: map[string]string{}}
	for f, e := range p.files {
		if edits := e.outermost(); len(edits) > 0 {
			r.Edits[p.filename(f)] = edits
		}
		for name, text := range e.newFiles {
			r.New[name] = text
		}
	}
	slices.SortStableFunc(p.findings, func(a, b Finding) int {
		if c := strings.Compare(a.Pos.Filename, b.Pos.Filename); c != 0 {
			return c
		}
		return a.Pos.Offset - b.Pos.Offset
	})
	r.Findings = slices.CompactFunc(p.findings, func(a, b Finding) bool {
		return a.Pos == b.Pos && a.Kind == b.Kind && a.Name == b.Name && a.Text == b.Text
	})
	return r, nil
}
