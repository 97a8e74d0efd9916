// Package analyzer makes an analyzer of package rewrite, for go fix and go vet.
package analyzer

import (
	"fmt"
	"go/ast"
	"go/token"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/analysis"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/rewrite"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

const doc = `replace other libraries by Octet

The analyzer suggests one fix for each package: it replaces all uses of the
libraries that Octet can replace. It reports all uses that it cannot replace.

The go command gives it one package at a time. Types of exported names
therefore stay as they are; octet-migrate without the go command replaces
them in all packages together.`

// New returns the analyzer.
func New() *analysis.Analyzer {
	a := &analysis.Analyzer{Name: "octetmigrate", Doc: doc, URL: "https://github.com/octet-go/octet", RunDespiteErrors: true}
	shortest := a.Flags.Bool("shortest", false, "use the defaults of Octet, not the bytes of the other library")
	std := a.Flags.Bool("std", false, "also replace encoding/binary and bytes.Buffer")
	a.Run = func(pass *analysis.Pass) (any, error) {
		return nil, run(pass, table.Chosen(*std), rewrite.Options{Shortest: *shortest, Inline: true, Read: pass.ReadFile})
	}
	return a
}

func run(pass *analysis.Pass, libraries []*table.Library, o rewrite.Options) error {
	pkg := &rewrite.Package{Types: pass.Pkg, Info: pass.TypesInfo, Ignored: pass.IgnoredFiles}
	for _, f := range pass.Files {
		if name := pass.Fset.Position(f.FileStart).Filename; !isCache(f, name) {
			pkg.Files = append(pkg.Files, f)
		} else {
			pkg.Hidden = append(pkg.Hidden, f)
		}
	}
	result, err := rewrite.Run(pass.Fset, []*rewrite.Package{pkg}, libraries, o)
	if err != nil {
		return err
	}
	var first token.Pos
	done := 0
	for _, f := range result.Findings {
		if f.Kind == rewrite.Beside {
			pass.Report(analysis.Diagnostic{Pos: f.At(), Category: "check", Message: f.Name + ": " + f.Text})
			continue
		}
		if f.Kind != rewrite.Done && f.Kind != rewrite.Check {
			pass.Report(analysis.Diagnostic{Pos: f.At(), Category: "left", Message: f.Name + ": " + f.Text})
			continue
		}
		if f.Kind == rewrite.Check {
			pass.Report(analysis.Diagnostic{Pos: f.At(), Category: "check", Message: f.Name + ": " + f.Text})
		}
		if done++; done == 1 {
			first = f.At()
		}
	}
	if done == 0 {
		return nil
	}
	fix := analysis.SuggestedFix{Message: "Replace the library by Octet"}
	for _, f := range pkg.Files {
		for _, e := range result.Edits[pass.Fset.Position(f.FileStart).Filename] {
			fix.TextEdits = append(fix.TextEdits, analysis.TextEdit{Pos: e.Start, End: e.End, NewText: []byte(e.Text)})
		}
	}
	pass.Report(analysis.Diagnostic{Pos: first, Category: "rewrite", Message: fmt.Sprintf("octet-migrate can rewrite this and other uses of the library in the package, %d in all", done), SuggestedFixes: []analysis.SuggestedFix{fix}})
	return nil
}

// isCache reports whether cgo made a file: it is not in the folder of the package. Not all of these files say that they
// are generated.
func isCache(f *ast.File, name string) bool {
	return strings.HasPrefix(filepath.Base(name), "_cgo_") || ast.IsGenerated(f) && strings.HasSuffix(name, ".cgo1.go")
}
