package rewrite_test

import (
	"bytes"
	"flag"
	"fmt"
	"go/types"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/octet-go/octet/cmd/octet-migrate/internal/rewrite"
	"github.com/octet-go/octet/cmd/octet-migrate/internal/table"
)

var update = flag.Bool("update", false, "write the golden files of this test")

var only = flag.String("only", "", "load only the programs whose names match this `pattern`, and no rows; with -run Programs")

// module is the root of this module. Packages below rows exist in memory only.
var module, _ = filepath.Abs("../..")

// TestRows requires for each row of each table, tags, directives and hooks included,
// a program that uses what the row names, rewrites it, and compares the result with
// testdata/rows. The program calls the function, or names the type, with parameters
// of the types that the library declares. A row for which there is no such program,
// or that has no effect on it, is an error. All results are compiled.
//
// The test does not use package analysistest, which loads packages from a folder of
// its own without the modules of the libraries, and compares fixes of one file at a
// time. Rewriting makes new files, and the results must compile with the libraries
// and with Octet.
func TestRows(t *testing.T) {
	s := loadSuite(t)
	covered := map[entry]bool{}
	for _, e := range s.rows {
		covered[entry{e.lib.Page, e.row}] = true
	}
	for _, lib := range table.All() {
		for _, row := range rowsOf(lib) {
			if !covered[entry{lib.Page, row}] {
				t.Errorf("%s: no program of this test uses the row %s", lib.Path, row)
			}
		}
		t.Run(strings.ReplaceAll(lib.Path, "/", "_"), func(t *testing.T) {
			archive := &txtar.Archive{Comment: []byte("What octet-migrate does with each row of the table for " + lib.Path + ".\n" +
				"go test ./internal/rewrite -run Rows -update writes this file.\n\n")}
			for _, e := range s.rows {
				if e.lib != lib {
					continue
				}
				before, after, findings := string(s.overlay[e.file()]), string(s.result[e.file()]), s.rowFindings[e.dir]
				about := func(f rewrite.Finding) bool {
					matches, _ := path.Match(e.finding, f.Name)
					return matches || f.Name == e.finding || e.finding == "" && before == after
				}
				if !e.silent && !slices.ContainsFunc(findings, about) && (e.finding != "" || before == after) {
					t.Errorf("%s: the row has no effect", e.name)
				}
				text := describe(before, after, findings)
				if strings.Contains(e.row, " = ") {
					text += settings(string(s.result[filepath.Join(filepath.Dir(e.file()), "octet_codec.go")]))
				}
				archive.Files = append(archive.Files, txtar.File{Name: e.name, Data: []byte(text)})
			}
			compareGolden(t, filepath.Join("testdata", "rows", strings.NewReplacer("/", "_", ".", "_").Replace(lib.Path)+".txt"), txtar.Format(archive))
		})
	}
	for _, p := range slices.Concat(s.before.Problems, s.after.Problems) {
		if strings.Contains(p, filepath.Join(module, "rows")) {
			t.Error(p)
		}
	}
}

// An entry is a row of the libraries that have the same page: they share rows.
type entry struct{ page, row string }

// rowsOf returns the names of all rows of a library.
func rowsOf(lib *table.Library) (names []string) {
	for _, row := range slices.Concat(lib.Rows, lib.Tags, lib.Comments, lib.Hooks) {
		names = append(names, row.Name)
	}
	return names
}

// TestTablesComplete requires a row for each exported name of the libraries, in the version that
// the table has.
func TestTablesComplete(t *testing.T) {
	s := loadSuite(t)
	packages := s.libraries
	matched := map[entry]bool{}
	for _, lib := range table.All() {
		for o, name := range rewrite.Names(packages[lib.Path]) {
			row, ok := lib.Row(name)
			matched[entry{lib.Page, row.Name}] = true
			_, isVar := o.(*types.Var)
			if partial := lib.Profile == "" && !lib.Same || lib.Same && (isVar || strings.Contains(name, ".")); !ok && !partial {
				t.Errorf("%s: no row for %s", lib.Path, name)
			}
		}
	}
	for _, lib := range table.All() {
		if v := s.before.Versions[lib.Path]; lib.Version != "" && v != lib.Version {
			t.Errorf("%s: the table has the version %s, and go.mod %s", lib.Path, lib.Version, v)
		}
		for _, row := range lib.Rows {
			if !matched[entry{lib.Page, row.Name}] && !strings.ContainsAny(row.Name, "(=") && !strings.HasPrefix(row.Name, ".") {
				t.Errorf("%s: the row %s is for no name", lib.Path, row.Name)
			}
		}
	}
}

// describe returns the golden text of a row.
func describe(before, after string, findings []rewrite.Finding) string {
	var b strings.Builder
	content := func(s string) string {
		_, rest, _ := strings.Cut(s, "\n")
		return strings.TrimSpace(rest)
	}
	b.WriteString(content(before) + "\n")
	if before == after {
		b.WriteString("=> unchanged\n")
	} else {
		b.WriteString("=>\n" + content(after) + "\n")
	}
	for _, f := range findings {
		if f.Kind == rewrite.Left || f.Kind == rewrite.Check || f.Kind == rewrite.Beside {
			fmt.Fprintf(&b, "# %s: %s\n", f.Name, f.Text)
		}
	}
	return b.String()
}

// settings returns the lines of octet_codec.go that make the Options.
func settings(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.Contains(line, "profile.") || strings.Contains(line, "options.") {
			b.WriteString("# octet_codec.go: " + strings.TrimSpace(line) + "\n")
		}
	}
	return b.String()
}

func compareGolden(t *testing.T, path string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s: got\n%s", path, got)
	}
}
