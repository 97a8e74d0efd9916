package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// print writes what a developer wants to know first: what got worse, by how much.
func (c *comparison) print(w io.Writer) {
	for _, text := range c.warnings {
		fmt.Fprintf(w, "warning: %s\n", text)
	}
	if c.untestable > 0 {
		fmt.Fprintf(w, "warning: %d times have too few rounds to tell a change from chance\n", c.untestable)
	}
	if c.unadjusted > 0 {
		fmt.Fprintf(w, "warning: %d times have no peer in all runs, and are compared as they are\n", c.unadjusted)
	}
	printChanges(w, "regressions", c.regressed)
	printChanges(w, "improvements", c.improved)
	printNames(w, "only in the old", c.onlyInOld)
	printNames(w, "only in the new", c.onlyInNew)
	fmt.Fprintf(w, "\n%d times compared, %s, %s; a time counts that moved by %.0f%% or more, with p < %g\n",
		c.compared, plural(len(c.regressed), "regression"), plural(len(c.improved), "improvement"), 100*worthy(c.runs), alpha)
	if c.runs < 3 {
		fmt.Fprintf(w, "with three runs of each program, %.0f%% would count\n", 100*worthy(3))
	}
}

func printChanges(w io.Writer, title string, list []change) {
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(a, b change) int { return cmp.Compare(size(b), size(a)) })
	fmt.Fprintf(w, "\n%s\n", title)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, ch := range list {
		by := "from none"
		if !math.IsInf(ch.by, 0) {
			by = fmt.Sprintf("%+.1f%%", 100*ch.by)
		}
		fmt.Fprintln(t, strings.TrimRight(fmt.Sprintf("  %s\t%s\t%s → %s\t%s\t%s", ch.name, ch.measure, ch.old, ch.new, by, ch.why), "\t "))
	}
	t.Flush()
}

// size orders changes of both directions: half and double are as large.
func size(c change) float64 { return math.Abs(math.Log1p(c.by)) }

func printNames(w io.Writer, title string, names []string) {
	if len(names) == 0 {
		return
	}
	fmt.Fprintf(w, "\n%s\n", title)
	for _, name := range names {
		fmt.Fprintf(w, "  %s\n", name)
	}
}

func plural(n int, word string) string {
	if n != 1 {
		word += "s"
	}
	return fmt.Sprintf("%d %s", n, word)
}
