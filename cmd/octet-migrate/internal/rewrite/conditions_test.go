package rewrite

import (
	"go/parser"
	"go/token"
	"testing"
)

// TestConditionOf requires that the name of a file counts as much as its build constraint.
func TestConditionOf(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"a.go", "", ""},
		{"linux.go", "", ""},
		{"a_test.go", "", ""},
		{"a_codec.go", "", ""},
		{"a_linux.go", "", "_linux"},
		{"a_linux_test.go", "", "_linux"},
		{"a_b_windows_arm64.go", "", "_windows_arm64"},
		{"a_linux_b.go", "", ""},
		{"a_linux_b_test.go", "", ""},
		{"a_unix.go", "", ""},
		{"a.go", "//go:build !x\n\n", "!x"},
		{"a.go", "// +build x y\n// +build z\n\n", "(x || y) && z"},
		{"a.go", "//go:build x\n// +build y\n\n", "x"},
		{"a.go", "// +build x\n", ""},
		{"a_386.go", "//go:build x && y\n\n", "x && y_386"},
	} {
		p := &program{fset: token.NewFileSet()}
		file, err := parser.ParseFile(p.fset, "folder_linux/"+c.name, c.text+"package a\n", parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		if got := p.conditionOf(file); got != c.want {
			t.Errorf("%s with %q: condition %q, want %q", c.name, c.text, got, c.want)
		}
	}
}
