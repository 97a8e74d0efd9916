package report

import (
	"bytes"
	"strings"
	"testing"

	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/internal/example"
)

// declared adds the cases of the notification to a run.
func declared(r *engine.Results) *engine.Results {
	for i, verb := range []string{"Append", "Decode"} {
		c := engine.Case{Group: "layout", Shape: "notification", Verb: verb}
		for j, way := range layoutWays {
			c.Entries = append(c.Entries, example.Synthetic(way.library, 50*float64((i+1)*(j+1)), 0.01))
		}
		r.Cases = append(r.Cases, c)
	}
	for i, verb := range []string{"Append", "Decode", "Alias"} {
		c := engine.Case{Group: "messages", Shape: "apns-list", Verb: verb}
		for j, way := range listWays {
			if i >= way.verbs {
				continue
			}
			c.Entries = append(c.Entries, example.Synthetic(way.library, 30*float64((i+1)*(j+1)), 0.01))
		}
		r.Cases = append(r.Cases, c)
	}
	return r
}

func TestLayoutFigures(t *testing.T) {
	page := []byte("# Page\n<!-- bench:begin -->\nold\n<!-- bench:end -->\n")
	got, err := insertFigures(page, declared(headlined()), layoutFigures)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"| way | encode | allocations | decode | allocations |\n",
		"| by hand | 101 ns | 1 | 201 ns | 2 |\n",
		"| way | encode | decode, copies | decode, part of the input |\n",
		"| `encoding/binary`, field by field | 30.1 ns | 60.2 ns |  |\n",
		"| `layout`, `Typed` | 90.3 ns | 181 ns | 271 ns |\n",
		"(../bench/results/example-2cpu-go1.26.0.md)",
	} {
		if !strings.Contains(string(got), want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if strings.Contains(string(got), "old") {
		t.Errorf("old figures in\n%s", got)
	}
	readme, err := withFigures([]byte(emptyReadme), declared(headlined()), nil)
	if err != nil || !bytes.Contains(readme, []byte("(docs/from-binary-to-layout.md)")) {
		t.Errorf("the README has no table of declared messages: %v\n%s", err, readme)
	}
	if _, err := insertFigures(page, headlined(), layoutFigures); err == nil {
		t.Error("results without the group layout: no error")
	}
}
