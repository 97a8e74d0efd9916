package main

import (
	"fmt"
	"io"
	"text/tabwriter"
)

// printTable prints a line for each value and library with what the library did. Without all, it omits values that a library
// reads and writes unchanged. The last lines have the totals.
func printTable(out io.Writer, t table, all bool) {
	rows := t.rows()
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	fmt.Fprintln(w, "value\tlibrary\twhat it did")
	for _, r := range rows {
		for _, c := range t.columns {
			if c.skipped != "" {
				continue
			}
			switch o := c.outcome(r); {
			case o.text != "":
				fmt.Fprintf(w, "%s\t%s\t%s\n", r.name, c.name, o.text)
			case all:
				fmt.Fprintf(w, "%s\t%s\tas expected\n", r.name, c.name)
			}
		}
	}
	fmt.Fprintln(w)
	fmt.Fprintln(w, "library\tversion\tas expected\tgenerated values as expected")
	for _, c := range t.columns {
		if c.skipped != "" {
			fmt.Fprintf(w, "%s\t%s\t%s\n", c.name, c.version, c.skipped)
			continue
		}
		s := c.sum(t.vectors)
		fmt.Fprintf(w, "%s\t%s\t%d of %d\t%d of %d\n", c.name, c.version, s.good, s.all, s.generatedGood, s.generatedAll)
	}
	w.Flush()
}

// A sum counts the vectors that a library handles as expected.
type sum struct {
	good, all                   int // hand-written vectors
	generatedGood, generatedAll int
	same                        int // generated vectors that the library wrote as the same bytes
}

func (c column) sum(vectors []vector) sum {
	var s sum
	for i, v := range vectors {
		good := 0
		if c.outcomes[i].text == "" {
			good = 1
		}
		if v.section != generated {
			s.all++
			s.good += good
			continue
		}
		s.generatedAll++
		s.generatedGood += good
		if c.outcomes[i].same {
			s.same++
		}
	}
	return s
}
