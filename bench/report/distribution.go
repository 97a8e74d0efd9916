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

// declLimit is the number of declarations that the report prints for one type.
const declLimit = 12

// howToReadRatios is the text above the tables of a distribution.
const howToReadRatios = "A ratio is Octet's time divided by the library's, for one type: below 1, Octet is faster. Half of the types have a lower " +
	"ratio than the median, and 9 of 10 have a lower one than the next column. Libraries that use reflection are one peer, the fastest of them for each type."

// distributionKind describes the types of a distribution.
func distributionKind(d *engine.Distribution) string {
	if d.Kind == "random" {
		return fmt.Sprintf("random struct types, seed %d", d.Seed)
	}
	return fmt.Sprintf("struct types of public modules, %.0f%% of their optional parts present", 100*d.Present)
}

// distributionFiles returns the reports of d by file name: the Markdown file and the charts.
func distributionFiles(d *engine.Distribution) map[string][]byte {
	base := d.Base()
	list := d.Ratios()
	files := map[string][]byte{base + ".md": distributionMarkdown(d, list)}
	for _, c := range distributionCharts(d, list) {
		files[filepath.Join(base, c.file)] = c.svg()
	}
	return files
}

// distributionCharts returns the chart of the headline verbs and that of the others.
func distributionCharts(d *engine.Distribution, list []engine.Ratios) (charts []chart) {
	var others []string
	for _, r := range list {
		if !slices.Contains(headlineVerbs, r.Verb) && !slices.Contains(others, r.Verb) {
			others = append(others, r.Verb)
		}
	}
	title := fmt.Sprintf("Octet on %d %s", len(d.Types), distributionKind(d))
	for _, part := range []struct {
		file  string
		verbs []string
	}{{"ratios.svg", headlineVerbs}, {"ratios-other.svg", others}} {
		if c := distributionChart(title, list, part.verbs); len(c.panels) > 0 {
			c.file = part.file
			charts = append(charts, c)
		}
	}
	return charts
}

// WriteDistribution writes the reports of d to dir: a Markdown file, and a directory with the charts.
func WriteDistribution(dir string, d *engine.Distribution) error {
	if base := d.Base(); filepath.Base(base) != base {
		return fmt.Errorf("bench: machine %q and version %q are not valid in a file name", d.Machine, d.Go)
	}
	for name, text := range distributionFiles(d) {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
		if err := os.WriteFile(path, text, 0o666); err != nil {
			return fmt.Errorf("bench: %w", err)
		}
	}
	return nil
}

// PrintDistribution prints the table of d.
func PrintDistribution(w io.Writer, d *engine.Distribution) {
	fmt.Fprintf(w, "%d %s\n%s\nOctet's time ÷ the library's\n\n", len(d.Types), distributionKind(d), d.Circumstances())
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	table := ratioTable(d.Ratios(), "type")
	var titles []string
	for _, c := range table.Columns {
		titles = append(titles, c.Title)
	}
	fmt.Fprintln(t, strings.Join(titles, "\t"))
	for _, l := range table.Lines {
		fmt.Fprintln(t, strings.Join(l.Cells, "\t"))
	}
	t.Flush()
	for _, r := range d.LeftOut {
		fmt.Fprintf(w, "left out: %s: %d\n", r.Why, r.Count)
	}
}

// ratioTable returns the table of the ratios. thing is what was measured: a type or a message.
func ratioTable(list []engine.Ratios, thing string) table {
	t := table{Columns: []column{
		{"operation", false}, {"beside", false}, {thing + "s", true}, {"median", true}, {"quartiles", true}, {"9 of 10 below", true}, {"worst", true}, {"slower on", true}, {"worst " + thing, false},
	}}
	for _, r := range list {
		n := len(r.Ratios)
		t.Lines = append(t.Lines, line{[]string{
			r.Verb, r.Peer, fmt.Sprint(n), engine.Digits(r.At(0.5)), engine.Digits(r.At(0.25)) + "–" + engine.Digits(r.At(0.75)),
			engine.Digits(r.At(0.9)), engine.Digits(r.At(1)), fmt.Sprintf("%d (%.0f%%)", r.Slower(), 100*float64(r.Slower())/float64(n)), r.Worst,
		}, "peer"})
	}
	return t
}

// distributionMarkdown returns the report of d.
func distributionMarkdown(d *engine.Distribution, list []engine.Ratios) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Octet on %d %s\n\n%s.\n\n%s [README.md](../README.md) describes the method.\n", len(d.Types), distributionKind(d), d.Circumstances(), howToReadRatios)
	for _, c := range distributionCharts(d, list) {
		fmt.Fprintf(&b, "\n![%s](%s/%s)\n", c.title, d.Base(), c.file)
	}
	b.WriteString("\n")
	writeTable(&b, ratioTable(list, "type"))
	if len(d.Modules) > 0 {
		b.WriteString("\n## Modules\n\n")
		writeTable(&b, versionTable(d.Modules))
	}
	b.WriteString("\n## Libraries\n\n")
	writeTable(&b, versionTable(d.Libraries))
	if len(d.LeftOut) > 0 {
		b.WriteString("\n## Left out\n\n")
		t := table{Columns: []column{{"what and why", false}, {"times", true}}}
		for _, r := range d.LeftOut {
			t.Lines = append(t.Lines, line{[]string{r.Why, fmt.Sprint(r.Count)}, "peer"})
		}
		writeTable(&b, t)
	}
	b.WriteString("\n## The worst types\n")
	for _, name := range worstTypes(list) {
		var at []string
		for _, r := range list {
			if r.Worst == name {
				at = append(at, fmt.Sprintf("%s beside %s, %s×", r.Verb, r.Peer, engine.Digits(r.At(1))))
			}
		}
		text, left := d.Decl(name, declLimit)
		fmt.Fprintf(&b, "\n### %s\n\n%s.\n\n```go\n%s```\n", name, strings.Join(at, "; "), text)
		if left > 0 {
			fmt.Fprintf(&b, "\n%s of types inside these are in the file of the results.\n", engine.Plural(left, "declaration"))
		}
	}
	return b.Bytes()
}

// worstTypes returns the types with the highest ratio of some verb and peer, in order of first appearance.
func worstTypes(list []engine.Ratios) (names []string) {
	for _, r := range list {
		if !slices.Contains(names, r.Worst) {
			names = append(names, r.Worst)
		}
	}
	return names
}

func versionTable(list []engine.Library) table {
	t := table{Columns: []column{{"name", false}, {"version", false}, {"path", false}}}
	for _, l := range list {
		t.Lines = append(t.Lines, line{[]string{l.Name, l.Version, l.Path}, "peer"})
	}
	return t
}
