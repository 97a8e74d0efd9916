package octet_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var (
	codeSpan = regexp.MustCompile("`([^`\n]+)`")
	filePath = regexp.MustCompile(`^[A-Za-z0-9_.*-]+(/[A-Za-z0-9_.*-]+)*/?$`)
)

// TestArchitecture requires that every file and folder that ARCHITECTURE.md names
// exists, and that its tables name each package once.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range pathsIn(string(text)) {
		if found, err := filepath.Glob(name); err != nil || len(found) == 0 {
			t.Errorf("ARCHITECTURE.md names %s, which does not exist (%v)", name, err)
		}
	}
	named := map[string]int{}
	for _, name := range packagesIn(string(text)) {
		named[name]++
	}
	for _, f := range workspace(t) {
		dir := f.dir()
		if n, ok := named[dir]; dir != "." && (!ok || n > 1) {
			t.Errorf("the tables of ARCHITECTURE.md name %s %d times, want once", dir, n)
		}
		named[dir] = 1
	}
	for name := range named {
		if files, err := filepath.Glob(name + "/*.go"); err != nil || len(files) == 0 {
			t.Errorf("the tables of ARCHITECTURE.md name %s, which is not a package", name)
		}
	}
}

func TestPathsIn(t *testing.T) {
	got := pathsIn("`internal/mem`, `encoding/binary`, `Options.Types`, `fast`, `go run ./bench`, `README.md`, `binary/`, `unsafe`\n" +
		"## A struct: `msgpack`\n`op.go` and `kind_*.go`\n## Elsewhere\n`repository_test.go`")
	want := []string{"internal/mem", "README.md", "binary", "msgpack/op.go", "msgpack/kind_*.go", "repository_test.go"}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
}

func TestPackagesIn(t *testing.T) {
	got := packagesIn("`x`\n\n| package | what it is |\n|---|---|\n| `a`, `b/c` | like `d` |\n| `e` | |\n\n| change | places |\n|---|---|\n| `f` | `g` |\n")
	if want := []string{"a", "b/c", "e"}; !slices.Equal(got, want) {
		t.Errorf("packages %q, want %q", got, want)
	}
}

// pathsIn returns the paths from the root that the text has in code spans: those
// with a slash, which a folder of the root ends with, and names of files, which
// are in the folder that the heading before them names, or in the root.
func pathsIn(text string) []string {
	var paths []string
	folder := ""
	for line := range strings.Lines(text) {
		spans := codeSpan.FindAllStringSubmatch(line, -1)
		if strings.HasPrefix(line, "## ") {
			folder = ""
			if len(spans) > 0 {
				folder = spans[0][1]
			}
			continue
		}
		for _, span := range spans {
			name := span[1]
			first, _, nested := strings.Cut(name, "/")
			switch {
			case !filePath.MatchString(name) || isForeign(first) && nested:
				continue
			case path.Ext(name) == ".go" && !nested:
				name = path.Join(folder, name)
			case nested || path.Ext(name) == ".md":
			default:
				continue
			}
			paths = append(paths, path.Clean(name))
		}
	}
	return paths
}

// packagesIn returns what the first column of the tables of packages names.
func packagesIn(text string) []string {
	var names []string
	table := false
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "|") {
			table = false
			continue
		}
		cell, _, _ := strings.Cut(line[1:], "|")
		if table {
			for _, span := range codeSpan.FindAllStringSubmatch(cell, -1) {
				names = append(names, span[1])
			}
		}
		table = table || strings.TrimSpace(cell) == "package"
	}
	return names
}

// isForeign reports whether paths that begin with the word are packages that are not
// in this repository.
func isForeign(first string) bool {
	return slices.Contains([]string{"encoding", "math", "net", "golang.org"}, first)
}
