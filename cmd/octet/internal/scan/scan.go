package scan

import (
	"fmt"
	"io"

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

// A Scanner reads tokens. Create one with [New].
type Scanner struct {
	w      window
	stack  []frame
	token  Token
	head   []byte // the encoded header of token
	unread uint32 // bytes of its payload that are not consumed
	values int64  // complete top-level values before token
	open   bool   // token belongs to an incomplete top-level value
}

// A frame is a container that is not complete.
type frame struct {
	offset int64
	format wire.Format
	count  uint64 // number of elements, or of keys and values
	left   uint64 // number of those that have not begun
	key    key    // the last key of a map
}

// New returns a Scanner that reads values from r. base is the offset of the
// first byte of r in the input.
func New(r io.Reader, base int64) *Scanner {
	return &Scanner{w: window{r: r, buf: make([]byte, firstSize), base: base}}
}

// Next returns the next value. It first skips the rest of the payload of the
// previous value. If the input ends between two top-level values, the error is
// io.EOF. If it ends elsewhere or is not valid MessagePack, the error is a
// [*Fault].
func (s *Scanner) Next() (Token, error) {
	for s.unread > 0 {
		if _, err := s.Payload(windowSize / 2); err != nil {
			return Token{}, err
		}
	}
	s.stack = s.stack[:s.Open()]
	if len(s.stack) == 0 && s.open {
		s.open = false
		s.values++
	}
	if err := s.w.fill(1); err != nil {
		if err == io.EOF && len(s.stack) > 0 {
			return Token{}, s.missingValue()
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

// place sets the fields of the next token that are known before its header is read.
func (s *Scanner) place() {
	s.open = true
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
	// Keys and values alternate.
	t.Role, t.Index, t.Last = Key+Role(i&1), i/2, f.left < 2
	if t.Role == Key {
		f.key.reset()
	}
}

// header reads the header of the token. The header may arrive byte by byte,
// because its first byte determines its length.
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

// Head returns the encoded header of the token. The bytes are valid until the
// next call of Next.
func (s *Scanner) Head() []byte { return s.head }

// Payload consumes and returns the next bytes of the token's payload, at most
// limit and at most half of the window. It returns no bytes after the whole
// payload has been consumed. The bytes are valid until the next call. If the
// input ends inside the payload, Payload returns the bytes up to there and a
// [*Fault].
func (s *Scanner) Payload(limit int) ([]byte, error) {
	n := int(min(uint64(s.unread), uint64(limit), windowSize/2))
	err := s.w.fill(n)
	got := s.w.unread()[:min(n, s.w.hi-s.w.lo)]
	s.recordKey(got)
	s.w.lo += len(got)
	s.unread -= uint32(len(got))
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

// Rest returns the number of payload bytes that have not been consumed.
func (s *Scanner) Rest() uint32 { return s.unread }

// Offset returns the offset of the next unread byte in the input.
func (s *Scanner) Offset() int64 { return s.w.offset() }

// Open returns the number of containers that are incomplete after the bytes
// consumed so far. It is 0 if the top-level value is complete.
func (s *Scanner) Open() int {
	if s.unread > 0 {
		return len(s.stack)
	}
	return s.Ends()
}

// Ends returns what [Scanner.Open] returns after the payload of the token has
// been consumed.
func (s *Scanner) Ends() int {
	n := len(s.stack)
	for n > 0 && s.stack[n-1].left == 0 {
		n--
	}
	return n
}
