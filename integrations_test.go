package octet_test

import (
	"os"
	"strings"
	"testing"
)

// TestIntegrations checks that docs/integrations.md links each module and each recipe, and that their go.work uses each module.
func TestIntegrations(t *testing.T) {
	page := readText(t, "docs/integrations.md")
	work := readText(t, "integrations/go.work")
	for _, folder := range folders(t, "integrations") {
		if !strings.Contains(work, "./"+folder+"\n") {
			t.Errorf("go.work does not use %s", folder)
		}
		if folder != "recipes" && !strings.Contains(page, "](../integrations/"+folder+")") {
			t.Errorf("docs/integrations.md does not link %s", folder)
		}
	}
	for _, folder := range folders(t, "integrations/recipes") {
		if folder != "internal" && !strings.Contains(page, "](../integrations/recipes/"+folder+")") {
			t.Errorf("docs/integrations.md does not link recipes/%s", folder)
		}
	}
}

func readText(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
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
