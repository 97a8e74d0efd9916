package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const root = "../.."

// TestPage fails if docs/fuzzing.md differs from the page for the record.
func TestPage(t *testing.T) {
	lines, err := readRecord(root)
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(root, pageFile))
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.ReplaceAll(string(page), "\r\n", "\n"); got != makePage(lines) {
		t.Errorf("%s is not current: run .ci/fuzz -page", pageFile)
	}
}

// TestFindTargets finds targets of the root module, of a module of the workspace, of
// external test packages, and of a module that has the path of the library that it replaces.
func TestFindTargets(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: lists the packages of all modules")
	}
	dir, err := filepath.Abs(root)
	if err != nil {
		t.Fatal(err)
	}
	targets, err := findTargets(dir)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, target := range targets {
		if known[target.name()] {
			t.Errorf("%s exists twice", target.name())
		}
		known[target.name()] = true
		want := "github.com/octet-go/octet/" + target.Path
		if target.Path == "compat/vmihailenco" {
			want = "github.com/vmihailenco/msgpack/v5"
		}
		if target.imports != want {
			t.Errorf("%s is in package %s, want %s", target.name(), target.imports, want)
		}
	}
	for _, name := range []string{"msgpack/wire.FuzzSkip", "msgpack.FuzzGet", "record/zstd.FuzzFile", "cmd/octet/internal/diag.FuzzText", "compat/vmihailenco.FuzzUnmarshal"} {
		if !known[name] {
			t.Errorf("%s is missing", name)
		}
	}
}

// TestFindings fails if a finding has no test, or its test does not exist.
func TestFindings(t *testing.T) {
	lines, err := readRecord(root)
	if err != nil {
		t.Fatal(err)
	}
	for i, l := range lines {
		if l.Finding == "" {
			continue
		}
		if l.Test == "" {
			t.Errorf("line %d: %s.%s found %q, but names no test", i+1, l.Package, l.Target, l.Finding)
			continue
		}
		files, err := filepath.Glob(filepath.Join(root, l.Package, "*_test.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no tests in %s, %v", l.Package, err)
		}
		found := false
		for _, name := range files {
			b, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(string(b), "func "+l.Test+"(")
		}
		if !found {
			t.Errorf("line %d: %s has no %s", i+1, l.Package, l.Test)
		}
	}
}

// TestCorpusSize limits the number and size of the inputs in the repository.
func TestCorpusSize(t *testing.T) {
	files, size := 0, int64(0)
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.Contains(filepath.ToSlash(path), "/testdata/fuzz/") {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		files++
		size += info.Size()
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if size > 5<<20 || files > 4000 {
		t.Errorf("%d inputs of %d bytes in the testdata/fuzz folders", files, size)
	}
}

// TestPlainRun adds a run without coverage to one with it. The page keeps what that knows of the inputs.
func TestPlainRun(t *testing.T) {
	start := time.Date(2026, 11, 29, 3, 0, 0, 0, time.UTC)
	page := makePage([]line{
		{Start: start, Package: "p", Target: "FuzzX", Execs: 1000, CPU: 1, New: 2, Corpus: 7, Coverage: 70},
		{Start: start.Add(time.Hour), Package: "p", Target: "FuzzX", Execs: 5000, CPU: 1, Plain: true},
	})
	for _, row := range []string{"| `p.FuzzX` | 6,000 | 2.0 s | 7 | 70 | 2026-11-29 |", "| 1 | 5,000 | 1.0 s |  |"} {
		if !strings.Contains(page, row) {
			t.Errorf("no %q in\n%s", row, page)
		}
	}
}

// TestPlainKeep requires an error for flags that cannot be used together.
func TestPlainKeep(t *testing.T) {
	if err := run([]string{"-plain", "-keep", "-run", "^none$"}); err == nil || !strings.Contains(err.Error(), "-keep") {
		t.Error(err)
	}
}

// TestParseLog parses the output of Go's fuzzer.
func TestParseLog(t *testing.T) {
	const out = `fuzz: elapsed: 0s, gathering baseline coverage: 0/9 completed
00:00:00 DEBUG finished processing input corpus, entries: 9, initial coverage bits: 120
fuzz: elapsed: 3s, execs: 5000 (1666/sec), new interesting: 2 (total: 11)
00:00:04 DEBUG new interesting input, elapsed: 4s, id: x, parent: y, gen: 1, new bits: 3, total bits: 130, size: 9, exec time: 3µs
fuzz: elapsed: 5s, execs: 9000 (2000/sec), new interesting: 3 (total: 12)
--- FAIL: FuzzX (5.02s)
    --- FAIL: FuzzX (0.00s)
        x_test.go:12: wrong
    Failing input written to testdata/fuzz/FuzzX/0123456789abcdef
`
	r := parseLog(out)
	if r.execs != 9000 || r.found != 3 || r.corpus != 12 || r.bits != 130 || r.input != "testdata/fuzz/FuzzX/0123456789abcdef" {
		t.Errorf("%+v", r)
	}
	const plain = `warning: the test binary was not built with coverage instrumentation, so fuzzing will run without coverage guidance and may be inefficient
fuzz: elapsed: 3s, execs: 400000 (133333/sec)
fuzz: elapsed: 6s, execs: 922905 (158024/sec)
PASS
`
	if r := parseLog(plain); r.execs != 922905 || r.found != 0 || r.corpus != 0 {
		t.Errorf("%+v", r)
	}
	if reason := firstReason(withoutDebug(out)); reason != "x_test.go:12: wrong" {
		t.Errorf("reason %q", reason)
	}
	if timeIsUp(out) || !timeIsUp("--- FAIL: FuzzX (5.02s)\n    context deadline exceeded\n") {
		t.Error("timeIsUp does not distinguish a failure from the end of the time")
	}
	if isHung(out) || !isHung("--- FAIL: FuzzX (28.56s)\n    fuzzing process hung or terminated unexpectedly: exit status 2\n") {
		t.Error("isHung does not distinguish a failure from a process that hung")
	}
}

// TestPasses runs TestInput, one of whose inputs fails.
func TestInput(t *testing.T) {
	t.Run("good", func(*testing.T) {})
	t.Run("bad", func(t *testing.T) {
		if os.Getenv("OCTET_FUZZ_INPUT") != "" {
			t.Error("failed")
		}
	})
}

// TestPasses checks that the file of an input that fails is kept, and that of an input that passes is removed.
func TestPasses(t *testing.T) {
	t.Setenv("OCTET_FUZZ_INPUT", "1")
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	target := target{Name: "TestInput", dir: t.TempDir()}
	for name, want := range map[string]bool{"good": true, "bad": false} {
		file := filepath.Join(target.dir, name)
		if err := os.WriteFile(file, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if got := target.passes(t.Context(), program, name); got != want {
			t.Errorf("%s: %t", name, got)
		}
		if _, err := os.Stat(file); (err != nil) != want {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestInMemory(t *testing.T) {
	system := t.TempDir()
	t.Setenv("TMPDIR", "")
	undo := inMemory(system)
	folder := os.TempDir()
	if filepath.Dir(folder) != system {
		t.Errorf("temporary files are in %s", folder)
	}
	undo()
	if _, err := os.Stat(folder); err == nil || os.Getenv("TMPDIR") != "" {
		t.Errorf("%s remains: %v, TMPDIR=%q", folder, err, os.Getenv("TMPDIR"))
	}
	for _, c := range []struct{ tmp, system string }{{"mine", system}, {"", filepath.Join(system, "missing")}} {
		t.Setenv("TMPDIR", c.tmp)
		inMemory(c.system)()
		if got := os.Getenv("TMPDIR"); got != c.tmp {
			t.Errorf("TMPDIR is %q, want %q", got, c.tmp)
		}
	}
}
