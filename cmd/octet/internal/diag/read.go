package diag

import (
	"bufio"
	"io"
	"math"

	"github.com/octet-go/octet/msgpack/wire"
)

// A Reader reads diagnostic notation and returns MessagePack.
type Reader struct {
	l       lexer
	values  int64
	body    []byte   // the value without the headers of its containers
	headers []header // of the containers, by their places in body
	depth   int
}

// A header is the header of a container, which is not in the body: the number of
// elements is known only at the end of the container.
type header struct {
	at     int // its place in the body
	count  uint64
	isMap  bool
	suffix string
}

// NewReader returns a Reader that reads from r.
func NewReader(r io.Reader) *Reader {
	return &Reader{l: lexer{r: bufio.NewReaderSize(r, 64<<10), line: 1, column: 1}}
}

// Append reads the next top-level value and appends its MessagePack to dst. At
// the end of the text it returns io.EOF. An error in the text is a
// [*SyntaxError]; any other error comes from the reader. On error, dst is
// unchanged.
func (r *Reader) Append(dst []byte) ([]byte, error) {
	r.l.space()
	if r.l.peek() == eof {
		if r.l.err != nil {
			return dst, r.l.err
		}
		return dst, io.EOF
	}
	r.body, r.headers, r.depth = r.body[:0], r.headers[:0], 0
	err := r.value()
	if err == nil {
		err = r.separated()
	}
	if err != nil {
		if s, ok := err.(*SyntaxError); ok {
			s.Value = r.values
		}
		return dst, err
	}
	r.values++
	return r.assemble(dst)
}

// separated checks that white space follows a top-level value, so that 1 2 and
// 12 are not confused.
func (r *Reader) separated() error {
	switch c := r.l.peek(); c {
	case eof, ' ', '\t', '\r', '\n', '#':
		return nil
	case ',':
		return r.l.fail("top-level values are separated by white space, not by commas")
	default:
		return r.l.fail("expected white space after the value, found %s", describe(c))
	}
}

// assemble inserts the headers of the containers.
func (r *Reader) assemble(dst []byte) ([]byte, error) {
	at := 0
	for _, h := range r.headers {
		dst = append(dst, r.body[at:h.at]...)
		at = h.at
		dst = h.append(dst)
	}
	return append(dst, r.body[at:]...), nil
}

func (h *header) append(dst []byte) []byte {
	short, bits16, bits32 := wire.AppendArrayHeader, wire.Array16, wire.Array32
	if h.isMap {
		short, bits16, bits32 = wire.AppendMapHeader, wire.Map16, wire.Map32
	}
	switch n := uint32(h.count); h.suffix {
	case "16":
		return append(dst, byte(bits16), byte(n>>8), byte(n))
	case "32":
		return append(dst, byte(bits32), byte(n>>24), byte(n>>16), byte(n>>8), byte(n))
	default:
		return short(dst, n)
	}
}

// value reads one value.
func (r *Reader) value() error {
	switch c := r.l.peek(); {
	case c == '[' || c == '{':
		return r.container(c == '{')
	case c == '"':
		return r.str()
	case isWordByte(c):
		return r.named()
	default:
		return r.l.fail("expected a value, found %s", describe(c))
	}
}

// container reads an array or a map.
func (r *Reader) container(isMap bool) error {
	if r.depth == wire.MaxDepth {
		return r.l.fail("more than %d containers inside each other", wire.MaxDepth)
	}
	r.depth++
	r.l.next()
	number := len(r.headers)
	r.headers = append(r.headers, header{at: len(r.body), isMap: isMap})
	end, name := byte(']'), "array"
	if isMap {
		end, name = '}', "map"
	}
	count := uint64(0)
	for r.l.space(); r.l.peek() != int(end); {
		if count > 0 {
			if r.l.peek() != ',' {
				return r.l.fail("expected a comma or %q in the %s, found %s", rune(end), name, describe(r.l.peek()))
			}
			r.l.next()
			r.l.space()
			if r.l.peek() == int(end) {
				return r.l.fail("trailing comma in the %s", name)
			}
		}
		if err := r.value(); err != nil {
			return err
		}
		r.l.space()
		if isMap {
			if err := r.l.expect(':', "after the key"); err != nil {
				return err
			}
			r.l.space()
			if err := r.value(); err != nil {
				return err
			}
			r.l.space()
		}
		count++
	}
	r.l.next()
	suffix, err := r.suffix("16", "32")
	if err != nil {
		return err
	}
	if suffix == "16" && count > math.MaxUint16 || count > math.MaxUint32 {
		return r.l.fail("the %s has %d elements, too many for its format", name, count)
	}
	r.headers[number].count, r.headers[number].suffix = count, suffix
	r.depth--
	return nil
}

// suffix reads the suffix that names a format, if there is one. It returns an
// error if it is not one of the allowed words.
func (r *Reader) suffix(allowed ...string) (string, error) {
	if r.l.peek() != '_' {
		return "", nil
	}
	r.l.next()
	word := r.l.word()
	for _, a := range allowed {
		if word == a {
			return word, nil
		}
	}
	return "", r.l.fail("unknown format suffix %q; this value can have %s", "_"+clip(word), list(allowed))
}

func list(words []string) string {
	text := ""
	for i, w := range words {
		switch {
		case i > 0 && i == len(words)-1:
			text += " or "
		case i > 0:
			text += ", "
		}
		text += "_" + w
	}
	return text
}

// clip shortens a word for a message.
func clip(word string) string {
	if len(word) > 40 {
		return word[:40] + "…"
	}
	return word
}
