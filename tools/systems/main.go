// Systems finds what the compiler and go vet would report for other systems, without compiling: it reads the packages and
// what they import from source, which takes seconds, while compiling the standard library for a system takes a minute.
//
//	go run ./tools/systems windows/arm64 js/wasm linux/amd64,purego ./...
//
// A target is the operating system, the architecture, and build tags.
package main

import (
	"errors"
	"fmt"
	"go/ast"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis/checker"
	"golang.org/x/tools/go/packages"
)

func main() {
	args := os.Args[1:]
	patterns := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, ".") })
	if patterns < 1 {
		fmt.Fprintln(os.Stderr, "usage: systems GOOS/GOARCH[,TAG...]... PATTERN...")
		os.Exit(2)
	}
	failed := false
	for _, target := range args[:patterns] {
		if err := check(os.Stdout, target, "", args[patterns:]...); err != nil {
			fmt.Printf("%s: %v\n", target, err)
			failed = true
		}
	}
	if failed {
		os.Exit(1)
	}
}

// check prints what is wrong in the packages of a folder, and in their tests, when they are built for a target.
func check(w io.Writer, target, dir string, patterns ...string) error {
	platform, tags, _ := strings.Cut(target, ",")
	system, arch, ok := strings.Cut(platform, "/")
	if !ok {
		return errors.New("want GOOS/GOARCH, and tags after commas")
	}
	list, err := packages.Load(&packages.Config{
		Mode:       packages.LoadAllSyntax | packages.NeedModule | packages.NeedEmbedFiles,
		Dir:        dir,
		Env:        append(os.Environ(), "GOOS="+system, "GOARCH="+arch, "CGO_ENABLED=0"),
		BuildFlags: []string{"-tags=" + tags},
		Tests:      true,
	}, patterns...)
	if err != nil {
		return err
	}
	if len(list) == 0 {
		return errors.New("no packages")
	}
	seen := map[string]bool{}
	report := func(text string) {
		if !seen[text] { // a file can be in a package and in the package with its tests
			fmt.Fprintf(w, "%s: %s\n", target, text)
		}
		seen[text] = true
	}
	packages.Visit(list, nil, func(p *packages.Package) {
		for _, err := range p.Errors {
			report(err.Error())
		}
	})
	if len(seen) > 0 { // the analyzers need types
		return fmt.Errorf("%d errors", len(seen))
	}
	for _, p := range list {
		for _, f := range bodiless(p) {
			report(fmt.Sprintf("%s: missing function body of %s", p.Fset.Position(f.Pos()), f.Name.Name))
		}
	}
	graph, err := checker.Analyze(analyzers, list, nil)
	if err != nil {
		return err
	}
	for action := range graph.All() {
		if action.Err != nil {
			return action.Err
		}
		if !action.IsRoot {
			continue // finds facts for the packages that import it
		}
		for _, d := range action.Diagnostics {
			report(fmt.Sprintf("%s: %s: %s", action.Package.Fset.Position(d.Pos), action.Analyzer, d.Message))
		}
	}
	if len(seen) > 0 {
		return fmt.Errorf("%d findings", len(seen))
	}
	return nil
}

// bodiless returns the functions that have no body, in a package without assembly. go/types accepts them, the compiler
// does not.
func bodiless(p *packages.Package) (list []*ast.FuncDecl) {
	if slices.ContainsFunc(p.OtherFiles, func(name string) bool { return filepath.Ext(name) == ".s" }) {
		return nil
	}
	for _, file := range p.Syntax {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Body == nil {
				list = append(list, f)
			}
		}
	}
	return list
}
