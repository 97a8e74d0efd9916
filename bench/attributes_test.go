package main

import (
	"os/exec"
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
