package report

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/octet-go/octet/bench/engine"
)

// howToRead is the text above the tables, in the Markdown file and on the page.
const howToRead = "× octet is a library's time divided by octet's in each round: 2 means that it takes twice as long. " +
	"The quartiles enclose the middle half of the rounds. ≈ marks a ratio whose quartiles enclose 1: it is not clear which " +
	"is faster. B/op and allocs/op are heap memory allocated per operation; size is the number of encoded bytes. " +
	"limit is the necessary work in plain Go: copying the bytes, and walking and filling the maps."

// processed follows it if the run has processor times.
const processed = " A time is the third lowest of the rounds, in processor time, so that other programs on the machine hardly change it. " +
	"For operations on several processors and on files, and for first calls, it is the median of the time on the clock."

// reading returns the text above the tables of r.
func reading(r *engine.Results) string {
	if r.Processed() {
		return howToRead + processed
	}
	return howToRead
}

// markdown returns the tables of r, with links to the charts.
func markdown(r *engine.Results) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Octet and other libraries\n\n%s.\n\n%s [README.md](../README.md) describes the method and its limits.\n\n", r.Circumstances(), reading(r))
	writeTable(&b, libraryTable(r))
	writeSizes(&b, r)
	shown := headlinesOf(r)
	for _, g := range engine.Groups {
		list := seriesOf(r, g.Name)
		if len(list) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n\n%s\n", g.Title, g.About)
		for _, c := range shown {
			if c.group == g.Name {
				fmt.Fprintf(&b, "\n![%s](%s/%s)\n", c.title, r.Base(), c.file)
			}
		}
		if ratios := messageRatios(r); g.Name == messagesGroup && len(ratios) > 0 {
			b.WriteString("\nThe time of layout divided by that of code by hand:\n\n")
			writeTable(&b, ratioTable(ratios, "message"))
		}
		for _, s := range list {
			t := tabulate(s)
			fmt.Fprintf(&b, "\n### %s\n\n%s\n\n", t.Name, t.About)
			writeTable(&b, t)
		}
	}
	if leads := leads(r); len(leads) > 0 {
		fmt.Fprintf(&b, "\n## Where another library is faster\n\n%s\n\n", aboutLeads)
		writeTable(&b, leadTable(leads))
	}
	return b.Bytes()
}

const aboutLeads = "The cases in which another library is faster than Octet by more than the spread, with the reason."

// libraryTable returns the table of the libraries, by the names in the other tables.
func libraryTable(r *engine.Results) table {
	t := table{Columns: []column{{"library", false}, {"version", false}, {"import path", false}, {"note", false}}}
	for _, l := range r.Libraries {
		version := l.Version
		if version == "" {
			version = "–"
		}
		t.Lines = append(t.Lines, line{[]string{l.Name, version, l.Path, l.Note}, role(l.Name)})
	}
	return t
}

const aboutSizes = "The size of a program that prints a struct, and of the same program with Marshal and Unmarshal of a library, linked without symbols."

func writeSizes(b *bytes.Buffer, r *engine.Results) {
	if len(r.Programs) > 0 {
		fmt.Fprintf(b, "\n## Size of a program\n\n%s\n\n", aboutSizes)
		writeTable(b, sizeTable(r.Programs))
	}
}

// escaped replaces characters that would end a cell or begin a tag.
var escaped = strings.NewReplacer("|", `\|`, "<", `\<`)

func writeTable(b *bytes.Buffer, t table) {
	rule := "|"
	b.WriteByte('|')
	for _, c := range t.Columns {
		fmt.Fprintf(b, " %s |", c.Title)
		if c.Numeric {
			rule += "---:|"
		} else {
			rule += "---|"
		}
	}
	fmt.Fprintf(b, "\n%s\n", rule)
	for _, l := range t.Lines {
		b.WriteByte('|')
		for _, cell := range l.Cells {
			if l.Kind == engine.Ours && cell == engine.Ours {
				cell = "**" + cell + "**"
			}
			fmt.Fprintf(b, " %s |", escaped.Replace(cell))
		}
		b.WriteByte('\n')
	}
}
