package transcode

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
)

// A trail is the position in a JSON value. It is computed only after an error
// is found, so successful conversions do not pay for it.
type trail []step

// A step is an open container.
type step struct {
	object bool
	count  int    // number of complete elements, or of complete names and values
	name   string // the last name of an object
}

// take returns the position after tok.
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

// String returns the path of the next token.
func (t trail) String() string {
	var b []byte
	for _, s := range t {
		switch {
		case !s.object:
			b = append(strconv.AppendInt(append(b, '['), int64(s.count), 10), ']')
		case s.count%2 == 1:
			b = AppendStep(b, s.name)
		}
	}
	return string(b)
}

// AppendStep appends the step of [Error.Path] to the value with a name: .name, or
// ["name"] if the name is not an identifier. A program that converts the parts of a
// value one by one completes the paths of errors with it. The end of a long name is
// left out.
func AppendStep(dst []byte, name string) []byte {
	for i, c := range name {
		if c != '_' && c != '$' && (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (i == 0 || c < '0' || c > '9') {
			return append(strconv.AppendQuote(append(dst, '['), clip(name)), ']')
		}
	}
	if name == "" {
		return append(dst, `[""]`...)
	}
	return append(append(dst, '.'), clip(name)...)
}

// pathJSON returns the path of the token at the given offset of a valid value.
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

// explain returns the error for value number n at src[at], which jsontext
// rejected. It reads no byte after the value, so that the result does not
// depend on how much of the input has arrived.
func (r *jsonReader) explain(at, n int) *Error {
	// The error is usually near. Where the value ends is then not searched for,
	// which would take long if many values have no end.
	const near, margin = 4 << 10, 64
	if len(r.src)-at > near {
		fault := r.diagnose(at, n, at+near)
		if fault.Err != ErrTruncated && fault.Offset < int64(at+near-margin) {
			return fault
		}
	}
	var s JSONSplitter
	size, whole, _ := s.Next(r.src[at:])
	if whole && jsonClasses[r.src[at]] == classOther {
		size++ // what follows a number or literal can be wrong in it
	}
	return r.diagnose(at, n, at+size)
}

// diagnose returns the error for value number n in src[at:end].
func (r *jsonReader) diagnose(at, n, end int) *Error {
	text := r.src[at:end]
	fault := &Error{Offset: int64(at), Start: int64(at), Value: int64(n), Err: ErrSyntax}
	deepest := r.o.MaxDepth
	if r.o.Reversible {
		deepest = 3*deepest + 2 // the levels that escape objects can add
	}
	var t trail
	dec := jsontext.NewDecoder(bytes.NewBuffer(text), allowDuplicates)
	for {
		tok, err := dec.ReadToken()
		if dec.StackDepth() > deepest {
			fault.Offset += dec.InputOffset() - 1
			fault.Path = t.String()
			fault.Err = ErrDepth
			return fault
		}
		if err == nil {
			t = t.take(tok)
			continue
		}
		fault.Path = t.String()
		serr, ok := errors.AsType[*jsontext.SyntacticError](err)
		switch {
		case !ok: // io.EOF: the value is complete, so the error is in what follows it
			fault.Offset += int64(len(text))
		case serr.Err == io.ErrUnexpectedEOF:
			fault.Offset += int64(len(text))
			fault.Err = ErrTruncated
		default:
			fault.Offset += serr.ByteOffset
			fault.Err = fmt.Errorf("%w: %w", ErrSyntax, serr.Err)
			if mistake := mistakeAt(text, int(serr.ByteOffset)); mistake != "" {
				fault.Err = fmt.Errorf("%w: %s", ErrSyntax, mistake)
			}
			switch rest := text[serr.ByteOffset:]; {
			case isSurrogate(rest):
				fault.Err, fault.Found = unpaired{}, string(rest[:6])
			case isInvalidUTF8(rest):
				fault.Err = ErrUTF8
			}
		}
		return fault
	}
}

// mistakeAt names a common mistake at text[i], where jsontext found an error. It
// returns "" if there is none.
func mistakeAt(text []byte, i int) string {
	rest := text[i:]
	switch {
	case len(rest) == 0:
	case rest[0] == ',':
		if next := bytes.TrimLeft(rest[1:], " \t\r\n"); len(next) > 0 && (next[0] == ']' || next[0] == '}') {
			return fmt.Sprintf("trailing comma before %q", next[0])
		}
	case rest[0] == '\'':
		return "a string must be in double quotes"
	case bytes.HasPrefix(rest, []byte("//")) || bytes.HasPrefix(rest, []byte("/*")):
		return "JSON has no comments"
	case bytes.HasPrefix(rest, []byte("NaN")) || bytes.HasPrefix(rest, []byte("Infinity")):
		return "JSON has no NaN and no infinity"
	}
	return ""
}

// isInvalidUTF8 reports whether text begins with a byte that is not UTF-8.
func isInvalidUTF8(text []byte) bool {
	r, size := utf8.DecodeRune(text)
	return r == utf8.RuneError && size == 1
}

// isSurrogate reports whether text, where jsontext has found an error, begins with the
// escape of a surrogate.
func isSurrogate(text []byte) bool {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return false
	}
	v, err := strconv.ParseUint(string(text[2:6]), 16, 16)
	return err == nil && v >= 0xd800 && v < 0xe000
}

// unpaired is the reason for the escape of half of a surrogate pair. It matches
// [ErrUTF8], because the grammar of JSON allows it, but no UTF-8 can represent it.
type unpaired struct{}

func (unpaired) Error() string { return "transcode: half of a surrogate pair" }
func (unpaired) Unwrap() error { return ErrUTF8 }
