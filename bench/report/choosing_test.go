package report

import (
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

// chosen adds the cases of choosingPage to a run.
func chosen(r *engine.Results) *engine.Results {
	for _, c := range choices {
		for _, s := range c.shapes {
			for i, verb := range []string{c.out, c.in} {
				k := engine.Case{Group: c.group, Shape: s.shape, Verb: verb}
				for j, f := range c.formats {
					e := example.Synthetic(f.library, 10*float64((i+1)*(j+1)), 0.01)
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
	empty := example.Results()
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
	for i, c := range chosen(example.Results()).Cases[len(example.Results().Cases):] {
		r := chosen(example.Results())
		if i%2 == 0 { // one case is missing, or one library in it
			r.Cases = append(r.Cases[:len(example.Results().Cases)+i:len(example.Results().Cases)+i], r.Cases[len(example.Results().Cases)+i+1:]...)
		} else {
			r.Cases[len(example.Results().Cases)+i].Entries[2].NS = nil
		}
		if _, err := insertFigures(page, r, choosingFigures); err == nil {
			t.Errorf("without %s: no error", c.Name())
		}
	}
}
