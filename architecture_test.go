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
// exists, and that it names every package or a folder around it.
func TestArchitecture(t *testing.T) {
	text, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	names := pathsIn(string(text))
	for _, name := range names {
		if found, err := filepath.Glob(name); err != nil || len(found) == 0 {
			t.Errorf("ARCHITECTURE.md names %s, which does not exist (%v)", name, err)
		}
	}
	reported := map[string]bool{}
	for _, f := range workspace(t) {
		dir := f.dir()
		if dir == "." || reported[dir] || slices.ContainsFunc(names, func(n string) bool { return within(dir, n) }) {
			continue
		}
		reported[dir] = true
		t.Errorf("ARCHITECTURE.md does not name %s", dir)
	}
}

func TestPathsIn(t *testing.T) {
	got := pathsIn("`op.go` and `internal/mem`, `encoding/binary`, `kind_*.go`, `Config.Types`, `fast`, `go run ./bench`, `README.md`, `binary/`, `msgpack`, `unsafe`")
	want := []string{"msgpack/op.go", "internal/mem", "msgpack/kind_*.go", "README.md", "binary"}
	if !slices.Equal(got, want) {
		t.Errorf("paths %q, want %q", got, want)
	}
}

// pathsIn returns the paths from the root that the text has in code spans: those
// with a slash, which a folder of the root ends with, and names of files, which
// are in the root or in msgpack.
func pathsIn(text string) []string {
	var paths []string
	for _, span := range codeSpan.FindAllStringSubmatch(text, -1) {
		name := span[1]
		first, _, nested := strings.Cut(name, "/")
		switch {
		case !filePath.MatchString(name) || isStandard(first) && nested:
			continue
		case nested || path.Ext(name) == ".md" || path.Ext(name) == ".go" && isFile(name):
		case path.Ext(name) == ".go":
			name = "msgpack/" + name
		default:
			continue
		}
		paths = append(paths, path.Clean(name))
	}
	return paths
}

// isStandard reports whether paths that begin with the word are packages of the
// standard library.
func isStandard(first string) bool { return first == "encoding" || first == "math" || first == "net" }

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && !info.IsDir()
}
