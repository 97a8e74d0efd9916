package wire

import "cmp"

// A Scanner reads the headers of a stream of values one after another. The bytes
// arrive in chunks that may be of any length and end anywhere. For each value, the
// Scanner tells its header, its offset and the containers around it. The zero Scanner
// is at the start of a stream.
//
// It allocates nothing for a header, except that the list of the open containers
// grows with the depth of nesting. A header that claims too much takes no memory.
type Scanner struct {
	// MaxDepth is the maximum number of containers around a value. Default: 0, which
	// means [MaxDepth].
	MaxDepth int

	offset  int64 // of the next byte
	payload uint32
	token   Token
	open    []Container
	head    partialHeader // of the current value; complete if begun is false
	begun   bool          // a value has begun whose header is not complete
	err     error
}

// A Token is a value in a stream.
type Token struct {
	Header
	Offset int64 // of the header, from the start of the stream
	Depth  int   // number of containers around the value
}

// A Container is an array or map around a value of a stream.
type Container struct {
	Header Header
	Offset int64  // of the header, from the start of the stream
	Left   uint64 // number of values in it that have not begun; keys and values of a map count separately
}

// Begun returns the number of values in the container that have begun, which is at
// most the Values of its header.
func (c *Container) Begun() uint64 { return c.Header.Values() - c.Left }

// Next takes what is left of the payload of the value before and the header of the
// next value from the start of chunk. It returns the value and the number of bytes
// taken. It does not take the payload: see [Scanner.Payload].
//
// If chunk ends before the header is complete, Next takes all of chunk, and the error
// is [ErrTruncated]. Call it again with the bytes that follow. The next value counts
// as begun from then on, even if none of its bytes has arrived.
//
// Other errors are final: Next returns them until [Scanner.Reset]. The Offset of the
// Token is that of the value at fault.
//
// Errors: [ErrTruncated], [ErrReserved], [ErrDepth].
func (s *Scanner) Next(chunk []byte) (t Token, n int, err error) {
	if s.payload > 0 {
		if n = s.Payload(chunk); s.payload > 0 {
			return s.token, n, ErrTruncated
		}
	}
	if !s.begun {
		if s.err != nil {
			return s.token, n, s.err
		}
		s.begin()
	}
	var size int
	if s.head.size == 0 {
		s.token.Header, size, err = ConsumeHeader(chunk[n:])
	} else {
		s.token.Header, size, err = s.head.consume(chunk[n:])
	}
	if err != nil {
		return s.fault(chunk, n, err)
	}
	s.begun = false
	s.offset += int64(size)
	s.payload = s.token.Payload
	if f := s.token.Format; isContainer(f) {
		if limit := cmp.Or(s.MaxDepth, MaxDepth); len(s.open) >= limit {
			s.err = ErrDepth
			return s.token, n + size, s.err
		}
		s.open = append(s.open, Container{Header: s.token.Header, Offset: s.token.Offset, Left: s.token.Values()})
	}
	return s.token, n + size, nil
}

// begin begins the next value.
func (s *Scanner) begin() {
	s.open = s.open[:s.incomplete()]
	if n := len(s.open); n > 0 {
		s.open[n-1].Left--
	}
	s.begun = true
	s.token.Offset, s.token.Depth = s.offset, len(s.open)
}

// fault ends a call of Next that did not find a header at chunk[n:].
func (s *Scanner) fault(chunk []byte, n int, err error) (Token, int, error) {
	if err == ErrTruncated {
		if s.head.size == 0 {
			_, _, _ = s.head.consume(chunk[n:]) // keeps what there is
		}
		s.offset += int64(len(chunk) - n)
		return s.token, len(chunk), err
	}
	s.begun, s.err = false, err
	return s.token, n, err
}

// Payload takes the bytes of the current value's payload from the start of chunk, and
// returns their number. A program that needs the payload calls it after
// [Scanner.Next], with the bytes that follow the header, until [Scanner.Rest] is 0.
func (s *Scanner) Payload(chunk []byte) (n int) {
	n = int(min(uint64(s.payload), uint64(len(chunk))))
	s.payload -= uint32(n)
	s.offset += int64(n)
	return n
}

// Rest returns the number of bytes of the current value's payload that have not been
// taken.
func (s *Scanner) Rest() uint32 { return s.payload }

// Offset returns the number of bytes that have been taken, from the start of the
// stream.
func (s *Scanner) Offset() int64 { return s.offset }

// Around returns the containers around the current value, from the outermost to the
// innermost. The slice is valid until the next call of Next.
func (s *Scanner) Around() []Container { return s.open[:s.token.Depth] }

// Whole reports whether the bytes that have been taken are complete top-level values.
// A stream may end there.
func (s *Scanner) Whole() bool {
	if s.begun {
		return s.head.size == 0 && len(s.open) == 0 // no byte of the value has arrived
	}
	return s.payload == 0 && s.incomplete() == 0
}

// Open returns the containers that are not complete after the bytes that have been
// taken, from the outermost to the innermost. The slice is valid until the next call
// of Next.
func (s *Scanner) Open() []Container {
	if s.payload > 0 || s.begun {
		return s.open
	}
	return s.open[:s.incomplete()]
}

// incomplete returns the number of containers in which values have not begun.
func (s *Scanner) incomplete() int {
	n := len(s.open)
	for n > 0 && s.open[n-1].Left == 0 {
		n--
	}
	return n
}

// Reset continues at an offset of a stream, between two values that are inside the
// containers in open. An earlier call of Offset and a copy of the result of Open have
// these. Reset keeps no reference to open, which Around returns from then on.
func (s *Scanner) Reset(offset int64, open []Container) {
	*s = Scanner{MaxDepth: s.MaxDepth, offset: offset, open: append(s.open[:0], open...)}
	s.token.Depth = len(open)
}
