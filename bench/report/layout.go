package report

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"github.com/octet-go/octet/bench/engine"
)

// layoutPage compares declared messages with other ways to write them. Its figures are those of the group layout.
const layoutPage = "docs/from-binary-to-layout.md"

// layoutWays lists the rows of the table in layoutPage.
var layoutWays = []struct{ library, name string }{
	{"encoding/binary", "`encoding/binary`, field by field"},
	{"by hand", "by hand"},
	{engine.Ours, "`layout`, `Typed`"},
	{"octet Marshal", "`layout`, `Marshal` and `Unmarshal`"},
	{"struc", "lunixbochs/struc"},
	{"restruct", "go-restruct/restruct"},
	{"kelindar", "kelindar/binary (a format of its own)"},
}

// layoutFigures returns the table of the notification, and how it was measured.
func layoutFigures(r *engine.Results) ([]byte, error) {
	b, err := layoutTable(r)
	if err != nil {
		return nil, err
	}
	list, err := listTable(r)
	if err != nil {
		return nil, err
	}
	b = append(b, "\nA list of three to five of these items:\n\n"...)
	b = append(b, list...)
	return fmt.Appendf(b, "\n%s. [All figures](../%s.md).\n", r.Circumstances(), path.Join(resultsFolder, r.Base())), nil
}

// listWays lists the rows of the table of the list of items. Results from before
// encoding/binary was measured have no row of it. It always copies.
var listWays = []struct {
	library, name string
	optional      bool
	verbs         int
}{
	{"encoding/binary", "`encoding/binary`, field by field", true, 2},
	{"by hand", "by hand", false, 3},
	{engine.Ours, "`layout`, `Typed`", false, 3},
	{"octet any", "`layout`, `MarshalAppend` and `UnmarshalPrefix`", false, 3},
}

// listTable returns the table of the list of items. Decoding is measured with payloads
// that are copies and with payloads that are part of the input.
func listTable(r *engine.Results) ([]byte, error) {
	t := table{Columns: []column{{"way", false}, {"encode", true}, {"decode, copies", true}, {"decode, part of the input", true}}}
	cells := map[string][]string{}
	for _, verb := range []string{"Append", "Decode", "Alias"} {
		i := slices.IndexFunc(r.Cases, func(c engine.Case) bool {
			return c.Group == "messages" && c.Shape == "apns-list" && c.Verb == verb
		})
		if i < 0 {
			return nil, fmt.Errorf("the results have no messages/apns-list/%s", verb)
		}
		for _, row := range timed(r.Cases[i]) {
			cells[row.Library] = append(cells[row.Library], engine.FormatTime(row.time.Median))
		}
	}
	for _, way := range listWays {
		row := cells[way.library]
		if way.optional && len(row) == 0 {
			continue
		}
		if len(row) != way.verbs {
			return nil, fmt.Errorf("the results have no figures of %s in messages/apns-list", way.library)
		}
		for len(row) < 3 {
			row = append(row, "")
		}
		t.Lines = append(t.Lines, line{append([]string{way.name}, row...), "peer"})
	}
	var b bytes.Buffer
	writeTable(&b, t)
	return b.Bytes(), nil
}

// layoutTable returns the table of the notification.
func layoutTable(r *engine.Results) ([]byte, error) {
	t := table{Columns: []column{{"way", false}, {"encode", true}, {"allocations", true}, {"decode", true}, {"allocations", true}}}
	cells := map[string][]string{}
	for _, verb := range []string{"Append", "Decode"} {
		i := slices.IndexFunc(r.Cases, func(c engine.Case) bool {
			return c.Group == "layout" && c.Shape == "notification" && c.Verb == verb
		})
		if i < 0 {
			return nil, fmt.Errorf("the results have no layout/notification/%s", verb)
		}
		for _, row := range timed(r.Cases[i]) {
			cells[row.Library] = append(cells[row.Library], engine.FormatTime(row.time.Median), engine.Whole(row.Allocs))
		}
	}
	for _, way := range layoutWays {
		if len(cells[way.library]) != 4 {
			return nil, fmt.Errorf("the results have no figures of %s in layout/notification", way.library)
		}
		t.Lines = append(t.Lines, line{append([]string{way.name}, cells[way.library]...), "peer"})
	}
	var b bytes.Buffer
	writeTable(&b, t)
	return b.Bytes(), nil
}
