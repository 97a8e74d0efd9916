package rewrite

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

const several = "it writes or reads several values without an array or map header, for which the adapter returns an error: change it and the opposite method, and then "

// severalValues reports whether a hook writes or reads more than one value without
// the header of an array or a map. It returns false if it cannot tell.
func (p *program) severalValues(pkg *Package, f *ast.FuncDecl, lib *table.Library) bool {
	if f.Body == nil {
		return false
	}
	v := &valueCounter{p: p, info: pkg.Info, lib: lib}
	n, _ := v.block(f.Body.List)
	return !v.unknown && n > 1
}

// A valueCounter counts the values that a function writes or reads.
type valueCounter struct {
	p       *program
	info    *types.Info
	lib     *table.Library
	unknown bool // a header, or a call of which nothing is known
}

// block returns the greatest number of values on a way through statements, and
// whether every way ends in them.
func (v *valueCounter) block(list []ast.Stmt) (n int, ends bool) {
	most := 0
	for _, s := range list {
		some, end, all := v.statement(s)
		most = max(most, n+some, n+end)
		if n += some; all {
			return most, true
		}
	}
	return max(most, n), false
}

// statement returns the number of values on the ways that go on behind a statement,
// that on the ways that end in it, and whether all do.
func (v *valueCounter) statement(s ast.Stmt) (n, end int, all bool) {
	switch s := s.(type) {
	case *ast.ReturnStmt, *ast.BranchStmt:
		return 0, v.calls(s), true
	case *ast.BlockStmt:
		n, all = v.block(s.List)
		return n, n, all
	case *ast.IfStmt:
		first := v.calls(s.Init) + v.calls(s.Cond)
		yes, yesEnds := v.block(s.Body.List)
		no, noEnds := 0, false
		if s.Else != nil {
			no, _, noEnds = v.statement(s.Else)
		}
		for _, way := range []struct {
			n    int
			ends bool
		}{{yes, yesEnds}, {no, noEnds}} {
			if end = max(end, first+way.n); !way.ends {
				n = max(n, first+way.n)
			}
		}
		return n, end, yesEnds && noEnds
	case *ast.ForStmt:
		n, _ = v.block(s.Body.List)
		return 2 * n, 0, false
	case *ast.RangeStmt:
		n, _ = v.block(s.Body.List)
		return 2 * n, 0, false
	case *ast.SwitchStmt:
		return v.cases(s.Body)
	case *ast.TypeSwitchStmt:
		return v.cases(s.Body)
	}
	return v.calls(s), 0, false
}

func (v *valueCounter) cases(body *ast.BlockStmt) (n, end int, all bool) {
	for _, c := range body.List {
		if c, ok := c.(*ast.CaseClause); ok {
			some, ends := v.block(c.Body)
			if end = max(end, some); !ends {
				n = max(n, some)
			}
		}
	}
	return n, end, false
}

// calls counts the values that the calls in a statement or expression write or read.
func (v *valueCounter) calls(n ast.Node) (count int) {
	if n == nil {
		return 0
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			v.unknown = true
		case *ast.CallExpr:
			count += v.call(n)
		}
		return !v.unknown
	})
	return count
}

func (v *valueCounter) call(c *ast.CallExpr) int {
	sel, ok := ast.Unparen(c.Fun).(*ast.SelectorExpr)
	passes := false
	for _, e := range c.Args {
		named := v.p.libraryNamed(v.info.TypeOf(e))
		passes = passes || named != nil && !v.p.isData(named) && v.p.library(named.Obj()) == v.lib
	}
	if passes { // to another hook, or somewhere
		hook := false
		if ok {
			_, hook = v.lib.Hook(sel.Sel.Name)
		}
		v.unknown = v.unknown || !hook
		return 1
	}
	f := v.p.libraryFunc(v.info, c.Fun)
	if f == nil || f.Signature().Recv() == nil || v.p.library(f) != v.lib {
		return 0
	}
	name := strings.TrimPrefix(f.Name(), "Must")
	switch {
	case strings.Contains(name, "Len") || strings.Contains(name, "Header") || name == "Append" || name == "Write" || name == "Read" || name == "ReadFull" || name == "Writer":
		v.unknown = true
	case strings.HasSuffix(name, "Multi"):
		return len(c.Args)
	case strings.HasPrefix(name, "Encode") || strings.HasPrefix(name, "Decode") || strings.HasPrefix(name, "Write") || strings.HasPrefix(name, "Read") || name == "Skip":
		return 1
	}
	return 0
}
