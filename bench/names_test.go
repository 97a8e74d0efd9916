package main

import (
	"slices"
	"testing"

	"github.com/octet-go/octet/bench/cases"
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/report"
)

func TestContestNames(t *testing.T) {
	list, err := cases.Contests()
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string]bool)
	for _, l := range cases.Participants() {
		if l.Version == "" && l.Note == "" {
			t.Errorf("%s has neither a version nor a reason", l.Name)
		}
		known[l.Name] = true
	}
	seen := make(map[string]bool)
	for _, c := range list {
		if seen[c.Name()] {
			t.Errorf("%s appears twice", c.Name())
		}
		seen[c.Name()] = true
		if !slices.ContainsFunc(engine.Groups, func(g engine.Group) bool { return g.Name == c.Group }) {
			t.Errorf("%s: unknown group %q", c.Name(), c.Group)
		}
		if c.About == "" {
			t.Errorf("abouts has no description of %s", c.Name())
		}
		title := report.SeriesTitle(c.Shape, c.N)
		if !report.Fits(title, c.About) {
			t.Errorf("%s: %q is too long for the title of a chart", c.Name(), c.About)
		}
	}
	for _, name := range []string{"struct/report", "struct/account", "slice/accounts", "slice/ints", "map/accounts", "growth/structs/1000000"} {
		if !seen[name] {
			t.Errorf("no contest %s", name)
		}
	}
}
