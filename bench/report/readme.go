package report

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/octet-go/octet/bench/engine"
)

// resultsFolder is the directory of committed results, relative to the root of the repository.
const resultsFolder = "bench/results"

// headlines lists the rows of the table in the README: what most programs do. They were chosen before they were
// measured, and every complete run has them.
var headlines = []struct {
	group, shape, verb string
	about              string
}{
	{"values", nineFields, "Marshal", "a struct of nine fields"},
	{"values", nineFields, "Unmarshal", "a struct of nine fields"},
	{"values", "slice/accounts", "Unmarshal", "1,000 structs in a slice"},
	{"values", "map/accounts", "Marshal", "1,000 structs in a map"},
	{"values", "document/twitter_status", "Unmarshal", "a JSON document as `any`"},
}

// nineFields is the shape of the struct that the README shows if there is no run over types.
const nineFields = "struct/report"

// headlinePeers lists the columns of that table: the libraries that programs use today.
var headlinePeers = []struct{ library, name string }{
	{"shamaton", "shamaton/msgpack"},
	{"vmihailenco", "vmihailenco/msgpack"},
	{"ugorji", "ugorji/go/codec"},
	{"msgp", "tinylib/msgp (generated code)"},
	{"json", "encoding/json"},
}

// headlineCharts lists the charts that the README and the Markdown tables show.
var headlineCharts = []string{
	readmeChart, "values-structs-marshal.svg", "fixed-append.svg", "arrays-append.svg", "growth-unmarshal.svg",
}

// readmeChart is the chart in the README.
const readmeChart = "values-structs-unmarshal.svg"

// minRounds is the minimum number of rounds for published figures of runs before processor times were measured.
const minRounds = 10

// readmeBlock matches the part of a page that is generated from results.
var readmeBlock = regexp.MustCompile(`(?s)(<!-- bench:begin -->\n).*?(<!-- bench:end -->)`)

// figuredPages lists the other pages with figures from the results.
var figuredPages = []struct {
	path    string // relative to the root of the repository
	figures func(*engine.Results) ([]byte, error)
}{
	{layoutPage, layoutFigures},
	{choosingPage, choosingFigures},
}

// Update writes the figures of r into the README and the other pages of the repository in root.
func Update(root string, r *engine.Results) error {
	d, err := typesOf(filepath.Join(root, filepath.FromSlash(resultsFolder)), r)
	if err != nil {
		return err
	}
	if err := updateReadme(filepath.Join(root, "README.md"), r, d); err != nil {
		return err
	}
	for _, p := range figuredPages {
		if err := updatePage(filepath.Join(root, filepath.FromSlash(p.path)), r, p.figures); err != nil {
			return err
		}
	}
	return nil
}

// updateReadme writes the figures of r and of d, which may be nil, into the README at path.
func updateReadme(path string, r *engine.Results, d *engine.Distribution) error {
	return updatePage(path, r, headlinesWith(d))
}

// headlinesWith returns the function for the figures of the README.
func headlinesWith(d *engine.Distribution) func(*engine.Results) ([]byte, error) {
	return func(r *engine.Results) ([]byte, error) { return headlineTable(r, d) }
}

// updatePage writes what figures returns into the page at path.
func updatePage(path string, r *engine.Results, figures func(*engine.Results) ([]byte, error)) error {
	text, err := os.ReadFile(path)
	if err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	text, err = insertFigures(text, r, figures)
	if err != nil {
		return fmt.Errorf("bench: %s: %w", path, err)
	}
	if err := os.WriteFile(path, text, 0o666); err != nil {
		return fmt.Errorf("bench: %w", err)
	}
	return nil
}

// withFigures returns the README with its generated part replaced by the figures of r and of d, which may be nil.
func withFigures(readme []byte, r *engine.Results, d *engine.Distribution) ([]byte, error) {
	return insertFigures(readme, r, headlinesWith(d))
}

// insertFigures returns a page with its generated part replaced by what figures returns.
func insertFigures(page []byte, r *engine.Results, figuresOf func(*engine.Results) ([]byte, error)) ([]byte, error) {
	if len(readmeBlock.FindAll(page, 2)) != 1 {
		return nil, fmt.Errorf("the page must have exactly one block from bench:begin to bench:end")
	}
	if r.Quick {
		return nil, fmt.Errorf("a quick run cannot be published")
	}
	least := minRounds
	if r.Processed() {
		least = engine.MinRounds
	}
	if r.Rounds < least {
		return nil, fmt.Errorf("%s are too few to publish; use at least %d", engine.Plural(r.Rounds, "round"), least)
	}
	figures, err := figuresOf(r)
	if err != nil {
		return nil, err
	}
	return readmeBlock.ReplaceAllFunc(page, func(old []byte) []byte {
		m := readmeBlock.FindSubmatch(old)
		return slices.Concat(m[1], figures, m[2])
	}), nil
}

// headlineTable returns one sentence, the table, the chart, and a link to the other figures. If there is a run over
// types of public modules, its sentences and chart are shown in place of those of the struct of nine fields.
func headlineTable(r *engine.Results, d *engine.Distribution) ([]byte, error) {
	base := path.Join(resultsFolder, r.Base())
	t := table{Columns: []column{{"time", false}, {"Octet", true}}}
	for _, p := range headlinePeers {
		t.Columns = append(t.Columns, column{p.name, true})
	}
	var first string
	var ahead []string
	for i, h := range headlines {
		if d != nil && h.shape == nineFields {
			continue
		}
		j := slices.IndexFunc(r.Cases, func(c engine.Case) bool { return c.Group == h.group && c.Shape == h.shape && c.Verb == h.verb })
		if j < 0 {
			return nil, fmt.Errorf("the results have no %s/%s/%s", h.group, h.shape, h.verb)
		}
		c := r.Cases[j]
		rows := timed(c)
		cells, err := headline(rows)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.Name(), err)
		}
		t.Lines = append(t.Lines, line{append([]string{"`" + h.verb + "` of " + h.about}, cells...), "peer"})
		if i == 0 {
			first = fmt.Sprintf("`%s` of %s takes %s; vmihailenco/msgpack takes %s times as long, shamaton/msgpack %s, encoding/json %s.",
				h.verb, h.about, cells[0], cells[2], cells[1], cells[5])
		}
		for _, row := range rows {
			if row.ahead() {
				ahead = append(ahead, fmt.Sprintf("- %s, `%s`: %s is ahead; %s\n", h.about, h.verb, row.Library, cmp.Or(reasonFor(c, row.Library), "no reason is known")))
			}
		}
	}
	var b bytes.Buffer
	if d == nil {
		fmt.Fprintf(&b, "%s\n\n", first)
	} else {
		figures, err := typeFigures(d)
		if err != nil {
			return nil, err
		}
		b.Write(figures)
	}
	writeTable(&b, t)
	b.WriteString("\nThe column Octet has the time of one call. The others say how many times as long their library takes; ≈ means that the\n" +
		"difference is within the spread.\n")
	if slices.ContainsFunc(r.Cases, func(c engine.Case) bool { return c.Group == "layout" }) {
		layouts, err := layoutTable(r)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "\nOne notification of a binary protocol, [declared with struct tags or by hand](%s):\n\n%s", layoutPage, layouts)
	}
	b.Write(messageFigures(r))
	fmt.Fprintf(&b, "\n%s.\nAll figures, and every case in which another library is faster: [tables](%s.md).\n", r.Circumstances(), base)
	if len(ahead) > 0 {
		fmt.Fprintf(&b, "\nWhere another library is ahead, and why:\n\n%s", strings.Join(ahead, ""))
	}
	for _, c := range headlinesOf(r) {
		if c.file == readmeChart && d == nil {
			fmt.Fprintf(&b, "\n![%s](%s/%s)\n", c.title, base, c.file)
		}
	}
	return b.Bytes(), nil
}

// headline returns the cells of a row: Octet's time and the ratios of the peers, or – for a peer that did not take
// part.
func headline(rows []row) ([]string, error) {
	cell := func(library string) (row, bool) {
		i := slices.IndexFunc(rows, func(r row) bool { return r.Library == library })
		if i < 0 {
			return row{}, false
		}
		return rows[i], true
	}
	own, ok := cell(engine.Ours)
	if !ok {
		return nil, fmt.Errorf("octet was not measured")
	}
	cells := []string{engine.FormatTime(own.time.Median)}
	for _, p := range headlinePeers {
		if r, ok := cell(p.library); ok {
			cells = append(cells, times(r))
		} else {
			cells = append(cells, "–")
		}
	}
	return cells, nil
}
