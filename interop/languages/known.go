package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A difference is a row that a library does not handle as expected, with the reason in the list of the library.
type difference struct {
	row, what, reason string
}

// unexplained is the reason of new differences. The tests fail for a list that contains it, until somebody writes a reason.
const unexplained = "Not explained yet."

// A list of known differences is a text file. A line without a tab at its beginning is the reason of the lines with a tab that
// follow it: the name of a row, an arrow, and what the library does. Lines that begin with # are comments.

// parseKnown parses such a list.
func parseKnown(text string) ([]difference, error) {
	var list []difference
	reason := ""
	for i, line := range strings.Split(text, "\n") {
		switch {
		case line == "" || line[0] == '#':
		case line[0] != '\t':
			reason = line
		default:
			name, what, ok := cutRow(line[1:])
			if !ok || reason == "" {
				return nil, fmt.Errorf("line %d has no reason, or is not a row, an arrow and what the library does", i+1)
			}
			list = append(list, difference{name, what, reason})
		}
	}
	return list, nil
}

// cutRow splits a line at its arrow, because names contain colons.
func cutRow(line string) (name, what string, ok bool) { return strings.Cut(line, " → ") }

// formatKnown is the opposite of parseKnown. Differences with the same reason form one group, at the position of the first.
func formatKnown(list []difference) string {
	var order []string
	groups := map[string][]difference{}
	for _, d := range list {
		if groups[d.reason] == nil {
			order = append(order, d.reason)
		}
		groups[d.reason] = append(groups[d.reason], d)
	}
	var b strings.Builder
	for i, reason := range order {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n", reason)
		for _, d := range groups[reason] {
			fmt.Fprintf(&b, "\t%s → %s\n", d.row, d.what)
		}
	}
	return b.String()
}

func knownFile(folder string, c column) string { return filepath.Join(folder, "known", c.file+".txt") }

// readKnown returns the list of a library. A library without differences needs no file.
func readKnown(folder string, c column) ([]difference, error) {
	text, err := os.ReadFile(knownFile(folder, c))
	if os.IsNotExist(err) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	list, err := parseKnown(string(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", knownFile(folder, c), err)
	}
	return list, nil
}

// check compares what a library did with its list. It returns a text for each difference that the list lacks or describes
// differently, and for each that the library no longer has.
func check(c column, rows []row, known []difference) []string {
	listed := map[string]difference{}
	var problems []string
	for _, d := range known {
		if _, twice := listed[d.row]; twice {
			problems = append(problems, fmt.Sprintf("%s: listed twice", d.row))
		}
		if d.reason == unexplained {
			problems = append(problems, fmt.Sprintf("%s: the list gives no reason", d.row))
		}
		listed[d.row] = d
	}
	for _, r := range rows {
		got, want := c.outcome(r).text, listed[r.name].what
		delete(listed, r.name)
		switch {
		case got == want:
		case want == "":
			problems = append(problems, fmt.Sprintf("%s: %s", r.name, got))
		case got == "":
			problems = append(problems, fmt.Sprintf("%s: passes, but the list says: %s", r.name, want))
		default:
			problems = append(problems, fmt.Sprintf("%s: %s, but the list says: %s", r.name, got, want))
		}
	}
	for name := range listed {
		problems = append(problems, name+": listed, but there is no such row")
	}
	return problems
}

// updateKnown returns the list of the differences that the library has now. It keeps the order and the reasons of known.
func updateKnown(c column, rows []row, known []difference) []difference {
	did := map[string]string{}
	for _, r := range rows {
		did[r.name] = c.outcome(r).text
	}
	var list []difference
	for _, d := range known {
		if what := did[d.row]; what != "" {
			list = append(list, difference{d.row, what, d.reason})
		}
		delete(did, d.row)
	}
	for _, r := range rows {
		if what := did[r.name]; what != "" {
			list = append(list, difference{r.name, what, unexplained})
		}
	}
	return list
}
