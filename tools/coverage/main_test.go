package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const source = `package demo

func both(n int) int {
	if n > 0 {
		return 1
	}
	return 2
}

func never() {
	// a comment
	println()
	println()
}
`

// TestMerge merges the profiles of two builds. Each covers one branch of the function both. Neither covers the
// function never.
func TestMerge(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return name
	}
	write("demo.go", source)
	block := func(at, count string) string { return modulePath + "/" + at + " " + count + "\n" }
	one := write("one", "mode: set\n"+
		block("demo.go:3.22,4.11 1", "1")+block("demo.go:4.11,6.3 1", "1")+block("demo.go:7.2,7.10 1", "0")+
		block("demo.go:10.14,14.2 2", "0"))
	two := write("two", "mode: set\n"+
		block("demo.go:3.22,4.11 1", "1")+block("demo.go:4.11,6.3 1", "0")+block("demo.go:7.2,7.10 1", "1"))

	var out strings.Builder
	ok, err := run(&out, dir, []string{one, two}, floors{60, 60}, true)
	want := "demo.go:10\tnever\t2\tprintln()\n" +
		"     3 of      5   60.00%  .\n" +
		"     3 of      5   60.00%  all packages\n"
	if err != nil || !ok || out.String() != want {
		t.Errorf("%v, %v, got\n%swant\n%s", ok, err, &out, want)
	}

	out.Reset()
	ok, err = run(&out, dir, []string{one, two}, floors{61, 61}, false)
	if err != nil || ok || strings.Count(out.String(), "below 61%") != 2 {
		t.Errorf("%v, %v, got\n%s", ok, err, &out)
	}
}

// TestFloors checks a profile that reaches the floor for all packages together but has one package below the floor for
// each package.
func TestFloors(t *testing.T) {
	for _, c := range []struct {
		floor floors
		want  bool
	}{{floors{50, 0}, true}, {floors{51, 0}, false}, {floors{50, 1}, false}} {
		p := profile{{file: "a/a.go", statements: 2}: false, {file: "a/b.go", statements: 8}: true, {file: "b/a.go", statements: 4}: true, {file: "b/b.go", statements: 6}: false, {file: "c/c.go", statements: 4}: false}
		if got := p.report(new(strings.Builder), c.floor); got != c.want {
			t.Errorf("%+v: %t, want %t", c.floor, got, c.want)
		}
	}
}

func TestErrors(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"empty":    "mode: set\n",
		"no count": "mode: set\nx.go:1.2,3.4 1\n",
		"no line":  "mode: set\nx.go:a.2,3.4 1 1\n",
		"no file":  "mode: set\nx.go 1 1\n",
		"missing":  "mode: set\nx.go:1.2,3.4 1 0\n",
	} {
		file := filepath.Join(dir, "profile")
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := run(new(strings.Builder), dir, []string{file}, floors{}, true); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := run(new(strings.Builder), dir, []string{filepath.Join(dir, "none")}, floors{}, false); err == nil {
		t.Error("no file: no error")
	}
}
