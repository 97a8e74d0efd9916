package wire

import "sync"

// A Scanner reads the headers of a stream of values one after another. The bytes
// arrive in chunks that may be of any length and end anywhere. The current value is the
// one whose header [Scanner.Next] has read last; the Scanner tells its offset and the
// containers around it. The zero Scanner is at the start of a stream.
//
// It allocates nothing for a header, except that the list of the open containers
// grows with the depth of nesting. A header that claims too much takes no memory.
type Scanner struct {
	// MaxDepth is the maximum number of containers around a value. Default: 0, which
	// means [MaxDepth].
	MaxDepth int

	offset  int64 // of the next byte
	start   int64 // of the current value
	depth   int   // number of containers around it
	payload uint32
	begun   bool          // its header is not complete
	head    partialHeader // what has arrived of it then
	open    []Container
	err     error
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
// next value from the start of chunk. It returns the header and the number of bytes
// taken. It does not take the payload: see [Scanner.Payload].
//
// If chunk ends before the header is complete, Next takes all of chunk, and the error
// is [ErrTruncated]. Call it again with the bytes that follow. The next value counts
// as begun from then on, even if none of its bytes has arrived.
//
// Other errors are final: Next returns them until [Scanner.Reset]. The current value is
// then the one at fault.
//
// Errors: [ErrTruncated], [ErrReserved], [ErrDepth].
func (s *Scanner) Next(chunk []byte) (h Header, n int, err error) {
	if s.payload > 0 {
		if n = s.Payload(chunk); s.payload > 0 {
			return h, n, ErrTruncated
		}
	}
	if !s.begun {
		if s.err != nil {
			return h, n, s.err
		}
		s.open = s.open[:s.incomplete()]
		s.start, s.depth = s.offset, len(s.open)
		if s.depth > 0 {
			s.open[s.depth-1].Left--
		}
	}
	size := 1
	short.once.Do(makeShortHeaders)
	if s.head.size == 0 && n < len(chunk) && short.headers[chunk[n]].Size > 0 {
		h = short.headers[chunk[n]]
	} else if h, size, err = s.head.consume(chunk[n:]); err != nil {
		return s.fault(chunk, n, err)
	}
	// The header is returned as a value and not kept, because to copy it right after it
	// was stored field by field takes longer than to read it.
	s.begun = false
	s.offset += int64(size)
	s.payload = h.Payload
	if isContainer(h.Format) {
		limit := s.MaxDepth
		if limit == 0 {
			limit = MaxDepth
		}
		if s.depth >= limit {
			s.err = ErrDepth
			return h, n + size, s.err
		}
		s.open = append(s.open, Container{Header: h, Offset: s.start, Left: h.Values()})
	}
	return h, n + size, nil
}

// short has, by format byte, the headers of one byte. Most headers are such. It is made
// by the first Scanner, so that programs without one do not contain it.
var short struct {
	once    sync.Once
	headers [256]Header
}

func makeShortHeaders() {
	for b := range short.headers {
		short.headers[b], _, _ = ConsumeHeader([]byte{byte(b)})
	}
}

// fault ends a call of Next that did not find a header at chunk[n:].
func (s *Scanner) fault(chunk []byte, n int, err error) (Header, int, error) {
	if err == ErrTruncated {
		s.begun = true
		s.offset += int64(len(chunk) - n)
		return Header{}, len(chunk), err
	}
	s.begun, s.err = false, err
	return Header{}, n, err
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

// Start returns the offset of the current value, from the start of the stream.
func (s *Scanner) Start() int64 { return s.start }

// Around returns the containers around the current value, from the outermost to the
// innermost. The slice is valid until the next call of Next.
func (s *Scanner) Around() []Container { return s.open[:s.depth] }

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
	*s = Scanner{MaxDepth: s.MaxDepth, offset: offset, depth: len(open), open: append(s.open[:0], open...)}
}
