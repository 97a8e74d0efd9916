package rewrite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

const otherModules = "the type of an exported name changes: other modules that use the name must be changed with it"

// exportedType reports whether a site names a type in the declaration of an exported function, type or
// variable that other modules can import.
func (p *program) exportedType(s *site) bool {
	path := "/" + s.pkg.Types.Path() + "/"
	if _, ok := s.pkg.Info.Uses[s.id].(*types.TypeName); !ok || s.lib.Same || s.pkg.Types.Name() == "main" || strings.Contains(path, "/internal/") || strings.HasSuffix(p.filename(s.file), "_test.go") {
		return false
	}
	isExported := func(id *ast.Ident) bool { return id.IsExported() }
	for i, n := range s.stack {
		switch n := n.(type) {
		case *ast.FuncDecl:
			if !n.Name.IsExported() || s.at() >= n.Type.End() || n.Recv != nil && !exportedReceiver(n.Recv.List[0].Type) {
				return false
			}
		case *ast.FuncLit, *ast.CompositeLit:
			return false
		case *ast.TypeSpec:
			if !n.Name.IsExported() {
				return false
			}
		case *ast.ValueSpec:
			if n.Type == nil || s.at() >= n.Type.End() || !slices.ContainsFunc(n.Names, isExported) {
				return false
			}
		case *ast.Field: // of a struct or an interface; the names of parameters do not matter
			_, isFunc := s.stack[i-2].(*ast.FuncType)
			if !isFunc && len(n.Names) > 0 && !slices.ContainsFunc(n.Names, isExported) {
				return false
			}
		}
	}
	return true
}

// exportedReceiver reports whether the type of a receiver has an exported name.
func exportedReceiver(e ast.Expr) bool { return ast.IsExported(embeddedName(e)) }
