package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLargePage checks that the committed page and charts have the figures of the
// committed run.
func TestLargePage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", largePage, "figures.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r largeRun
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "docs", largePage+".md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), largeBegin+largeMarkdown(&r)+largeEnd) {
		t.Error("docs/large-arrays.md does not have the figures of docs/large-arrays/figures.json; run go run ./bench -large 100000000")
	}
	for _, c := range r.Cases {
		if svg, err := os.ReadFile(filepath.Join("..", "docs", largePage, largeFile(c))); err != nil || string(svg) != string(largeChart(c)) {
			t.Errorf("%s is not the chart of the figures: %v", largeFile(c), err)
		}
	}
}
