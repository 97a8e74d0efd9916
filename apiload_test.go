package octet_test

import (
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// A loader finds the types of the packages of all modules from their source. It needs no other module: of packages that are
// not in this repository it knows only the names that the source uses, and takes them for types. So the result does not depend
// on the versions of Go and of other modules, either.
type loader struct {
	t        *testing.T
	modules  map[string]string // directories by module path
	build    build.Context
	files    *token.FileSet
	loaded   map[string]*types.Package // by directory
	problems []string
}

func newLoader(t *testing.T) *loader {
	t.Helper()
	l := &loader{t: t, modules: map[string]string{}, build: build.Default, files: token.NewFileSet(), loaded: map[string]*types.Package{}}
	l.build.GOOS, l.build.GOARCH, l.build.CgoEnabled, l.build.BuildTags, l.build.ToolTags = "linux", "amd64", false, nil, nil
	l.build.ReleaseTags = nil
	for minor := range 27 {
		l.build.ReleaseTags = append(l.build.ReleaseTags, fmt.Sprintf("go1.%d", minor))
	}
	moduleLine := regexp.MustCompile(`(?m)^module (\S+)`)
	l.walk(func(dir string, entries []os.DirEntry) {
		text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
		if m := moduleLine.FindSubmatch(text); err == nil && m != nil {
			l.modules[string(m[1])] = dir
		}
	})
	return l
}

// walk calls f with the folders that the go command does not ignore.
func (l *loader) walk(f func(dir string, entries []os.DirEntry)) {
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if base := d.Name(); name != "." && (base == "testdata" || base[0] == '.' || base[0] == '_') {
			return filepath.SkipDir
		}
		entries, err := os.ReadDir(name)
		f(filepath.ToSlash(name), entries)
		return err
	})
	if err != nil {
		l.t.Fatal(err)
	}
}

// packages returns the folders with packages for programs to import.
func (l *loader) packages() []string {
	var dirs []string
	l.walk(func(dir string, entries []os.DirEntry) {
		isUnpublished := func(top string) bool { return within(dir, top) }
		if strings.Contains("/"+dir+"/", "/internal/") || slices.ContainsFunc(unpublished, isUnpublished) {
			return
		}
		if slices.ContainsFunc(entries, func(e os.DirEntry) bool { return isSource(e.Name()) }) && dir != "." {
			dirs = append(dirs, dir)
		}
	})
	return dirs
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go")
}

// directory returns the folder of a package of this repository.
func (l *loader) directory(importPath string) (dir string, ok bool) {
	longest := ""
	for module, d := range l.modules {
		if within(importPath, module) && len(module) > len(longest) {
			longest, dir = module, path.Join(d, strings.TrimPrefix(importPath, module))
		}
	}
	return dir, longest != ""
}

// importPath is the inverse of directory.
func (l *loader) importPath(dir string) string {
	longest, result := "", path.Join(modulePath, dir)
	for module, d := range l.modules {
		if within(dir, d) && len(d) > len(longest) {
			longest, result = d, module+strings.TrimPrefix(dir, d)
		}
	}
	return result
}

// load returns the package in a folder.
func (l *loader) load(dir string) *types.Package {
	if p, ok := l.loaded[dir]; ok {
		return p
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		l.t.Fatal(err)
	}
	var files []*ast.File
	for _, e := range entries {
		if match, err := l.build.MatchFile(dir, e.Name()); !isSource(e.Name()) || err != nil || !match {
			continue
		}
		f, err := parser.ParseFile(l.files, path.Join(dir, e.Name()), nil, parser.SkipObjectResolution)
		if err != nil {
			l.t.Fatal(err)
		}
		files = append(files, f)
	}
	foreign := foreignNames(files)
	config := types.Config{
		IgnoreFuncBodies: true,
		Sizes:            types.SizesFor("gc", "amd64"),
		Error:            func(error) {}, // what is not known of other modules causes errors; a declaration that depends on it has an invalid type
		Importer: importer(func(importPath string) (*types.Package, error) {
			if within, ok := l.directory(importPath); ok {
				return l.load(within), nil
			}
			if importPath == "unsafe" {
				return types.Unsafe, nil
			}
			return foreign[importPath], nil
		}),
	}
	p, _ := config.Check(l.importPath(dir), l.files, files, nil)
	l.loaded[dir] = p
	return p
}

// An importer is a function that is a types.Importer.
type importer func(importPath string) (*types.Package, error)

func (i importer) Import(importPath string) (*types.Package, error) { return i(importPath) }

var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// foreignNames returns a package for each import of the files, with the names that the declarations use.
func foreignNames(files []*ast.File) map[string]*types.Package {
	packages := map[string]*types.Package{}
	for _, f := range files {
		local := map[string]*types.Package{}
		for _, spec := range f.Imports {
			importPath, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				continue
			}
			p := packages[importPath]
			if p == nil {
				base := path.Base(importPath)
				if majorVersion.MatchString(base) {
					base = path.Base(path.Dir(importPath))
				}
				p = knownValues(importPath, base)
				packages[importPath] = p
			}
			local[p.Name()] = p
			if spec.Name != nil {
				local[spec.Name.Name] = p
			}
		}
		for _, d := range f.Decls {
			declareUses(d, local)
		}
	}
	return packages
}

// declareUses declares in the packages the names that the declaration d uses, as types.
func declareUses(d ast.Node, local map[string]*types.Package) {
	selected := func(e ast.Expr) (*types.Package, string) {
		s, ok := e.(*ast.SelectorExpr)
		if !ok {
			return nil, ""
		}
		if x, ok := s.X.(*ast.Ident); ok {
			return local[x.Name], s.Sel.Name
		}
		return nil, ""
	}
	declare := func(e ast.Expr, parameters int) {
		p, name := selected(e)
		if p == nil || p.Scope().Lookup(name) != nil {
			return
		}
		named := types.NewNamed(types.NewTypeName(token.NoPos, p, name, nil), types.NewStruct(nil, nil), nil)
		var list []*types.TypeParam
		for range parameters {
			list = append(list, types.NewTypeParam(types.NewTypeName(token.NoPos, p, "T", nil), types.Universe.Lookup("any").Type()))
		}
		named.SetTypeParams(list)
		p.Scope().Insert(named.Obj())
	}
	ast.Inspect(d, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BlockStmt:
			return false
		case *ast.IndexExpr:
			declare(n.X, 1)
		case *ast.IndexListExpr:
			declare(n.X, len(n.Indices))
		case *ast.CallExpr:
			if p, _ := selected(n.Fun); p != nil {
				return false // If the function is not in known, the result has an invalid type.
			}
		case *ast.SelectorExpr:
			declare(n, 0)
		}
		return true
	})
}

// known has the functions, constants and variables of other packages that declarations of exported names use.
var known = map[string]string{
	"bytes":           "const MinRead = 512; var ErrTooLarge error",
	"encoding/binary": "const (MaxVarintLen16 = 3; MaxVarintLen32 = 5; MaxVarintLen64 = 10); type bigEndian struct{}; type littleEndian struct{}; type nativeEndian struct{}; var (BigEndian bigEndian; LittleEndian littleEndian; NativeEndian nativeEndian)",
	"errors":          "func New(text string) error",
	"fmt":             "func Errorf(format string, a ...any) error",
	"io/fs":           "var ErrClosed error",
	"os":              "var ErrClosed error",
}

// knownValues returns a package with the declarations of known.
func knownValues(importPath, name string) *types.Package {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, "", "package "+name+"; "+known[importPath], 0)
	if err != nil {
		f = &ast.File{Name: ast.NewIdent(name)} // The base of the path is not a name. Files must name the import.
	}
	config := types.Config{Error: func(error) {}} // functions without a body
	p, _ := config.Check(importPath, files, []*ast.File{f}, nil)
	return p
}
