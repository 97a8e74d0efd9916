package report

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/dustin/go-humanize"
	"github.com/octet-go/octet/bench/engine"
)

// Write writes the reports of r: a Markdown file, and a directory with the charts that this file and the
// README show. They are in dir, next to the results file, and have its name. The page, which is generated on
// demand, shows all charts.
func Write(dir string, r *engine.Results) error {
	base := r.Base()
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
func headlinesOf(r *engine.Results) []chart {
	return slices.DeleteFunc(charts(r), func(c chart) bool { return !slices.Contains(headlineCharts, c.file) })
}

// A series is one operation on one shape: one case, or several with different numbers of elements.
type series struct {
	shape, verb string
	cases       []engine.Case
}

// title returns the shape, and its number of elements if there is only one.
func (s series) title() string {
	if s.grows() {
		return s.shape
	}
	return SeriesTitle(s.shape, s.cases[0].N)
}

// SeriesTitle returns the title of a series with one number of elements, or with 0 for none.
func SeriesTitle(shape string, n int) string {
	if n > 0 {
		return fmt.Sprintf("%s, %s elements", shape, humanize.Comma(int64(n)))
	}
	return shape
}

// grows reports whether the cases have different numbers of elements.
func (s series) grows() bool { return len(s.cases) > 1 }

// seriesOf returns the series of a group of r in order of first appearance.
func seriesOf(r *engine.Results, group string) []series {
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
		slices.SortStableFunc(s.cases, func(a, b engine.Case) int { return cmp.Compare(a.N, b.N) })
	}
	return list
}

// A row is the summary of one library in a case.
type row struct {
	engine.Entry
	time  engine.Quartiles // nanoseconds per operation
	times engine.Quartiles // its time divided by octet's in each round
	// compared is false if octet or the library did not take part.
	compared bool
}

// timed returns the rows of a case that have times, the fastest first. It sorts by the ratio if there is one,
// because the ratio is more precise than the time.
func timed(c engine.Case) []row {
	var list []row
	reference, ok := engine.Find(c, engine.Ours)
	for _, e := range c.Entries {
		if len(e.NS) == 0 {
			continue
		}
		r := row{Entry: e, time: e.Time(), compared: ok}
		if r.compared {
			r.times = engine.Ratio(e, reference)
		}
		list = append(list, r)
	}
	slices.SortStableFunc(list, func(a, b row) int {
		return cmp.Or(cmp.Compare(a.times.Median, b.times.Median), cmp.Compare(a.time.Median, b.time.Median))
	})
	return list
}
