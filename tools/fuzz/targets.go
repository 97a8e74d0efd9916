package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// A target is one fuzz function.
type target struct {
	Path string // folder of its package below the root, such as msgpack/wire
	Name string // name of the function, such as FuzzSkip
	Doc  string // the first sentence of its comment

	dir     string // folder of its package
	module  string // folder in which the go command finds the package
	imports string // path by which it is imported, which is another for a package that replaces a library
}

func (t target) name() string { return t.Path + "." + t.Name }

// seeds is the folder of the committed inputs.
func (t target) seeds() string { return filepath.Join(t.dir, "testdata", "fuzz", t.Name) }

// findTargets returns the targets of all modules, including the modules that have a
// workspace of their own.
func findTargets(root string) ([]target, error) {
	separate, err := output(root, "bash", ".ci/separate")
	if err != nil {
		return nil, err
	}
	targets, err := targetsOf(root, root, "work")
	if err != nil {
		return nil, err
	}
	for _, dir := range strings.Fields(separate) {
		more, err := targetsOf(root, filepath.Join(root, dir), "work")
		if err != nil {
			return nil, err
		}
		targets = append(targets, more...)
	}
	slices.SortStableFunc(targets, func(a, b target) int { return cmp.Compare(a.Path, b.Path) })
	return targets, nil
}

func targetsOf(root, module, packages string) ([]target, error) {
	out, err := output(module, "go", "list", "-json=Dir,ImportPath,TestGoFiles,XTestGoFiles", packages)
	if err != nil {
		return nil, err
	}
	var targets []target
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var p struct {
			Dir, ImportPath           string
			TestGoFiles, XTestGoFiles []string
		}
		if err := d.Decode(&p); err != nil {
			return nil, err
		}
		path, err := filepath.Rel(root, p.Dir)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Concat(p.TestGoFiles, p.XTestGoFiles) {
			f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(p.Dir, name), nil, parser.ParseComments)
			if err != nil {
				return nil, err
			}
			for _, d := range f.Decls {
				fn, ok := d.(*ast.FuncDecl)
				if !ok || fn.Recv != nil || !strings.HasPrefix(fn.Name.Name, "Fuzz") {
					continue
				}
				targets = append(targets, target{
					Path: filepath.ToSlash(path), Name: fn.Name.Name, Doc: sentence(fn.Doc.Text()), dir: p.Dir, module: module, imports: p.ImportPath,
				})
			}
		}
	}
	return targets, nil
}

// sentence returns the first sentence of a comment, in one line.
func sentence(doc string) string {
	doc = strings.Join(strings.Fields(doc), " ")
	if i := strings.Index(doc, ". "); i >= 0 {
		doc = doc[:i+1]
	}
	return doc
}

// build compiles the tests of the package of t as go test -fuzz does, or as go test does
// if plain is true, and returns the program.
func (t target) build(ctx context.Context, dir string, plain bool) (string, error) {
	binary := filepath.Join(dir, strings.ReplaceAll(t.Path, "/", "-")+".test")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	args := []string{"test", "-c", "-o", binary}
	if !plain {
		args = append(args, "-fuzz", ".")
	}
	c := exec.CommandContext(ctx, "go", append(args, t.imports)...)
	c.Dir = t.module
	if out, err := c.CombinedOutput(); err != nil {
		return "", fmt.Errorf("%s does not build: %w\n%s", t.Path, err, out)
	}
	return binary, nil
}

// output returns what a command prints, without the last newline.
func output(dir, name string, args ...string) (string, error) {
	c := exec.Command(name, args...)
	c.Dir = dir
	out, err := c.Output()
	if err != nil {
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			err = fmt.Errorf("%w: %s", err, bytes.TrimSpace(exit.Stderr))
		}
		return "", fmt.Errorf("%s: %w", strings.Join(c.Args, " "), err)
	}
	return string(bytes.TrimSpace(out)), nil
}
