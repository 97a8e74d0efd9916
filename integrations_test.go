package octet_test

import (
	"os"
	"strings"
	"testing"
)

// TestIntegrations checks that docs/integrations.md links each module and each recipe, that their go.work uses each module, and
// that the example of each recipe can be copied to another module.
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
		if name := "integrations/recipes/" + folder + "/example_test.go"; strings.Contains(readText(t, name), modulePath+"/internal/") {
			t.Errorf("%s imports an internal package", name)
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
