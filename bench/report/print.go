package report

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/dustin/go-humanize"
	"github.com/octet-go/octet/bench/engine"
)

// Names are padded to the same width, because the table aligns columns to the right.
const (
	verbWidth    = len("MarshalAppend")
	libraryWidth = len("encoding/binary")
)

// PrintHeading prints what is measured and on what machine.
func PrintHeading(w io.Writer, r *engine.Results, base string) {
	fmt.Fprintf(w, "%s %s/%s, GOMAXPROCS=%d, %s\n", r.Go, r.OS, r.Arch, r.GOMAXPROCS, r.Processor)
	fmt.Fprintf(w, "third lowest processor time of %s; × %s: a library's time divided by that of %[2]s, with its quartiles; ≈ if they enclose 1\n", engine.Plural(r.Rounds, "round"), base)
}

// PrintTable prints the cases of one contest, with ratios to the times of base.
func PrintTable(w io.Writer, name string, cases []engine.Case, base string) {
	size, notes := 0, new(strings.Builder)
	for _, e := range cases[0].Entries {
		if e.Note != "" {
			fmt.Fprintf(notes, "%s: %s\n", e.Library, e.Note)
		}
		if e.Library == engine.Ours || size == 0 {
			size = e.Size
		}
	}
	fmt.Fprintf(w, "\n%s, %d bytes: %s\n", name, size, cases[0].About)
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(t, "%-*s\t%-*s\tns/op\tB/op\tallocs/op\tsize\tpeak\t× %s\tquartiles\t\n", verbWidth, "", libraryWidth, "", base)
	for _, c := range cases {
		printRows(t, c, base)
	}
	t.Flush()
	fmt.Fprint(w, notes)
}

func printRows(w io.Writer, c engine.Case, base string) {
	verb := c.Verb
	reference, compared := engine.Find(c, base)
	for _, e := range c.Entries {
		if e.NS == nil {
			continue
		}
		peak := ""
		if e.Peak != 0 {
			peak = humanize.IBytes(uint64(e.Peak))
		}
		fmt.Fprintf(w, "%-*s\t%-*s\t%s\t%.0f\t%.0f\t%d\t%s", verbWidth, verb, libraryWidth, e.Library, figure(e.Time().Median), e.Bytes, e.Allocs, e.Size, peak)
		if compared && e.Library != base {
			times := engine.Ratio(e, reference)
			fmt.Fprintf(w, "\t%s\t%s", times, engine.Spread(times))
		} else {
			fmt.Fprint(w, "\t\t")
		}
		fmt.Fprintln(w, "\t")
		verb = ""
	}
}

// figure formats a short time with three digits, and a long one without a fraction.
func figure(ns float64) string {
	if ns < 100 {
		return fmt.Sprintf("%.1f", ns)
	}
	return fmt.Sprintf("%.0f", ns)
}
