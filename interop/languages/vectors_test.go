package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

// TestNames checks that names and sections identify rows: the lists of known differences have only names.
func TestNames(t *testing.T) {
	random, err := generate(defaultSeed, 100)
	if err != nil {
		t.Fatal(err)
	}
	all := table{vectors: append(vectors(), random...)}
	var names, sections []string
	for _, r := range all.rows() {
		if slices.Contains(names, r.name) {
			t.Errorf("two rows are named %q", r.name)
		}
		if strings.Contains(r.name, " → ") || strings.TrimSpace(r.name) != r.name || r.name == "" {
			t.Errorf("a list cannot contain the name %q", r.name)
		}
		names = append(names, r.name)
		if len(sections) == 0 || sections[len(sections)-1] != r.section {
			sections = append(sections, r.section)
		}
	}
	slices.Sort(sections)
	if compact := slices.Compact(slices.Clone(sections)); len(compact) != len(sections) {
		t.Errorf("a section is divided: %q", sections)
	}
	if len(names) < 200 {
		t.Errorf("only %d rows", len(names))
	}
}

func TestGenerate(t *testing.T) {
	shares := 0
	for _, f := range families() {
		shares += f.share
	}
	if shares != 10000 {
		t.Errorf("the shares add up to %d", shares)
	}
	first, err := generate(1, 1000)
	if err != nil {
		t.Fatal(err)
	}
	again, err := generate(1, 1000)
	if err != nil {
		t.Fatal(err)
	}
	other, err := generate(2, 1000)
	if err != nil {
		t.Fatal(err)
	}
	equal := 0
	for i := range first {
		if !bytes.Equal(first[i].message, again[i].message) || first[i].want != again[i].want {
			t.Fatalf("value %d differs in the second run: %x, %x", i, first[i].message, again[i].message)
		}
		if first[i].want == other[i].want {
			equal++
		}
	}
	if equal > len(first)/2 {
		t.Errorf("%d of %d values are the same with another seed", equal, len(first))
	}
}

func TestLanguages(t *testing.T) {
	files := map[string]bool{}
	for _, l := range languages() {
		for _, lib := range l.libraries {
			if l.versionOf(lib) == "" {
				t.Errorf("%s: %s names no version of %s", l.name, l.lock, lib.packages)
			}
			if files[lib.file] {
				t.Errorf("two libraries have the file %s", lib.file)
			}
			files[lib.file] = true
		}
	}
	for _, l := range languages() {
		n := 0
		err := l.files(func(name string, data []byte) error {
			n++
			// A lock file with addresses works only where these are reachable.
			if strings.Contains(string(data), `"resolved"`) {
				t.Errorf("%s/%s contains addresses", l.folder, name)
			}
			return nil
		})
		if err != nil || n < 2 {
			t.Errorf("%s: %d files, %v", l.name, n, err)
		}
	}
}
