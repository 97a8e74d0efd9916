package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestCurrent requires that the tables in the pages are those of package table.
func TestCurrent(t *testing.T) {
	for _, page := range pages() {
		path := filepath.Join("..", "..", "..", "..", "docs", "migrating-from-"+page+".md")
		got, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		want, err := current(string(got), page)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if string(got) != want {
			t.Errorf("%s is not current: run go generate in cmd/octet-migrate", path)
		}
	}
}
