package report

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
)

// TestCommittedReports generates the reports of every committed run again and compares them with the committed
// reports.
func TestCommittedReports(t *testing.T) {
	for _, path := range committed(t) {
		t.Run(filepath.Base(path), func(t *testing.T) {
			r, err := engine.Read(path)
			if err != nil {
				t.Fatal(err)
			}
			if filepath.Base(path) != r.FileName() {
				t.Fatalf("the file name of the results should be %s", r.FileName())
			}
			made := t.TempDir()
			if err := Write(made, r); err != nil {
				t.Fatal(err)
			}
			unchanged(t, filepath.Join("..", "results", r.Base()+".md"), filepath.Join(made, r.Base()+".md"))
			if runtime.GOARCH != "amd64" && runtime.GOARCH != "386" {
				t.Skip("charts are only compared on amd64, because floating-point rounding differs on other architectures")
			}
			kept, drawn := chartNames(t, filepath.Join("..", "results", r.Base())), chartNames(t, filepath.Join(made, r.Base()))
			if !slices.Equal(kept, drawn) {
				t.Fatalf("committed charts %s, generated charts %s", kept, drawn)
			}
			for _, name := range drawn {
				unchanged(t, filepath.Join("..", "results", r.Base(), name), filepath.Join(made, r.Base(), name))
			}
		})
	}
}

var publishedResults = regexp.MustCompile(`\((bench/results/[^)]*)\.md\)`)

// TestCommittedReadme checks that the figures in the README are those of the results that it names.
func TestCommittedReadme(t *testing.T) {
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	if n := len(readmeBlock.FindAll(readme, -1)); n != 1 {
		t.Fatalf("the README has %d places for figures, want one", n)
	}
	block := readmeBlock.Find(readme)
	if len(results(t)) == 0 && !bytes.Equal(block, readmeBlock.ReplaceAll(block, []byte("$1$2"))) {
		t.Fatal("the README has figures, but no results are committed")
	}
	committed(t)
	names := publishedResults.FindAllSubmatch(block, -1)
	if len(names) == 0 {
		t.Fatalf("the README names no results in %q", block)
	}
	name := names[len(names)-1] // after those of the types of public modules
	path := filepath.Join("..", "..", filepath.FromSlash(string(name[1]))+".json")
	r, err := engine.Read(path)
	if err != nil {
		t.Fatal(err)
	}
	d, err := typesOf("../results", r)
	if err != nil {
		t.Fatal(err)
	}
	want, err := withFigures(readme, r, d)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(readme, want) {
		t.Errorf("the figures in the README differ from the results: go run ./bench -report %s.json -readme", name[1])
	}
	for _, link := range regexp.MustCompile(`\((bench/[^)]*)\)`).FindAllSubmatch(block, -1) {
		if _, err := os.Stat(filepath.Join("..", "..", filepath.FromSlash(string(link[1])))); err != nil {
			t.Error(err)
		}
	}
	if d == nil && !strings.Contains(string(block), "/"+readmeChart+")") {
		t.Errorf("no %s", readmeChart)
	}
}

// TestCommittedPages checks that the figures of the other pages are those of the results that each page names.
func TestCommittedPages(t *testing.T) {
	committed(t)
	for _, p := range figuredPages {
		page, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(p.path)))
		if err != nil {
			t.Fatal(err)
		}
		name := regexp.MustCompile(`\(\.\./(bench/results/[^)]*)\.md\)`).FindSubmatch(readmeBlock.Find(page))
		if name == nil {
			t.Errorf("%s names no results", p.path)
			continue
		}
		r, err := engine.Read(filepath.Join("..", "..", filepath.FromSlash(string(name[1]))+".json"))
		if err != nil {
			t.Fatal(err)
		}
		want, err := insertFigures(page, r, p.figures)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(page, want) {
			t.Errorf("the figures in %s differ from the results: go run ./bench -report %s.json -readme", p.path, name[1])
		}
	}
}

// committed returns the paths of the committed results files. It skips the test if there are none.
func committed(t *testing.T) []string {
	t.Helper()
	list := results(t)
	if len(list) == 0 {
		t.Skip("no results are committed")
	}
	return list
}

func results(t *testing.T) []string {
	t.Helper()
	list, err := filepath.Glob("../results/*.json")
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(list, func(path string) bool {
		return strings.HasSuffix(path, engine.QuickSuffix+".json") || otherRuns.MatchString(path)
	})
}

// overTypes matches the files of runs over many types.
var overTypes = regexp.MustCompile(`-(random|real)-[^/]*\.json$`)

// otherRuns matches the files of runs that are not over all cases.
var otherRuns = regexp.MustCompile(`-((random|real)-[^/]*|instructions)\.json$`)

// TestCommittedInstructions generates the tables of committed runs with different instructions again.
func TestCommittedInstructions(t *testing.T) {
	list, err := filepath.Glob("../results/*-instructions.json")
	if err != nil {
		t.Fatal(err)
	}
	if len(list) == 0 {
		t.Skip("no runs with different instructions are committed")
	}
	for _, path := range list {
		i, err := engine.ReadInstructions(path)
		if err != nil {
			t.Error(err)
			continue
		}
		made := t.TempDir()
		if err := WriteInstructions(made, i); err != nil {
			t.Fatal(err)
		}
		unchanged(t, strings.TrimSuffix(path, ".json")+".md", filepath.Join(made, i.Base()+".md"))
	}
}

// TestCommittedDistributions generates the reports of every committed run over many types again and compares them with
// the committed reports.
func TestCommittedDistributions(t *testing.T) {
	list, err := filepath.Glob("../results/*.json")
	if err != nil {
		t.Fatal(err)
	}
	list = slices.DeleteFunc(list, func(path string) bool {
		return strings.HasSuffix(path, engine.QuickSuffix+".json") || !overTypes.MatchString(path)
	})
	if len(list) == 0 {
		t.Skip("no runs over many types are committed")
	}
	for _, path := range list {
		d, err := engine.ReadDistribution(path)
		if err != nil {
			t.Error(err)
			continue
		}
		if filepath.Base(path) != d.FileName() {
			t.Errorf("the file name of %s should be %s", path, d.FileName())
		}
		made := t.TempDir()
		if err := WriteDistribution(made, d); err != nil {
			t.Fatal(err)
		}
		unchanged(t, filepath.Join("..", "results", d.Base()+".md"), filepath.Join(made, d.Base()+".md"))
		if runtime.GOARCH != "amd64" && runtime.GOARCH != "386" {
			continue // rounding differs
		}
		for _, name := range chartNames(t, filepath.Join(made, d.Base())) {
			unchanged(t, filepath.Join("..", "results", d.Base(), name), filepath.Join(made, d.Base(), name))
		}
	}
}

// TestCommittedReasons checks that there is a reason for every published case in which another library is faster.
func TestCommittedReasons(t *testing.T) {
	for _, path := range committed(t) {
		r, err := engine.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		var b strings.Builder
		if PrintUnexplained(&b, r); b.Len() > 0 {
			t.Errorf("%s: %s", path, &b)
		}
	}
}

func unchanged(t *testing.T, committed, made string) {
	t.Helper()
	want, err := os.ReadFile(made)
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(committed)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from the report of its results: go run ./bench -report FILE", committed)
	}
}

func chartNames(t *testing.T, folder string) (names []string) {
	t.Helper()
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		names = append(names, f.Name())
	}
	return names
}
