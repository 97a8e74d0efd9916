package report

import (
	"fmt"
	"io"

	"github.com/dustin/go-humanize"
	"github.com/octet-go/octet/bench/engine"
)

// sizeTable returns the table of the sizes, and of what each library adds.
func sizeTable(list []engine.Program) table {
	t := table{Columns: []column{{"library", false}, {"program", true}, {"added", true}}}
	for _, p := range list {
		added := ""
		if p != list[0] {
			added = humanize.Bytes(uint64(max(0, p.Bytes-list[0].Bytes)))
		}
		t.Lines = append(t.Lines, line{[]string{p.Library, humanize.Comma(p.Bytes), added}, role(p.Library)})
	}
	return t
}

// PrintSizes prints the sizes of programs.
func PrintSizes(w io.Writer, list []engine.Program) {
	for _, l := range sizeTable(list).Lines {
		fmt.Fprintf(w, "%-12s %12s bytes  %8s\n", l.Cells[0], l.Cells[1], l.Cells[2])
	}
}
