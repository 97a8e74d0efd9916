package layout

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// TestComments requires a comment on every function and type of the package, exported or
// not, that begins with its name, perhaps after an article.
func TestComments(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	set := token.NewFileSet()
	check := func(name *ast.Ident, doc *ast.CommentGroup) {
		first, second := "", ""
		if fields := strings.Fields(doc.Text()); len(fields) > 1 {
			first, second = fields[0], fields[1]
		}
		if first != name.Name && second != name.Name {
			t.Errorf("%v: %s has no comment that begins with its name", set.Position(name.Pos()), name.Name)
		}
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		tree, err := parser.ParseFile(set, file, nil, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range tree.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				check(d.Name, d.Doc)
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						if s.Doc == nil {
							s.Doc = d.Doc
						}
						check(s.Name, s.Doc)
					}
				}
			}
		}
	}
}
