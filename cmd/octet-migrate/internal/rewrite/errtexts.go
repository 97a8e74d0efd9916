package rewrite

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

const otherText = "the text of an error of the library: those of Octet have other texts; use errors.As with a *msgpack.Error, or errors.Is"

// findErrorTexts reports comparisons with the texts of errors of libraries some of whose uses
// were rewritten. They can be in any package, because errors are passed on.
func (p *program) findErrorTexts() {
	rewritten := map[*table.Library]bool{}
	for _, f := range p.findings {
		for _, lib := range p.libraries {
			rewritten[lib] = rewritten[lib] || f.Kind <= Check && f.Library == lib.Name && lib.Errors != ""
		}
	}
	for _, pkg := range p.packages {
		for _, file := range pkg.Files {
			ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
				text, ok := n.(*ast.BasicLit)
				if !ok || text.Kind != token.STRING || !compares(stack) {
					return true
				}
				s, err := strconv.Unquote(text.Value)
				for lib, ok := range rewritten {
					if ok && err == nil && strings.HasPrefix(s, lib.Errors) {
						p.find(Left, text.Pos(), lib, "errors", otherText)
					}
				}
				return true
			})
		}
	}
}

// comparing are parts of the names of functions that compare texts or errors.
var comparing = []string{"Equal", "Error", "Contains", "Prefix", "Suffix", "Match", "Index"}

// compares reports whether an expression inside the nodes of the stack is compared.
func compares(stack []ast.Node) bool {
	for _, n := range slices.Backward(stack) {
		switch n := n.(type) {
		case *ast.BinaryExpr:
			return n.Op == token.EQL || n.Op == token.NEQ
		case *ast.CaseClause:
			return true
		case *ast.CallExpr:
			name := ""
			switch f := ast.Unparen(n.Fun).(type) {
			case *ast.SelectorExpr:
				name = f.Sel.Name
			case *ast.Ident:
				name = f.Name
			}
			switch {
			case name == "Errorf" || name == "Error" || strings.HasPrefix(name, "New"):
				return false // makes an error, or reports one
			case slices.ContainsFunc(comparing, func(part string) bool { return strings.Contains(name, part) }):
				return true
			}
		case ast.Stmt:
			return false
		}
	}
	return false
}
