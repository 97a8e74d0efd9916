package transcode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/octet-go/octet/msgpack/wire"
)

// A trail follows the tokens of a JSON value to say where in it they are. It
// is walked only once a fault is known, so the happy path pays nothing for it.
type trail []step

// A step is a container that is open.
type step struct {
	object bool
	count  int    // of elements, or of names and values, that are complete
	name   string // the last name, of an object
}

// take adds a token that was read.
func (t trail) take(tok jsontext.Token) trail {
	switch tok.Kind() {
	case '{', '[':
		return append(t, step{object: tok.Kind() == '{'})
	case '}', ']':
		t = t[:len(t)-1]
	}
	if len(t) > 0 {
		top := &t[len(t)-1]
		if top.object && top.count%2 == 0 {
			top.name = tok.String()
		}
		top.count++
	}
	return t
}

// String is the path of the token that comes next.
func (t trail) String() string {
	var b []byte
	for _, s := range t {
		switch {
		case !s.object:
			b = append(strconv.AppendInt(append(b, '['), int64(s.count), 10), ']')
		case s.count%2 == 1:
			b = appendStep(b, s.name)
		}
	}
	return string(b)
}

// appendStep appends the way into a map: .name, or ["name"] where that is not
// a word.
func appendStep(b []byte, name string) []byte {
	for i, c := range name {
		if c != '_' && c != '$' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return append(strconv.AppendQuote(append(b, '['), clip(name)), ']')
		}
	}
	if name == "" {
		return append(b, `[""]`...)
	}
	return append(append(b, '.'), clip(name)...)
}

// pathJSON is the path of the token at the given offset of a valid value.
func pathJSON(value []byte, offset int) string {
	var t trail
	dec := jsontext.NewDecoder(bytes.NewBuffer(value), allowDuplicates)
	for {
		tok, err := dec.ReadToken()
		if err != nil || dec.InputOffset() > int64(offset) {
			return t.String()
		}
		t = t.take(tok)
	}
}

// explain says what is wrong with the value at src[at], the n-th, which
// jsontext refused. It looks at no byte beyond the value, so that the answer
// does not depend on how much of the input is there.
func (r *jsonReader) explain(at, n int) *Error {
	s := jsonBoundaries{once: true}
	end, seen, _ := s.advance(r.src[at:])
	if end == 0 {
		end = seen
	}
	text := r.src[at : at+end]
	fault := &Error{Offset: int64(at), Value: int64(n), Err: ErrSyntax}

	deepest := r.o.MaxDepth
	if r.o.Reversible {
		deepest = 3*deepest + 2 // what escape objects can add
	}
	var t trail
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), allowDuplicates)
	for {
		tok, err := dec.ReadToken()
		if dec.StackDepth() > deepest {
			fault.Offset += dec.InputOffset() - 1
			fault.Path = t.String()
			fault.Err = wire.ErrDepth
			return fault
		}
		if err == nil {
			t = t.take(tok)
			continue
		}
		fault.Path = t.String()
		serr, ok := errors.AsType[*jsontext.SyntacticError](err)
		switch {
		case !ok: // io.EOF: the value is whole after all, so what follows it is wrong
			fault.Offset += int64(len(text))
		case serr.Err == io.ErrUnexpectedEOF:
			fault.Offset += int64(len(text))
			fault.Err = wire.ErrTruncated
		default:
			fault.Offset += serr.ByteOffset
			fault.Err = fmt.Errorf("%w: %w", ErrSyntax, serr.Err)
			if isText(text[serr.ByteOffset:]) {
				fault.Err = ErrUTF8
			}
		}
		return fault
	}
}

// isText reports whether a fault that jsontext found at the start of text is
// about Unicode: a byte that is not UTF-8, or a lone surrogate.
func isText(text []byte) bool {
	r, size := utf8.DecodeRune(text)
	if r == utf8.RuneError && size == 1 {
		return true
	}
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return false
	}
	v, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return err == nil && v >= 0xd800 && v < 0xe000
}
