// Package load loads the packages of a program with types, as package rewrite needs
// them.
package load

import (
	"errors"
	"fmt"
	"go/ast"
	"go/token"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/rewrite"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// A Program is a set of packages with the problems of loading them.
type Program struct {
	Fset      *token.FileSet
	Packages  []*rewrite.Package
	Problems  []string // type errors and similar; the packages are usable
	Unparsed  bool     // one of them is a syntax error
	Closed    bool     // no other package of the module or workspace imports one of them
	Elsewhere []rewrite.Elsewhere
	Versions  map[string]string // of the libraries, by import path
	Forks     map[string]string // what replaces their modules, by import path
	overlay   map[string][]byte
}

// Config says what to load and from where.
type Config struct {
	Dir     string
	Tests   bool
	Tags    string
	Overlay map[string][]byte // replaces or adds files
}

// flags returns the flags for the go command.
func (c Config) flags() []string {
	if c.Tags == "" {
		return nil
	}
	return []string{"-tags=" + c.Tags}
}

// versionOf returns the version of a module that the program is built with.
func versionOf(m *packages.Module) string {
	if m.Replace != nil && m.Replace.Version != "" { // not a folder
		return m.Replace.Version
	}
	return m.Version
}

const mode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedDeps | packages.NeedTypes |
	packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedModule | packages.NeedForTest

// Load loads the packages that patterns match. It returns an error if there are
// none or if the go command fails. Type errors are not an error.
func Load(c Config, patterns ...string) (*Program, error) {
	config := &packages.Config{Mode: mode, Dir: c.Dir, Tests: c.Tests, Fset: token.NewFileSet(), Overlay: c.Overlay, ParseFile: parser(c.Dir), BuildFlags: c.flags()}
	if c.Dir != "" {
		if _, err := os.Stat(c.Dir); err != nil {
			return nil, err
		}
	}
	list, err := packages.Load(config, patterns...)
	if err != nil {
		return nil, message(err)
	}
	p := &Program{Fset: config.Fset, Versions: map[string]string{}, Forks: map[string]string{}, overlay: c.Overlay}
	all := len(list)
	list = slices.DeleteFunc(list, isForeign)
	var importers []*packages.Package
	p.Closed, importers = closed(c, list)
	p.Elsewhere = elsewhere(list, importers)
	// The variant with tests has the files of the package, too.
	slices.SortStableFunc(list, func(a, b *packages.Package) int { return len(b.Syntax) - len(a.Syntax) })
	seen := map[string]bool{}
	for _, pkg := range list {
		for path, i := range pkg.Imports {
			if i.Module != nil {
				p.Versions[path] = versionOf(i.Module)
				if r := i.Module.Replace; r != nil && r.Path != i.Module.Path {
					p.Forks[path] = r.Path
				}
			}
		}
		for _, e := range pkg.Errors {
			if e.Kind == packages.ListError && len(pkg.Syntax) == 0 {
				err = errors.Join(err, e)
				continue
			}
			p.Unparsed = p.Unparsed || e.Kind == packages.ParseError
			if text := e.Error(); !slices.Contains(p.Problems, text) {
				p.Problems = append(p.Problems, text)
			}
		}
		if path := missing(pkg); path != "" {
			return nil, fmt.Errorf("%s: cannot load %s, so that nothing is known of what it uses: run go mod download", pkg.PkgPath, path)
		}
		if strings.HasSuffix(pkg.ID, ".test") || pkg.Types == nil || pkg.TypesInfo == nil {
			continue
		}
		r := &rewrite.Package{Types: pkg.Types, Info: pkg.TypesInfo, Ignored: pkg.IgnoredFiles}
		if strings.HasPrefix(pkg.PkgPath, ofFiles) {
			r.Ignored, r.Partial = append(r.Ignored, others(pkg)...), true
		}
		for _, f := range pkg.Syntax {
			name := p.Fset.Position(f.FileStart).Filename
			switch {
			case seen[name]:
			case isSource(pkg, f, name):
				seen[name] = true
				r.Files = append(r.Files, f)
			default:
				r.Hidden = append(r.Hidden, f)
			}
		}
		r.Cgo = cgo(pkg)
		if len(r.Files) > 0 {
			p.Packages = append(p.Packages, r)
		}
	}
	switch {
	case len(p.Packages) > 0 || err != nil:
	case all > len(list):
		err = errors.New("only packages of other modules and of libraries match " + strings.Join(patterns, " ") + ", which are not rewritten")
	default:
		err = errors.New("no Go files match " + strings.Join(patterns, " "))
	}
	if len(p.Packages) > 0 {
		err = nil // problems of other packages
	}
	return p, err
}

// isForeign reports whether a package is of the standard library, of a module that others share, in the module cache, or of
// a library, which can be a module of the workspace.
func isForeign(pkg *packages.Package) bool {
	isLibrary := func(lib *table.Library) bool { return pkg.Module.Path == lib.Name }
	switch {
	case pkg.Module != nil:
		return !pkg.Module.Main || slices.ContainsFunc(table.MessagePack(), isLibrary)
	case len(pkg.Syntax) == 0: // it is an error
		return false
	}
	first, _, _ := strings.Cut(pkg.PkgPath, "/")
	return !strings.Contains(first, ".") && first != ofFiles
}

// missing returns a library that a package imports and that could not be loaded, or "".
func missing(pkg *packages.Package) string {
	for _, f := range pkg.Syntax {
		for _, spec := range f.Imports {
			path := strings.Trim(spec.Path.Value, `"`)
			if lib := table.For(table.MessagePack(), path); lib != nil {
				if p := pkg.Imports[path]; p == nil || p.Types == nil || len(p.Types.Scope().Names()) == 0 {
					return path
				}
			}
		}
	}
	return ""
}

// message returns an error of package packages without the words around what the go
// command has printed.
func message(err error) error {
	_, text, found := strings.Cut(err.Error(), "stderr: ")
	if text = strings.TrimSpace(text); !found || text == "" {
		return err
	}
	return errors.New(strings.TrimPrefix(text, "go: "))
}

// cgo returns the files of a package that were given to the compiler in another form.
func cgo(pkg *packages.Package) (list []string) {
	for _, name := range pkg.GoFiles {
		if !slices.Contains(pkg.CompiledGoFiles, name) {
			list = append(list, name)
		}
	}
	return list
}

// isSource reports whether a file is written by people, not by cgo.
func isSource(pkg *packages.Package, f *ast.File, name string) bool {
	return slices.Contains(pkg.GoFiles, name)
}

// Read returns the text of a file as it was loaded.
func (p *Program) Read(name string) ([]byte, error) {
	if b, ok := p.overlay[name]; ok {
		return b, nil
	}
	return os.ReadFile(name)
}

// closed reports whether all packages of the modules, and of the workspace that they are
// in, that import one of the list are in the list. It returns these packages.
func closed(c Config, list []*packages.Package) (closed bool, all []*packages.Package) {
	loaded := map[string]bool{}
	dirs := map[string]bool{}
	for _, p := range list {
		loaded[p.PkgPath] = true
		if p.Module == nil {
			return false, nil
		}
		dirs[p.Module.Dir] = true
	}
	closed = true
	for dir := range dirs {
		more, err := packages.Load(&packages.Config{Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports, Dir: dir, Tests: true, Overlay: c.Overlay, BuildFlags: c.flags()}, "work")
		if err != nil {
			return false, nil
		}
		for _, p := range more {
			for path := range p.Imports {
				if loaded[path] && !loaded[p.PkgPath] && !strings.HasSuffix(p.ID, ".test") {
					closed = false
				}
			}
		}
		all = append(all, more...)
	}
	return closed, all
}
