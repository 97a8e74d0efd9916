package locate

import (
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// chunkSize is the number of payload bytes that are copied at a time.
const chunkSize = 16 << 10

// A Match is a value that a path selects. It is valid only during the call that
// gets it.
type Match struct {
	scan.Token
	s *scan.Scanner
}

// Path returns the path of the value in its top-level value.
func (m *Match) Path() string { return m.s.Path() }

// WriteTo writes the encoded value. It can be called once.
func (m *Match) WriteTo(w io.Writer) (n int64, err error) {
	return Copy(w, m.s, m.Depth)
}

// Copy writes the bytes of the token that s has just returned, with everything
// inside it. depth is the depth of the token.
func Copy(w io.Writer, s *scan.Scanner, depth int) (n int64, err error) {
	write := func(b []byte) error {
		k, err := w.Write(b)
		n += int64(k)
		return err
	}
	for {
		if err := write(s.Head()); err != nil {
			return n, err
		}
		for s.Rest() > 0 {
			part, err := s.Payload(chunkSize)
			if err != nil {
				return n, err
			}
			if err := write(part); err != nil {
				return n, err
			}
		}
		if s.Open() <= depth {
			return n, nil
		}
		if _, err := s.Next(); err != nil {
			return n, err
		}
	}
}

// Each calls visit for every value that the path selects, in the order of the
// input. After each top-level value it calls end with the number of that value
// in the stream and how many values were selected in it. Each returns nil at
// the end of the input.
func (p Path) Each(s *scan.Scanner, visit func(*Match) error, end func(number, found int64) error) error {
	on := make([]bool, len(p)+1)  // for each depth: the open container is on the path
	key := make([]bool, len(p)+1) // for each depth: the last key of the open map is on the path
	number, found := int64(0), int64(0)
	for {
		t, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if t.Depth <= len(p) {
			selected, err := p.selects(s, t, on, key)
			if err != nil {
				return err
			}
			if selected {
				found++
				if err := visit(&Match{t, s}); err != nil {
					return err
				}
			}
		}
		if s.Ends() == 0 { // the rest of a payload is skipped by Next
			if err := end(number, found); err != nil {
				return err
			}
			number, found = number+1, 0
		}
	}
}

// selects reports whether t is at the end of the path, and records whether it is
// on the path.
func (p Path) selects(s *scan.Scanner, t scan.Token, on, key []bool) (bool, error) {
	d := t.Depth
	if d == 0 {
		on[0] = true
	} else {
		around := on[d-1]
		if t.Role == scan.Key {
			on[d] = false
			key[d] = false
			if !around {
				return false, nil
			}
			matches, err := p[d-1].matches(s, t)
			key[d] = matches
			return false, err
		}
		on[d] = around && (t.Role == scan.Value && key[d] || t.Role == scan.Element && p[d-1].inArray(t.Index))
	}
	selected := on[d] && d == len(p)
	if kind := t.Format.Kind(); selected || kind != wire.KindArray && kind != wire.KindMap {
		on[d] = false
	}
	return selected, nil
}
