package rewrite_test

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/load"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/rewrite"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

// TestPrograms rewrites the program of each archive in testdata/programs, and
// compares the files that change, and the findings, with the rest of the archive.
// If the program compiles, so does the result.
//
// The comment of an archive can have a line of options after "options:". NAME in
// its files is the import path of the archive's folder.
func TestPrograms(t *testing.T) {
	paths, err := filepath.Glob("testdata/programs/*.txtar")
	if err != nil || len(paths) == 0 {
		t.Fatal("no programs: ", err)
	}
	overlay := map[string][]byte{}
	archives := map[string]*txtar.Archive{}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(path), ".txtar")
		archives[name] = a
		for _, f := range a.Files {
			if isInput(f) {
				overlay[filepath.Join(programs, name, f.Name)] = bytes.ReplaceAll(f.Data, []byte("NAME"), []byte(importPath+name))
			}
		}
	}
	before := loadAll(t, overlay)
	after := maps.Clone(overlay)
	for _, name := range slices.Sorted(maps.Keys(archives)) {
		t.Run(name, func(t *testing.T) {
			for name, text := range testProgram(t, name, archives[name], before) {
				after[name] = text
			}
		})
	}
	// What a program needs by hand does not keep it from compiling.
	for _, p := range loadAll(t, after).Problems {
		if !strings.Contains(p, filepath.Join(programs, "errors")) {
			t.Error("after: ", p)
		}
	}
}

const importPath = "github.com/octet-go/octet/cmd/octet-migrate/programs/"

var programs = filepath.Join(module, "programs")

func isInput(f txtar.File) bool {
	return !strings.HasPrefix(f.Name, "after/") && f.Name != "findings"
}

func loadAll(t *testing.T, overlay map[string][]byte) *load.Program {
	t.Helper()
	p, err := load.Load(load.Config{Dir: module, Overlay: overlay, Tests: true}, "./programs/...")
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func testProgram(t *testing.T, name string, archive *txtar.Archive, all *load.Program) map[string][]byte {
	_, options, _ := strings.Cut(string(archive.Comment), "options:")
	has := func(option string) bool { return slices.Contains(strings.Fields(options), option) }
	dir := filepath.Join(programs, name) + string(filepath.Separator)
	var own []*rewrite.Package
	for _, p := range all.Packages {
		if strings.HasPrefix(all.Fset.Position(p.Files[0].FileStart).Filename, dir) {
			own = append(own, p)
		}
	}
	for _, p := range all.Problems {
		if strings.Contains(p, dir) && !has("errors") {
			t.Error("before: ", p)
		}
	}
	result, err := rewrite.Run(all.Fset, own, table.Chosen(has("std")), rewrite.Options{
		Shortest: has("shortest"), Inline: has("inline"), Closed: !has("open"), Read: all.Read,
	})
	if err != nil {
		t.Fatal(err)
	}
	files, err := result.Files(all.Fset, all.Read)
	if err != nil {
		t.Fatal(err)
	}
	got := &txtar.Archive{Comment: archive.Comment}
	for _, f := range archive.Files {
		if isInput(f) {
			got.Files = append(got.Files, f)
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		rel, _ := filepath.Rel(dir, file)
		got.Files = append(got.Files, txtar.File{Name: "after/" + filepath.ToSlash(rel), Data: bytes.ReplaceAll(files[file], []byte(importPath+name), []byte("NAME"))})
	}
	var findings bytes.Buffer
	for _, f := range result.Findings {
		rel, _ := filepath.Rel(dir, f.Pos.Filename)
		word := map[rewrite.Kind]string{rewrite.Done: "done", rewrite.Check: "check", rewrite.Held: "held", rewrite.Left: "left"}[f.Kind]
		if f.Kind != rewrite.Done {
			fmt.Fprintf(&findings, "%s:%d: %s: %s: %s\n", filepath.ToSlash(rel), f.Pos.Line, word, f.Name, f.Text)
		}
	}
	got.Files = append(got.Files, txtar.File{Name: "findings", Data: findings.Bytes()})
	path := filepath.Join("testdata", "programs", name+".txtar")
	if *update {
		if err := os.WriteFile(path, txtar.Format(got), 0o666); err != nil {
			t.Fatal(err)
		}
	} else if !bytes.Equal(txtar.Format(archive), txtar.Format(got)) {
		t.Errorf("got\n%s", txtar.Format(got))
	}
	return files
}
