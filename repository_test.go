// Package octet_test tests rules for the whole repository: which package may import which, and what files must
// not contain.
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
	"sync"
	"testing"
)

const modulePath = "github.com/octet-go/octet"

// layerings lists the layers of packages, lowest first. There are two independent layerings, and one of what imports both. A package imports
// only packages in lower layers of its layering. Add a new package here.
var layerings = [][][]string{
	{
		{"internal/mem", faults, measures, terminals},
		{"internal/kernel", "internal/typeplan", "internal/typetable", "internal/promoted", "internal/durable", "internal/errtext"},
		{"internal/block", "internal/disk", "bytebuf/internal/buffertest"},
		{"bytebuf", "bytebuf/chain", simulates},
		{"binary"},
		{"internal/outline"},
		{"layout", "array"},
		{"examples/apns/internal/certs", "examples/apns/internal/unreliable"},
		{"examples/apns"},
		{"examples/apns/demo"},
		{"internal/soak"},
	},
	{
		{"internal/mem", "internal/version", "internal/roff", "internal/interrupt", faults, measures, terminals},
		{"internal/kernel", "internal/typeplan", "internal/typetable", "internal/promoted", "internal/durable", "internal/errtext", "internal/outline"},
		{"msgpack/wire", "internal/disk", "internal/output"},
		{"internal/syntax"},
		{"msgpack", "record/internal/xxh64"},
		{"msgpack/schema", "msgpack/profile"},
		{"record", "octetgen/internal/shapes", "octetgen/internal/compare", "internal/sample", "internal/webtest", "adapters/internal/hooktest", "cmd/octet/internal/console/consoletest", "cmd/octet/internal/diag/diagtest"},
		{"internal/soak", "octetgen", "examples/events"},
		{"cmd/octet-gen", "examples/events/sample"},
	},
	{
		{"binary"},
		{"layout", "msgpack"},
		{"octetgen/internal/shapes", "octetgen/internal/compare"},
		{"octetgen"},
	},
}

// oracle is the slow implementation that tests compare with. It shares no code with the packages under test,
// and only tests import it.
const oracle = "internal/reference"

// faults is the package of readers and writers that fail, measures the one that measures memory, simulates the one of
// disks that fail, and terminals the one of terminals.
const (
	faults    = "internal/faulty"
	measures  = "internal/heaptest"
	simulates = "internal/disk/sim"
	terminals = "internal/terminaltest"
)

// testOnly lists the other packages that only tests import. They may import each other.
var testOnly = []string{
	faults, measures, simulates, terminals, "bytebuf/internal/buffertest", "internal/sample", "internal/webtest", "adapters/internal/hooktest", "octetgen/internal/compare",
	"cmd/octet/internal/console/consoletest", "cmd/octet/internal/diag/diagtest",
}

const maxLines = 500

// rules maps the name of a rule to a function that returns how a file violates it, or "". The functions read
// the source instead of the build, so that the rules also apply to files for other platforms and tags.
var rules = map[string]func(file) string{
	"imports point down":        importsPointDown,
	"every package has a layer": hasLayer,
	"unsafe stays in mem":       unsafeStaysInMem,
	"no linkname":               noLinkname,
	"no init":                   noInit,
	"no long file":              noLongFile,
}

func TestRepository(t *testing.T) {
	files := workspace(t)
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) {
			for _, f := range files {
				if violation := rule(f); violation != "" {
					t.Errorf("%s: %s", f.path, violation)
				}
			}
		})
	}
}

// file is one Go file of the workspace.
type file struct {
	path   string // relative to the root, with slashes
	nested bool   // the file belongs to a nested module
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
		if p != modulePath && !strings.HasPrefix(p, modulePath+"/") {
			continue
		}
		to := strings.TrimPrefix(strings.TrimPrefix(p, modulePath), "/")
		switch {
		case to == f.dir() && f.isTest():
		case within(to, oracle):
			if !f.isTest() && !within(f.dir(), oracle) && !slices.Contains(testOnly, f.dir()) {
				return "imports " + to + ", which is only for tests"
			}
		case slices.Contains(testOnly, to):
			if !f.isTest() && !(slices.Contains(testOnly, f.dir()) && below(to, f.dir())) {
				return "imports " + to + ", which is only for tests"
			}
		case within(to, "cmd"):
			if !within(f.dir(), "cmd") {
				return "imports " + to + ", but nothing imports cmd"
			}
		case !f.nested && !below(to, f.dir()):
			return "imports " + to + ", which is not in a lower layer"
		}
	}
	return ""
}

// within reports whether dir is top or inside it.
func within(dir, top string) bool { return dir == top || strings.HasPrefix(dir, top+"/") }

// below reports whether low is in a lower layer than high, in some layering.
func below(low, high string) bool {
	for _, layering := range layerings {
		if l, h := layerOf(layering, low), layerOf(layering, high); l >= 0 && l < h {
			return true
		}
	}
	return false
}

// layerOf returns the index of the layer that contains dir, or -1.
func layerOf(layering [][]string, dir string) int {
	return slices.IndexFunc(layering, func(packages []string) bool { return slices.Contains(packages, dir) })
}

func hasLayer(f file) string {
	if f.nested || f.dir() == "." || within(f.dir(), oracle) {
		return ""
	}
	for _, layering := range layerings {
		if layerOf(layering, f.dir()) >= 0 {
			return ""
		}
	}
	return f.dir() + " has no layer: add it to layerings"
}

// isForeignGenerated reports whether f is a generated file in a nested module. The generators of other projects
// need not follow these rules.
func (f file) isForeignGenerated() bool { return f.nested && ast.IsGenerated(f.File) }

func unsafeStaysInMem(f file) string {
	if f.isForeignGenerated() {
		return ""
	}
	if !slices.Contains(f.imported(), "unsafe") || f.dir() == "internal/mem" || f.dir() == "internal/kernel" && declaresAssembly(f) {
		return ""
	}
	return "imports unsafe, which only internal/mem does"
}

// declaresAssembly reports whether f has functions without a body.
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
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" && !f.isForeignGenerated() {
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

// workspace parses every Go file of every module, except the files that the go command ignores.
// The tests share the files.
func workspace(t *testing.T) []file {
	t.Helper()
	files, err := parsed()
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var parsed = sync.OnceValues(func() ([]file, error) {
	var files []file
	var modules []string // directories of nested modules
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
	return files, err
})

func parseFile(name, text string, nested bool) (file, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ParseComments|parser.SkipObjectResolution)
	return file{name, nested, strings.Count(text, "\n"), parsed}, err
}
