package scan

import (
	"fmt"
	"io"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Role is the position of a value in its container.
type Role uint8

const (
	Top     Role = iota // a top-level value
	Element             // an element of an array
	Key                 // a key of a map
	Value               // a value of a map
)

// A Token is one value of the input: its header and its position.
type Token struct {
	wire.Header
	Offset int64  // of the first byte, from the start of the input
	Depth  int    // number of containers around it
	Role   Role   // in the innermost container
	Index  uint64 // number of the value in the stream, of the element in its array, or of the pair in its map
	Last   bool   // no more elements or pairs follow in the innermost container
}

// Position returns the position of the value that has begun last in the innermost of the
// containers around it: its role, its number, for which keys and values count
// separately, and whether it is the last one.
func Position(around []wire.Container) (r Role, i uint64, last bool) {
	if len(around) == 0 {
		return Top, 0, false
	}
	c := &around[len(around)-1]
	if c.Header.Format.Kind() == wire.KindArray {
		return Element, uint64(c.Header.Count) - c.Left - 1, c.Left == 0
	}
	i = 2*uint64(c.Header.Count) - c.Left - 1
	return Key + Role(i&1), i, c.Left == 0 // keys and values alternate
}

// A Scanner reads tokens. Create one with [New].
type Scanner struct {
	w      window
	h      wire.Scanner
	keys   []key // by depth: the last key of the map at that depth
	token  Token
	head   []byte // the encoded header of token
	values int64  // complete top-level values before token; -1 before the first token
}

// New returns a Scanner that reads values from r. base is the offset of the
// first byte of r in the input.
func New(r io.Reader, base int64) *Scanner {
	s := &Scanner{w: window{r: r, buf: make([]byte, firstSize), base: base}, values: -1}
	s.h.Reset(base, nil)
	return s
}

// Next returns the next value. It first skips the rest of the payload of the
// previous value. If the input ends between two top-level values, the error is
// io.EOF. If it ends elsewhere or is not valid MessagePack, the error is a
// [*Fault].
func (s *Scanner) Next() (Token, error) {
	for s.h.Rest() > 0 {
		if _, err := s.Payload(windowSize / 2); err != nil {
			return Token{}, err
		}
	}
	if s.w.lo == s.w.hi {
		if err := s.w.fill(1); err != nil {
			if err == io.EOF && !s.h.Whole() {
				return Token{}, s.missingValue()
			}
			return Token{}, err
		}
	}
	h, n, err := s.h.Next(s.w.unread())
	s.w.lo += n
	s.place()
	for err == wire.ErrTruncated { // the header arrives in parts
		if err := s.w.fill(1); err == io.EOF {
			return Token{}, s.truncatedHeader()
		} else if err != nil {
			return Token{}, err
		}
		h, n, err = s.h.Next(s.w.unread())
		s.w.lo += n
	}
	s.token.Header = h
	if err != nil {
		return Token{}, s.wrongHeader(err)
	}
	s.head = append(s.head[:0], s.w.buf[s.w.lo-int(h.Size):s.w.lo]...)
	s.recordKey(s.head)
	return s.token, nil
}

// place sets the token to the value that has begun, except for its header.
func (s *Scanner) place() {
	around, t := s.h.Around(), &s.token
	t.Header = wire.Header{}
	t.Offset, t.Depth = s.h.Start(), len(around)
	t.Role, t.Index, t.Last = Position(around)
	s.head = s.head[:0]
	switch t.Role {
	case Top:
		s.values++
		t.Index = uint64(s.values)
	case Key:
		t.Index, t.Last = t.Index/2, around[len(around)-1].Left == 1
		for len(s.keys) < t.Depth {
			s.keys = append(s.keys, key{})
		}
		s.keys[t.Depth-1].reset()
	case Value:
		t.Index /= 2
	}
}

// Head returns the encoded header of the token. The bytes are valid until the
// next call of Next.
func (s *Scanner) Head() []byte { return s.head }

// Payload consumes and returns the next bytes of the token's payload, at most
// limit and at most half of the window. It returns no bytes after the whole
// payload has been consumed. The bytes are valid until the next call. If the
// input ends inside the payload, Payload returns the bytes up to there and a
// [*Fault].
func (s *Scanner) Payload(limit int) ([]byte, error) {
	n := int(min(uint64(s.h.Rest()), uint64(limit), windowSize/2))
	err := s.w.fill(n)
	got := s.w.unread()[:min(n, s.w.hi-s.w.lo)]
	s.recordKey(got)
	s.w.lo += s.h.Payload(got)
	if err == io.EOF {
		return got, s.truncatedPayload()
	}
	return got, err
}

// Malformed returns the [*Fault] for a token whose payload is complete but
// invalid for its type.
func (s *Scanner) Malformed(err error, expected, found string) error {
	t := &s.token
	return s.fault(err, t.Offset, s.w.offset(), expected, found)
}

// MalformedTimestamp returns the [*Fault] for a timestamp with the payload, or the start
// of it.
func (s *Scanner) MalformedTimestamp(payload string) error {
	found := errtext.Counted(s.token.Payload, "byte")
	if payload != "" {
		found += fmt.Sprintf(", % x", payload)
	}
	return s.Malformed(wire.ErrTimestamp, "a timestamp of 4, 8 or 12 bytes with at most 999999999 nanoseconds", found)
}

// Rest returns the number of payload bytes that have not been consumed.
func (s *Scanner) Rest() uint32 { return s.h.Rest() }

// Offset returns the offset of the next unread byte in the input.
func (s *Scanner) Offset() int64 { return s.w.offset() }

// Open returns the number of containers that are incomplete after the bytes
// consumed so far. It is 0 if the top-level value is complete.
func (s *Scanner) Open() int { return len(s.h.Open()) }

// Ends returns what [Scanner.Open] returns after the payload of the token has
// been consumed.
func (s *Scanner) Ends() int {
	open := s.h.Open()
	n := len(open)
	for n > 0 && open[n-1].Left == 0 {
		n--
	}
	return n
}
