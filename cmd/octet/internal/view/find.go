package view

import (
	"errors"
	"io"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/index"
	"github.com/octet-go/octet/cmd/octet/internal/locate"
	"github.com/octet-go/octet/cmd/octet/internal/scan"
)

var errNotFound = errors.New("not found")

// A Query is what [Session.Find] looks for. Text can be:
//
//   - an offset, such as 0x1f or 31;
//   - a path, such as users[3].name in the first top-level value, or 2: users[3].name
//     in top-level value 2, unless its value is selected;
//   - text that is inside a str, a bin or an ext;
//   - hex bytes that are anywhere in the data.
type Query struct {
	Text string
	Case bool // upper and lower case differ in text
	Back bool // search backward
	From int  // the offset of the selected byte
}

// Found is the result of [Session.Find].
type Found struct {
	Offset int
	Match  bool // of text or bytes, so that Count tells how many there are
}

// Find returns what a query describes. The next or the previous match of text is searched
// first after or before the selected byte, and then from the start or the end.
func (s *Session) Find(q Query, watch index.Watch) (Found, error) {
	text := strings.TrimSpace(q.Text)
	if text == "" {
		return Found{}, errNotFound
	}
	if n, err := strconv.ParseInt(text, 0, 64); err == nil && n >= 0 {
		if n >= int64(len(s.x.Data)) {
			return Found{}, errors.New("the data has " + plural(int64(len(s.x.Data)), "byte"))
		}
		return Found{Offset: int(n)}, nil
	}
	number, path := int64(0), text
	if before, rest, ok := strings.Cut(text, ":"); ok {
		if n, err := strconv.ParseInt(before, 10, 64); err == nil && n >= 0 {
			number, path = n, strings.TrimSpace(rest)
		}
	}
	there, err := s.byPath(number, path, watch)
	if err != nil {
		there = -1
	}
	if there >= 0 && there != q.From { // otherwise this is the second search, for the text
		return Found{Offset: there}, nil
	}
	if stopped := watch.Call(0, len(s.x.Data)); stopped != nil {
		return Found{}, stopped
	}
	patterns := []pattern{newPattern(text, q.Case)}
	if data, ok := hexBytes(text); ok {
		patterns = append(patterns, exactly(data))
	}
	for _, p := range patterns {
		f := &search{x: s.x, text: text, sensitive: q.Case, pattern: p}
		at, err := f.find(q.From, q.Back, watch)
		if err != nil {
			return Found{}, err
		}
		if at >= 0 {
			if s.found == nil || !s.found.same(f) {
				s.found = f
			}
			return Found{at, true}, nil
		}
	}
	if there >= 0 {
		return Found{Offset: there}, nil
	}
	return Found{}, errNotFound
}

// Count returns the number of matches of the last text that was found, and the number of
// the match at offset, from 1.
func (s *Session) Count(offset int, watch index.Watch) (n, total int, err error) {
	if s.found == nil {
		return 0, 0, errNotFound
	}
	return s.found.count(offset, watch)
}

// byPath returns the offset of the value at a path in a top-level value.
func (s *Session) byPath(number int64, path string, watch index.Watch) (int, error) {
	c := s.x.Top(number)
	if number >= s.x.Rows() || !c.Next() {
		return 0, errNotFound
	}
	if path == "" {
		return c.Token().Offset, nil
	}
	p, err := locate.Parse(path)
	if err != nil {
		return 0, err
	}
	t := *c.Token()
	// The index finds the elements of arrays without reading those before them.
	for !isMap(t.Header) && t.IsContainer() {
		if !p.InArray() {
			return 0, errNotFound // without reading all elements
		}
		n, rest, ok := p.First()
		if !ok {
			break
		}
		if n >= uint64(s.x.Count(&t)) {
			return 0, errNotFound
		}
		if c = s.x.Child(&t, n); !c.Next() {
			return 0, errNotFound
		}
		if t, p = *c.Token(), rest; len(p) == 0 {
			return t.Offset, nil
		}
	}
	offset, found := 0, errors.New("found") // found stops Each after the first match
	err = p.Each(scan.New(watch.Reader(s.bytes(&t)), int64(t.Offset)), func(m *locate.Match) error {
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
