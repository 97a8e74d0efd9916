package octet_test

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// streamTypes are the parameters by which a function can be given a reader or writer that fails.
var streamTypes = []string{
	"io.Reader", "io.Writer", "io.ReaderAt", "io.WriterAt", "io.ReadSeeker", "io.ReadWriter", "io.ReadWriteSeeker",
	"io.ReadCloser", "io.WriteCloser", "io.ByteReader", "io.RuneReader", "io.StringWriter", "*zip.Writer", "*zip.Reader",
	"*bufio.Reader", "*bufio.Writer",
}

// withoutReads are functions that are given a reader, but do not read.
var withoutReads = []string{"array.NamesNPZ"}

// TestFaultTables requires an entry in a table of faults for every exported function that takes a reader or writer.
func TestFaultTables(t *testing.T) {
	entries := make(map[string][]string) // by package
	functions := make(map[string][]string)
	for _, f := range workspace(t) {
		dir := f.dir()
		switch {
		case within(dir, "internal") || strings.Contains(dir, "/internal") || within(dir, "examples"):
		case f.nested && dir != "layout/formats" && dir != "transcode" && dir != "record/parquet":
		case f.isTest() && slices.Contains(f.imported(), modulePath+"/"+faults):
			entries[dir] = append(entries[dir], tableEntries(f)...)
		case !f.isTest():
			functions[dir] = append(functions[dir], streamFunctions(f)...)
		}
	}
	total := 0
	for dir, names := range functions {
		for _, name := range names {
			total++
			listed := slices.Contains(withoutReads, dir+"."+name)
			if slices.Contains(entries[dir], name) == listed {
				t.Errorf("%s.%s: entry in a table of internal/faulty: %t, in the list withoutReads: %t", dir, name, listed, listed)
			}
		}
	}
	if total < 30 {
		t.Errorf("found only %d functions that take a reader or writer", total)
	}
}

// tableEntries returns the strings of a test file up to their first space.
func tableEntries(f file) []string {
	var list []string
	ast.Inspect(f.File, func(n ast.Node) bool {
		if s, ok := n.(*ast.BasicLit); ok && s.Kind == token.STRING {
			text, _ := strconv.Unquote(s.Value)
			name, _, _ := strings.Cut(text, " ")
			list = append(list, name)
		}
		return true
	})
	return list
}

// streamFunctions returns the exported functions of a file, and the exported methods of exported types, that have a
// parameter of streamTypes.
func streamFunctions(f file) []string {
	var list []string
	for _, d := range f.Decls {
		fn, ok := d.(*ast.FuncDecl)
		if !ok || !fn.Name.IsExported() || !slices.ContainsFunc(fn.Type.Params.List, takesStream) {
			continue
		}
		name := fn.Name.Name
		if fn.Recv != nil {
			receiver := typeText(fn.Recv.List[0].Type)
			receiver, _, _ = strings.Cut(strings.TrimPrefix(receiver, "*"), "[")
			if !ast.IsExported(receiver) {
				continue
			}
			name = receiver + "." + name
		}
		list = append(list, name)
	}
	return list
}

func takesStream(p *ast.Field) bool {
	typ := p.Type
	if e, ok := typ.(*ast.Ellipsis); ok {
		typ = e.Elt
	}
	return slices.Contains(streamTypes, typeText(typ))
}

// typeText returns the text of a type, as far as the types above need it.
func typeText(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.Ident:
		return e.Name
	case *ast.SelectorExpr:
		return typeText(e.X) + "." + e.Sel.Name
	case *ast.StarExpr:
		return "*" + typeText(e.X)
	case *ast.Ellipsis:
		return "..." + typeText(e.Elt)
	case *ast.ArrayType:
		return "[]" + typeText(e.Elt)
	case *ast.IndexExpr:
		return typeText(e.X) + "[]"
	case *ast.IndexListExpr:
		return typeText(e.X) + "[]"
	}
	return ""
}
