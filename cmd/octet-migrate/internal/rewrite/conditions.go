package rewrite

import (
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/types"
	"io"
	"path/filepath"
	"slices"
	"strings"
)

// builtWith returns a file that is built wherever one of users is: home, another one of them, or a file of the same
// package without a condition. If there is none, it returns home.
func (p *program) builtWith(pkg *Package, home *fileEdits, users []*fileEdits) *fileEdits {
	isTest := func(f *ast.File) bool { return strings.HasSuffix(p.filename(f), "_test.go") }
	serves := func(f *ast.File) bool {
		own := p.conditionOf(f)
		return isTest(f) == isTest(home.file) && f.Name.Name == home.file.Name.Name &&
			(own == "" || !slices.ContainsFunc(users, func(e *fileEdits) bool { return p.conditionOf(e.file) != own }))
	}
	if serves(home.file) {
		return home
	}
	for _, e := range users {
		if serves(e.file) {
			return e
		}
	}
	for _, f := range pkg.Files {
		if serves(f) && !ast.IsGenerated(f) {
			return p.editsOf(pkg, f)
		}
	}
	return home
}

// serves reports whether the files that use c are never built without the file that declares o.
func (p *program) serves(pkg *Package, o types.Object, c *codec, users []*fileEdits) bool {
	own := ""
	for _, f := range pkg.Files {
		if f.FileStart <= o.Pos() && o.Pos() < f.FileEnd {
			own = p.conditionOf(f)
		}
	}
	return own == "" || !slices.ContainsFunc(users, func(e *fileEdits) bool { return slices.Contains(e.needs, c) && p.conditionOf(e.file) != own })
}

// sharedConstraint returns the build constraint that all files have, or "".
func sharedConstraint(files []*fileEdits) (shared string) {
	for i, e := range files {
		c := constraintOf(e.file)
		if i > 0 && c != shared {
			return ""
		}
		shared = c
	}
	return shared
}

// constraintOf returns the build constraint of a file, or "". If it has no line of the form //go:build, those of the form
// // +build count, except in the comment of the package.
func constraintOf(file *ast.File) (c string) {
	var old constraint.Expr
	for _, group := range file.Comments {
		for _, line := range group.List {
			switch {
			case line.Pos() > file.Package:
			case constraint.IsGoBuild(line.Text):
				c = strings.TrimSpace(strings.TrimPrefix(line.Text, "//go:build"))
			case group != file.Doc && constraint.IsPlusBuild(line.Text):
				if x, err := constraint.Parse(line.Text); err == nil && old != nil {
					old = &constraint.AndExpr{X: old, Y: x}
				} else if err == nil {
					old = x
				}
			}
		}
	}
	if c == "" && old != nil {
		return old.String()
	}
	return c
}

// conditionOf returns what decides when a file is built: its build constraint, and the ends of its name that stand for an
// operating system and an architecture. It returns "" for a file that is always built.
func (p *program) conditionOf(file *ast.File) string {
	parts := strings.Split(strings.TrimSuffix(strings.TrimSuffix(filepath.Base(p.filename(file)), ".go"), "_test"), "_")
	ends := ""
	for i := len(parts) - 1; i >= max(1, len(parts)-2); i-- {
		elsewhere := build.Context{GOOS: "none", GOARCH: "none", Compiler: "gc", OpenFile: func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package p")), nil }}
		if always, err := elsewhere.MatchFile("", "p_"+parts[i]+".go"); err != nil || always {
			break // what is before another end, such as linux in a_linux_b.go, is not a condition
		}
		ends = "_" + parts[i] + ends
	}
	return constraintOf(file) + ends
}
