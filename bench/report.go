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

// writeReports makes what people read of r: a Markdown file, and a folder of the charts that it and the README show. They
// lie in dir beside the results file, under its name. All charts are on the page, which is made on demand.
func writeReports(dir string, r *Results) error {
	base := r.base()
	if filepath.Base(base) != base {
		return fmt.Errorf("bench: machine %q and version %q make no file name", r.Machine, r.Go)
	}
	files := map[string][]byte{base + ".md": markdown(r)}
	for _, c := range headlinesOf(r) {
		files[filepath.Join(base, c.file)] = c.svg()
	}
	// A chart that an earlier run had and this one has not must not pass for part of it.
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

// base is the name that the files of a run share.
func (r *Results) base() string { return strings.TrimSuffix(r.fileName(), ".json") }

// circumstances says in one line what was measured on, and when.
func (r *Results) circumstances() string {
	line := fmt.Sprintf("%s, GOMAXPROCS=%d, %s/%s, %s, %s, %s", r.Processor, r.GOMAXPROCS, r.OS, r.Arch, r.Go, r.Date, plural(r.Rounds, "round"))
	if r.Quick {
		line += " of -quick"
	}
	return line
}

// group is what is told together, in the order in which people should meet it.
type group struct {
	name, title, about string
}

var groups = []group{
	{"values", "Values", "A Go value to bytes in one call, and back. Libraries that read MessagePack decode one and the same message, the others what they encoded themselves."},
	{"streams", "Streams", "Small structs, one after another, to a writer and from a reader in memory."},
	{"fixed", "Fixed-size structs", "Structs of numbers in big-endian order, and the frame of a protocol."},
	{"arrays", "Arrays of integers", "A slice of 64-bit integers to bytes, to a writer and back."},
	{"buffers", "Buffers", "Bytes gathered by small writes, and taken out at the end."},
	{"growth", "Growth", "The same operation on 1 to a million elements: a level line is a cost that grows as the data does."},
	{"first", "First calls", "Each call in a process of its own, in which it is the first one. octet later is Octet's third call with the same value."},
}

// series is one operation on one shape: one case, or several that differ in their number of elements.
type series struct {
	shape, verb string
	cases       []Case
}

// title is the shape, and its number of elements if it has but one.
func (s series) title() string {
	if n := s.cases[0].N; n > 0 && !s.grows() {
		return fmt.Sprintf("%s, %s elements", s.shape, humanize.Comma(int64(n)))
	}
	return s.shape
}

// grows tells whether the cases differ in their number of elements.
func (s series) grows() bool { return len(s.cases) > 1 }

// seriesOf returns what r has of a group, each in the order in which it first came.
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

// row is one library in a case, summed up.
type row struct {
	Entry
	time  quartiles // nanoseconds per operation
	times quartiles // its time divided by octet's, taken within each round
	// compared is false where octet did not take part, or the library did not.
	compared bool
}

// timed returns the rows of a case that have figures, the fastest first: by the ratio, which is more certain than the
// time, where there is one.
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

// find returns the entry of a library if it has figures.
func find(c Case, library string) (Entry, bool) {
	i := slices.IndexFunc(c.Entries, func(e Entry) bool { return e.Library == library && len(e.NS) > 0 })
	if i < 0 {
		return Entry{}, false
	}
	return c.Entries[i], true
}

// divide returns a's share of b in each round that both have.
func divide(a, b []float64) []float64 {
	shares := make([]float64, min(len(a), len(b)))
	for i := range shares {
		shares[i] = a[i] / b[i]
	}
	return shares
}

// unit is a measure of time.
type unit struct {
	name string
	ns   float64
}

// unitFor returns the unit for a column of times whose smallest is given: one for all of them, so that they can be
// compared by looking.
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

// moment writes one time with its unit.
func moment(ns float64) string {
	u := unitFor(ns)
	return u.format(ns) + " " + u.name
}

// digits writes three digits of a small number, and all that stand before the point of a large one.
func digits(x float64) string {
	switch {
	case x < 9.995:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case x < 99.95:
		return strconv.FormatFloat(x, 'f', 1, 64)
	}
	return humanize.Comma(int64(math.Round(x)))
}

// whole writes what is whole but for what the runtime does beside it.
func whole(x float64) string { return humanize.Comma(int64(math.Round(x))) }
