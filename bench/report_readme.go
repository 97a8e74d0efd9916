package main

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
)

// resultsFolder is where committed results lie, from the root of the repository.
const resultsFolder = "bench/results"

// headlines are the cases of the table in the README. They were chosen before they were measured: the shapes of the
// texts that Octet grew out of, and what most programs do.
var headlines = []struct {
	group, shape, verb string
	n                  int
	about              string
}{
	{"values", "struct/report", "Marshal", 0, "struct of nine fields"},
	{"values", "struct/report", "Unmarshal", 0, "struct of nine fields"},
	{"values", "struct/account", "Marshal", 0, "flat struct of six fields"},
	{"values", "struct/account", "Unmarshal", 0, "flat struct of six fields"},
	{"values", "slice/accounts", "Marshal", 0, "1,000 of these in a slice"},
	{"values", "slice/accounts", "Unmarshal", 0, "1,000 of these in a slice"},
	{"values", "map/accounts", "Marshal", 0, "1,000 of these in a map"},
	{"values", "map/accounts", "Unmarshal", 0, "1,000 of these in a map"},
	{"values", "document/twitter_status", "Marshal", 0, "JSON document as `any`"},
	{"values", "document/twitter_status", "Unmarshal", 0, "JSON document as `any`"},
	{"fixed", "quote", "Append", 0, "fixed-size struct"},
	{"fixed", "quote", "Decode", 0, "fixed-size struct"},
	{"fixed", "apns", "Write", 0, "frame of a protocol"},
	{"arrays", "bytes", "Append", 1_000_000, "million integers to bytes"},
	{"arrays", "file", "Write", 1_000_000, "the same to a file"},
	{"buffers", "once/5", "Build", 0, "5 bytes through a buffer"},
	{"buffers", "chain/small", "Write", 0, "chain of small writes"},
}

// headlineCharts are the charts that the README shows.
var headlineCharts = []string{
	"values-structs-marshal.svg", "values-structs-unmarshal.svg", "fixed-append.svg", "arrays-append.svg", "growth-unmarshal.svg",
}

// leastRounds is how many rounds a published figure is the median of.
const leastRounds = 10

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
	if r.Rounds < leastRounds {
		return nil, fmt.Errorf("%s are too few for publication: %d are enough", plural(r.Rounds, "round"), leastRounds)
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
	fmt.Fprintf(&b, "%s.\nAll figures, and all cases in which another is ahead: [tables](%s.md).\nAll charts: `go run ./bench -report %[2]s.json -page page.html`.\n\n", r.circumstances(), base)
	t := table{Columns: []column{{"work", false}, {"call", false}, {"Octet", true}, {"allocs", true}, {"nearest peer", false}, {"standard library", false}, {"limit", true}}}
	var ahead []string
	last := "" // what the line above is about, which is not said again
	for _, h := range headlines {
		i := slices.IndexFunc(r.Cases, func(c Case) bool {
			return c.Group == h.group && c.Shape == h.shape && c.Verb == h.verb && (h.n == 0 || c.N == h.n)
		})
		if i < 0 {
			return nil, fmt.Errorf("the results have no %s/%s/%s", h.group, h.shape, h.verb)
		}
		rows := timed(r.Cases[i])
		l, err := headline(rows)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.Cases[i].name(), err)
		}
		about := h.about
		if about == last {
			about = ""
		}
		t.Lines = append(t.Lines, line{append([]string{about, "`" + h.verb + "`"}, l...), "peer"})
		last = h.about
		for _, row := range rows {
			if row.ahead() {
				ahead = append(ahead, fmt.Sprintf("- %s, `%s`: %s is ahead; %s\n", h.about, h.verb, row.Library, cmp.Or(reasonFor(r.Cases[i], row.Library), "no reason is known")))
			}
		}
	}
	writeTable(&b, t)
	b.WriteString("\nPeers and the limit: their time divided by Octet's within one round, median and quartiles; above 1 Octet is faster, ≈ is too close to tell.\n")
	if len(ahead) > 0 {
		fmt.Fprintf(&b, "\nWhere another is ahead, and why:\n\n%s", strings.Join(ahead, ""))
	}
	for _, c := range headlinesOf(r) {
		fmt.Fprintf(&b, "\n![%s](%s/%s)\n", c.title, base, c.file)
	}
	return b.Bytes(), nil
}

// standard are the entries that stand for the standard library.
var standard = []string{"json", "encoding/binary", "bytes.Buffer"}

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
