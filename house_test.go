// Package octet_test holds the tests of the house as a whole: what may import what, and what no file may contain.
package octet_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const house = "github.com/octet-go/octet"

// The floors of the house, from the ground up, once for each wing. A package imports from lower floors of its
// wing only, and none beside it. A new package is given its place here.
var wings = [][][]string{
	{{"internal/mem"}, {"internal/kernel", "internal/typeplan"}, {"bytebuf", "bytebuf/chain"}, {"binary"}, {"layout", "array"}},
	{{"internal/mem"}, {"internal/kernel", "internal/typeplan"}, {"msgpack/wire"}, {"msgpack/internal/syntax"}, {"msgpack"}},
}

// oracle shares no line with what it judges, and no program contains it or what is inside it.
const oracle = "internal/reference"

const maxLines = 500

// rules report what is wrong with a file, or "". They read the source and not the build, so that a file which
// only another platform or tag compiles is held to them too.
var rules = map[string]func(file) string{
	"imports point down":        importsPointDown,
	"every package has a floor": hasFloor,
	"unsafe stays in mem":       unsafeStaysInMem,
	"no linkname":               noLinkname,
	"no init":                   noInit,
	"no long file":              noLongFile,
}

func TestHouse(t *testing.T) {
	files := workspace(t)
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			for _, f := range files {
				if complaint := rule(f); complaint != "" {
					t.Errorf("%s: %s", f.path, complaint)
				}
			}
		})
	}
}

// file is one Go file of the workspace.
type file struct {
	path   string // from the root, with slashes
	nested bool   // belongs to another module than the root
	lines  int
	*ast.File
}

func (f file) dir() string  { return path.Dir(f.path) }
func (f file) isTest() bool { return strings.HasSuffix(f.path, "_test.go") }

// imported returns the paths that f imports.
func (f file) imported() []string {
	var list []string
	for _, spec := range f.Imports {
		list = append(list, strings.Trim(spec.Path.Value, "\"`"))
	}
	return list
}

func importsPointDown(f file) string {
	for _, p := range f.imported() {
		if p != house && !strings.HasPrefix(p, house+"/") {
			continue
		}
		to := strings.TrimPrefix(strings.TrimPrefix(p, house), "/")
		switch {
		case to == f.dir() && f.isTest():
		case within(to, "cmd"):
			if !within(f.dir(), "cmd") {
				return "imports " + to + ", but nothing imports cmd"
			}
		case within(to, oracle):
			if !f.isTest() && !within(f.dir(), oracle) {
				return "imports " + to + ", which is for tests"
			}
		case !f.nested && !below(to, f.dir()):
			return "imports " + to + ", which is not below it"
		}
	}
	return ""
}

// within tells whether dir is top or inside it.
func within(dir, top string) bool { return dir == top || strings.HasPrefix(dir, top+"/") }

// below tells whether some wing has low on a lower floor than high.
func below(low, high string) bool {
	for _, wing := range wings {
		if l, h := floor(wing, low), floor(wing, high); l >= 0 && l < h {
			return true
		}
	}
	return false
}

// floor returns -1 for a package that is not in the wing.
func floor(wing [][]string, dir string) int {
	return slices.IndexFunc(wing, func(rooms []string) bool { return slices.Contains(rooms, dir) })
}

func hasFloor(f file) string {
	if f.nested || f.dir() == "." || within(f.dir(), oracle) {
		return ""
	}
	for _, wing := range wings {
		if floor(wing, f.dir()) >= 0 {
			return ""
		}
	}
	return f.dir() + " has no floor: say in wings what is below it"
}

// madeElsewhere tells whether f was generated, in a nested module: what another's generator writes there follows its
// rules.
func (f file) madeElsewhere() bool { return f.nested && ast.IsGenerated(f.File) }

func unsafeStaysInMem(f file) string {
	if f.madeElsewhere() {
		return ""
	}
	if !slices.Contains(f.imported(), "unsafe") || f.dir() == "internal/mem" || f.dir() == "internal/kernel" && declaresAssembly(f) {
		return ""
	}
	return "imports unsafe, which only internal/mem does"
}

// declaresAssembly tells whether f has functions without a body.
func declaresAssembly(f file) bool {
	return slices.ContainsFunc(f.Decls, func(d ast.Decl) bool {
		fn, ok := d.(*ast.FuncDecl)
		return ok && fn.Body == nil
	})
}

func noLinkname(f file) string {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:linkname") {
				return c.Text
			}
		}
	}
	return ""
}

func noInit(f file) string {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" && !f.madeElsewhere() {
			return "has a func init"
		}
	}
	return ""
}

func noLongFile(f file) string {
	if f.lines > maxLines && !ast.IsGenerated(f.File) {
		return fmt.Sprintf("has %d lines, more than %d", f.lines, maxLines)
	}
	return ""
}

// workspace parses every Go file of every module, except what go ignores too.
func workspace(t *testing.T) []file {
	t.Helper()
	var files []file
	var modules []string // the folders of nested modules
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		slashed := filepath.ToSlash(name)
		if d.IsDir() {
			if base := d.Name(); name != "." && (base == "testdata" || base[0] == '.' || base[0] == '_') {
				return filepath.SkipDir
			}
			if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil && name != "." {
				modules = append(modules, slashed)
			}
			return nil
		}
		if path.Ext(slashed) != ".go" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		nested := slices.ContainsFunc(modules, func(m string) bool { return within(slashed, m) })
		f, err := parseFile(slashed, string(text), nested)
		files = append(files, f)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func parseFile(name, text string, nested bool) (file, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	return file{name, nested, strings.Count(text, "\n"), parsed}, err
}
