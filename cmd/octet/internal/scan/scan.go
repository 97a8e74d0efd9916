package scan

import (
	"fmt"
	"io"

	"github.com/octet-go/octet/msgpack/wire"
)

// A Role is the part that a value plays in the value around it.
type Role uint8

const (
	Top     Role = iota // a value of the stream itself
	Element             // of an array
	Key                 // of a map
	Value               // of a map
)

// A Token is one value of the input: its header and its place.
type Token struct {
	wire.Header
	Offset int64  // of the format byte, from the start of the input
	Depth  int    // how many containers are around it
	Role   Role   // in the container next to it
	Index  uint64 // of the value in the stream, the element in its array, the pair in its map
	Last   bool   // no further element or pair follows in that container
}

// A Scanner reads tokens. Make one with [New].
type Scanner struct {
	w      window
	stack  []frame
	token  Token
	head   []byte // the header of token as it stands in the input
	unread uint32 // bytes of its payload that have not been consumed
	values int64  // complete values of the stream before token
	begun  bool   // token belongs to a value of the stream that is not complete
}

// A frame is a container that is not complete.
type frame struct {
	offset int64
	format wire.Format
	count  uint64 // elements, or keys and values
	left   uint64 // of them, those not begun
	key    key    // the last one, of a map
}

// New returns a Scanner of the values in r. Offsets count from base, which is
// where in the whole input r begins.
func New(r io.Reader, base int64) *Scanner {
	return &Scanner{w: window{r: r, buf: make([]byte, windowSize), base: base}}
}

// Next returns the next value, after skipping what is left of the payload of
// the last one. Where the input ends between two values of the stream the error
// is io.EOF; where it ends elsewhere, or is not MessagePack, a [*Fault].
func (s *Scanner) Next() (Token, error) {
	for s.unread > 0 {
		if _, err := s.Payload(windowSize / 2); err != nil {
			return Token{}, err
		}
	}
	s.stack = s.stack[:s.Open()]
	if len(s.stack) == 0 && s.begun {
		s.begun = false
		s.values++
	}
	if err := s.w.fill(1); err != nil {
		if err == io.EOF && len(s.stack) > 0 {
			return Token{}, s.missing()
		}
		return Token{}, err
	}
	s.place()
	if err := s.header(); err != nil {
		return Token{}, err
	}
	t := &s.token
	if kind := t.Format.Kind(); kind == wire.KindArray || kind == wire.KindMap {
		if len(s.stack) == wire.MaxDepth {
			return Token{}, s.fault(wire.ErrDepth, t.Offset, t.Offset+int64(len(s.head)),
				fmt.Sprintf("at most %d containers inside each other", wire.MaxDepth),
				fmt.Sprintf("another %s", t.Format))
		}
		s.push()
	}
	return *t, nil
}

// place fills in all that is known of the next token before its header is read.
func (s *Scanner) place() {
	s.begun = true
	s.token = Token{Offset: s.w.offset(), Index: uint64(s.values)}
	s.head = s.head[:0]
	if len(s.stack) == 0 {
		return
	}
	f := &s.stack[len(s.stack)-1]
	i := f.count - f.left
	f.left--
	t := &s.token
	t.Depth = len(s.stack)
	if f.format.Kind() == wire.KindArray {
		t.Role, t.Index, t.Last = Element, i, f.left == 0
		return
	}
	t.Role, t.Index, t.Last = Key+Role(i&1), i/2, f.left < 2
	if t.Role == Key {
		f.key.reset()
	}
}

// header reads the header of the token, byte by byte where the input is slow,
// since only the first byte says how long it is.
func (s *Scanner) header() error {
	t := &s.token
	for {
		have := s.w.unread()
		h, n, err := wire.ConsumeHeader(have)
		switch err {
		case nil:
			t.Header = h
			s.head = append(s.head, have[:n]...)
			s.w.lo += n
			s.unread = h.Payload
			s.recordKey(s.head)
			return nil
		case wire.ErrTruncated:
			if err := s.w.fill(len(have) + 1); err == io.EOF {
				format := wire.FormatOf(have[0])
				return s.fault(wire.ErrTruncated, t.Offset, t.Offset+int64(len(have)),
					fmt.Sprintf("the length of the %s", format), plural(len(have), "byte")+", then the end of the input")
			} else if err != nil {
				return err
			}
		default:
			return s.fault(err, t.Offset, t.Offset+1, "the first byte of a value", fmt.Sprintf("%#02x", have[0]))
		}
	}
}

func (s *Scanner) push() {
	s.stack = append(s.stack, frame{
		offset: s.token.Offset, format: s.token.Format,
		count: s.token.Values(), left: s.token.Values(),
	})
}

// Head returns the bytes of the token's header. They are valid until Next.
func (s *Scanner) Head() []byte { return s.head }

// Payload consumes the next bytes of the token's payload, and returns as many
// as there are up to limit and to half of the window; none when all have been
// consumed. They are valid until the next call. Where the input ends before the
// payload does, they come with a [*Fault].
func (s *Scanner) Payload(limit int) ([]byte, error) {
	n := int(min(uint64(s.unread), uint64(limit), windowSize/2))
	err := s.w.fill(n)
	got := s.w.unread()[:min(n, s.w.hi-s.w.lo)]
	s.recordKey(got)
	s.w.lo += len(got)
	s.unread -= uint32(len(got))
	if err == io.EOF {
		return got, s.cut()
	}
	return got, err
}

// Malformed returns the [*Fault] of a token whose payload is all there but is
// not what its type asks for.
func (s *Scanner) Malformed(err error, expected, found string) error {
	t := &s.token
	return s.fault(err, t.Offset, s.w.offset(), expected, found)
}

// Rest returns how many bytes of the token's payload have not been consumed.
func (s *Scanner) Rest() uint32 { return s.unread }

// Offset returns where in the input the next unread byte stands.
func (s *Scanner) Offset() int64 { return s.w.offset() }

// Open returns how many containers still miss a part, once what has been
// consumed is taken into account: 0 where a value of the stream is complete.
func (s *Scanner) Open() int {
	n := len(s.stack)
	if s.unread > 0 {
		return n
	}
	for n > 0 && s.stack[n-1].left == 0 {
		n--
	}
	return n
}
