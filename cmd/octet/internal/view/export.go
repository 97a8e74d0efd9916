package view

import (
	"errors"
	"fmt"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/gotypes"
	"github.com/octet-go/octet/cmd/octet/internal/index"
)

// The forms of [Session.Export].
const (
	JSON      = "json"
	Notation  = "diag"
	GoLiteral = "literal"
	GoStruct  = "struct"
)

// Export returns the value at offset, or all data for -1, in another form.
func (s *Session) Export(form string, offset int) (string, error) {
	data := s.x.Data
	if offset >= 0 {
		_, t, err := s.value(offset)
		if err != nil {
			return "", err
		}
		data = s.bytes(t)
	} else if s.x.Fault != nil {
		return "", s.x.Fault
	}
	x := s.x
	if offset >= 0 {
		if x = index.New(data, nil); x.Fault != nil {
			return "", x.Fault
		}
	}
	switch form {
	case JSON:
		return jsonText(x), nil
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
