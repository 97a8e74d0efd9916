package recipes_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestPage checks that docs/integrations.md links each module and each recipe, and that go.work uses each module.
func TestPage(t *testing.T) {
	page := read(t, "../../docs/integrations.md")
	work := read(t, "../go.work")
	for _, folder := range folders(t, "..") {
		if !strings.Contains(work, "./"+folder+"\n") {
			t.Errorf("go.work does not use %s", folder)
		}
		if folder != "recipes" && !strings.Contains(page, "](../integrations/"+folder+")") {
			t.Errorf("docs/integrations.md does not link %s", folder)
		}
	}
	for _, folder := range folders(t, ".") {
		if folder != "internal" && !strings.Contains(page, "](../integrations/recipes/"+folder+")") {
			t.Errorf("docs/integrations.md does not link recipes/%s", folder)
		}
	}
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.FromSlash(name))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func folders(t *testing.T, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var list []string
	for _, e := range entries {
		if e.IsDir() {
			list = append(list, e.Name())
		}
	}
	return list
}
