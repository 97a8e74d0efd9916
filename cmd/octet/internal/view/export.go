package view

import (
	"errors"
	"fmt"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/lost"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
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

// Export returns the value at offset, or all data for -1, in another form. A value that
// the form cannot hold is an error. note says which values have lost their type.
func (s *Session) Export(form string, offset int) (text, note string, err error) {
	data := s.x.Data
	if offset >= 0 {
		_, t, err := s.value(offset)
		if err != nil {
			return "", "", err
		}
		data = s.bytes(t)
	} else if s.x.Fault != nil {
		return "", "", s.x.Fault
	}
	if form == JSON || form == Reversible {
		return exportJSON(data, form == Reversible)
	}
	x := s.x
	if offset >= 0 {
		if x = index.New(data, nil); x.Fault != nil {
			return "", "", x.Fault
		}
	}
	text, err = s.exportText(form, data, x)
	return text, "", err
}

// exportJSON returns the values in data as indented JSON.
func exportJSON(data []byte, reversible bool) (text, note string, err error) {
	b, err := transcode.AppendJSONValues(nil, data, &transcode.Options{Reversible: reversible, Indent: "  "})
	if err != nil {
		var e *transcode.Error
		if !errors.As(err, &e) {
			return "", "", err
		}
		place := scan.WithPath(fmt.Sprintf("offset %d", e.Offset), strings.TrimPrefix(e.Path, "."))
		reason := strings.TrimPrefix(strings.TrimPrefix(e.Err.Error(), "transcode: "), "msgpack: ")
		if e.Found != "" {
			reason += ": found " + e.Found
		}
		if !reversible {
			reason += ". The form \"JSON, reversible\" and the diagnostic notation may have a form for it."
		}
		return "", "", errors.New(place + ": " + reason)
	}
	if !reversible {
		var c transcode.Changed
		for rest := data; len(rest) > 0; {
			n, err := wire.Skip(rest, wire.MaxDepth)
			if err != nil {
				return "", "", err
			}
			lost.Count(&c, rest[:n])
			rest = rest[n:]
		}
		if c.Total() > 0 {
			note = lost.Text(c) + "; the form \"JSON, reversible\" keeps them"
		}
	}
	return string(b), note, nil
}

// exportText returns data, which x indexes, in one of the forms besides JSON.
func (s *Session) exportText(form string, data []byte, x *index.Index) (string, error) {
	switch form {
	case Notation:
		return s.notation(data, "  ")
	case GoLiteral:
		return literalText(x), nil
	case GoStruct:
		part := &Session{x: x}
		var c gotypes.Sampler
		if err := c.Add(part.scanner()); err != nil {
			return "", err
		}
		if c.Values == 0 {
			return "", errors.New("there are no values")
		}
		base, _, _ := strings.Cut(s.Name, ".")
		name := gotypes.Name(base)
		if base == "" {
			name = "Value"
		}
		source, err := c.Source(gotypes.Options{Package: "main", Type: name, Plural: true})
		return string(source), err
	}
	return "", fmt.Errorf("unknown form %q", form)
}
