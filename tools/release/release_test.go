package main

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../.."

// TestPublish sets a version in a copy of the repository, commits and tags it, and lets the go command fetch published
// modules from there: the root, and some of the others, or all with OCTET_LONG=1, because each takes half a second. It must
// compute the hashes that are in go.sum and in the proxy.
func TestPublish(t *testing.T) {
	if testing.Short() {
		t.Skip("copies the repository")
	}
	for _, program := range []string{"git", "go"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("needs %s: %v", program, err)
		}
	}
	if _, err := output(root, nil, "git", "rev-parse", "--git-dir"); err != nil {
		t.Skipf("the source is not in a repository of git: %v", err)
	}
	from, err := loadTree(root)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	tree, err := from.copy(filepath.Join(dir, "tree"))
	if err != nil {
		t.Fatal(err)
	}
	const version = "v0.1.0"
	if err := tree.setVersion(version); err != nil {
		t.Fatal(err)
	}
	known, err := tree.publish(version, filepath.Join(dir, "proxy"))
	if err != nil {
		t.Fatal(err)
	}
	git := func(args ...string) {
		t.Helper()
		args = append([]string{"-c", "user.name=x", "-c", "user.email=x@example.com", "-c", "gc.auto=0"}, args...)
		if _, err := output(tree.root, nil, "git", args...); err != nil {
			t.Fatal(err)
		}
	}
	git("init", "-q")
	git("add", "--all", "--force")
	git("commit", "-q", "-m", "x")
	args := []string{"mod", "download", "-json"}
	fetches := 0
	for i, m := range tree.ordered {
		if !m.published {
			continue
		}
		git("tag", m.tag(version))
		if m.dir == "." || i%4 == 0 || os.Getenv("OCTET_LONG") != "" {
			args = append(args, m.path+"@"+version)
			fetches++
		}
	}
	env := []string{
		"GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=url." + fileURL(tree.root) + ".insteadOf", "GIT_CONFIG_VALUE_0=https://" + modulePath,
		"GOPROXY=direct", "GOPRIVATE=" + modulePath, "GOWORK=off", "GOFLAGS=-modcacherw", "GOMODCACHE=" + filepath.Join(dir, "modules"),
	}
	out, err := output(dir, env, "go", args...)
	if err != nil {
		t.Fatal(err)
	}
	fetched := map[string]sums{}
	for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
		var m struct{ Path, Version, Sum, GoModSum string }
		if err := d.Decode(&m); err != nil {
			t.Fatal(err)
		}
		fetched[m.Path] = sums{m.Sum, m.GoModSum}
	}
	if len(known) < 15 || len(fetched) != fetches {
		t.Fatalf("the go command fetched %d of %d modules, %d are published", len(fetched), fetches, len(known))
	}
	for m, want := range known {
		if got, ok := fetched[m.path]; ok && got != want {
			t.Errorf("%s: the go command computes %v, the release %v", m.path, got, want)
		}
	}
	checkSums(t, tree, version, known)
}

// checkSums requires that the go.mod and go.sum files have the version, and the hashes of the modules of the repository.
func checkSums(t *testing.T, tree *tree, version string, known map[*member]sums) {
	t.Helper()
	lines := 0
	for _, m := range tree.modules {
		f, err := tree.readModule(m)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Require {
			if own(r.Mod.Path) && r.Mod.Version != version {
				t.Errorf("%s requires %s", m.path, r.Mod)
			}
		}
		for _, r := range m.requires {
			text := read(t, filepath.Join(tree.root, m.dir, "go.sum"))
			for _, want := range []string{r.path + " " + version + " " + known[r].zip, r.path + " " + version + "/go.mod " + known[r].mod} {
				if lines++; !strings.Contains("\n"+text, "\n"+want+"\n") {
					t.Errorf("go.sum of %s lacks %s", m.path, want)
				}
			}
		}
	}
	if lines < 40 {
		t.Errorf("checked only %d lines", lines)
	}
	for _, name := range tree.files {
		if filepath.Base(name) == "go.work" && strings.Contains(read(t, filepath.Join(tree.root, name)), "v0.0.0") {
			t.Errorf("%s replaces another version", name)
		}
	}
}

// TestOrder requires that a module comes after those that it requires, and knows the indirect ones.
func TestOrder(t *testing.T) {
	tree := &tree{root: root}
	if err := tree.loadModules(moduleList); err != nil {
		t.Fatal(err)
	}
	for i, m := range tree.ordered {
		for _, r := range m.requires {
			if slices.Index(tree.ordered, r) >= i {
				t.Errorf("%s comes before %s", m.path, r.path)
			}
		}
	}
	var names []string
	for _, m := range tree.ordered {
		if m.dir == "examples/beam" {
			for _, r := range m.requires {
				names = append(names, r.dir)
			}
		}
	}
	if !slices.Contains(names, ".") || !slices.Contains(names, "beamio") || !slices.Contains(names, "record/zstd") {
		t.Errorf("examples/beam requires %v", names)
	}
}

// TestPublishedRequiresUnpublished refuses a list with which a published module cannot be fetched.
func TestPublishedRequiresUnpublished(t *testing.T) {
	for _, c := range [][2]string{
		{"published    .\npublished    transcode\n", ""},
		{"unpublished  .\npublished    transcode\n", "not published"},
		{"published    transcode\n", "does not list"},
		{"publish      .\n", "cannot read"},
	} {
		err := (&tree{root: root}).loadModules(c[0])
		if c[1] == "" && err != nil || c[1] != "" && (err == nil || !strings.Contains(err.Error(), c[1])) {
			t.Errorf("%q: %v, want %q", c[0], err, c[1])
		}
	}
}

func TestCheckVersion(t *testing.T) {
	for version, valid := range map[string]bool{
		"v0.1.0": true, "v1.2.3": true, "v0.1.0-rc.1": true,
		"0.1.0": false, "v0.1": false, "v2.0.0": false, "v0.1.0+x": false, "": false,
	} {
		if err := checkVersion(version); (err == nil) != valid {
			t.Errorf("%q: %v", version, err)
		}
	}
}

func TestCheckChangelog(t *testing.T) {
	const good = "# Changelog\n\n## [Unreleased]\n\n## [0.1.0] - 2026-12-01\n\n### Added\n\n- A thing.\n"
	for text, want := range map[string]string{
		good: "",
		strings.Replace(good, "## [Unreleased]\n", "", 1):                         "",
		strings.Replace(good, " - 2026-12-01", "", 1):                             "no date",
		strings.Replace(good, "- A thing.\n", "", 1):                              "no entry",
		strings.Replace(good, "eleased]\n", "eleased]\n\n- Another.\n", 1):        "[Unreleased] has entries",
		strings.Replace(good, "## [0.1", "## [0.2.0] - 2027-01-01\n\n## [0.1", 1): "newest section is [0.2.0]",
		"# Changelog\n": "no section",
	} {
		if err := checkChangelog(text, "v0.1.0"); want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func TestSaysNoRelease(t *testing.T) {
	for text, want := range map[string]string{
		"Nothing is\nreleased yet: names may change.": "Nothing is released", "There is no release yet; fixes": "no release yet",
		"go install example.com/octet@v0.1.0": "",
	} {
		if got := saysNoRelease(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestFirstExample finds an Example in each published package that programs import, except those without one.
func TestFirstExample(t *testing.T) {
	if _, err := output(root, nil, "git", "rev-parse", "--git-dir"); err != nil {
		t.Skipf("the source is not in a repository of git: %v", err)
	}
	tree, err := loadTree(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range tree.modules {
		command, err := tree.isCommand(m)
		if err != nil {
			t.Fatal(err)
		}
		if !m.published || command {
			continue
		}
		found := 0
		for _, dir := range tree.packages(m) {
			e, ok, err := tree.firstExample(dir)
			if err != nil {
				t.Fatal(err)
			}
			if ok {
				found++
				if !strings.HasPrefix(string(e.source), "package main") || !strings.Contains(string(e.source), `"`+modulePath+"/"+dir+`"`) {
					t.Errorf("%s of %s is no program that imports the package:\n%s", e.name, dir, e.source)
				}
				if names := missing(t, e.source); len(names) > 0 {
					t.Errorf("%s of %s uses what its file does not have: %v", e.name, dir, names)
				}
			}
		}
		if found == 0 {
			t.Errorf("%s has no Example that is a program", m.path)
		}
	}
}

// missing returns the names in a program that are neither declared there, nor imported, nor of Go.
func missing(t *testing.T, program []byte) (names []string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), "", program, 0)
	if err != nil {
		t.Fatal(err)
	}
	packages := map[*ast.Ident]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				packages[x] = true
			}
		}
		return true
	})
	for _, x := range f.Unresolved {
		if !packages[x] && types.Universe.Lookup(x.Name) == nil {
			names = append(names, x.Name)
		}
	}
	return names
}

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestCommands requires that the tag that starts the workflow release is pushed after all others, and alone: GitHub starts no
// workflow for more than three tags at once.
func TestCommands(t *testing.T) {
	tags := []string{"a/v1.0.0", "v1.0.0", "b/v1.0.0", "c/v1.0.0"}
	got := commands("v1.0.0", tags)
	want := []string{"git push --atomic origin main a/v1.0.0 b/v1.0.0 c/v1.0.0", "git push origin v1.0.0"}
	if n := len(got); n != 1+len(tags)+2 || !slices.Equal(got[n-2:], want) {
		t.Errorf("%q, want a commit, %d tags and %q", got, len(tags), want)
	}
}

// TestFlagsOfRehearsals calls the first form with the flags of the second one, which would not choose modules there.
func TestFlagsOfRehearsals(t *testing.T) {
	for _, args := range [][]string{{"-run", "^cmd/", "v0.1.0"}, {"-skip", "^beamio", "v0.1.0"}, {"-run", "", "v0.1.0"}} {
		if err := run(args); err == nil || !strings.HasPrefix(err.Error(), "usage") {
			t.Errorf("%q: %v", args, err)
		}
	}
}
