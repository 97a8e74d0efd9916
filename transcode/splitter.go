package transcode

import "bytes"

// A JSONSplitter cuts a stream of JSON text into values. The text arrives in chunks
// that may be of any length and end anywhere, even inside an escape. It finds the
// ends of values by their brackets and quotes, and checks nothing else: what it finds
// is right up to the first error in the text. The zero JSONSplitter is at the start of
// a value.
//
// It takes the same small memory for every input, and its time is linear in the length
// of the input. It has the same methods as the [wire.Splitter].
//
// [wire.Splitter]: https://pkg.go.dev/github.com/octet-go/octet/msgpack/wire#Splitter
type JSONSplitter struct {
	depth    int
	scalar   bool // in a number or literal that is not in a container
	inString bool
	escaped  bool // the last byte taken was a backslash that escapes the next one
}

// maxBrackets is the maximum nesting that jsontext accepts.
const maxBrackets = 10000

// Next takes the bytes of chunk up to the end of the next value, and returns their
// number. White space before the value is taken, too. If the value does not end in
// chunk, Next takes all of chunk, and whole is false. Call it again with the bytes that
// follow.
//
// A number or literal ends in front of the first byte that cannot belong to it. That
// byte must have arrived; at the end of a stream, nothing tells the end of a number. A
// comma, a colon or a closing bracket that belongs to no container counts as a value.
//
// If brackets are nested more than 10,000 levels deep, the error is [ErrDepth].
func (s *JSONSplitter) Next(chunk []byte) (n int, whole bool, err error) {
	_, n, whole, err = s.split(chunk, true)
	return n, whole, err
}

// Last takes all of chunk, and returns the end of the last value or white space between
// values in it, or 0 if there is none. The bytes before end complete the values before,
// so they can be processed while the others are kept. A number or literal is among them
// only with white space or another value after it, because what follows shows whether it
// is complete. On error, n is the number of bytes taken up to the fault: see
// [JSONSplitter.Next].
func (s *JSONSplitter) Last(chunk []byte) (end, n int, err error) {
	end, n, _, err = s.split(chunk, false)
	return end, n, err
}

// split takes chunk up to the first end of a value, if once is set.
func (s *JSONSplitter) split(chunk []byte, once bool) (end, n int, whole bool, err error) {
	for n < len(chunk) {
		if s.inString {
			if n = s.skipString(chunk, n); s.inString {
				break
			}
			if s.depth == 0 {
				if end = n; once {
					return end, n, true, nil
				}
			}
			continue
		}
		begin := n
		for n < len(chunk) && jsonClasses[chunk[n]] == classOther {
			n++
		}
		if s.depth == 0 && n > begin {
			s.scalar = true
		}
		if n == len(chunk) {
			break
		}
		if s.scalar {
			if s.scalar = false; once {
				return n, n, true, nil
			}
		}
		class := jsonClasses[chunk[n]]
		n++
		switch class {
		case classQuote:
			s.inString = true
			continue
		case classOpen:
			if s.depth == maxBrackets {
				return end, n, false, ErrDepth
			}
			s.depth++
			continue
		case classClose:
			s.depth = max(0, s.depth-1)
		}
		if s.depth == 0 {
			if end = n; once && class != classSpace {
				return end, n, true, nil
			}
		}
	}
	return end, n, false, nil
}

// skipString returns the end of the string that chunk[n] is in, or the end of chunk.
func (s *JSONSplitter) skipString(chunk []byte, n int) int {
	if s.escaped {
		s.escaped = false
		n++
	}
	for n < len(chunk) {
		text := chunk[n:]
		quote := bytes.IndexByte(text, '"')
		if quote >= 0 {
			text = text[:quote]
		}
		// A byte is escaped if an odd number of backslashes precede it.
		s.escaped = (len(text)-len(bytes.TrimRight(text, `\`)))%2 == 1
		n += len(text)
		if quote < 0 {
			return n
		}
		n++
		if !s.escaped {
			s.inString = false
			return n
		}
		s.escaped = false
	}
	return n
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
