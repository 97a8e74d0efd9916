package octet_test

import (
	"cmp"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// sameVersion are folders that only their own programs import. These are built with the versions of other modules that their own module
// requires, which are the same. They may import internal packages of other modules.
var sameVersion = []string{"cmd", "bench", "interop", "tools", "beamio/simulate", "record/parquet/octet-parquet"}

// moduleList says which modules a release publishes.
const moduleList = "tools/release/modules.txt"

// TestModuleList requires that moduleList has each module once, and that the published ones have the license. Without
// a copy in its folder, the zip file of a nested module would get the license of the root only from the go command.
func TestModuleList(t *testing.T) {
	license := readText(t, "LICENSE")
	modules := modulePaths(t)
	listed := map[string]bool{}
	for line := range strings.Lines(readText(t, moduleList)) {
		words := strings.Fields(line)
		if len(words) == 0 || strings.HasPrefix(line, "#") {
			continue
		}
		if len(words) < 2 || words[0] != "published" && (words[0] != "unpublished" || len(words) < 3) {
			t.Errorf("%s: %q: want \"published FOLDER\" or \"unpublished FOLDER REASON\"", moduleList, line)
			continue
		}
		dir := words[1]
		if p := path.Join(modulePath, dir); listed[p] || !slices.Contains(modules, p) {
			t.Errorf("%s has %s twice, or there is no such module", moduleList, dir)
		}
		listed[path.Join(modulePath, dir)] = true
		if text, err := os.ReadFile(filepath.Join(dir, "LICENSE")); words[0] == "published" && (err != nil || string(text) != license) {
			t.Errorf("%s/LICENSE is not a copy of LICENSE: cp LICENSE %s/ (%v)", dir, dir, err)
		}
	}
	for _, m := range modules {
		if !listed[m] {
			dir := strings.TrimPrefix(m, modulePath+"/")
			t.Errorf("%s does not say whether a release publishes this module. Add one line to it:\n"+
				"\tpublished    %s             and copy the license: cp LICENSE %s/\n"+
				"\tunpublished  %s  REASON", moduleList, dir, dir, dir)
		}
	}
}

// replacing are the paths of modules that have the path of the library that they replace, instead of their own.
var replacing = map[string]string{modulePath + "/compat/vmihailenco": "github.com/vmihailenco/msgpack/v5"}

// TestInternalImports requires that a module that programs import does not import an internal package of another
// module outside its tests. A program can have both modules in different versions, and internal packages change
// without notice.
func TestInternalImports(t *testing.T) {
	modules := modulePaths(t)
	if len(modules) < 10 {
		t.Fatalf("only %d modules: %s", len(modules), modules)
	}
	for _, f := range workspace(t) {
		for _, p := range internalImports(f, modules) {
			t.Errorf("%s imports %s, which is internal to another module", f.path, p)
		}
	}
}

// internalImports returns the imports of f that a version of another module may break.
func internalImports(f file, modules []string) []string {
	own := moduleOf(path.Join(modulePath, f.dir()), modules)
	inFolder := func(dir string) bool { return within(f.dir(), dir) }
	if f.isTest() || slices.ContainsFunc(sameVersion, inFolder) {
		return nil
	}
	return slices.DeleteFunc(f.imported(), func(p string) bool {
		return !slices.Contains(strings.Split(p, "/"), "internal") || moduleOf(p, modules) == "" || moduleOf(p, modules) == own
	})
}

// moduleOf returns the path of the module that has the package, or "" if it is not one of modules.
func moduleOf(pkg string, modules []string) (longest string) {
	for _, m := range modules {
		if within(pkg, m) && len(m) > len(longest) {
			longest = m
		}
	}
	return longest
}

// modulePaths returns the paths of all modules, and requires that their go.mod files have them.
func modulePaths(t *testing.T) (modules []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if base := d.Name(); d.IsDir() && name != "." && (base == "testdata" || base[0] == '.' || base[0] == '_') {
			return filepath.SkipDir
		}
		if d.Name() != "go.mod" {
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		for line := range strings.Lines(string(text)) {
			if m, ok := strings.CutPrefix(line, "module "); ok {
				modules = append(modules, strings.TrimSpace(m))
				own := path.Join(modulePath, filepath.ToSlash(filepath.Dir(name)))
				if got, want := modules[len(modules)-1], cmp.Or(replacing[own], own); got != want {
					t.Errorf("%s has the path %s, want %s", name, got, want)
				}
				modules[len(modules)-1] = own
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return modules
}

func TestInternalImportsFindsViolations(t *testing.T) {
	modules := []string{modulePath, modulePath + "/transcode", modulePath + "/cmd/octet"}
	text := func(p string) string { return "package x\nimport _ \"" + p + "\"\n" }
	for _, c := range []struct {
		file, imported string
		want           int
	}{
		{"transcode/a.go", modulePath + "/internal/syntax", 1},
		{"transcode/sub/a.go", modulePath + "/record/internal/xxh64", 1},
		{"transcode/a_test.go", modulePath + "/internal/syntax", 0},
		{"transcode/a.go", modulePath + "/transcode/internal/a", 0},
		{"transcode/a.go", modulePath + "/msgpack/wire", 0},
		{"transcode/a.go", "example.com/internal/a", 0},
		{"record/a.go", modulePath + "/transcode/internal/a", 1},
		{"record/a.go", modulePath + "/internal/mem", 0},
		{"cmd/octet/a.go", modulePath + "/internal/syntax", 0},
	} {
		f, err := parseFile(c.file, text(c.imported), false)
		if err != nil {
			t.Fatal(err)
		}
		if got := internalImports(f, modules); len(got) != c.want {
			t.Errorf("%s imports %s: %q", c.file, c.imported, got)
		}
	}
}
