package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

const source = `package demo

import "errors"

var limit = 3 // not in a function

func Check(n int) (int, error) {
	if n > limit {
		return 0, errors.New("too many")
	}
	total := 0
	for i := 0; i < n; i++ {
		total += i
		if !ok(i) {
			break
		}
	}
	return total, nil
}

func ok(i int) bool { return i >= 0 && true }
`

func TestMutants(t *testing.T) {
	list, err := mutantsOfFile(".", "demo.go", []byte(source))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, m := range list {
		got = append(got, m.function+": "+flat(m.old)+" -> "+flat(m.new))
		if text := string(m.text); text == source || len(text) != len(source)-len(m.old)+len(m.new) {
			t.Errorf("%v: the file became %q", m, text)
		}
	}
	want := []string{
		"Check: n > limit -> !(n > limit)", "Check: > -> >=", `Check: 0, errors.New("too many") -> errors.New("too many"), 0`, "Check: 0 -> 1",
		"Check: 0 -> 1", "Check: i < n -> !(i < n)", "Check: 0 -> 1", "Check: < -> <=", "Check: i++ -> ", "Check: total += i -> ",
		"Check: !ok(i) -> !(!ok(i))", "Check: ! -> ", "Check: break -> ", "Check: total, nil -> nil, total",
		"ok: && -> ||", "ok: >= -> >", "ok: 0 -> 1", "ok: true -> false",
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}

	// The choice depends on the seed and on nothing else, and keys are unique.
	first, second := slices.Clone(list), slices.Clone(list)
	slices.Reverse(second)
	choose(first, 1)
	choose(second, 1)
	keys := func(list []mutant) (k []string) {
		for _, m := range list {
			k = append(k, m.key())
		}
		return k
	}
	if !slices.Equal(keys(first), keys(second)) {
		t.Error("the choice depends on the order")
	}
	choose(second, 2)
	if slices.Equal(keys(first), keys(second)) {
		t.Error("the choice does not depend on the seed")
	}
	unique := keys(list)
	slices.Sort(unique)
	if n := len(slices.Compact(unique)); n != len(list) {
		t.Errorf("%d keys for %d mutants", n, len(list))
	}
}

func TestReasons(t *testing.T) {
	name := filepath.Join(t.TempDir(), "list")
	read := func(text string) (map[string]string, error) {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		return readReasons(name)
	}
	known, err := read("# Comment\n\na.go f: x: 1 -> 2\n\tno effect\n")
	if err != nil || len(known) != 1 || known["a.go f: x: 1 -> 2"] != "no effect" {
		t.Error(known, err)
	}
	for _, text := range []string{"\ta reason\n", "one\n", "one\ntwo\n"} {
		if _, err := read(text); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}

// TestRun tests mutants of packages of its own. Their tests check everything but one constant.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("skipping in short mode: it compiles programs")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	for name, text := range map[string]string{
		"go.mod":         "module demo\n\ngo 1.26\n",
		"p/demo.go":      "package p\n\nfunc Max() int { return 5 }\n\nfunc Loop(n int) (total int) {\n\tfor range n {\n\t\ttotal += 2\n\t}\n\treturn total\n}\n",
		"p/demo_test.go": "package p\n\nimport \"testing\"\n\nfunc Test(t *testing.T) {\n\tif Loop(3) != 6 || Max() < 5 {\n\t\tt.Fatal()\n\t}\n}\n",
		"q/max.go":       "package q\n\nfunc Max() int { return 5 }\n",
		"q/max_test.go":  "package q\n\nimport \"testing\"\n\nfunc Test(t *testing.T) {\n\tif Max() < 5 {\n\t\tt.Fatal()\n\t}\n}\n",
		"bad/bad.go":     "package bad\n\nvar X = f(1)\n\nfunc f(n int) int { return n + 1 }\n",
		"bad/b_test.go":  "package bad\n\nimport \"testing\"\n\nfunc Test(t *testing.T) { t.Fatal() }\n",
	} {
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if ok, err := run([]string{"q"}, 0, 1, time.Minute, "none", false); ok || err != nil {
		t.Errorf("a survivor without a reason: %t, %v", ok, err)
	}
	reasons := "p/demo.go Max: func Max() int { return 5 }: 5 -> 6\n\tany number from 5 on will do\n"
	if err := os.WriteFile("reasons", []byte(reasons), 0o666); err != nil {
		t.Fatal(err)
	}
	if ok, err := run([]string{"p"}, 0, 1, time.Minute, "reasons", false); !ok || err != nil {
		t.Errorf("a survivor with a reason: %t, %v", ok, err)
	}
	if _, err := run([]string{"bad"}, 1, 1, time.Minute, "none", false); err == nil {
		t.Error("tests that fail without a change: no error")
	}
}
