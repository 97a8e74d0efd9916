package view

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
	"github.com/octet-go/octet/cmd/octet/internal/diag"
	"github.com/octet-go/octet/cmd/octet/internal/index"
)

// A change replaced bytes.
type change struct {
	at       int
	old, new []byte
}

// mostChanges is the number of edits that can be undone.
const mostChanges = 100

// Edit replaces the value at offset by the one that text describes.
func (s *Session) Edit(offset int, text string) error {
	_, t, err := s.value(offset)
	if err != nil {
		return err
	}
	r := diag.NewReader(strings.NewReader(text))
	data, err := r.Append(nil)
	if err == io.EOF {
		return errors.New("enter a value")
	}
	if err != nil {
		return err
	}
	if _, err := r.Append(nil); err != io.EOF {
		return errors.New("enter one value, not several")
	}
	if bytes.Equal(data, s.bytes(t)) {
		return errors.New("the value is the same as before")
	}
	c := change{offset, bytes.Clone(s.bytes(t)), data}
	if s.past = append(s.past, c); len(s.past) > mostChanges {
		s.past = s.past[1:]
	}
	s.replace(offset, len(c.old), c.new)
	return nil
}

// Fix rewrites all data in canonical form.
func (s *Session) Fix() error {
	if s.x.Fault != nil {
		return s.x.Fault
	}
	w := canonical.Rewriter{Sort: true, Narrow: true, Unique: true}
	var out []byte
	for c := s.x.Top(0); c.Next(); {
		t := c.Token()
		var err error
		if out, err = w.Append(out, s.bytes(t)); err != nil {
			return err
		}
		s.x.Skip(c)
	}
	if bytes.Equal(out, s.x.Data) {
		return errors.New("the data is already in canonical form")
	}
	s.past = append(s.past, change{0, s.x.Data, out})
	s.replace(0, len(s.x.Data), out)
	return nil
}

// CanUndo reports whether there is an edit to undo.
func (s *Session) CanUndo() bool { return len(s.past) > 0 }

// Undo takes the last edit back and returns its offset.
func (s *Session) Undo() int {
	if len(s.past) == 0 {
		return -1
	}
	c := s.past[len(s.past)-1]
	s.past = s.past[:len(s.past)-1]
	s.replace(c.at, len(c.new), c.old)
	return c.at
}

// replace replaces n bytes and keeps the rows expanded that still exist.
func (s *Session) replace(at, n int, by []byte) {
	data := slices.Concat(s.x.Data[:at], by, s.x.Data[at+n:])
	old := s.root
	s.x = index.New(data, nil)
	s.collapse()
	if at == 0 && n > 0 && len(by) == len(data) {
		s.expandFirst(s.root, &budget{containers: mostExpanded}) // the order may be another
		return
	}
	s.reopen(s.root, old)
}

// reopen expands inside b what is expanded inside old.
func (s *Session) reopen(b, old *branch) {
	for _, k := range old.kids {
		if k.at >= b.count {
			return
		}
		if now := s.expand(b, k.at); now != nil {
			s.reopen(now, k)
		}
	}
}
