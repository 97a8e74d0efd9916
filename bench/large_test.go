package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/cases"
	"github.com/octet-go/octet/bench/report"
)

// TestLarge measures every way with few numbers, writes the page, and checks that
// no file is left.
func TestLarge(t *testing.T) {
	if testing.Short() {
		t.Skip("skipping in short mode: starts many processes")
	}
	folder := t.TempDir()
	var log strings.Builder
	r, err := cases.MeasureLarge(3000, 1, map[string]string{"file system": folder}, &log)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Cases) != 3 {
		t.Fatalf("%d cases, want write, write and sync, sum", len(r.Cases))
	}
	for _, c := range r.Cases {
		for _, w := range c.Ways {
			if len(w.Figures) != 1 || w.Figures[0].Seconds <= 0 {
				t.Errorf("%s: %s has %v", report.LargeTitle(c), w.Name, w.Figures)
			}
			if !strings.Contains(log.String(), w.Name) {
				t.Errorf("%s is not in the log", w.Name)
			}
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("files are left: %v, %v", left, err)
	}

	root := t.TempDir()
	page := filepath.Join(root, "docs", report.LargePage+".md")
	if err := os.MkdirAll(filepath.Dir(page), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(page, []byte("before\n"+report.LargeBegin+"old\n"+report.LargeEnd+"after\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := report.WriteLarge(root, r); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"before\n", "after\n", "\n### Write and sync, on a file system\n", "| **array Append** |", "| os.File.Write |"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("no %q in the page:\n%s", want, text)
		}
	}
	if strings.Contains(string(text), "old") {
		t.Error("the old figures are still in the page")
	}
	for _, c := range r.Cases {
		if svg, err := os.ReadFile(filepath.Join(root, "docs", report.LargePage, report.LargeFile(c))); err != nil || !strings.HasPrefix(string(svg), "<svg") {
			t.Errorf("%s: %v", report.LargeFile(c), err)
		}
	}
	if !strings.Contains(report.LargeVerdict(r), "(at most 1.1)") {
		t.Errorf("verdict %q", report.LargeVerdict(r))
	}
}
