package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

func oursAt(shape string) func(engine.Case, engine.Entry) bool {
	return func(c engine.Case, e engine.Entry) bool { return c.Shape == shape && e.Library == engine.Ours }
}

func TestCompare(t *testing.T) {
	everything := func(engine.Case, engine.Entry) bool { return true }
	cases := map[string]struct {
		change func(r *engine.Results)
		worse  bool
		want   []string // texts in the output
		not    string
	}{
		"no change": {func(*engine.Results) {}, false, []string{"28 times compared, 0 regressions, 0 improvements"}, "warning"},
		"half as fast": {func(r *engine.Results) { example.Slower(r, 2, oursAt("struct/report")) }, true,
			[]string{"\nregressions\n", "values/struct/report/Marshal ", "values/struct/report/Unmarshal ", "+100.0%", "201 ns → 403 ns", "2 regressions, 0 improvements"}, "account"},
		"twice as fast": {func(r *engine.Results) { example.Slower(r, 0.5, oursAt("struct/report")) }, false,
			[]string{"\nimprovements\n", "-50.0%", "0 regressions, 2 improvements"}, "regressions\n  "},
		"change below the threshold": {func(r *engine.Results) { example.Slower(r, 1.28, oursAt("struct/report")) }, false, []string{"0 regressions, 0 improvements"}, "+"},
		"change above the threshold": {func(r *engine.Results) { example.Slower(r, 1.32, oursAt("struct/report")) }, true, []string{"2 regressions", "+32.0%"}, ""},
		"a slower machine":           {func(r *engine.Results) { example.Slower(r, 3, everything) }, false, []string{"0 regressions, 0 improvements"}, "+"},
		"a slower machine and octet too": {func(r *engine.Results) {
			example.Slower(r, 3, everything)
			example.Slower(r, 1.5, oursAt("struct/report"))
		}, true, []string{"2 regressions", "+50.0%"}, ""},
		"only the peers are faster": {func(r *engine.Results) {
			example.Slower(r, 0.5, func(c engine.Case, e engine.Entry) bool {
				return c.Shape == "struct/report" && e.Library != engine.Ours
			})
		}, true, []string{"2 regressions", "+100.0%"}, ""},
		"only one peer is slower": {func(r *engine.Results) {
			example.Slower(r, 5, func(_ engine.Case, e engine.Entry) bool { return e.Library == "shamaton" })
		}, false, []string{"0 regressions, 0 improvements"}, "+"},
		"noise as large as the change": {func(r *engine.Results) {
			for i, c := range r.Cases {
				for j, e := range c.Entries {
					if e.Library == engine.Ours {
						r.Cases[i].Entries[j].NS = slices.Clone(e.NS)
						for k := range e.NS {
							r.Cases[i].Entries[j].NS[k] *= []float64{1.6, 0.6, 1.5, 0.7, 1.4}[k%5]
						}
					}
				}
			}
		}, false, []string{"0 regressions, 0 improvements"}, "+"},
		"one more allocation": {func(r *engine.Results) { r.Cases[0].Entries[0].Allocs++ }, true,
			[]string{"values/struct/report/Marshal  allocs/op  2 → 3  +50.0%"}, ""},
		"the first allocation": {func(r *engine.Results) {
			for i := range r.Cases {
				if r.Cases[i].Group == "fixed" {
					r.Cases[i].Entries[0].Allocs = 1
				}
			}
		}, true, []string{"allocs/op  0 → 1  from none"}, ""},
		"part of an allocation": {func(r *engine.Results) { r.Cases[0].Entries[0].Allocs += 0.3 }, false, []string{"0 regressions"}, "+"},
		"more memory":           {func(r *engine.Results) { r.Cases[0].Entries[0].Bytes += 100 }, true, []string{"B/op  201 → 301  +49.8%"}, ""},
		"one byte longer":       {func(r *engine.Results) { r.Cases[0].Entries[0].Size++ }, true, []string{"encoded bytes  81 → 82  +1.2%"}, ""},
		"case missing in the new run": {func(r *engine.Results) { r.Cases = r.Cases[1:] }, false,
			[]string{"\nonly in the old\n  values/struct/report/Marshal\n", "27 times compared"}, "only in the new"},
		"case missing in the old run": {func(r *engine.Results) {
			c := r.Cases[0]
			c.Shape = "new"
			r.Cases = append(r.Cases, c)
		}, false, []string{"\nonly in the new\n  values/new/Marshal\n"}, "only in the old"},
		"octet without times in the new run": {func(r *engine.Results) { r.Cases[0].Entries[0].NS = nil }, false,
			[]string{"\nonly in the old\n  values/struct/report/Marshal\n"}, ""},
		"another version of Go": {func(r *engine.Results) { r.Go = "go1.27.0" }, false,
			[]string{"warning: the runs have different versions of Go: go1.26.0 and go1.27.0"}, ""},
		"a faster version of a peer": {func(r *engine.Results) {
			r.Libraries[7].Version = "go1.27.0"
			example.Slower(r, 0.5, func(_ engine.Case, e engine.Entry) bool { return e.Library == "bytes.Buffer" })
		}, false, []string{"warning: bytes.Buffer has versions go1.26.0 and go1.27.0", "2 times have no peer in all runs"}, "+"},
		"processor times only in the new run": {func(r *engine.Results) {
			for i, c := range r.Cases {
				for j, e := range c.Entries {
					r.Cases[i].Entries[j].CPU = slices.Repeat([]float64{1}, len(e.NS))
				}
			}
		}, false, []string{"28 times compared, 0 regressions, 0 improvements"}, ""},
		"too few rounds": {func(r *engine.Results) {
			for i, c := range r.Cases {
				for j, e := range c.Entries {
					r.Cases[i].Entries[j].NS = e.NS[:min(2, len(e.NS))]
				}
			}
			example.Slower(r, 3, oursAt("struct/report"))
		}, false, []string{"0 regressions", "warning: 28 times have too few rounds"}, ""},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			before, after := example.Results(), example.Results()
			c.change(after)
			worse, text, err := compared(t, []*engine.Results{before}, []*engine.Results{after})
			if err != nil {
				t.Fatal(err)
			}
			if worse != c.worse {
				t.Errorf("worse: %t, want %t\n%s", worse, c.worse, text)
			}
			for _, want := range c.want {
				if !strings.Contains(text, want) {
					t.Errorf("no %q in\n%s", want, text)
				}
			}
			if c.not != "" && strings.Contains(text, c.not) {
				t.Errorf("%q in\n%s", c.not, text)
			}
		})
	}
}

// TestCompareProcessorTimes checks that processor times decide if both runs have them.
func TestCompareProcessorTimes(t *testing.T) {
	runs := func(factor float64) []*engine.Results {
		r := example.Results()
		for i, c := range r.Cases {
			for j, e := range c.Entries {
				r.Cases[i].Entries[j].CPU = slices.Clone(e.NS)
				if c.Shape == "struct/report" && e.Library == engine.Ours {
					for k := range e.NS {
						r.Cases[i].Entries[j].CPU[k] *= factor
					}
				}
			}
		}
		return []*engine.Results{r}
	}
	worse, text, err := compared(t, runs(1), runs(2))
	if err != nil || !worse || !strings.Contains(text, "2 regressions") {
		t.Errorf("%v\n%s", err, text)
	}
}

// TestCompareRuns compares several runs of each program, each with its own random deviation.
func TestCompareRuns(t *testing.T) {
	runs := func(factors ...float64) (list []*engine.Results) {
		for _, f := range factors {
			r := example.Results()
			example.Slower(r, f, oursAt("struct/report"))
			list = append(list, r)
		}
		return list
	}
	allocating := func(counts ...float64) []*engine.Results {
		list := runs(1, 1, 1)
		for i, n := range counts {
			list[i].Cases[0].Entries[0].Allocs = n
		}
		return list
	}
	old := runs(1, 1.03, 0.98)
	cases := map[string]struct {
		old, new []*engine.Results
		want     string
	}{
		"a seventh slower":                   {old, runs(1.14, 1.17, 1.12), "2 regressions, 0 improvements"},
		"a seventh faster":                   {old, runs(0.86, 0.88, 0.87), "0 regressions, 2 improvements"},
		"slower in two of three runs":        {old, runs(1.14, 1.17, 1.02), "0 regressions, 0 improvements"},
		"a twentieth slower":                 {old, runs(1.06, 1.05, 1.07), "0 regressions, 0 improvements"},
		"a seventh slower in two runs":       {old, runs(1.14, 1.17), "0 regressions, 0 improvements"},
		"a quarter slower in two runs":       {old, runs(1.24, 1.27), "2 regressions, 0 improvements"},
		"allocations that vary between runs": {allocating(2, 3, 2), allocating(3, 2, 3), "0 regressions, 0 improvements"},
		"one more allocation":                {allocating(2, 3, 2), allocating(4, 4, 5), "1 regression, 0 improvements"},
		"a third slower in one run":          {old, runs(1.34), "2 regressions, 0 improvements"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			worse, text, err := compared(t, c.old, c.new)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(text, c.want) || worse == strings.HasPrefix(c.want, "0") {
				t.Errorf("worse: %t, want %s in\n%s", worse, c.want, text)
			}
			if few := len(c.new) < 3; strings.Contains(text, "with three runs of each program, a change would count from 10%") != few {
				t.Errorf("the hint about three runs is missing or unexpected in\n%s", text)
			}
		})
	}
}

// compared calls compareFiles with files.
func compared(t *testing.T, before, after []*engine.Results) (worse bool, text string, err error) {
	t.Helper()
	dir := t.TempDir()
	store := func(name string, runs []*engine.Results) string {
		var paths []string
		for i, r := range runs {
			paths = append(paths, filepath.Join(dir, fmt.Sprintf("%s%d.json", name, i)))
			if err := r.Write(paths[i]); err != nil {
				t.Fatal(err)
			}
		}
		return strings.Join(paths, ",")
	}
	var b bytes.Buffer
	worse, err = engine.CompareFiles(&b, store("old", before), store("new", after))
	return worse, strings.ReplaceAll(b.String(), dir, ""), err
}

// TestCompareErrors compares runs that cannot be compared, and invalid files.
func TestCompareErrors(t *testing.T) {
	cases := map[string]struct {
		change func(r *engine.Results)
		want   string
	}{
		"another processor":    {func(r *engine.Results) { r.Processor = "Other" }, "processor: Example Processor and Other"},
		"another system":       {func(r *engine.Results) { r.OS = "plan9" }, "operating system: linux and plan9"},
		"another architecture": {func(r *engine.Results) { r.Arch = "386" }, "architecture: amd64 and 386"},
		"fewer cores":          {func(r *engine.Results) { r.GOMAXPROCS = 1 }, "GOMAXPROCS: 2 and 1"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			after := example.Results()
			c.change(after)
			if _, _, err := compared(t, []*engine.Results{example.Results()}, []*engine.Results{after}); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	other := example.Results()
	other.Cases = []engine.Case{other.Cases[0]}
	other.Cases[0].Shape = "struct/new"
	dir := t.TempDir()
	before, after := filepath.Join(dir, "old.json"), filepath.Join(dir, "new.json")
	if err := errors.Join(example.Results().Write(before), other.Write(after)); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.CompareFiles(io.Discard, before, after); err == nil || !strings.Contains(err.Error(), "no case of octet in common") {
		t.Errorf("runs of different cases: %v", err)
	}
	if _, err := engine.CompareFiles(io.Discard, filepath.Join(t.TempDir(), "none.json"), "none.json"); err == nil {
		t.Error("a missing file returned no error")
	}
}
