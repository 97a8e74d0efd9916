package engine_test

import (
	"bytes"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

// comparedTypes compares the runs of two programs, each with these factors for the time of Octet, one for each seed.
func comparedTypes(t *testing.T, old, new []float64, change func(d *engine.Distribution)) (worse bool, text string, err error) {
	t.Helper()
	dir := t.TempDir()
	store := func(name string, factors []float64, change func(d *engine.Distribution)) string {
		var paths []string
		for i, f := range factors {
			d := example.Distribution(f)
			d.Seed = uint64(i)
			if change != nil {
				change(d)
			}
			paths = append(paths, filepath.Join(dir, name, d.FileName()))
			if err := d.Write(paths[i]); err != nil {
				t.Fatal(err)
			}
		}
		return strings.Join(paths, ",")
	}
	var b bytes.Buffer
	worse, err = engine.CompareFiles(&b, store("old", old, nil), store("new", new, change))
	return worse, b.String(), err
}

func TestCompareDistributions(t *testing.T) {
	for name, c := range map[string]struct {
		old, new []float64
		change   func(d *engine.Distribution)
		worse    bool
		want     string
	}{
		"no change":                      {[]float64{1}, []float64{1}, nil, false, "8 quantiles compared over 1 seed, 0 regressions, 0 improvements"},
		"a third slower":                 {[]float64{1}, []float64{1.35}, nil, true, "8 regressions, 0 improvements"},
		"a third faster":                 {[]float64{1}, []float64{0.7}, nil, false, "0 regressions, 8 improvements"},
		"the median only":                {[]float64{1}, []float64{1.25}, nil, true, "4 regressions, 0 improvements"},
		"an eighth slower with one seed": {[]float64{1}, []float64{1.12}, nil, false, "0 regressions, 0 improvements"},
		"an eighth slower":               {[]float64{1, 1.1, 0.9}, []float64{1.12, 1.24, 1.01}, nil, true, "8 quantiles compared over 3 seeds, 4 regressions"},
		"a quarter slower":               {[]float64{1, 1.1, 0.9}, []float64{1.25, 1.36, 1.11}, nil, true, "8 quantiles compared over 3 seeds, 8 regressions"},
		"not every seed":                 {[]float64{1, 1, 1}, []float64{1.3, 1.4, 1.05}, nil, false, "0 regressions, 0 improvements"},
		"a twentieth slower":             {[]float64{1, 1, 1}, []float64{1.05, 1.05, 1.06}, nil, false, "0 regressions, 0 improvements"},
		"only the slowest tenth": {[]float64{1}, []float64{1}, func(d *engine.Distribution) {
			for i, c := range d.Columns {
				if c.Library == engine.Ours {
					for j := 50; j < 60; j++ {
						d.Columns[i].NS[j] *= 1.4
					}
				}
			}
		}, true, "  Marshal ÷ msgp         9 of 10 below  1.17 → 1.64  +40.0%"},
		"another version of a peer": {[]float64{1}, []float64{1}, func(d *engine.Distribution) {
			d.Libraries[1].Version = "v1.7.0"
			for i, c := range d.Columns {
				if c.Library == "msgp" {
					d.Columns[i].NS = slices.Repeat([]float64{1}, len(c.NS))
				}
			}
		}, false, "4 quantiles compared over 1 seed, 0 regressions"},
	} {
		t.Run(name, func(t *testing.T) {
			worse, text, err := comparedTypes(t, c.old, c.new, c.change)
			if err != nil || worse != c.worse || !strings.Contains(text, c.want) {
				t.Errorf("%v, worse: %t, want %t and %q in\n%s", err, worse, c.worse, c.want, text)
			}
		})
	}
}

func TestCompareDistributionsErrors(t *testing.T) {
	for name, c := range map[string]struct {
		change func(d *engine.Distribution)
		want   string
	}{
		"another seed":      {func(d *engine.Distribution) { d.Seed = 99 }, "no new run has the seed"},
		"another machine":   {func(d *engine.Distribution) { d.Processor = "Other" }, "different processor"},
		"other vectors":     {func(d *engine.Distribution) { d.Vectors = "AVX2" }, "different vector instructions: AVX-512 and AVX2"},
		"another type":      {func(d *engine.Distribution) { d.Decls[3].Text += "\n" }, "have different types"},
		"fewer types":       {func(d *engine.Distribution) { d.Types[59].Name = "T" }, "have different types"},
		"other instruction": {func(d *engine.Distribution) { d.Godebug = "cpu.avx2=off" }, "no new run has the seed"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, _, err := comparedTypes(t, []float64{1}, []float64{1}, c.change); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
	dir := t.TempDir()
	one, other := filepath.Join(dir, "a.json"), filepath.Join(dir, "b.json")
	if example.Distribution(1).Write(one) != nil || example.Results().Write(other) != nil {
		t.Fatal("cannot write")
	}
	if _, err := engine.CompareFiles(new(bytes.Buffer), one, other); err == nil || !strings.Contains(err.Error(), "cannot be compared with a run over cases") {
		t.Errorf("runs of different kinds: %v", err)
	}
}
