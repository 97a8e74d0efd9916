package main

import (
	"strings"
	"testing"
)

// chosen adds the cases of choosingPage to a run.
func chosen(r *Results) *Results {
	for _, c := range choices {
		for _, s := range c.shapes {
			for i, verb := range []string{c.out, c.in} {
				k := Case{Group: c.group, Shape: s.shape, Verb: verb}
				for j, f := range c.formats {
					e := synthetic(f.library, 10*float64((i+1)*(j+1)), 0.01)
					e.Size = 1000 * (j + 1)
					k.Entries = append(k.Entries, e)
				}
				r.Cases = append(r.Cases, k)
			}
		}
	}
	return r
}

func TestChoosingFigures(t *testing.T) {
	page := []byte("# Page\n<!-- bench:begin -->\nold\n<!-- bench:end -->\n")
	empty := fixture()
	empty.Cases = nil
	got, err := insertFigures(page, chosen(empty), choosingFigures)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| format | struct: bytes | `Marshal` | `Unmarshal` | floats: bytes | `Marshal` | `Unmarshal` |\n",
		"| Protocol Buffers (generated code) | 3,000 | 30.0 ns | 60.1 ns |",
		"| Parquet | 3,000 | 30.1 ns |",
		"(../bench/results/example-2cpu-go1.26.0.md)",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(string(got), "old") {
		t.Errorf("old figures in\n%s", got)
	}
	for i, c := range chosen(fixture()).Cases[len(fixture().Cases):] {
		r := chosen(fixture())
		if i%2 == 0 { // one case is missing, or one library in it
			r.Cases = append(r.Cases[:len(fixture().Cases)+i:len(fixture().Cases)+i], r.Cases[len(fixture().Cases)+i+1:]...)
		} else {
			r.Cases[len(fixture().Cases)+i].Entries[2].NS = nil
		}
		if _, err := insertFigures(page, r, choosingFigures); err == nil {
			t.Errorf("without %s: no error", c.name())
		}
	}
}
