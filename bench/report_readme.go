package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
)

// resultsFolder is where committed results lie, from the root of the repository.
const resultsFolder = "bench/results"

// headlines are the cases of the table in the README. They were chosen before they were measured: the shapes that
// the texts Octet grew out of had, and of every group the one that most programs meet.
var headlines = []struct{ group, shape, verb, about string }{
	{"values", "struct/report", "Marshal", "struct of nine fields"},
	{"values", "struct/report", "Unmarshal", ""},
	{"values", "struct/account", "Marshal", "flat struct of six fields"},
	{"values", "struct/account", "Unmarshal", ""},
}

// headlineCharts are the charts that the README shows.
var headlineCharts = []string{"values-structs-marshal.svg", "values-structs-unmarshal.svg"}

// readmeBlock finds the part of the README that is made from results.
var readmeBlock = regexp.MustCompile(`(?s)(<!-- bench:begin -->\n).*?(<!-- bench:end -->)`)

// updateReadme writes the figures of r into the README at path.
func updateReadme(path string, r *Results) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	text, err = withFigures(text, r)
	if err != nil {
		return fmt.Errorf("bench: %s: %w", path, err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

// withFigures returns a README with the figures of r in the place for them.
func withFigures(readme []byte, r *Results) ([]byte, error) {
	if len(readmeBlock.FindAll(readme, 2)) != 1 {
		return nil, fmt.Errorf("not one place marked bench:begin to bench:end")
	}
	if r.Quick {
		return nil, fmt.Errorf("a quick run is not for publication")
	}
	figures, err := headlineTable(r)
	if err != nil {
		return nil, err
	}
	return readmeBlock.ReplaceAllFunc(readme, func(old []byte) []byte {
		m := readmeBlock.FindSubmatch(old)
		return slices.Concat(m[1], figures, m[2])
	}), nil
}

// headlineTable sets the headlines, the charts, and where the rest is.
func headlineTable(r *Results) ([]byte, error) {
	base := path.Join(resultsFolder, r.base())
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s.\nAll figures: [tables](%s.md), and the same as a [page](%[2]s.html) to download.\n\n", r.circumstances(), base)
	t := table{Columns: []column{{"work", false}, {"call", false}, {"Octet", true}, {"allocs", true}, {"nearest peer", false}, {"standard library", false}, {"limit", true}}}
	for _, h := range headlines {
		i := slices.IndexFunc(r.Cases, func(c Case) bool { return c.Group == h.group && c.Shape == h.shape && c.Verb == h.verb })
		if i < 0 {
			return nil, fmt.Errorf("the results have no %s/%s/%s", h.group, h.shape, h.verb)
		}
		rows := timed(r.Cases[i])
		l, err := headline(rows)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Cases[i].name(), err)
		}
		t.Lines = append(t.Lines, line{append([]string{h.about, "`" + h.verb + "`"}, l...), "peer"})
	}
	writeTable(&b, t)
	b.WriteString("\nPeers and the limit: their time divided by Octet's within one round, median and quartiles; above 1 Octet is faster, ≈ is too close to tell.\n")
	for _, c := range charts(r) {
		if slices.Contains(headlineCharts, c.file) {
			fmt.Fprintf(&b, "\n![%s: %s](%s/%s)\n", c.title, c.about, base, c.file)
		}
	}
	return b.Bytes(), nil
}

// standard are the entries that stand for the standard library.
var standard = []string{"encoding/json", "encoding/binary", "bytes.Buffer"}

// headline is a line from Octet's time on.
func headline(rows []row) ([]string, error) {
	i := slices.IndexFunc(rows, func(r row) bool { return r.Library == ours })
	if i < 0 {
		return nil, fmt.Errorf("octet was not measured")
	}
	cells := []string{moment(rows[i].time.median), whole(rows[i].Allocs), "", "", ""}
	for _, r := range slices.SortedStableFunc(slices.Values(rows), func(a, b row) int { return cmp.Compare(a.times.median, b.times.median) }) {
		switch {
		case r.Library == limit:
			cells[4] = digits(r.times.median)
		case isOurs(r.Library):
		case cells[2] == "":
			cells[2] = ratioOf(r)
			if slices.Contains(standard, r.Library) {
				cells[3] = "the same"
			}
		case slices.Contains(standard, r.Library):
			cells[3] = ratioOf(r)
		}
	}
	return cells, nil
}

func ratioOf(r row) string {
	return fmt.Sprintf("%s %s (%s–%s)", r.Library, times(r), digits(r.times.low), digits(r.times.high))
}
