package transcode

import (
	"bytes"

	"github.com/octet-go/octet/msgpack/wire"
)

// boundaries finds where top-level values end in bytes that arrive piece by
// piece, looking at each byte once. It does not validate: it only has to be
// right up to the first fault, which the converter then reports.
type boundaries interface {
	// advance looks at the part of buf that it has not seen and returns the end
	// of the last complete value, 0 if there is none. Bad means that no value
	// can follow what was seen: the converter will find the fault by buf[:seen].
	advance(buf []byte) (end, seen int, bad bool)
	// drop says that the first n bytes of buf are gone.
	drop(n int)
}

// jsonBoundaries tells values apart by brackets and quotes. Numbers and
// literals have no end of their own; the white space after them ends them.
type jsonBoundaries struct {
	once     bool // stop at the first end
	pos, end int
	depth    int
	inString bool
	escaped  bool // the last byte seen was a backslash that escapes the next
}

// maxBrackets is the nesting at which jsontext gives up.
const maxBrackets = 10000

func (s *jsonBoundaries) advance(buf []byte) (end, seen int, bad bool) {
	i, depth := s.pos, s.depth
	if s.inString {
		if i = s.skipString(buf, i); !s.inString && depth == 0 {
			s.end = i
		}
	}
scan:
	for i < len(buf) {
		c := buf[i]
		i++
		switch jsonClasses[c] {
		case classQuote:
			s.inString = true
			if i = s.skipString(buf, i); s.inString || depth > 0 {
				continue
			}
		case classOpen:
			if depth++; depth > maxBrackets {
				bad = true
				break scan
			}
			continue
		case classClose:
			if depth--; depth < 0 {
				bad = true
				break scan
			}
			if depth > 0 {
				continue
			}
		case classSpace:
			if depth > 0 {
				continue
			}
		case classSeparator:
			if depth == 0 {
				bad = true
				break scan
			}
			continue
		default:
			continue
		}
		s.end = i
		if s.once {
			break
		}
	}
	s.pos, s.depth = i, depth
	return s.end, i, bad
}

// skipString returns where the string that holds buf[i] ends, or len(buf).
func (s *jsonBoundaries) skipString(buf []byte, i int) int {
	if s.escaped && i < len(buf) {
		s.escaped = false
		i++
	}
	for i < len(buf) {
		n := bytes.IndexByte(buf[i:], '"')
		text := buf[i:]
		if n >= 0 {
			text = text[:n]
		}
		// A quote ends the string if an even number of backslashes precede it.
		slashes := 0
		for slashes < len(text) && text[len(text)-1-slashes] == '\\' {
			slashes++
		}
		i += len(text)
		if n < 0 {
			s.escaped = slashes%2 == 1
			return i
		}
		i++
		if slashes%2 == 0 {
			s.inString = false
			return i
		}
	}
	return i
}

func (s *jsonBoundaries) drop(n int) {
	s.pos -= n
	s.end -= n
}

// The classes of bytes that matter to jsonBoundaries outside strings.
const (
	classOther = iota
	classQuote
	classOpen
	classClose
	classSpace
	classSeparator
)

var jsonClasses = [256]uint8{
	'"': classQuote,
	'{': classOpen, '[': classOpen,
	'}': classClose, ']': classClose,
	' ': classSpace, '\t': classSpace, '\r': classSpace, '\n': classSpace,
	',': classSeparator, ':': classSeparator,
}

// msgpackBoundaries counts the values that are still to come in the value that
// is open, which needs no stack.
type msgpackBoundaries struct {
	once     bool   // stop at the first end
	pos, end int    // pos may lie beyond the buffer, inside a payload
	owed     uint64 // values to come before the top-level value is complete
}

func (s *msgpackBoundaries) advance(buf []byte) (end, seen int, bad bool) {
	for {
		if s.owed == 0 && s.pos <= len(buf) {
			s.end = s.pos
		}
		if s.pos >= len(buf) || s.once && s.end > 0 {
			return s.end, len(buf), false
		}
		h, n, err := wire.ConsumeHeader(buf[s.pos:])
		if err == wire.ErrTruncated {
			return s.end, len(buf), false
		}
		if err != nil {
			return s.end, s.pos + 1, true
		}
		if uint64(h.Payload) > uint64(maxInt-s.pos-n) {
			return s.end, len(buf), true
		}
		if s.owed > 0 {
			s.owed--
		}
		s.owed += h.Values()
		s.pos += n + int(h.Payload)
	}
}

const maxInt = int(^uint(0) >> 1)

func (s *msgpackBoundaries) drop(n int) {
	s.pos -= n
	s.end -= n
}
