package rewrite_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/rewrite"
)

// TestPrograms rewrites the program of each archive in testdata/programs, and
// compares the files that change, and the findings, with the rest of the archive.
// If the program compiles, so does the result.
//
// The folder elsewhere of an archive stands for another module, which is not rewritten.
//
// The comment of an archive can have a line of options after "options:"; with run,
// [TestRun] runs the program. NAME in its files is the import path of the archive's
// folder.
func TestPrograms(t *testing.T) {
	s := loadSuite(t)
	for _, name := range slices.Sorted(maps.Keys(s.archives)) {
		t.Run(name, func(t *testing.T) { s.testProgram(t, name) })
	}
	// Findings that are left to the user do not prevent a program from compiling.
	for _, p := range s.after.Problems {
		if strings.Contains(p, programs) && !strings.Contains(p, filepath.Join(programs, "errors")) {
			t.Error("after: ", p)
		}
	}
}

// TestSecondRun rewrites the results once more and requires that nothing changes, and that no use counts as rewritten.
func TestSecondRun(t *testing.T) {
	s := loadSuite(t)
	packages := byFolder(s.after)
	for name, a := range s.archives {
		libraries, o := optionsFor(a)
		o.Read = s.after.Read
		result, err := rewrite.Run(s.after.Fset, packages[name], libraries, o)
		if err != nil {
			t.Fatal(err)
		}
		for file, edits := range result.Edits {
			for _, e := range edits {
				t.Errorf("%s: a second run writes %q", s.after.Fset.Position(e.Start), e.Text)
			}
			delete(result.New, file)
		}
		for file := range result.New {
			t.Errorf("a second run makes %s", file)
		}
		for _, f := range result.Findings {
			if f.Kind == rewrite.Done || f.Kind == rewrite.Check {
				t.Errorf("%s: a second run counts %s: %s", f.Pos, f.Name, f.Text)
			}
		}
	}
}

const importPath = "github.com/octet-go/octet/cmd/octet-migrate/programs/"

var programs = filepath.Join(module, "programs")

func isInput(f txtar.File) bool {
	return !strings.HasPrefix(f.Name, "after/") && f.Name != "findings"
}

func (s *suite) testProgram(t *testing.T, name string) {
	archive := s.archives[name]
	dir := filepath.Join(programs, name) + string(filepath.Separator)
	for _, p := range s.before.Problems {
		if strings.Contains(p, dir) && !optionsOf(archive)("errors") {
			t.Error("before: ", p)
		}
	}
	files := s.programs[name].files
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
	for _, f := range s.programs[name].findings {
		rel, _ := filepath.Rel(dir, f.Pos.Filename)
		word := map[rewrite.Kind]string{rewrite.Done: "done", rewrite.Check: "check", rewrite.Held: "held", rewrite.Left: "left", rewrite.Beside: "check"}[f.Kind]
		if f.Kind != rewrite.Done {
			fmt.Fprintf(&findings, "%s:%d: %s: %s: %s\n", filepath.ToSlash(rel), f.Pos.Line, word, f.Name, f.Text)
		}
	}
	got.Files = append(got.Files, txtar.File{Name: "findings", Data: findings.Bytes()})
	compareGolden(t, filepath.Join("testdata", "programs", name+".txtar"), txtar.Format(got))
}

// TestRun runs the programs of the archives with the option run, before and after they
// are rewritten, and requires the same output. With -short, and without OCTET_LONG=1, it runs
// the first two programs, because linking them takes longest.
func TestRun(t *testing.T) {
	s := loadSuite(t)
	ran, most := 0, 2
	if os.Getenv("OCTET_LONG") != "" && !testing.Short() {
		most = len(s.archives)
	}
	for _, name := range slices.Sorted(maps.Keys(s.archives)) {
		if !optionsOf(s.archives[name])("run") || ran == most {
			continue
		}
		ran++
		before, after := s.run(t, name, s.overlay), s.run(t, name, s.result)
		if before != after || before == "" {
			t.Errorf("%s prints\n%sand after it was rewritten\n%s", name, before, after)
		}
	}
	if ran == 0 {
		t.Error("no archive has the option run")
	}
}

// run runs a program with these files and returns what it prints.
func (s *suite) run(t *testing.T, name string, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for path, text := range files {
		if !strings.HasPrefix(path, filepath.Join(programs, name)+string(filepath.Separator)) {
			continue
		}
		overlay.Replace[path] = filepath.Join(dir, fmt.Sprint(len(overlay.Replace), ".go"))
		if err := os.WriteFile(overlay.Replace[path], text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	list, err := json.Marshal(overlay)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(file, list, 0o666); err != nil {
		t.Fatal(err)
	}
	c := exec.Command("go", "run", "-overlay", file, "./programs/"+name)
	c.Dir = module
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", name, err, out)
	}
	return string(out)
}
