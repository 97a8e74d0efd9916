package octet_test

import (
	"go/ast"
	"go/doc"
	"strings"
	"testing"
)

// TestExamples requires an Example whose output is checked for every exported function, and for every exported method
// of an exported type, of the packages that users import. An Example with a suffix, such as ExampleMarshal_tags, counts.
func TestExamples(t *testing.T) {
	functions := make(map[string][]string) // by directory
	examples := make(map[string]bool)      // by directory and name
	for _, f := range workspace(t) {
		dir := f.dir()
		switch {
		case !isImported(f):
		case f.isTest():
			for _, e := range doc.Examples(f.File) {
				if e.Output != "" || e.EmptyOutput {
					examples[dir+" "+withoutSuffix(e.Name)] = true
				}
			}
		default:
			functions[dir] = append(functions[dir], exportedFunctions(f)...)
		}
	}
	total := 0
	for dir, names := range functions {
		for _, name := range names {
			total++
			if !examples[dir+" "+strings.ReplaceAll(name, ".", "_")] {
				t.Errorf("%s.%s has no Example with an output", dir, name)
			}
		}
	}
	if total < 400 {
		t.Errorf("found only %d exported functions and methods", total)
	}
}

// withoutSuffix returns the name of an Example without a suffix, which begins with a lower-case letter.
func withoutSuffix(name string) string {
	if i := strings.LastIndexByte(name, '_'); i >= 0 && !ast.IsExported(name[i+1:]) {
		return name[:i]
	}
	return name
}

// isImported reports whether programs import the package of a file.
func isImported(f file) bool {
	dir := f.dir()
	if strings.Contains("/"+dir+"/", "/internal/") || within(dir, "examples") || f.Name.Name == "main" || f.Name.Name == "main_test" {
		return false
	}
	return !f.nested || dir == "layout/formats" || dir == "transcode" || dir == "record/zstd" || dir == "record/parquet"
}

// exportedFunctions returns the names of the exported functions of a file, and of the exported methods of exported
// types.
func exportedFunctions(f file) []string {
	var list []string
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Name.IsExported() && (fn.Recv == nil || ast.IsExported(receiverName(fn))) {
			list = append(list, functionName(fn))
		}
	}
	return list
}
