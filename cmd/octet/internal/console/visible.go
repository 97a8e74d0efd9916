package console

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// isSafe reports whether a terminal shows a character, or only moves to another line or
// column. Other characters can change the colors, the title or the contents of a terminal,
// or the direction and the order of text.
func isSafe(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r >= ' ' && r < 0x7f:
		return true
	case r < 0xa0 || r == '\u2028' || r == '\u2029':
		return false
	}
	// Soft hyphens and the joiners are part of words and of emoji.
	return !unicode.Is(unicode.Cf, r) || r == '\u00ad' || r == '\u200c' || r == '\u200d'
}

// Escape returns text in which all characters can be seen. It replaces the others by
// escapes such as \x1b and \u202e.
func Escape(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1 || !isSafe(r) && r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case !isSafe(r):
			b.Write(escaped(nil, r))
		default:
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// escaped appends a character as JSON escapes it.
func escaped(dst []byte, r rune) []byte {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}

// Visible returns text as it is shown on a stream: a terminal gets escapes for characters
// that cannot be seen, other streams get all bytes.
func (c *Console) Visible(stream io.Writer, text string) string {
	if !c.IsTerminal(stream) {
		return text
	}
	return Escape(text)
}

// Painted is text with the escape sequences of a [Palette], which [Console.Note] keeps.
type Painted string

// visible replaces the strings and errors that a terminal gets.
func (c *Console) visible(args []any) []any {
	if !c.IsTerminal(c.Stderr) {
		return args
	}
	list := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			arg = Escape(v)
		case error:
			arg = Escape(v.Error())
		}
		list[i] = arg
	}
	return list
}

// An Escaper is a writer of text to a terminal. It escapes, as JSON does, the characters
// that cannot be seen and that JSON allows in strings. It keeps ASCII as it is, and with
// it the escape sequences of colors.
type Escaper struct {
	W     io.Writer
	Plain bool // the text is neither JSON nor colored: escape all that [Escape] does

	held []byte // the beginning of a character
	out  []byte
}

// Write writes text. It keeps an incomplete character at the end until the next call.
func (e *Escaper) Write(text []byte) (int, error) {
	e.out = e.out[:0]
	for rest := text; len(rest) > 0; rest = rest[1:] {
		if c := rest[0]; c < utf8.RuneSelf {
			e.release()
			switch {
			case e.Plain && !isSafe(rune(c)):
				e.out = fmt.Appendf(e.out, `\x%02x`, c)
			case c == 0x7f:
				e.out = escaped(e.out, rune(c))
			default:
				e.out = append(e.out, c)
			}
			continue
		}
		if utf8.RuneStart(rest[0]) {
			e.release()
		}
		e.held = append(e.held, rest[0])
		if !utf8.FullRune(e.held) {
			continue
		}
		if r, _ := utf8.DecodeRune(e.held); !isSafe(r) {
			e.out, e.held = escaped(e.out, r), e.held[:0]
		}
		e.release()
	}
	if _, err := e.W.Write(e.out); err != nil {
		return 0, err
	}
	return len(text), nil
}

// release writes what is held.
func (e *Escaper) release() {
	if e.Plain && !utf8.Valid(e.held) {
		for _, c := range e.held {
			e.out = fmt.Appendf(e.out, `\x%02x`, c)
		}
		e.held = e.held[:0]
	}
	e.out, e.held = append(e.out, e.held...), e.held[:0]
}

// Flush writes an incomplete character at the end of the text.
func (e *Escaper) Flush() error {
	e.out = e.out[:0]
	e.release()
	if len(e.out) == 0 {
		return nil
	}
	_, err := e.W.Write(e.out)
	return err
}
