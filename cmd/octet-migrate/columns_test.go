package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestColumns requires that the help, and the examples where a manual page has them, fit into a
// terminal of 80 columns.
func TestColumns(t *testing.T) {
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-help"}, &stdout, &stderr); code != 0 {
		t.Fatal(&stderr)
	}
	for line := range strings.Lines(stdout.String()) {
		if n := utf8.RuneCountInString(strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", "        ")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
	const indent = 7 + 2
	for line := range strings.Lines(examples) {
		if n := indent + utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > 80 {
			t.Errorf("%d columns in the manual page: %s", n, line)
		}
	}
}
