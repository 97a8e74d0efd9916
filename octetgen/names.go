package octetgen

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/format"
	"go/parser"
	"go/token"
	"go/types"
	"path"
	"path/filepath"
	"slices"
	"strconv"
)

// declared returns the names that the files of a package declare, apart from the one that is written. Imports must not
// have them.
func declared(pkg *build.Package) (map[string]bool, error) {
	names := map[string]bool{}
	for _, file := range slices.Concat(pkg.GoFiles, pkg.CgoFiles, pkg.TestGoFiles) {
		if file == FileName {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, file), nil, parser.SkipObjectResolution)
		if err != nil && f == nil {
			return nil, fmt.Errorf("octetgen: %w", err)
		}
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil {
					names[d.Name.Name] = true
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch spec := spec.(type) {
					case *ast.TypeSpec:
						names[spec.Name.Name] = true
					case *ast.ValueSpec:
						for _, name := range spec.Names {
							names[name.Name] = true
						}
					}
				}
			}
		}
	}
	return names, nil
}

// rename gives the imports of a source names that are not in a list.
func rename(source []byte, taken map[string]bool) ([]byte, error) {
	for _, name := range types.Universe.Names() {
		if taken[name] {
			return nil, fmt.Errorf("octetgen: the package declares %s, which generated code uses as the predeclared name", name)
		}
	}
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, FileName, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("octetgen: %w", err)
	}
	used, names := map[string]bool{}, map[string]string{}
	importName := func(s *ast.ImportSpec) string {
		if s.Name != nil {
			return s.Name.Name
		}
		of, _ := strconv.Unquote(s.Path.Value)
		return path.Base(of)
	}
	for _, s := range f.Imports {
		used[importName(s)] = true
	}
	for _, s := range f.Imports {
		old := importName(s)
		if !taken[old] {
			continue
		}
		name := old
		for i := 2; taken[name] || used[name]; i++ {
			name = fmt.Sprint(old, i)
		}
		used[name], names[old], s.Name = true, name, ast.NewIdent(name)
	}
	if len(names) == 0 {
		return source, nil
	}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok && names[x.Name] != "" {
				x.Name = names[x.Name]
			}
		}
		return true
	})
	var b bytes.Buffer
	if err := format.Node(&b, files, f); err != nil {
		return nil, fmt.Errorf("octetgen: %w", err)
	}
	return b.Bytes(), nil
}
