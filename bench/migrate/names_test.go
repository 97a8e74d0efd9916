package migrate

import (
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	inSpan  = regexp.MustCompile("``(.+?)``|`([^`\n]+)`")
	word    = regexp.MustCompile(`[A-Za-z_][A-Za-z0-9_]*`)
	pattern = regexp.MustCompile(`^([A-Za-z]+\*|\*[A-Za-z]+)$`)
)

// TestPagesNameAll requires that each page names everything that the library
// exports: functions, types, methods, and the fields of the structs of options.
// A word alone that begins or ends with * stands for all names with that end or
// beginning.
func TestPagesNameAll(t *testing.T) {
	for _, c := range []struct{ page, path, leftOut string }{
		{"shamaton", "github.com/shamaton/msgpack/v3", ""},
		{"vmihailenco", "github.com/vmihailenco/msgpack/v5", ""},
		{"ugorji", "github.com/ugorji/go/codec", ugorjiLeftOut},
		{"msgp", "github.com/tinylib/msgp/msgp", ""},
	} {
		t.Run(c.page, func(t *testing.T) {
			page, err := os.ReadFile(filepath.Join("..", "..", "docs", "migrating-from-"+c.page+".md"))
			if err != nil {
				t.Fatal(err)
			}
			named := namesIn(string(page))
			leftOut := regexp.MustCompile("^(" + c.leftOut + ")$")
			for _, name := range exported(t, c.path) {
				if !leftOut.MatchString(name) && !named(name) {
					t.Errorf("the page does not say what replaces %s", name)
				}
			}
		})
	}
}

// ugorjiLeftOut are names of ugorji's other formats.
const ugorjiLeftOut = `(Binc|Cbor|Json|Simple|XML)(Handle|Name|Node|Element)|SetInterfaceExt`

// namesIn returns whether a name is in a code span of the text.
func namesIn(text string) func(name string) bool {
	words := map[string]bool{}
	var patterns []string
	for _, span := range inSpan.FindAllStringSubmatch(text, -1) {
		code := span[1] + span[2]
		if pattern.MatchString(code) {
			patterns = append(patterns, code)
		}
		for _, w := range word.FindAllString(code, -1) {
			words[w] = true
		}
	}
	return func(name string) bool {
		if words[name] {
			return true
		}
		for _, p := range patterns {
			if end, ok := strings.CutPrefix(p, "*"); ok && strings.HasSuffix(name, end) {
				return true
			}
			if begin, ok := strings.CutSuffix(p, "*"); ok && strings.HasPrefix(name, begin) {
				return true
			}
		}
		return false
	}
}

// exported returns the exported functions, types, methods of exported types, and
// fields of the structs of options for MessagePack.
func exported(t *testing.T, path string) (names []string) {
	t.Helper()
	out, err := exec.Command("go", "list", "-f", "{{.Dir}}{{range .GoFiles}}\n{{.}}{{end}}", path).Output()
	if err != nil {
		t.Skip("no go command to ask: ", err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	var files []*ast.File
	for _, name := range lines[1:] {
		f, err := parser.ParseFile(token.NewFileSet(), filepath.Join(lines[0], name), nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	seen := map[string]bool{}
	add := func(name string) {
		if ast.IsExported(name) && !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	for _, f := range files {
		for _, d := range f.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv == nil || ast.IsExported(receiver(d.Recv.List[0].Type)) {
					add(d.Name.Name)
				}
			case *ast.GenDecl:
				for _, s := range d.Specs {
					if s, ok := s.(*ast.TypeSpec); ok {
						add(s.Name.Name)
						addFields(s, add)
					}
				}
			}
		}
	}
	return names
}

func addFields(s *ast.TypeSpec, add func(name string)) {
	structure, ok := s.Type.(*ast.StructType)
	if !ok || !ast.IsExported(s.Name.Name) || !strings.HasSuffix(s.Name.Name, "Options") && s.Name.Name != "BasicHandle" && s.Name.Name != "MsgpackHandle" {
		return
	}
	for _, f := range structure.Fields.List {
		for _, n := range f.Names {
			add(n.Name)
		}
	}
}

// receiver returns the name of the type that a method belongs to.
func receiver(e ast.Expr) string {
	for {
		switch x := e.(type) {
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}
