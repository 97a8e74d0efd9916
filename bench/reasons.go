package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// reasons say why a library is ahead of octet, where one is: beside its figure in the tables, and all together at
// their end. Where it is not ahead, the reason is not shown. The first that matches counts.
var reasons = []reason{}

type reason struct {
	ahead *regexp.Regexp // the name of the case, a blank and the library, as -report lists those without a reason
	why   string
}

// ahead tells that a library is faster than octet, and that the spread does not hide it. The limit is no library.
func (r row) ahead() bool {
	return r.compared && r.Library != limit && !isOurs(r.Library) && r.times.high < 1
}

// reasonFor returns "" if none is known.
func reasonFor(c Case, library string) string {
	for _, r := range reasons {
		if r.ahead.MatchString(c.name() + " " + library) {
			return r.why
		}
	}
	return ""
}

// lead is a library that is ahead in a case.
type lead struct {
	Case
	row
	why string // "" if nobody has found out
}

func (r *Results) leads() (list []lead) {
	for _, g := range groups {
		for _, s := range r.seriesOf(g.name) {
			for _, c := range s.cases {
				for _, row := range timed(c) {
					if row.ahead() {
						list = append(list, lead{c, row, reasonFor(c, row.Library)})
					}
				}
			}
		}
	}
	return list
}

// leadTable sets them with their reasons.
func leadTable(list []lead) table {
	t := table{Name: "Where another is ahead", Columns: []column{{"case", false}, {"library", false}, {"× octet", true}, {"quartiles", true}, {"reason", false}}}
	for _, l := range list {
		t.Lines = append(t.Lines, line{[]string{l.Case.name(), l.Library, times(l.row), spread(l.times), l.why}, "peer"})
	}
	return t
}

// printUnexplained tells the developer which reasons are to be found.
func printUnexplained(w io.Writer, r *Results) {
	var names []string
	for _, l := range r.leads() {
		if l.why == "" {
			names = append(names, fmt.Sprintf("  %s %s\t%s\n", l.Case.name(), l.Library, times(l.row)))
		}
	}
	if len(names) > 0 {
		fmt.Fprintf(w, "ahead of octet, and no reason in reasons.go says why:\n%s", strings.Join(names, ""))
	}
}
