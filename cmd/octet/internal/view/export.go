package view

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/convert"
	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/langs"
	"github.com/octet-go/octet/cmd/octet/internal/lost"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/transcode"
)

// The forms of [Session.Export].
const (
	JSON      = "json"
	Notation  = "diag"
	GoLiteral = "literal"
	GoStruct  = "struct"

	// Reversible is JSON with objects for the values that JSON lacks.
	Reversible = "reversible"
)

// Export writes the value at offset, or all data for -1, in another form. A value that
// the form cannot hold is an error. note says which values have lost their type.
func (s *Session) Export(w io.Writer, form string, offset int, watch index.Watch) (note string, err error) {
	x := s.x
	data := x.Data
	if offset >= 0 {
		_, t, err := s.value(offset)
		if err != nil {
			return "", err
		}
		data = s.bytes(t)
	}
	switch form {
	case JSON, Reversible:
		if offset < 0 && x.Fault != nil {
			return "", x.Fault // without the beginning of the text
		}
		return exportJSON(w, data, form == Reversible, watch)
	}
	if offset >= 0 {
		if x, err = index.New(data, watch); err != nil {
			return "", err
		}
	}
	if x.Fault != nil {
		return "", x.Fault
	}
	return "", s.exportText(w, form, x, watch)
}

// exportJSON writes the values in data as indented JSON.
func exportJSON(w io.Writer, data []byte, reversible bool, watch index.Watch) (note string, err error) {
	result, err := convert.ToJSON(w, watch.Reader(data), convert.Options{Pretty: true, Reversible: reversible})
	var e *transcode.Error
	switch {
	case errors.As(err, &e):
		place := scan.WithPath(fmt.Sprintf("offset %d", e.Offset), strings.TrimPrefix(e.Path, "."))
		reason := strings.TrimPrefix(strings.TrimPrefix(e.Err.Error(), "transcode: "), "msgpack: ")
		if e.Found != "" {
			reason += ": found " + e.Found
		}
		if !reversible {
			reason += ". The form \"JSON, reversible\" and the diagnostic notation may have a form for it."
		}
		return "", errors.New(place + ": " + reason)
	case err != nil:
		return "", err
	case !reversible && result.Changed.Total() > 0:
		note = lost.Text(result.Changed) + "; the form \"JSON, reversible\" keeps them"
	}
	return note, nil
}

// exportText writes the data that x indexes in one of the forms besides JSON.
func (s *Session) exportText(w io.Writer, form string, x *index.Index, watch index.Watch) error {
	switch form {
	case Notation:
		d := diag.Writer{W: bufio.NewWriter(w), Indent: "  "}
		if _, err := d.Write(scan.New(watch.Reader(x.Data), 0)); err != nil {
			return err
		}
		return d.W.Flush()
	case GoLiteral:
		return writeLiteral(w, x, watch)
	case GoStruct:
		var c gotypes.Sampler
		if err := c.Add(scan.New(watch.Reader(x.Data), 0)); err != nil {
			return err
		}
		if c.Values == 0 {
			return errors.New("there are no values")
		}
		base, _, _ := strings.Cut(s.Name, ".")
		name := gotypes.Name(base)
		if base == "" {
			name = "Value"
		}
		types, samples := c.Schema(gotypes.Options{Type: name, Plural: true})
		source, err := langs.Go(types, langs.Options{Type: name, Package: "main", Samples: samples})
		if err != nil {
			return err
		}
		_, err = w.Write(source)
		return err
	}
	return fmt.Errorf("unknown form %q", form)
}
