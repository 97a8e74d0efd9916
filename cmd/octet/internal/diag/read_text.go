package diag

import (
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack/wire"
)

// str reads a str in double quotes.
func (r *Reader) str() error {
	r.l.next()
	var text []byte
	// The text before this offset has been checked, or comes from escapes, which may be
	// bytes that are not UTF-8.
	checked := 0
	check := func() error {
		if !utf8.Valid(text[checked:]) {
			return r.l.fail(`the string is not valid UTF-8; write other bytes as \xff`)
		}
		checked = len(text)
		return nil
	}
	for {
		c := r.l.next()
		switch {
		case c == eof:
			return r.l.fail("the string is not closed")
		case c == '"' || c == '\\':
			if err := check(); err != nil {
				return err
			}
			if c == '"' {
				suffix, err := r.suffix("8", "16", "32")
				if err != nil {
					return err
				}
				return r.sized(wire.AppendStringHeader, wire.Str8, suffix, text)
			}
			var err error
			if text, err = r.escape(text); err != nil {
				return err
			}
			checked = len(text)
		case c < ' ':
			return r.l.fail(`a string cannot contain %s; write \u%04x`, describe(c), c)
		default:
			text = append(text, byte(c))
		}
	}
}

// escapes are the characters of escapes of one letter, and what they mean.
const (
	escapes = `"\/bfnrt`
	escaped = "\"\\/\b\f\n\r\t"
)

// escape reads what follows a backslash.
func (r *Reader) escape(text []byte) ([]byte, error) {
	c := r.l.next()
	for i := range escapes {
		if c == int(escapes[i]) {
			return append(text, escaped[i]), nil
		}
	}
	switch c {
	case 'x':
		b, err := r.digits(2)
		return append(text, byte(b)), err
	case 'u':
		first, err := r.digits(4)
		if err != nil || !utf16.IsSurrogate(rune(first)) {
			return utf8.AppendRune(text, rune(first)), err
		}
		second := 0
		if r.l.peek() == '\\' {
			r.l.next()
			if r.l.peek() == 'u' {
				r.l.next()
				if second, err = r.digits(4); err != nil {
					return text, err
				}
			}
		}
		if c := utf16.DecodeRune(rune(first), rune(second)); c != utf8.RuneError {
			return utf8.AppendRune(text, c), nil
		}
		return text, r.l.fail(`\u%04x is half of a surrogate pair`, first)
	}
	return text, r.l.fail("unknown escape: a backslash before %s", describe(c))
}

// digits reads n hexadecimal digits.
func (r *Reader) digits(n int) (int, error) {
	text := make([]byte, 0, 4)
	for range n {
		c := r.l.next()
		if c == eof {
			return 0, r.l.fail("the string is not closed")
		}
		text = append(text, byte(c))
	}
	v, err := strconv.ParseUint(string(text), 16, 16)
	if err != nil {
		return 0, r.l.fail("expected %d hexadecimal digits in an escape", n)
	}
	return int(v), nil
}
