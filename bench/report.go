package main

import (
	"cmp"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/dustin/go-humanize"
)

// writeReports writes the reports of r: a Markdown file, and a directory with the charts that this file and the
// README show. They are in dir, next to the results file, and have its name. The page, which is generated on
// demand, shows all charts.
func writeReports(dir string, r *Results) error {
	base := r.base()
	if filepath.Base(base) != base {
		return fmt.Errorf("bench: machine %q and version %q are not valid in a file name", r.Machine, r.Go)
	}
	files := map[string][]byte{base + ".md": markdown(r)}
	for _, c := range headlinesOf(r) {
		files[filepath.Join(base, c.file)] = c.svg()
	}
	// Remove charts of an earlier run that this run does not have.
	stale, err := filepath.Glob(filepath.Join(dir, base, "*.svg"))
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	for _, path := range stale {
		if err := os.Remove(path); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	if err := os.MkdirAll(filepath.Join(dir, base), 0o777); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), text, 0o666); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	return nil
}

// headlinesOf returns the charts of r that are committed.
func headlinesOf(r *Results) []chart {
	return slices.DeleteFunc(charts(r), func(c chart) bool { return !slices.Contains(headlineCharts, c.file) })
}

// base returns the base name of the files of a run.
func (r *Results) base() string { return strings.TrimSuffix(r.fileName(), ".json") }

// circumstances returns one line about the machine, the versions and the date.
func (r *Results) circumstances() string {
	line := fmt.Sprintf("%s, GOMAXPROCS=%d, %s/%s, %s, %s, %s", r.Processor, r.GOMAXPROCS, r.OS, r.Arch, r.Go, r.Date, plural(r.Rounds, "round"))
	if r.Quick {
		line += " of -quick"
	}
	return line
}

// A group is a section of the reports. groups is in the order of the sections.
type group struct {
	name, title, about string
}

var groups = []group{
	{"values", "Values", "A Go value to bytes in one call, and back. Libraries that read MessagePack decode the same message, the others decode their own messages."},
	{"streams", "Streams", "Small structs, one after another, to a writer and from a reader in memory."},
	{"record", "Files of records", "Files of many records in memory, from creating to closing them, and reading them. An operation is one record, for Parallel a file of 64 MiB. The limit writes encoded bytes, for Discard it encodes without writing, and for Read it decodes from memory."},
	{"fixed", "Fixed-size structs", "Structs of numbers in big-endian order, and the frame of a protocol."},
	{"layout", "Declared messages", "Messages that struct tags declare, in big-endian order. By hand: offset arithmetic in a function of its own. Octet and the code by hand check all constants and lengths, and the decoded payload is part of the message."},
	{"arrays", "Arrays of integers", "A slice of 64-bit integers to bytes, to a writer and back."},
	{"buffers", "Buffers", "Small writes to a buffer, and the contents at the end."},
	{"growth", "Growth", "The same operation on 1 to a million elements: a horizontal line is a cost proportional to the size of the data."},
	{"first", "First calls", "Each call is the first one in a separate process. octet later is Octet's third call with the same value."},
}

// A series is one operation on one shape: one case, or several with different numbers of elements.
type series struct {
	shape, verb string
	cases       []Case
}

// title returns the shape, and its number of elements if there is only one.
func (s series) title() string {
	if n := s.cases[0].N; n > 0 && !s.grows() {
		return fmt.Sprintf("%s, %s elements", s.shape, humanize.Comma(int64(n)))
	}
	return s.shape
}

// grows reports whether the cases have different numbers of elements.
func (s series) grows() bool { return len(s.cases) > 1 }

// seriesOf returns the series of a group in order of first appearance.
func (r *Results) seriesOf(group string) []series {
	var list []series
	for _, c := range r.Cases {
		if c.Group != group {
			continue
		}
		i := slices.IndexFunc(list, func(s series) bool { return s.shape == c.Shape && s.verb == c.Verb })
		if i < 0 {
			i, list = len(list), append(list, series{shape: c.Shape, verb: c.Verb})
		}
		list[i].cases = append(list[i].cases, c)
	}
	for _, s := range list {
		slices.SortStableFunc(s.cases, func(a, b Case) int { return cmp.Compare(a.N, b.N) })
	}
	return list
}

// A row is the summary of one library in a case.
type row struct {
	Entry
	time  quartiles // nanoseconds per operation
	times quartiles // its time divided by octet's in each round
	// compared is false if octet or the library did not take part.
	compared bool
}

// timed returns the rows of a case that have times, the fastest first. It sorts by the ratio if there is one,
// because the ratio is more precise than the time.
func timed(c Case) []row {
	var list []row
	reference, ok := find(c, ours)
	for _, e := range c.Entries {
		if len(e.NS) == 0 {
			continue
		}
		r := row{Entry: e, time: summarise(e.NS), compared: ok}
		if r.compared {
			r.times = ratio(e, reference)
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.times.median, b.times.median), cmp.Compare(a.time.median, b.time.median))
	})
	return list
}

// find returns the entry of a library if it has times.
func find(c Case, library string) (Entry, bool) {
	i := slices.IndexFunc(c.Entries, func(e Entry) bool { return e.Library == library && len(e.NS) > 0 })
	if i < 0 {
		return Entry{}, false
	}
	return c.Entries[i], true
}

// divide returns a divided by b for each round that both have.
func divide(a, b []float64) []float64 {
	shares := make([]float64, min(len(a), len(b)))
	for i := range shares {
		shares[i] = a[i] / b[i]
	}
	return shares
}

// A unit is a unit of time.
type unit struct {
	name string
	ns   float64
}

// unitFor returns the unit for a column of times with the given minimum. A column has only one unit, so that its
// figures can be compared easily.
func unitFor(least float64) unit {
	switch {
	case least < 10_000:
		return unit{"ns", 1}
	case least < 10_000_000:
		return unit{"µs", 1e3}
	}
	return unit{"ms", 1e6}
}

func (u unit) format(ns float64) string { return digits(ns / u.ns) }

// formatTime formats one time with its unit.
func formatTime(ns float64) string {
	u := unitFor(ns)
	return u.format(ns) + " " + u.name
}

// digits formats a number with at least three digits, and all digits before the point.
func digits(x float64) string {
	switch {
	case x < 9.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 99.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return humanize.Comma(int64(math.Round(x)))
}

// whole formats a number that is an integer except for background allocations of the runtime.
func whole(x float64) string { return humanize.Comma(int64(math.Round(x))) }
