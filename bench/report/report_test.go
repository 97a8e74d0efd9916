package report

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata")

// golden compares got with a file of testdata.
func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, got, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("%s differs from the generated file (use -update to rewrite it):\n%s", path, got)
	}
}

func TestMarkdown(t *testing.T) { golden(t, "report.md", markdown(example.Results())) }

// TestMarkdownFigures checks figures of the golden file that can be computed from the fixture.
func TestMarkdownFigures(t *testing.T) {
	text := string(markdown(example.Results()))
	for _, want := range []string{
		// 56.4 ns and 1.002 times as much, each within three percent: it is not clear which is faster.
		"| ≈ 1.00 |",
		// Ten times as long in every round is ten times as long, even if the rounds differ.
		"| limit | 23.8 | 23.7–24.5 | 0.42 | 0.42–0.42 |",
		"| shamaton | – |  |  |  |  |  |  |  | decodes to other types |",
		"| 3.0 MiB |",
		"| by \\<hand> |",
		"what a program would write \\| for itself",
		"| nowhere | – | example.org/nowhere | not available: the module proxy does not have it |",
		"| 1,000,000 | **octet** |",
		"| **octet** | 2,500,000 | 900 kB |",
		"\n### header, Append\n\nwhat header is\n",
		// One fourteenth faster in every round is more than the spread. The limit is faster too, but does not
		// count.
		"\n| fixed/header/Append | by \\<hand> | 0.93 | 0.93–0.93 |  |\n| fixed/header/Decode | by \\<hand> |",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

func TestWriteReports(t *testing.T) {
	dir, r := t.TempDir(), example.Results()
	folder := filepath.Join(dir, r.Base())
	if err := os.Mkdir(folder, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"stale.svg", "notes.txt"} {
		if err := os.WriteFile(filepath.Join(folder, name), nil, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := Write(dir, r); err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, pattern := range []string{"*.*", "*/*"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			name, _ := filepath.Rel(dir, path)
			names = append(names, filepath.ToSlash(name))
		}
	}
	for _, want := range []string{"example-2cpu-go1.26.0.md", "example-2cpu-go1.26.0/values-structs-marshal.svg", "example-2cpu-go1.26.0/notes.txt"} {
		if !slices.Contains(names, want) {
			t.Errorf("no %s among %s", want, names)
		}
	}
	if slices.Contains(names, "example-2cpu-go1.26.0/stale.svg") {
		t.Error("a chart of an earlier run was not removed")
	}
	if n := len(headlinesOf(r)); n == 0 || n == len(charts(r)) {
		t.Errorf("%d of %d charts", n, len(charts(r)))
	}
	for _, c := range headlinesOf(r) {
		if got, err := os.ReadFile(filepath.Join(folder, c.file)); err != nil || !bytes.Equal(got, c.svg()) {
			t.Errorf("%s: %v, or a different picture", c.file, err)
		}
	}
	for _, name := range []string{"../elsewhere", "below/it", "/above"} {
		r.Machine = name
		if err := Write(dir, r); err == nil {
			t.Errorf("%s is outside the directory, but is accepted", name)
		}
	}
}

func TestRatioTexts(t *testing.T) {
	e := func(library string, ns ...float64) engine.Entry { return engine.Entry{Library: library, NS: ns} }
	cases := map[string]struct {
		ours, theirs []float64
		want         string
	}{
		"faster":                  {[]float64{10, 10, 10, 10}, []float64{20, 21, 19, 20}, "2.00"},
		"slower":                  {[]float64{20, 20, 20, 20}, []float64{10, 10, 11, 10}, "0.50"},
		"one outlier":             {[]float64{10, 10, 10, 10}, []float64{20, 20, 20, 9}, "2.00"},
		"within the spread":       {[]float64{10, 10, 10, 10}, []float64{9, 11, 9.5, 10.5}, "≈ 1.00"},
		"quartile equal to 1":     {[]float64{10, 10, 10, 10}, []float64{10, 10, 10, 12}, "≈ 1.00"},
		"machine stalls for both": {[]float64{10, 90, 10, 10}, []float64{20, 180, 20, 20}, "2.00"},
		"fewer rounds":            {[]float64{10, 10}, []float64{30, 30, 1, 1}, "3.00"},
		"a large factor":          {[]float64{1, 1, 1, 1}, []float64{1234.5, 1234.5, 1234.5, 1234.5}, "1,235"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			rows := timed(engine.Case{Entries: []engine.Entry{e("other", c.theirs...), e(engine.Ours, c.ours...)}})
			i := slices.IndexFunc(rows, func(r row) bool { return r.Library == "other" })
			if got := times(rows[i]); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestUnits(t *testing.T) {
	cases := map[float64]string{
		0.5: "0.50 ns", 9.994: "9.99 ns", 9.996: "10.0 ns", 99.96: "100 ns", 1234: "1,234 ns", 9999: "9,999 ns",
		10_000: "10.0 µs", 1_650_000: "1,650 µs", 10_000_000: "10.0 ms", 1.5e9: "1,500 ms",
	}
	for ns, want := range cases {
		if got := engine.FormatTime(ns); got != want {
			t.Errorf("formatTime(%g) = %q, want %q", ns, got, want)
		}
	}
}
