package mem_test

import (
	"fmt"
	"go/build/constraint"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestVersionsOfCI checks that the layouts of the runtime are known for every version of
// Go that CI uses. Without this, a new version would turn fast paths off without a word.
func TestVersionsOfCI(t *testing.T) {
	var minors []int
	for _, file := range []struct{ path, version string }{
		{"../../go.mod", `(?m)^go 1\.(\d+)`},
		{"../../.ci/run", `other_go 1\.(\d+)`},
		{"../../.github/workflows/check.yml", `go-version: 1\.(\d+)`},
	} {
		text, err := os.ReadFile(file.path)
		if err != nil {
			t.Fatal(err)
		}
		found := regexp.MustCompile(file.version).FindAllSubmatch(text, -1)
		if found == nil {
			t.Errorf("%s has no version of Go", file.path)
		}
		for _, m := range found {
			minor, err := strconv.Atoi(string(m[1]))
			if err != nil {
				t.Fatal(err)
			}
			minors = append(minors, minor)
		}
	}
	slices.Sort(minors)
	minors = slices.Compact(minors)
	files, err := filepath.Glob("*_known.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		for _, minor := range minors {
			if !builtBy(t, file, minor) {
				t.Errorf("%s is not part of a program built by Go 1.%d, which CI uses", file, minor)
			}
		}
	}
}

// builtBy reports whether Go 1.minor builds the file, without the race detector and tags.
func builtBy(t *testing.T, file string, minor int) bool {
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(string(text), "\n")
	expression, err := constraint.Parse(first)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return expression.Eval(func(tag string) bool {
		var version int
		_, err := fmt.Sscanf(tag, "go1.%d", &version)
		return tag == "gc" || err == nil && version <= minor
	})
}
