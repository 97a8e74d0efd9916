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

// A change is an edit that replaced the bytes old with new.
type change struct {
	at       int
	old, new []byte
}

// maxChanges is the number of edits that can be undone.
const maxChanges = 100

// Edit replaces the value at offset with the value that text describes in diagnostic
// notation.
func (s *Session) Edit(offset int, text string, watch index.Watch) error {
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
	if err := s.replace(offset, len(c.old), c.new, watch); err != nil {
		return err
	}
	if s.changes = append(s.changes, c); len(s.changes) > maxChanges {
		s.changes = s.changes[1:]
	}
	return nil
}

// Fix rewrites all data in canonical form.
func (s *Session) Fix(watch index.Watch) error {
	if s.x.Fault != nil {
		return s.x.Fault
	}
	at := 0
	pace := &canonical.Pace{Pause: func() error { return watch.Call(at, len(s.x.Data)) }}
	w := canonical.Rewriter{Sort: true, Narrow: true, Unique: true, Pace: pace}
	out := make([]byte, 0, len(s.x.Data))
	for c := s.x.Top(0); c.Next(); {
		t := c.Token()
		at = t.Offset
		var err error
		if out, err = w.Append(out, s.bytes(t)); err != nil {
			return err
		}
		s.x.Skip(c)
	}
	if bytes.Equal(out, s.x.Data) {
		return errors.New("the data is already in canonical form")
	}
	old := s.x.Data
	if err := s.replace(0, len(old), out, watch); err != nil {
		return err
	}
	s.changes = append(s.changes, change{0, old, out})
	return nil
}

// CanUndo reports whether there is an edit to undo.
func (s *Session) CanUndo() bool { return len(s.changes) > 0 }

// Undo reverts the last edit and returns its offset, or -1 if there is none.
func (s *Session) Undo(watch index.Watch) (int, error) {
	if len(s.changes) == 0 {
		return -1, nil
	}
	c := s.changes[len(s.changes)-1]
	if err := s.replace(c.at, len(c.new), c.old, watch); err != nil {
		return -1, err
	}
	s.changes = s.changes[:len(s.changes)-1]
	return c.at, nil
}

// replace replaces n bytes. Containers that still exist stay expanded.
func (s *Session) replace(at, n int, by []byte, watch index.Watch) error {
	data := slices.Concat(s.x.Data[:at], by, s.x.Data[at+n:])
	x, err := index.New(data, watch)
	if err != nil {
		return err
	}
	old := s.root
	s.x, s.found = x, nil
	s.collapse()
	if at == 0 && n > 0 && len(by) == len(data) {
		// All data was replaced, and the order of keys may have changed.
		s.expandFirst(s.root, &budget{containers: maxExpanded})
		return nil
	}
	s.reopen(s.root, old)
	return nil
}

// reopen expands the containers inside b that are expanded inside old.
func (s *Session) reopen(b, old *branch) {
	for _, k := range old.expanded {
		if k.at >= b.count {
			return
		}
		if now := s.expand(b, k.at); now != nil {
			s.reopen(now, k)
		}
	}
}
