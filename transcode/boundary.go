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
// literals have no end of their own: they end with the white space, string or
// container that follows, so that what is wrong about them is in sight.
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
	if s.inString {
		s.skipString(buf)
	}
	for s.pos < len(buf) && !(s.once && s.end > 0) {
		class := jsonClasses[buf[s.pos]]
		switch {
		case class == classOther:
			s.pos++
			continue
		case s.depth == maxBrackets && class == classOpen:
			return s.end, s.pos + 1, true
		}
		s.pos++
		switch class {
		case classQuote:
			s.skipString(buf)
			continue
		case classOpen:
			s.depth++
		case classClose:
			s.depth = max(0, s.depth-1)
		}
		if s.depth == 0 {
			s.end = s.pos
		}
	}
	return s.end, s.pos, false
}

// skipString goes to the end of the string that pos is in, if it is in buf.
func (s *jsonBoundaries) skipString(buf []byte) {
	s.inString = true
	if s.escaped && s.pos < len(buf) {
		s.escaped = false
		s.pos++
	}
	for s.pos < len(buf) {
		text := buf[s.pos:]
		quote := bytes.IndexByte(text, '"')
		if quote >= 0 {
			text = text[:quote]
		}
		// A byte is escaped if an odd number of backslashes precede it.
		s.escaped = (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
		s.pos += len(text)
		if quote < 0 {
			return
		}
		s.pos++
		if !s.escaped {
			s.inString = false
			if s.depth == 0 {
				s.end = s.pos
			}
			return
		}
		s.escaped = false
	}
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
	once bool   // stop at the first end
	pos  int64  // may lie beyond the buffer, after a payload
	end  int    // of the last complete value
	owed uint64 // values to come before the top-level value is complete
}

func (s *msgpackBoundaries) advance(buf []byte) (end, seen int, bad bool) {
	for {
		if s.owed == 0 && s.pos <= int64(len(buf)) {
			s.end = int(s.pos)
		}
		if s.pos >= int64(len(buf)) || s.once && s.end > 0 {
			return s.end, len(buf), false
		}
		h, n, err := wire.ConsumeHeader(buf[s.pos:])
		if err == wire.ErrTruncated {
			return s.end, len(buf), false
		}
		if err != nil {
			return s.end, int(s.pos) + 1, true
		}
		if s.owed > 0 {
			s.owed--
		}
		s.owed += h.Values()
		s.pos += int64(n) + int64(h.Payload)
	}
}

func (s *msgpackBoundaries) drop(n int) {
	s.pos -= int64(n)
	s.end -= n
}
