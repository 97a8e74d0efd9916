package view

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
)

// A Selection is a value with its positions in the views.
type Selection struct {
	Start, Head, End int   // offsets of the value, of its content after the header, and of the byte after the value
	Row, Line        int64 // numbers of its row in the tree and of its line in the text
	Node             int   // offset that identifies the row of the tree
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
	sel := Selection{
		Start: t.Offset, Head: t.Offset + int(t.Size), End: t.Offset + s.x.Size(t),
		Row: b.number(at), Line: t.Line, Node: t.Offset, Path: s.x.Path(c.Steps()),
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

var errNotFound = errors.New("not found")

// Find returns the offset that text describes. Text can be:
//
//   - an offset, such as 0x1f or 31;
//   - a path, such as users[3].name in the first top-level value, or 2: users[3].name
//     in top-level value 2;
//   - text or hex bytes that are in the data. Find searches after the given offset
//     first, and then from the start.
func (s *Session) Find(text string, after int) (int, error) {
	text = strings.TrimSpace(text)
	if text == "" {
		return 0, errNotFound
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil && n >= 0 {
		if n >= int64(len(s.x.Data)) {
			return 0, errors.New("the data has " + plural(int64(len(s.x.Data)), "byte"))
		}
		return int(n), nil
	}
	number, path := int64(0), text
	if before, rest, ok := strings.Cut(text, ":"); ok {
		if n, err := strconv.ParseInt(before, 10, 64); err == nil && n >= 0 {
			number, path = n, strings.TrimSpace(rest)
		}
	}
	if offset, err := s.byPath(number, path); err == nil {
		return offset, nil
	}
	if i := s.search([]byte(text), after); i >= 0 {
		return i, nil
	}
	if data, ok := hexBytes(text); ok {
		if i := s.search(data, after); i >= 0 {
			return i, nil
		}
	}
	return 0, errNotFound
}

// search finds bytes after an offset, then from the start.
func (s *Session) search(what []byte, after int) int {
	from := min(max(after+1, 0), len(s.x.Data))
	if i := bytes.Index(s.x.Data[from:], what); i >= 0 {
		return from + i
	}
	return bytes.Index(s.x.Data, what)
}

// byPath returns the offset of the value at a path in a top-level value.
func (s *Session) byPath(number int64, path string) (int, error) {
	c := s.x.Top(number)
	if number >= s.x.Rows() || !c.Next() {
		return 0, errNotFound
	}
	start := c.Token().Offset
	if path == "" {
		return start, nil
	}
	p, err := locate.Parse(path)
	if err != nil {
		return 0, err
	}
	data := s.x.Data[start : start+s.x.Size(c.Token())]
	offset, found := 0, errors.New("found") // found stops Each after the first match
	err = p.Each(scan.New(bytes.NewReader(data), int64(start)), func(m *locate.Match) error {
		offset = int(m.Offset)
		return found
	}, func(int64, int64, bool) error { return nil })
	switch err {
	case found:
		return offset, nil
	case nil, io.EOF:
		return 0, errNotFound
	}
	return 0, err
}
