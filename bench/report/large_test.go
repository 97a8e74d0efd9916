package report

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
)

// TestLargePage checks that the committed page and charts have the figures of the
// committed run.
func TestLargePage(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", LargePage, "figures.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r engine.LargeRun
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", LargePage+".md"))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(page), LargeBegin+largeMarkdown(&r)+LargeEnd) {
		t.Error("docs/large-arrays.md does not have the figures of docs/large-arrays/figures.json; run go run ./bench -large 100000000")
	}
	for _, c := range r.Cases {
		if svg, err := os.ReadFile(filepath.Join("..", "..", "docs", LargePage, LargeFile(c))); err != nil || string(svg) != string(largeChart(c)) {
			t.Errorf("%s is not the chart of the figures: %v", LargeFile(c), err)
		}
	}
}
