package report

import (
	"slices"

	"github.com/dustin/go-humanize"
	"github.com/octet-go/octet/bench/engine"
)

// A table is a series in the form that the Markdown file and the page share.
type table struct {
	Name    string
	About   string
	Columns []column
	Lines   []line
}

type column struct {
	Title   string
	Numeric bool
}

// A line is one library in one case, with a cell for each column.
type line struct {
	Cells []string
	Kind  string // octet, limit, peer, or absent for a library that did not take part
}

// tabulate returns the table of a series. It omits columns that are empty in all lines.
func tabulate(s series) table {
	u := engine.UnitFor(0)
	if first := timed(s.cases[0]); len(first) > 0 {
		u = engine.UnitFor(first[0].time.Median)
	}
	t := table{Name: s.title() + ", " + s.verb, About: s.cases[0].About, Columns: []column{
		{"elements", true}, {"library", false}, {u.Name + "/op", true}, {"quartiles", true}, {"× octet", true}, {"quartiles", true},
		{"B/op", true}, {"allocs/op", true}, {"size", true}, {"peak heap", true}, {"note", false},
	}}
	for _, c := range s.cases {
		n := ""
		if s.grows() {
			n = humanize.Comma(int64(c.N))
		}
		for _, r := range timed(c) {
			cells := append([]string{n}, cells(r, u)...)
			if r.ahead() {
				cells[len(cells)-1] = joined(r.Note, reasonFor(c, r.Library))
			}
			t.Lines = append(t.Lines, line{cells, role(r.Library)})
		}
		for _, e := range c.Entries {
			if len(e.NS) == 0 {
				cells := make([]string, len(t.Columns))
				cells[0], cells[1], cells[2], cells[len(cells)-1] = n, e.Library, "–", e.Note
				t.Lines = append(t.Lines, line{cells, "absent"})
			}
		}
	}
	for i := len(t.Columns) - 1; i >= 0; i-- {
		if !slices.ContainsFunc(t.Lines, func(l line) bool { return l.Cells[i] != "" }) {
			t.Columns = slices.Delete(t.Columns, i, i+1)
			for j := range t.Lines {
				t.Lines[j].Cells = slices.Delete(t.Lines[j].Cells, i, i+1)
			}
		}
	}
	return t
}

// cells returns the cells of a line except the first.
func cells(r row, u engine.Unit) []string {
	list := []string{
		r.Library, u.Format(r.time.Median), u.Format(r.time.Low) + "–" + u.Format(r.time.High), times(r), "",
		engine.Whole(r.Bytes), engine.Whole(r.Allocs), "", "", r.Note,
	}
	if r.compared && r.Library != engine.Ours {
		list[4] = engine.Spread(r.times)
	}
	if r.Size > 0 {
		list[7] = humanize.Comma(int64(r.Size))
	}
	if r.Peak > 0 {
		list[8] = humanize.IBytes(uint64(r.Peak))
	}
	return list
}

// joined joins two notes, which may be empty.
func joined(one, other string) string {
	if one != "" && other != "" {
		return one + "; " + other
	}
	return one + other
}

// times formats the ratio of the time of r to octet's time.
func times(r row) string {
	switch {
	case !r.compared:
		return ""
	case r.Library == engine.Ours:
		return "1"
	}
	return r.times.String()
}

func role(library string) string {
	switch library {
	case engine.Ours, engine.Limit:
		return library
	}
	return "peer"
}
