package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestGeneratedFilesAreMarked checks that .gitattributes marks all generated files of the repository.
func TestGeneratedFilesAreMarked(t *testing.T) {
	git := func(args ...string) string {
		text, err := exec.Command("git", append([]string{"-C", ".."}, args...)...).Output()
		if err != nil {
			t.Skipf("git %s: %v", args[0], err)
		}
		return strings.TrimSpace(string(text))
	}
	files := strings.Fields(git("grep", "-l", "^// Code generated .* DO NOT EDIT", "--", "*.go"))
	files = append(files, strings.Fields(git("ls-files", "bench/results"))...)
	if len(files) < 5 {
		t.Fatalf("git lists only %d generated files", len(files))
	}
	for marked := range strings.Lines(git(append([]string{"check-attr", "linguist-generated", "--"}, files...)...)) {
		if marked = strings.TrimSpace(marked); !strings.HasSuffix(marked, ": set") {
			t.Errorf(".gitattributes does not mark %s", marked)
		}
	}
}

// TestGeneratedFilesAreShort checks that no generated file of bench has more than 2,000 lines, except that of protoc.
// Code that is longer is generated when it is measured.
func TestGeneratedFilesAreShort(t *testing.T) {
	checked := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_gen.go") || strings.HasPrefix(path, "pb"+string(filepath.Separator)) {
			return err
		}
		text, err := os.ReadFile(path)
		if n := strings.Count(string(text), "\n"); n > 2000 {
			t.Errorf("%s has %d lines", path, n)
		}
		checked++
		return err
	})
	if err != nil || checked < 3 {
		t.Errorf("%d generated files: %v", checked, err)
	}
}
