package report

import (
	"bytes"
	"fmt"
	"path"
	"slices"

	"github.com/dustin/go-humanize"
	"github.com/octet-go/octet/bench/engine"
)

// choosingPage says when another format is the better choice.
const choosingPage = "docs/choosing.md"

// A choice is one table of choosingPage: formats as rows, and for each shape the
// encoded size and the times of two verbs as columns.
type choice struct {
	about    string
	group    string
	shapes   []choiceShape
	out, in  string // verbs
	sizeUnit string
	formats  []choiceFormat
}

type choiceShape struct{ shape, name string }

type choiceFormat struct{ library, name string }

// The libraries and values of choices were selected before they were measured, so that
// the results did not influence the selection.
var choices = []choice{
	{
		about: "Values: a struct of nine fields, and 10,000 floats in a slice", group: "values",
		shapes: []choiceShape{{"struct/report", "struct"}, {"slice/floats", "floats"}}, out: "Marshal", in: "Unmarshal", sizeUnit: "bytes",
		formats: []choiceFormat{
			{engine.Ours, "MessagePack (Octet)"},
			{"msgp", "MessagePack (tinylib/msgp, generated code)"},
			{"protobuf", "Protocol Buffers (generated code)"},
			{"cbor", "CBOR (fxamacker/cbor)"},
			{"gob", "gob"},
			{"json", "JSON (encoding/json)"},
		},
	},
	{
		about: "Files of records: readings of numbers and short strings, and articles of 1 kB of text; time for one record", group: "record",
		shapes: []choiceShape{{"readings", "readings"}, {"articles", "articles"}}, out: "Write", in: "Read", sizeUnit: "bytes a record",
		formats: []choiceFormat{
			{engine.Ours, "record files (Octet)"},
			{"octet zstd", "record files, zstd (Octet)"},
			{"parquet", "Parquet"},
			{"avro", "Avro"},
			{"gob", "gob"},
			{"json", "NDJSON"},
		},
	},
}

// choosingFigures returns the tables of choosingPage, and how they were measured.
func choosingFigures(r *engine.Results) ([]byte, error) {
	var b bytes.Buffer
	for _, c := range choices {
		t, err := c.table(r)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s:\n\n", c.about)
		writeTable(&b, t)
		b.WriteString("\n")
	}
	fmt.Fprintf(&b, "%s. [All figures](../%s.md).\n", r.Circumstances(), path.Join(resultsFolder, r.Base()))
	return b.Bytes(), nil
}

func (c choice) table(r *engine.Results) (table, error) {
	t := table{Columns: []column{{"format", false}}}
	lines := map[string][]string{}
	for _, s := range c.shapes {
		t.Columns = append(t.Columns, column{s.name + ": " + c.sizeUnit, true}, column{"`" + c.out + "`", true}, column{"`" + c.in + "`", true})
		for _, verb := range []string{c.out, c.in} {
			i := slices.IndexFunc(r.Cases, func(k engine.Case) bool { return k.Group == c.group && k.Shape == s.shape && k.Verb == verb })
			if i < 0 {
				return t, fmt.Errorf("the results have no %s/%s/%s", c.group, s.shape, verb)
			}
			for _, f := range c.formats {
				e, ok := engine.Find(r.Cases[i], f.library)
				if !ok {
					return t, fmt.Errorf("the results have no figures of %s in %s", f.library, r.Cases[i].Name())
				}
				if verb == c.out {
					lines[f.library] = append(lines[f.library], humanize.Comma(int64(e.Size)))
				}
				lines[f.library] = append(lines[f.library], engine.FormatTime(e.Time().Median))
			}
		}
	}
	for _, f := range c.formats {
		t.Lines = append(t.Lines, line{append([]string{f.name}, lines[f.library]...), "peer"})
	}
	return t, nil
}
