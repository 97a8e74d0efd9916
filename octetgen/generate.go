package octetgen

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/build"
	"go/build/constraint"
	"go/parser"
	"go/token"
	"go/types"
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
)

// Current fails the test if the file that octet-gen has written for the package in the working directory, which is
// that of the package of the test, differs from what it would write now. It takes as long as compiling the package.
func Current(t testing.TB) {
	t.Helper()
	present, err := os.ReadFile(FileName)
	if errors.Is(err, fs.ErrNotExist) {
		err = fmt.Errorf("octetgen: there is no %s in the directory of the package", FileName)
	}
	var source []byte
	if err == nil {
		source, err = Generate(".")
	}
	switch {
	case err != nil:
		t.Fatal(err)
	case !bytes.Equal(present, source):
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
	if info, err := os.Stat(dir); err == nil && !info.IsDir() { // the go command would be said not to be a directory
		return nil, fmt.Errorf("octetgen: %s is not a directory", dir)
	}
	temp, err := os.MkdirTemp("", "octet-gen-*")
	if err != nil {
		return nil, fmt.Errorf("octetgen: %w", err)
	}
	defer os.RemoveAll(temp)
	// The present file need not be valid Go: two versions of it that were merged are not.
	o := overlay{dir, temp, map[string]string{filepath.Join(dir, FileName): ""}}
	pkg, err := o.load()
	if err != nil {
		return nil, err
	}
	s, err := scan(pkg)
	if err != nil {
		return nil, err
	}
	if names, err = s.choose(names); err != nil {
		return nil, err
	}
	source, err := o.probe(s, names)
	if line := s.builds[names[0]]; line != "" {
		source = bytes.Replace(source, []byte("\n\npackage "), []byte("\n\n"+line+"\n\npackage "), 1)
	}
	return source, err
}

// The sources of a package are what its files say.
type sources struct {
	*build.Package
	declared []string          // all names, those of methods after (*T)
	marked   []string          // the types that ask for methods
	codecs   map[string]string // in the comments of types, also of tests
	builds   map[string]string // to which the files of types belong
}

// scan reads the files of a package.
func scan(pkg *build.Package) (*sources, error) {
	s := &sources{Package: pkg, codecs: map[string]string{}, builds: map[string]string{}}
	for _, filename := range slices.Concat(pkg.GoFiles, pkg.CgoFiles, pkg.TestGoFiles) {
		file, err := parser.ParseFile(token.NewFileSet(), filepath.Join(pkg.Dir, filename), nil, parser.ParseComments|parser.SkipObjectResolution)
		isTest := strings.HasSuffix(filename, "_test.go")
		if err != nil && (!isTest || file == nil) {
			return nil, fmt.Errorf("octetgen: %w", err)
		}
		builds, generic := belongsTo(pkg, filename, file), ""
		var group *ast.GenDecl
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.GenDecl:
				group = n
			case *ast.FuncDecl:
				name := n.Name.Name
				if n.Recv != nil {
					name = fmt.Sprintf("(*%s) %s", strings.TrimPrefix(types.ExprString(n.Recv.List[0].Type), "*"), name)
				}
				s.declared = append(s.declared, name)
				return false
			case *ast.ValueSpec:
				for _, name := range n.Names {
					s.declared = append(s.declared, name.Name)
				}
				return false
			case *ast.TypeSpec:
				name := n.Name.Name
				s.declared, s.builds[name] = append(s.declared, name), builds
				if codec, ok := requested(group.Doc, n.Doc); ok {
					s.codecs[name] = codec
					if !isTest { // and so part of the package
						s.marked = append(s.marked, name)
					}
					if !isTest && n.TypeParams != nil {
						generic = cmp.Or(generic, name)
					}
				}
				return false
			}
			return true
		})
		if generic != "" {
			return nil, fmt.Errorf("octetgen: type %s: a generic type", generic)
		}
	}
	return s, nil
}

// choose returns the names of the types that get methods, given those that are asked for, and checks them.
func (s *sources) choose(names []string) ([]string, error) {
	if len(names) == 0 {
		names = s.marked
	}
	if len(names) == 0 {
		names = present(s.Dir)
		for _, name := range names {
			if !slices.Contains(s.declared, name) {
				return nil, fmt.Errorf("octetgen: %s has methods of type %s, which package %s does not declare; put %s above other types, or delete the file", FileName, name, s.Name, directive)
			}
		}
	}
	if len(names) == 0 {
		for name := range s.codecs { // only types of tests are not marked too
			return nil, fmt.Errorf("octetgen: type %s is declared in a test, and %s does not belong to it", name, FileName)
		}
		return nil, fmt.Errorf("octetgen: no type of package %s has the comment %s", s.Name, directive)
	}
	for _, name := range names {
		switch line := s.builds[name]; {
		case !token.IsIdentifier(name):
			return nil, fmt.Errorf("octetgen: %q is not the name of a type", name)
		case !slices.Contains(s.declared, name):
			return nil, fmt.Errorf("octetgen: package %s declares no type %s", s.Name, name)
		case line == inName:
			return nil, fmt.Errorf("octetgen: type %s: the name of its file limits it to some builds; with a //go:build line instead, %s belongs to the same builds", name, FileName)
		case line != s.builds[names[0]]:
			return nil, fmt.Errorf("octetgen: type %s: its file has another //go:build line than that of type %s", name, names[0])
		}
	}
	return names, nil
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
	cgo := &constraint.TagExpr{Tag: "cgo"}
	switch isCgo := slices.Contains(pkg.CgoFiles, name); {
	case isCgo && builds != nil:
		builds = &constraint.AndExpr{X: builds, Y: cgo}
	case isCgo:
		builds = cgo
	case builds == nil:
		return ""
	}
	return "//go:build " + builds.String()
}

var method = regexp.MustCompile(`(?m)^func \(\*([^)]+)\) Octet`)

// present returns the names of the types that have methods in the present file.
func present(dir string) (names []string) {
	text, _ := os.ReadFile(filepath.Join(dir, FileName)) // without a file, there are none
	for _, match := range method.FindAllSubmatch(text, -1) {
		names = append(names, string(match[1]))
	}
	return slices.Compact(names) // the methods of a type follow each other
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
