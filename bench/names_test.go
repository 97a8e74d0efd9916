package main

import (
	"slices"
	"testing"
)

func TestContestNames(t *testing.T) {
	list, err := contests()
	if err != nil {
		t.Fatal(err)
	}
	known := make(map[string]bool)
	for _, l := range participants() {
		if l.Version == "" && l.Note == "" {
			t.Errorf("%s has neither a version nor a reason", l.Name)
		}
		known[l.Name] = true
	}
	seen := make(map[string]bool)
	for _, c := range list {
		if seen[c.name()] {
			t.Errorf("%s appears twice", c.name())
		}
		seen[c.name()] = true
		if !slices.ContainsFunc(groups, func(g group) bool { return g.name == c.group }) {
			t.Errorf("%s: unknown group %q", c.name(), c.group)
		}
		if c.about == "" {
			t.Errorf("abouts has no description of %s", c.name())
		}
		title := seriesTitle(c.shape, c.n)
		if !fits(title, c.about) {
			t.Errorf("%s: %q is too long for the title of a chart", c.name(), c.about)
		}
	}
	for _, name := range []string{"struct/report", "struct/account", "slice/accounts", "slice/ints", "map/accounts", "growth/structs/1000000"} {
		if !seen[name] {
			t.Errorf("no contest %s", name)
		}
	}
}
