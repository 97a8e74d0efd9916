package load

import (
	"go/ast"
	goparser "go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/rewrite"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// elsewhere finds what packages that are not rewritten change for all calls of a library:
// those that the program imports, and the other ones of its modules.
func elsewhere(loaded, others []*packages.Package) (found []rewrite.Elsewhere) {
	seen := map[string]bool{}
	for _, p := range loaded {
		seen[p.PkgPath] = true
	}
	look := func(p *packages.Package) {
		if seen[p.PkgPath] {
			return
		}
		seen[p.PkgPath] = true
		for _, lib := range table.MessagePack() {
			if p.Imports[lib.Path] != nil && !strings.HasPrefix(p.PkgPath, lib.Name) {
				for _, name := range p.GoFiles {
					found = append(found, calls(lib, p.PkgPath, name)...)
				}
			}
		}
	}
	packages.Visit(loaded, nil, look)
	for _, p := range others {
		look(p)
	}
	return found
}

// calls returns the names in a file that change what all calls of a library do.
func calls(lib *table.Library, pkg, name string) (found []rewrite.Elsewhere) {
	file, err := goparser.ParseFile(token.NewFileSet(), name, nil, goparser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	i := slices.IndexFunc(file.Imports, func(s *ast.ImportSpec) bool { return strings.Trim(s.Path.Value, `"`) == lib.Path })
	if i < 0 {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		// Rows have no names of local things, and a dot import is not worth a difference.
		if row, ok := lib.Row(id.Name); ok && row.Flags&(table.Global|table.Registers) != 0 {
			found = append(found, rewrite.Elsewhere{Library: lib, Package: pkg, Name: id.Name, File: path.Base(strings.ReplaceAll(name, `\`, "/")), All: row.Flags&table.Global != 0})
		}
		return true
	})
	return found
}
