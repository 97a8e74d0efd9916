package kernel

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	structArgument = regexp.MustCompile(`(?m)^// func .*\*[A-Za-z]`)
	numericOffset  = regexp.MustCompile(`(?m)^\t[^/\n]*[\s,]-?[0-9]+\([A-Z][A-Z0-9]*\)`)
)

// TestAssemblyOffsets checks that assembly functions with struct arguments take
// the offsets of fields from go_asm.h and contain no numeric offsets.
func TestAssemblyOffsets(t *testing.T) {
	files, err := filepath.Glob("*.s")
	if err != nil || len(files) == 0 {
		t.Fatalf("found %d assembly files, %v", len(files), err)
	}
	found := 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !structArgument.Match(text) {
			continue
		}
		found++
		if !strings.Contains(string(text), `#include "go_asm.h"`) {
			t.Errorf("%s: does not include go_asm.h", name)
		}
		for _, line := range numericOffset.FindAllString(string(text), -1) {
			t.Errorf("%s: numeric offset: %s", name, strings.TrimSpace(line))
		}
	}
	if found == 0 {
		t.Error("no assembly function has a struct argument")
	}
}
