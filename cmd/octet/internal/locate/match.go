package locate

import (
	"io"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
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
// in the stream, how many values were selected in it, and whether it lacks the path: nothing was selected in it, and no
// array or map was empty whose elements the path selects. Each returns nil at the end
// of the input.
func (p Path) Each(s *scan.Scanner, visit func(*Match) error, end func(number, found int64, lacks bool) error) error {
	m := p.Matcher()
	number, found := int64(0), int64(0)
	for {
		t, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if m.Begin(t, s.Head()) {
			found++
			if err := visit(&Match{t, s}); err != nil {
				return err
			}
		}
		for m.depth > 0 && s.Rest() > 0 {
			part, err := s.Payload(chunkSize)
			if err != nil {
				return err
			}
			m.Write(part)
		}
		if s.Ends() == 0 { // the rest of a payload is skipped by Next
			if err := end(number, found, found == 0 && !m.empty); err != nil {
				return err
			}
			number, found, m.empty = number+1, 0, false
		}
	}
}
