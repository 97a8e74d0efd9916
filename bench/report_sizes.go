package main

import (
	"fmt"
	"io"

	"github.com/dustin/go-humanize"
)

// sizeTable returns the table of the sizes, and of what each library adds.
func sizeTable(list []Program) table {
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

// printSizes prints the sizes of programs.
func printSizes(w io.Writer, list []Program) {
	for _, l := range sizeTable(list).Lines {
		fmt.Fprintf(w, "%-12s %12s bytes  %8s\n", l.Cells[0], l.Cells[1], l.Cells[2])
	}
}
