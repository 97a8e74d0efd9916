package octetgen

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

const (
	// FileName is the name of the file that octet-gen writes.
	FileName = "octet_gen.go"

	directive = "//octet:generate"
	probe     = "octet_gen_probe_test.go"
	variable  = "OCTET_GEN_OUTPUT"
)

// Current fails the test if the file that octet-gen has written for the package in the working directory, which is
// that of the package of the test, differs from what it would write now. It takes as long as compiling the package.
func Current(t testing.TB) {
	t.Helper()
	present, err := os.ReadFile(FileName)
	if errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("octetgen: there is no %s in the directory of the package", FileName)
		return
	}
	if err != nil {
		t.Fatal(err)
		return
	}
	source, err := Generate(".")
	if err != nil {
		t.Fatal(err)
		return
	}
	if !bytes.Equal(present, source) {
		t.Errorf("%s is not current: the types or the generator have changed. Run go generate", FileName)
	}
}

// Generate returns the source of the file [FileName] for the package in a directory. The names are those of the types
// that get methods. Without names, these are the types with the comment //octet:generate above them, and if there are
// none, those that have methods in the present file.
//
// Generate compiles the package with a test that calls [Source], so that unexported types and package main work, and
// runs that test. It writes no file to the directory. The module of the package must require this one.
func Generate(dir string, names ...string) ([]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("octetgen: %w", err)
	}
	temp, err := os.MkdirTemp("", "octet-gen-*")
	if err != nil {
		return nil, fmt.Errorf("octetgen: %w", err)
	}
	defer os.RemoveAll(temp)
	files := overlay{filepath.Join(dir, FileName): ""} // need not be valid Go: two versions of it that were merged are not
	pkg, err := files.load(dir, temp)
	if err != nil {
		return nil, err
	}
	marked, codecs, builds, declared, err := scan(pkg)
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		names = marked
	}
	if len(names) == 0 {
		names = present(dir)
		for _, name := range names {
			if !slices.Contains(declared, name) {
				return nil, fmt.Errorf("octetgen: %s has methods of type %s, which package %s does not declare; put %s above other types, or delete the file", FileName, name, pkg.Name, directive)
			}
		}
	}
	if len(names) == 0 {
		for name := range codecs { // only types of tests are not marked too
			return nil, fmt.Errorf("octetgen: type %s is declared in a test, and %s does not belong to it", name, FileName)
		}
		return nil, fmt.Errorf("octetgen: no type of package %s has the comment %s", pkg.Name, directive)
	}
	belongs := builds[names[0]]
	for _, name := range names {
		switch line := builds[name]; {
		case line == inName:
			return nil, fmt.Errorf("octetgen: type %s: the name of its file limits it to some builds; with a //go:build line instead, %s belongs to the same builds", name, FileName)
		case line != belongs:
			return nil, fmt.Errorf("octetgen: type %s: its file has another //go:build line than that of type %s", name, names[0])
		}
	}
	output := filepath.Join(temp, "output")
	if err := files.addProbe(pkg, temp, names, codecs, declared); err != nil {
		return nil, err
	}
	text, failure := files.test(temp, dir, output)
	for failure != nil && files.hide(dir, text) {
		text, failure = files.test(temp, dir, output)
	}
	if why, err := os.ReadFile(output + ".error"); err == nil {
		return nil, fmt.Errorf("%s", why)
	}
	source, err := os.ReadFile(output)
	if failure != nil || err != nil {
		return nil, fmt.Errorf("octetgen: cannot run a test in package %s: %v\n%s", pkg.Name, failure, text)
	}
	if belongs != "" {
		source = bytes.Replace(source, []byte("\n\npackage "), []byte("\n\n"+belongs+"\n\npackage "), 1)
	}
	return source, nil
}

// scan returns the names of the types of a package that ask for methods, the Codecs in their comments, the builds to which
// their files belong, and all names that the package declares.
func scan(pkg *build.Package) (marked []string, codecs, builds map[string]string, declared []string, err error) {
	codecs, builds = map[string]string{}, map[string]string{}
	for _, filename := range slices.Concat(pkg.GoFiles, pkg.CgoFiles, pkg.TestGoFiles) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, filename), nil, parser.ParseComments|parser.SkipObjectResolution)
		isTest := strings.HasSuffix(filename, "_test.go")
		if err != nil && (!isTest || file == nil) {
			return nil, nil, nil, nil, fmt.Errorf("octetgen: %w", err)
		}
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				declared = append(declared, f.Name.Name)
			}
			group, ok := d.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range group.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					for _, n := range spec.Names {
						declared = append(declared, n.Name)
					}
				case *ast.TypeSpec:
					name := spec.Name.Name
					declared = append(declared, name)
					builds[name] = belongsTo(pkg, filename, file)
					codec, ok := requested(group.Doc, spec.Doc)
					if !ok {
						continue
					}
					if codecs[name] = codec; isTest { // not part of the package
						continue
					}
					if spec.TypeParams != nil {
						return nil, nil, nil, nil, fmt.Errorf("octetgen: type %s: a generic type", name)
					}
					marked = append(marked, name)
				}
			}
		}
	}
	return marked, codecs, builds, declared, nil
}

// inName stands for a build constraint in the name of a file.
const inName = "name"

// belongsTo returns the line in a file that says to which builds it belongs, or "" if these are all, or inName.
func belongsTo(pkg *build.Package, name string, file *ast.File) string {
	other := build.Context{GOOS: "none", GOARCH: "none", Compiler: build.Default.Compiler}
	other.OpenFile = func(string) (io.ReadCloser, error) { return io.NopCloser(strings.NewReader("package other")), nil } // only the name counts
	if match, err := other.MatchFile(pkg.Dir, name); err == nil && !match {
		return inName
	}
	var builds constraint.Expr
	for _, group := range file.Comments {
		for _, c := range group.List {
			if c.Pos() < file.Package && constraint.IsGoBuild(c.Text) {
				builds, _ = constraint.Parse(c.Text) // the package was loaded, so it is valid
			}
		}
	}
	if slices.Contains(pkg.CgoFiles, name) {
		if cgo := (&constraint.TagExpr{Tag: "cgo"}); builds == nil {
			builds = cgo
		} else {
			builds = &constraint.AndExpr{X: builds, Y: cgo}
		}
	}
	if builds == nil {
		return ""
	}
	return "//go:build " + builds.String()
}

var method = regexp.MustCompile(`(?m)^func \(\*([^)]+)\) Octet`)

// present returns the names of the types that have methods in the present file.
func present(dir string) (names []string) {
	text, _ := os.ReadFile(filepath.Join(dir, FileName)) // without a file, there are none
	for _, match := range method.FindAllSubmatch(text, -1) {
		if name := string(match[1]); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// requested reports whether comments have the directive, and returns what follows it.
func requested(comments ...*ast.CommentGroup) (codec string, ok bool) {
	for _, group := range comments {
		if group == nil {
			continue
		}
		for _, c := range group.List {
			if rest, found := strings.CutPrefix(c.Text, directive); found && (rest == "" || rest[0] == ' ') {
				codec, ok = strings.TrimSpace(rest), true
			}
		}
	}
	return codec, ok
}
