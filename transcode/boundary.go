package transcode

import (
	"bytes"

	"github.com/octet-go/octet/msgpack/wire"
)

// boundaries finds the ends of top-level values in input that arrives in parts.
// It reads each byte once. It does not validate: its results only have to be
// correct up to the first error in the input, which the converter then reports.
type boundaries interface {
	// advance reads the part of buf that it has not seen. It returns the end of
	// the last complete value, or 0 if there is none. If bad is set, no value
	// can follow what was seen, and the converter will find an error in
	// buf[:seen].
	advance(buf []byte) (end, seen int, bad bool)
	// drop removes the first n bytes of buf, which the caller has discarded.
	drop(n int)
}

// jsonBoundaries separates values by brackets and quotes. A number or literal
// ends at the white space, string or container that follows it. The value is
// complete only then, so that the converter sees an error right after it.
type jsonBoundaries struct {
	once     bool // stop at the first end
	pos, end int
	depth    int
	inString bool
	escaped  bool // the last byte seen was a backslash that escapes the next one
}

// maxBrackets is the maximum nesting that jsontext accepts.
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

// skipString moves pos to the end of the string it is in, or to the end of buf.
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

// lastRecord returns the end of the last line in text that ends with a bracket
// and is followed by a line that begins with one, or 0 if there is none. In valid
// JSON that is the end of a top-level value: in a container, a comma or a colon
// would be between the brackets, and strings have no line ends. To find it takes
// almost no time. If the JSON is not valid, the end may be inside a value.
//
// It looks for line ends in text[from:]. A caller whose text grows passes what
// [searched] returned for the part before, so that a line that is read in small
// pieces is not searched again with each of them.
func lastRecord(text []byte, from int) int {
	const lines = 64 // more than the last few do not look like records
	end := len(text)
	for range lines {
		line := bytes.LastIndexByte(text[from:end], '\n')
		if end = from + line; line < 0 || end < 1 {
			return 0
		}
		before, after := text[end-1], byte(0)
		if before == '\r' && end > 1 {
			before = text[end-2]
		}
		if end+1 < len(text) {
			after = text[end+1]
		}
		if (before == '}' || before == ']') && (after == '{' || after == '[') {
			return end + 1
		}
	}
	return 0
}

// searched returns where lastRecord goes on when text, in which it found nothing,
// has grown. What follows a line end in the last byte had not arrived.
func searched(text []byte) int { return max(0, len(text)-1) }

// Classes of the bytes outside strings.
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

// msgpackBoundaries counts the values that the current top-level value still
// needs. A count is sufficient, so it needs no stack.
type msgpackBoundaries struct {
	once bool   // stop at the first end
	pos  int64  // past the end of the buffer if a payload is incomplete
	end  int    // end of the last complete value
	owed uint64 // number of values that the top-level value still needs
}

func (s *msgpackBoundaries) advance(buf []byte) (end, seen int, bad bool) {
	for {
		if s.owed == 0 && s.pos <= int64(len(buf)) {
			s.end = int(s.pos)
		}
		if s.pos >= int64(len(buf)) || s.once && s.end > 0 {
			return s.end, len(buf), false
		}
		if !s.once {
			s.skipFixed(buf)
			if s.pos >= int64(len(buf)) {
				continue
			}
		}
		h, n, err := wire.ConsumeHeader(buf[s.pos:])
		if err == ErrTruncated {
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

// skipFixed moves pos over values whose first byte tells their length. Most
// values are such.
func (s *msgpackBoundaries) skipFixed(buf []byte) {
	pos, owed, end := int(s.pos), s.owed, s.end
	for pos < len(buf) {
		f := fixed[buf[pos]]
		if f.size == 0 {
			break
		}
		if owed > 0 {
			owed--
		}
		owed += uint64(f.values)
		pos += int(f.size)
		if owed == 0 && pos <= len(buf) {
			end = pos
		}
	}
	s.pos, s.owed, s.end = int64(pos), owed, end
}

// A fixedSize is what the first byte of a value tells about it.
type fixedSize struct {
	size   uint8 // bytes of the value without the values in it; 0 if more bytes tell
	values uint8 // number of values in it
}

var fixed = fixedSizes()

func fixedSizes() (table [256]fixedSize) {
	for b := range table {
		h, n, err := wire.ConsumeHeader([]byte{byte(b)})
		switch {
		case err == nil:
			table[b] = fixedSize{uint8(n) + uint8(h.Payload), uint8(h.Values())}
		case wire.Format(b) >= wire.FixExt1 && wire.Format(b) <= wire.FixExt16:
			table[b] = fixedSize{size: 2 + 1<<(b-int(wire.FixExt1))}
		}
	}
	return table
}

func (s *msgpackBoundaries) drop(n int) {
	s.pos -= int64(n)
	s.end -= n
}
