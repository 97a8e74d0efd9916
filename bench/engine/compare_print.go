package engine

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"text/tabwriter"
)

// print writes the comparison, regressions first.
func (c *comparison) print(w io.Writer) {
	for _, text := range c.warnings {
		fmt.Fprintf(w, "warning: %s\n", text)
	}
	if c.untestable > 0 {
		fmt.Fprintf(w, "warning: %d times have too few rounds for a significant change\n", c.untestable)
	}
	if c.unadjusted > 0 {
		fmt.Fprintf(w, "warning: %d times have no peer in all runs and are not adjusted\n", c.unadjusted)
	}
	printChanges(w, "regressions", c.regressed)
	printChanges(w, "improvements", c.improved)
	printNames(w, "only in the old", c.onlyInOld)
	printNames(w, "only in the new", c.onlyInNew)
	fmt.Fprintf(w, "\n%d times compared, %s, %s; a change of time counts from %.0f%%, with p < %g\n",
		c.compared, Plural(len(c.regressed), "regression"), Plural(len(c.improved), "improvement"), 100*minChange(c.runs), alpha)
	if c.runs < 3 {
		fmt.Fprintf(w, "with three runs of each program, a change would count from %.0f%%\n", 100*minChange(3))
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

// size returns the size of a change in either direction, so that twice and half are equal.
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
