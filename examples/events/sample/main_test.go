package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octet-go/octet/examples/events"
)

func TestRun(t *testing.T) {
	path := filepath.Join(t.TempDir(), "events.rec")
	if code := run([]string{path}); code != 0 {
		t.Fatalf("exit code %d", code)
	}
	if list, err := events.Read[events.Event](path); err != nil || len(list) != 4 {
		t.Errorf("the file has %v, %v", list, err)
	}
	for _, args := range [][]string{nil, {path, path}, {filepath.Join(path, "x")}} {
		if code := run(args); code != 1 {
			t.Errorf("%q: exit code %d", args, code)
		}
	}
}

// TestReadme reads the commands of the page, which are for the root of the repository: what they name exists there, or
// is a file that a command before it writes as its last argument.
func TestReadme(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Skip(err)
	}
	written, commands := map[string]bool{}, 0
	for i, block := range strings.Split(string(text), "```") {
		if i%2 == 0 { // outside of a block
			continue
		}
		for command := range strings.Lines(strings.TrimPrefix(block, "\n")) {
			words := strings.Fields(command)
			for n, word := range words {
				if n < len(words)-1 && filepath.Ext(word) != "" || strings.Contains(word, "/") || words[0] == "duckdb" && n == 2 {
					if _, err := os.Stat(filepath.Join("../../..", word)); err != nil && !written[word] {
						t.Errorf("%s: %s does not exist", strings.TrimSpace(command), word)
					}
				}
			}
			written[words[len(words)-1]] = true
			commands++
		}
	}
	if commands < 3 {
		t.Errorf("the page has %d commands", commands)
	}
}
