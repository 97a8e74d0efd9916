package report

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/octet-go/octet/bench/engine"
)

// howToReadInstructions is the text above the table.
const howToReadInstructions = "For each set of instructions, the first column is Octet's time, and the second one the time of the fastest other library or code divided by " +
	"it, without the limit: below 1, the other one is faster. The instructions are turned off with GODEBUG, for all libraries that look at it and for the Go runtime."

// instructionTable returns a row for each case and operation, with two columns for each set.
func instructionTable(i *engine.Instructions) table {
	t := table{Columns: []column{{"case", false}}}
	for _, r := range i.Runs {
		t.Columns = append(t.Columns, column{r.Name, true}, column{"fastest other", true})
	}
	for _, c := range i.Runs[0].Results.Cases {
		name := c.Name()
		cells := []string{name}
		for _, r := range i.Runs {
			j := slices.IndexFunc(r.Results.Cases, func(o engine.Case) bool { return o.Name() == name })
			own, other := "–", "–"
			if j >= 0 {
				own, other = instructionCells(r.Results.Cases[j])
			}
			cells = append(cells, own, other)
		}
		t.Lines = append(t.Lines, line{cells, "peer"})
	}
	return t
}

// instructionCells returns Octet's time, and the ratio and name of the fastest other library.
func instructionCells(c engine.Case) (own, other string) {
	own, other = "–", "–"
	for _, r := range timed(c) {
		switch {
		case r.Library == engine.Ours:
			own = engine.FormatTime(r.time.Median)
		case other == "–" && r.compared && r.Library != engine.Limit && !engine.IsOurs(r.Library):
			other = r.times.String() + " " + r.Library
		}
	}
	return own, other
}

// PrintInstructions prints the table.
func PrintInstructions(w io.Writer, i *engine.Instructions) {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	table := instructionTable(i)
	var titles []string
	for _, c := range table.Columns {
		titles = append(titles, c.Title)
	}
	fmt.Fprintln(t, strings.Join(titles, "\t"))
	for _, l := range table.Lines {
		fmt.Fprintln(t, strings.Join(l.Cells, "\t"))
	}
	t.Flush()
}

// WriteInstructions writes the table in Markdown to dir.
func WriteInstructions(dir string, i *engine.Instructions) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Octet with fewer instructions\n\n%s.\n\n%s\n\n", i.Runs[0].Results.Circumstances(), howToReadInstructions)
	t := table{Columns: []column{{"instructions", false}, {"GODEBUG", false}}}
	for _, r := range i.Runs {
		t.Lines = append(t.Lines, line{[]string{r.Name, r.Godebug}, "peer"})
	}
	writeTable(&b, t)
	b.WriteString("\n")
	writeTable(&b, instructionTable(i))
	if err := os.WriteFile(filepath.Join(dir, i.Base()+".md"), b.Bytes(), 0o666); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}
