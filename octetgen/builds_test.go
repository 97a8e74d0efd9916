package octetgen

import (
	"go/build"
	"go/parser"
	"go/token"
	"testing"
)

// TestBelongsTo has files with and without C, with and without a build constraint.
func TestBelongsTo(t *testing.T) {
	for _, c := range []struct {
		name, source, want string
		cgo                bool
	}{
		{"a.go", "package p", "", false},
		{"a.go", "package p", "//go:build cgo", true},
		{"a.go", "// A comment.\n\n//go:build linux || darwin\n\npackage p", "//go:build linux || darwin", false},
		{"a.go", "//go:build linux || darwin\n\npackage p", "//go:build (linux || darwin) && cgo", true},
		{"a_windows.go", "//go:build go1.20\n\npackage p", inName, false},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), c.name, c.source, parser.ParseComments)
		if err != nil {
			t.Fatal(err)
		}
		pkg := &build.Package{}
		if c.cgo {
			pkg.CgoFiles = []string{c.name}
		}
		if got := belongsTo(pkg, c.name, file); got != c.want {
			t.Errorf("%s, %q, cgo %v: got %q, want %q", c.name, c.source, c.cgo, got, c.want)
		}
	}
}
