package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// program has one call that is rewritten and one that is not. The library is a stub,
// so that the go command finds it without the network.
var program = map[string]string{
	"go.mod":      "module example\n\ngo 1.26\n\nrequire github.com/vmihailenco/msgpack/v5 v5.4.1\n\nreplace github.com/vmihailenco/msgpack/v5 => ./stub\n",
	"stub/go.mod": "module github.com/vmihailenco/msgpack/v5\n\ngo 1.26\n",
	"stub/a.go":   "package msgpack\n\nfunc Marshal(v any) ([]byte, error) { return nil, nil }\n\nfunc Version() string { return \"\" }\n",
	"a.go":        "package main\n\nimport \"github.com/vmihailenco/msgpack/v5\"\n\nfunc main() {\n\tmsgpack.Marshal(1)\n\tprintln(msgpack.Version())\n}\n",
	"b/b.go":      "package b\n\nimport \"github.com/vmihailenco/msgpack/v5\"\n\nfunc b() { msgpack.Marshal(1) }\n",
	"c/c.go":      "package c\n",
}

// fork is what is found for the stub.
const fork = "a replace directive puts ./stub in the place of the library, and the profile writes the bytes of the library: run the tests without the directive first, and check what is stored"

func writeProgram(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeFiles(t, dir, program)
	t.Setenv("GOWORK", "off")
	return dir
}

// writeFiles writes files to a folder, by their names with slashes.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func read(t *testing.T, parts ...string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestOldVersion checks that the version in go.mod is compared with that of the profile.
func TestOldVersion(t *testing.T) {
	dir := writeProgram(t)
	library := "github.com/vmihailenco/msgpack/v5"
	writeFiles(t, dir, map[string]string{
		"go.mod":                      "module example\n\ngo 1.26\n\nrequire " + library + " v5.3.9\n",
		"vendor/modules.txt":          "# " + library + " v5.3.9\n## explicit; go 1.26\n" + library + "\n",
		"vendor/" + library + "/a.go": program["stub/a.go"],
	})
	var stdout, stderr bytes.Buffer
	want := "b/b.go:5:20: check: Marshal: the profile writes the bytes of version v5.4.1 of the library, and the program has used v5.3.9"
	if code := run([]string{"-C", dir, "./b"}, &stdout, &stderr); code != 0 || !strings.Contains(stderr.String(), want) || !strings.Contains(stderr.String(), "rewrote 1 use ") {
		t.Errorf("exit code %d\n%s", code, &stderr)
	}
}

// TestWarnings requires that not all of many type errors are printed.
func TestWarnings(t *testing.T) {
	dir := writeProgram(t)
	writeFiles(t, dir, map[string]string{"c/wrong.go": "package c\n\nfunc f() {\n" + strings.Repeat("\tmissing()\n", mostWarnings+5) + "}\n"})
	var stdout, stderr bytes.Buffer
	code := run([]string{"-C", dir, "./c"}, &stdout, &stderr)
	if n := strings.Count(stderr.String(), "undefined: missing"); code != 0 || n != mostWarnings || !strings.Contains(stderr.String(), "warning: and 5 others; go vet reports them all\n") {
		t.Errorf("exit code %d, %d errors\n%s", code, n, &stderr)
	}
}

func TestRun(t *testing.T) {
	for _, c := range []struct {
		name           string
		args           []string
		code           int
		stdout, stderr string // must be in the output
		changes        bool
	}{
		{"rewrites", []string{"./..."}, 1, "", "a.go:7:18: left: Version: use `debug.ReadBuildInfo()`\nb/b.go:5:20: check: Marshal: " + fork + "\noctet-migrate: rewrote 2 uses in 4 files; 1 left to do\noctet-migrate: now run: go get github.com/octet-go/octet && go mod tidy\n", true},
		{"nothing is left", []string{"./b"}, 0, "", "octet-migrate: rewrote 1 use in 2 files; 0 left to do\n", false},
		{"no use", []string{"./c"}, 0, "", "rewrote 0 uses in 0 files; 0 left to do", false},
		{"diff", []string{"-diff", "./..."}, 1, "-\tmsgpack.Marshal(1)\n+\toctetCodec.Marshal(1)\n", "would rewrite 2 uses", false},
		{"list", []string{"-list", "./..."}, 1, "a.go:6:10: rewrite: Marshal: rewritten\na.go:7:18: left: Version", "would rewrite 2 uses", false},
		{"shortest", []string{"-shortest", "-diff", "./b"}, 0, "+import \"github.com/octet-go/octet/msgpack\"", "would rewrite 1 use in 1 file;", false},
		{"help", []string{"-help"}, 0, "octet-migrate -diff ./...", "", false},
		{"manual page", []string{"-manual"}, 0, "\n.SH OPTIONS\n.TP\n.B \\-C folder\nchange to this folder first\n.TP\n.B \\-diff\nshow the changes,", "", false},
		{"version", []string{"-version"}, 0, "octet-migrate (devel) (", "", false},
		{"no packages", nil, 2, "", "no packages", false},
		{"no such package", []string{"./missing"}, 2, "", "octet-migrate: stat ", false},
		{"other module", []string{"-std", "encoding/hex"}, 2, "", "octet-migrate: only packages of other modules and of libraries match encoding/hex, which are not rewritten\n", false},
		{"no such folder", []string{"-C", "missing", "."}, 2, "", " missing: ", false},
		{"no such flag", []string{"-frobnicate", "./..."}, 2, "", "octet-migrate: flag provided but not defined: -frobnicate; try octet-migrate -help\n", false},
		{"flag after a package", []string{"./...", "-diff"}, 2, "", "flags precede packages", false},
		{"diff and list", []string{"-diff", "-list", "./..."}, 2, "", "cannot be used together", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := writeProgram(t)
			var stdout, stderr bytes.Buffer
			code := run(append([]string{"-C", dir}, c.args...), &stdout, &stderr)
			if code != c.code || !strings.Contains(stdout.String(), c.stdout) || !strings.Contains(stderr.String(), c.stderr) {
				t.Errorf("exit code %d, want %d\nstdout:\n%s\nstderr:\n%s", code, c.code, &stdout, &stderr)
			}
			if changed := read(t, dir, "a.go") != program["a.go"]; changed != c.changes {
				t.Errorf("a.go changed: %v, want %v:\n%s", changed, c.changes, read(t, dir, "a.go"))
			}
			if c.changes && !strings.Contains(read(t, dir, "octet_codec.go"), "profile.Vmihailenco()") {
				t.Error("octet_codec.go has no profile")
			}
		})
	}
}

// TestTool runs the command as a tool of go vet and of go fix.
func TestTool(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	tool := filepath.Join(t.TempDir(), "octet-migrate")
	if runtime.GOOS == "windows" {
		tool += ".exe"
	}
	if out, err := exec.Command("go", "build", "-ldflags=-w", "-o", tool, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	dir := writeProgram(t)
	command := func(args ...string) string {
		c := exec.Command("go", args...)
		c.Dir = dir
		out, _ := c.CombinedOutput() // the exit code is 1 where something was found
		return string(out)
	}
	out := command("vet", "-vettool="+tool, "./...")
	if !strings.Contains(out, "Version: use `debug.ReadBuildInfo()`") || !strings.Contains(out, "octet-migrate can rewrite this") {
		t.Errorf("go vet prints\n%s", out)
	}
	if got := read(t, dir, "b", "b.go"); got != program["b/b.go"] {
		t.Errorf("go vet changes a file:\n%s", got)
	}
	command("fix", "-fixtool="+tool, "-octetmigrate.shortest", "./b")
	if got := read(t, dir, "b", "b.go"); got != "package b\n\nimport \"github.com/octet-go/octet/msgpack\"\n\nfunc b() { msgpack.Marshal(1) }\n" {
		t.Errorf("go fix -shortest:\n%s", got)
	}
	command("fix", "-fixtool="+tool, ".")
	if got := read(t, dir, "a.go"); !strings.Contains(got, "octetCodec.Marshal(1)") || !strings.Contains(got, "var octetCodec = func()") || !strings.Contains(got, "msgpack.Version()") {
		t.Errorf("go fix:\n%s", got)
	}
	// The files that cgo makes have no build constraints, but are not files of the package.
	user := "package d\n\nimport \"github.com/vmihailenco/msgpack/v5\"\n\nfunc %s() { msgpack.Marshal(1) }\n"
	writeFiles(t, dir, map[string]string{
		"d/a_" + runtime.GOOS + ".go": fmt.Sprintf(user, "f"),
		"d/b.go":                      "//go:build !none\n\n" + fmt.Sprintf(user, "g"),
		"d/c.go":                      "package d\n\n// int one() { return 1; }\nimport \"C\"\n\nfunc h() int { return int(C.one()) }\n",
	})
	out = command("fix", "-fixtool="+tool, "./d")
	got := read(t, dir, "d", "a_"+runtime.GOOS+".go") + read(t, dir, "d", "b.go")
	if strings.Count(got, "octetCodec.Marshal(1)") != 2 || strings.Count(got, "var octetCodec = func()") != 1 {
		t.Errorf("go fix of a package with cgo: %s\n%s", out, got)
	}
}

// TestSyntaxError requires that a file with a syntax error is not reported as done.
func TestSyntaxError(t *testing.T) {
	dir := writeProgram(t)
	if err := os.WriteFile(filepath.Join(dir, "c", "d.go"), []byte("package c\n\nfunc f( {\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-C", dir, "./c"}, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), "octet-migrate: some files have syntax errors") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

// TestOutsideModule checks the error of the go command where there is no module.
func TestOutsideModule(t *testing.T) {
	t.Setenv("GOWORK", "off")
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-C", t.TempDir(), "./..."}, &stdout, &stderr); code != 2 || strings.Contains(stderr.String(), "exit status") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
}

// TestCgo requires that files with import "C" are reported, and that what they use stays.
func TestCgo(t *testing.T) {
	if out, err := exec.Command("go", "env", "CGO_ENABLED", "CC").Output(); err != nil || !strings.HasPrefix(string(out), "1") {
		t.Skip("no cgo")
	} else if _, err := exec.LookPath(strings.Fields(string(out))[1]); err != nil {
		t.Skip(err)
	}
	dir := writeProgram(t)
	writeFiles(t, dir, map[string]string{
		"stub/e.go": "package msgpack\n\ntype Encoder struct{}\n\nfunc NewEncoder(w any) *Encoder { return nil }\n\nfunc (*Encoder) EncodeString(s string) error { return nil }\n",
		"c/d.go":    "package c\n\nimport \"github.com/vmihailenco/msgpack/v5\"\n\nvar enc = msgpack.NewEncoder(nil)\n\nfunc f() { msgpack.Marshal(1) }\n",
		"c/e.go":    "package c\n\nimport \"C\"\n\nimport \"github.com/vmihailenco/msgpack/v5\"\n\nfunc g() {\n\tenc.EncodeString(\"x\")\n\tmsgpack.Marshal(C.int(1))\n}\n",
	})
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-C", dir, "./c"}, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), "e.go:5:8: left: import: files that import C are not rewritten") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	if got := read(t, dir, "c", "d.go"); !strings.Contains(got, "enc = msgpack.NewEncoder") || !strings.Contains(got, "octetCodec.Marshal") {
		t.Errorf("d.go is now\n%s", got)
	}
}

// TestFilesAsArguments gives the command one file of a package, and requires that it keeps what another file of the folder
// uses, and does not replace the declarations of an earlier run.
func TestFilesAsArguments(t *testing.T) {
	dir := writeProgram(t)
	earlier := "package c\n\nvar octetCodec = other()\n"
	writeFiles(t, dir, map[string]string{
		"stub/e.go":        "package msgpack\n\ntype Encoder struct{}\n\nfunc NewEncoder(w any) *Encoder { return nil }\n\nfunc (*Encoder) EncodeNil() error { return nil }\n",
		"c/d.go":           "package c\n\nimport \"github.com/vmihailenco/msgpack/v5\"\n\nvar enc = msgpack.NewEncoder(nil)\n\nfunc f() { msgpack.Marshal(1) }\n",
		"c/e.go":           "package c\n\nimport \"github.com/vmihailenco/msgpack/v5\"\n\nfunc g() { enc.EncodeNil(); msgpack.Marshal(1) }\n",
		"c/gen.go":         "//go:build ignore\n\npackage main\n\nimport \"github.com/vmihailenco/msgpack/v5\"\n\nfunc main() { msgpack.Marshal(1) }\n",
		"c/octet_codec.go": earlier,
	})
	var stdout, stderr bytes.Buffer
	want := "c/e.go:3:8: left: import: this file is not an argument"
	if code := run([]string{"-C", dir, "c/d.go"}, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), want) || strings.Contains(stderr.String(), "gen.go") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	if got := read(t, dir, "c", "d.go"); !strings.Contains(got, "enc = msgpack.NewEncoder") || !strings.Contains(got, "octetCodec2.Marshal") {
		t.Errorf("d.go is now\n%s", got)
	}
	if got := read(t, dir, "c", "octet_codec.go"); got != earlier {
		t.Errorf("octet_codec.go is now\n%s", got)
	}
}

// TestWriteNone requires that no file changes, and that no new one stays, if one cannot be written: because it is a
// folder, which is known before the others are written, or because its folder does not exist.
func TestWriteNone(t *testing.T) {
	for _, last := range []string{"c.go", filepath.Join("none", "c.go")} {
		dir := t.TempDir()
		first, second, last := filepath.Join(dir, "a.go"), filepath.Join(dir, "b.go"), filepath.Join(dir, last)
		if err := os.WriteFile(first, []byte("old"), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Mkdir(filepath.Join(dir, "c.go"), 0o777); err != nil {
			t.Fatal(err)
		}
		err := write(map[string][]byte{first: []byte("longer"), second: []byte("new"), last: []byte("new")}, []string{first, second, last})
		if err == nil || read(t, first) != "old" {
			t.Errorf("%s: %v, %s", last, err, read(t, first))
		}
		if _, err := os.Stat(second); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s: the new file: %v", last, err)
		}
	}
}

// TestOverwrite requires that a file gets a text that is longer, shorter or as long.
func TestOverwrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.go")
	for _, text := range []string{"a text", "a longer text", "short", "other", ""} {
		if err := overwrite(name, []byte(text)); err != nil || read(t, name) != text {
			t.Errorf("%q: %v, %q", text, err, read(t, name))
		}
	}
}

// TestMissingLibrary requires an error, and no change, if a library cannot be loaded:
// nothing is known of what a package uses.
func TestMissingLibrary(t *testing.T) {
	dir := writeProgram(t)
	if err := os.Remove(filepath.Join(dir, "stub", "a.go")); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	if code := run([]string{"-C", dir, "./..."}, &stdout, &stderr); code != 2 || !strings.Contains(stderr.String(), "cannot load github.com/vmihailenco/msgpack/v5") {
		t.Errorf("exit code %d, %s", code, &stderr)
	}
	if got := read(t, dir, "a.go"); got != program["a.go"] {
		t.Errorf("a.go is now\n%s", got)
	}
}

// TestFork checks that a replace directive for a library is reported, and not compared as a version.
func TestFork(t *testing.T) {
	dir := writeProgram(t)
	writeFiles(t, dir, map[string]string{"go.mod": strings.ReplaceAll(program["go.mod"], "v5.4.1", "v5.3.9")})
	var stdout, stderr bytes.Buffer
	want := "b/b.go:5:20: check: Marshal: " + fork
	if code := run([]string{"-C", dir, "./b"}, &stdout, &stderr); code != 0 || !strings.Contains(stderr.String(), want) || strings.Contains(stderr.String(), "v5.3.9") {
		t.Errorf("exit code %d\n%s", code, &stderr)
	}
}

// TestWorkspace requires that types of exported names stay if only some modules of a
// workspace are rewritten, and another one uses them.
func TestWorkspace(t *testing.T) {
	for pattern, want := range map[string]string{"./...": "func F(e *msgpack.Encoder) { e.EncodeNil() }", "work": "func F(e *msgpack.Encoder) { e.WriteNil() }"} {
		dir := writeProgram(t)
		t.Setenv("GOWORK", "")
		writeFiles(t, dir, map[string]string{
			"go.work":      "go 1.26\n\nuse .\nuse ./other\n",
			"stub/e.go":    "package msgpack\n\ntype Encoder struct{}\n\nfunc NewEncoder(w any) *Encoder { return nil }\n\nfunc (*Encoder) EncodeNil() error { return nil }\n",
			"c/d.go":       "package c\n\nimport \"github.com/vmihailenco/msgpack/v5\"\n\nfunc F(e *msgpack.Encoder) { e.EncodeNil() }\n",
			"other/go.mod": strings.NewReplacer("module example", "module other", "./stub", "../stub").Replace(program["go.mod"]),
			"other/a.go":   "package other\n\nimport \"example/c\"\n\nfunc f() { c.F(nil) }\n",
		})
		var stdout, stderr bytes.Buffer
		run([]string{"-C", dir, pattern}, &stdout, &stderr)
		if got := read(t, dir, "c", "d.go"); !strings.Contains(got, want) {
			t.Errorf("%s: d.go is now\n%s\n%s", pattern, got, &stderr)
		}
	}
}

// TestLibraryInWorkspace requires that a library stays as it is where it is a module of the workspace.
func TestLibraryInWorkspace(t *testing.T) {
	dir := writeProgram(t)
	t.Setenv("GOWORK", "")
	library := "package msgpack\n\ntype Encoder struct{}\n\nfunc NewEncoder(w any) *Encoder { return nil }\n\nfunc (*Encoder) EncodeNil() error { return nil }\n\nfunc null(w any) error { return NewEncoder(w).EncodeNil() }\n"
	writeFiles(t, dir, map[string]string{"go.work": "go 1.26\n\nuse .\nuse ./stub\n", "stub/e.go": library})
	var stdout, stderr bytes.Buffer
	code := run([]string{"-C", dir, "work"}, &stdout, &stderr)
	if got := read(t, dir, "stub", "e.go"); got != library || code != 1 || strings.Contains(stderr.String(), "stub/") {
		t.Errorf("exit code %d, e.go is now\n%s\n%s", code, got, &stderr)
	}
	if got := read(t, dir, "b", "b.go"); got == program["b/b.go"] {
		t.Errorf("b.go is not rewritten\n%s", &stderr)
	}
}

// TestNext requires that the modules of a workspace that do not require Octet are named.
func TestNext(t *testing.T) {
	dir := writeProgram(t)
	t.Setenv("GOWORK", "")
	other := strings.NewReplacer("module example", "module other", "./stub", "../stub").Replace(program["go.mod"])
	writeFiles(t, dir, map[string]string{
		"go.work":      "go 1.26\n\nuse .\nuse ./other\n",
		"go.mod":       program["go.mod"] + "\nrequire github.com/octet-go/octet v0.0.0\n\nreplace github.com/octet-go/octet => ./octet\n",
		"octet/go.mod": "module github.com/octet-go/octet\n",
		"other/go.mod": other + "\nreplace github.com/octet-go/octet => ../octet\n",
		"other/a.go":   strings.ReplaceAll(program["b/b.go"], "package b", "package other"),
	})
	var stdout, stderr bytes.Buffer
	run([]string{"-C", dir, "./...", "./other"}, &stdout, &stderr)
	if got := stderr.String(); strings.Count(got, "now run") != 1 || !strings.Contains(got, "octet-migrate: now run in other: go get github.com/octet-go/octet && go mod tidy\n") {
		t.Error(got)
	}
}

// TestElsewhere requires that what a package registers with a library is known if the
// package is not rewritten: one of the same module, and one of another module.
func TestElsewhere(t *testing.T) {
	for _, c := range []struct{ name, register, call, want string }{
		{"a package beside it", "e/e.go", "func F(v any) { msgpack.Marshal(v) }", "a value of another package can be of the type of RegisterExt"},
		{"a module that it imports", "stub2/e.go", "func f(v *stub2.T) { msgpack.Marshal(v) }", "its package registers types with the library by RegisterExt (e.go)"},
	} {
		dir := writeProgram(t)
		files := map[string]string{
			"stub/e.go":    "package msgpack\n\nfunc RegisterExt(n int8, v any) {}\n",
			"stub2/go.mod": "module stub2\n\ngo 1.26\n\nrequire github.com/vmihailenco/msgpack/v5 v5.4.1\n",
			"stub2/a.go":   "package stub2\n",
			"c/d.go":       "package c\n\nimport (\n\t\"github.com/vmihailenco/msgpack/v5\"\n\t\"stub2\"\n)\n\nvar _ stub2.T\n\n" + c.call + "\n",
			"go.mod":       program["go.mod"] + "\nrequire stub2 v0.0.0\n\nreplace stub2 => ./stub2\n",
		}
		files["stub2/e.go"] = "package stub2\n\ntype T struct{ N int }\n"
		text := "import \"github.com/vmihailenco/msgpack/v5\"\n\ntype T struct{ N int }\n\nfunc init() { msgpack.RegisterExt(1, (*T)(nil)) }\n"
		files[c.register] = "package " + filepath.Dir(c.register) + "\n\n" + text
		writeFiles(t, dir, files)
		var stdout, stderr bytes.Buffer
		if code := run([]string{"-C", dir, "./c"}, &stdout, &stderr); code != 1 || !strings.Contains(stderr.String(), "rewrote 0 uses") || !strings.Contains(stderr.String(), c.want) {
			t.Errorf("%s: exit code %d, %s", c.name, code, &stderr)
		}
	}
}

// full is a writer without room.
type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no room") }

// TestOutputFails writes each output where there is no room.
func TestOutputFails(t *testing.T) {
	dir := writeProgram(t)
	for _, args := range [][]string{{"-help"}, {"-manual"}, {"-version"}, {"-C", dir, "-list", "./..."}, {"-C", dir, "-diff", "./..."}} {
		var stderr bytes.Buffer
		if code := run(args, full{}, &stderr); code != 2 || !strings.Contains(stderr.String(), "octet-migrate: standard output: no room") {
			t.Errorf("%q: exit code %d, %s", args, code, stderr.String())
		}
	}
}
