package view

import (
	"bufio"
	"bytes"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
)

// A Selection is a value with its positions in the views.
type Selection struct {
	Start, Head, End int   // offsets of the value, of its content after the header, and of the byte after the value
	Row, Line        int64 // numbers of its row in the tree and of its line in the text
	Node             int   // offset that identifies the row of the tree
	Parent           int   // offset of the container around the value, or -1
	Path             string
	Text             string // in diagnostic notation, if it is short enough to be edited
	Editable         bool
	HTML             string // explanation
}

// longestEdit is the maximum length of a value that can be edited as text.
const longestEdit = 64 << 10

// Select returns the value whose header or payload contains offset. It expands the
// containers around it.
func (s *Session) Select(offset int) (Selection, bool) {
	c, ok := s.x.At(offset)
	if !ok {
		return Selection{}, false
	}
	t := c.Token()
	b, at := s.place(c)
	steps := c.Steps()
	sel := Selection{
		Start: t.Offset, Head: t.Offset + int(t.Size), End: t.Offset + s.x.Size(t),
		Row: b.number(at), Line: t.Line, Node: t.Offset, Parent: -1, Path: s.x.Path(steps),
	}
	if n := len(steps); n > 0 {
		sel.Parent = steps[n-1].Offset
	}
	if r, ok := s.child(b, at); ok {
		if sel.Node = r.value.Offset; r.missing {
			sel.Node = r.key.Offset
		}
	}
	if data := s.bytes(t); len(data) <= longestEdit {
		if text, err := s.notation(data, "  "); err == nil {
			sel.Text, sel.Editable = strings.TrimSuffix(text, "\n"), true
		}
	}
	sel.HTML = s.explain(c, &sel)
	return sel, true
}

// SelectRow selects the value in a visible row of the tree.
func (s *Session) SelectRow(n int64) (Selection, bool) {
	offset := -1
	s.rows(s.root, 0, n, 1, func(_ *branch, r *row, _ int, _ bool) {
		if offset = r.value.Offset; r.missing {
			offset = r.key.Offset
		}
	})
	return s.Select(offset)
}

// SelectLine selects the first value on a line of the text, or the container that
// ends there.
func (s *Session) SelectLine(n int64) (Selection, bool) {
	offset := -1
	c := s.x.BeforeLine(n)
	c.Closed = func(t index.Token) {
		if t.Line == n {
			offset = t.Offset
		}
	}
	for offset < 0 && c.Next() {
		if t := c.Token(); t.Line == n && offset < 0 {
			offset = t.Offset
		}
	}
	sel, ok := s.Select(offset)
	sel.Line = n // Select returns the first line of a container, but n may be its last
	return sel, ok
}

// notation returns values in diagnostic notation.
func (s *Session) notation(data []byte, indent string) (string, error) {
	var b bytes.Buffer
	w := diag.Writer{W: bufio.NewWriter(&b), Indent: indent}
	if _, err := w.Write(scan.New(bytes.NewReader(data), 0)); err != nil {
		return "", err
	}
	err := w.W.Flush()
	return b.String(), err
}
