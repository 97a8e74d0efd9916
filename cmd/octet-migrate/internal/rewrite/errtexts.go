package rewrite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
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
			p.findTruncated(pkg, file)
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

const (
	compareTruncated = "use errors.Is, which finds io.ErrUnexpectedEOF in errors of Octet"
	endsEarly        = "the library returns io.EOF also for most messages that are cut short; Octet does only where none begins, and returns an error that is io.ErrUnexpectedEOF for the others"
)

// findTruncated reports comparisons with io.ErrUnexpectedEOF and io.EOF in a package in which a call that can return them is rewritten.
func (p *program) findTruncated(pkg *Package, file *ast.File) {
	i := slices.IndexFunc(p.sites, func(s *site) bool {
		return s.pkg == pkg && s.why == "" && s.lib.Profile != "" && (s.call != nil || s.method) && (&reach{s: s}).decodes()
	})
	if i < 0 {
		return
	}
	ast.PreorderStack(file, nil, func(n ast.Node, stack []ast.Node) bool {
		sel, ok := n.(*ast.SelectorExpr)
		if !ok || len(stack) == 0 {
			return true
		}
		o := pkg.Info.Uses[sel.Sel]
		if o == nil || o.Pkg() == nil || o.Pkg().Path() != "io" {
			return true
		}
		direct, found := false, false
		switch n := stack[len(stack)-1].(type) {
		case *ast.BinaryExpr:
			direct = n.Op == token.EQL || n.Op == token.NEQ
		case *ast.CaseClause:
			direct = true
		case *ast.CallExpr:
			found = types.ExprString(n.Fun) == "errors.Is"
		}
		switch {
		case o.Name() == "ErrUnexpectedEOF" && direct:
			p.find(Left, sel.Pos(), p.sites[i].lib, "errors", compareTruncated)
		case o.Name() == "EOF" && (direct || found):
			p.find(Beside, sel.Pos(), p.sites[i].lib, "errors", endsEarly)
		}
		return true
	})
}

// keepErrors leaves the error variables of a library if calls stay whose errors the program can compare with them.
func (p *program) keepErrors() {
	staying := map[*table.Library]*site{}
	for _, s := range p.sites {
		f, ok := s.pkg.Info.Uses[s.id].(*types.Func)
		if !ok || s.why == "" || staying[s.lib] != nil {
			continue
		}
		for v := range f.Signature().Results().Variables() {
			if isError(v.Type()) {
				staying[s.lib] = s
			}
		}
	}
	for _, s := range p.sites {
		v, ok := s.pkg.Info.Uses[s.id].(*types.Var)
		if by := staying[s.lib]; ok && by != nil && s.why == "" && isError(v.Type()) {
			s.why = fmt.Sprintf("not rewritten, because %s can return it, which is not rewritten (%s); for errors of calls that are, use `errors.Is` with its counterpart", by.name, p.lineOf(by.at()))
			p.find(Held, s.at(), s.lib, s.name, s.why)
		}
	}
}

func isError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

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
