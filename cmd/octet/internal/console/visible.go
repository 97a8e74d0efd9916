package console

import (
	"fmt"
	"io"
	"unicode/utf8"

	"github.com/octet-go/octet/internal/errtext"
)

// Escape returns text in which all characters can be seen. It replaces the others by
// escapes such as \x1b and \u202e.
func Escape(text string) string { return errtext.Visible(text) }

// Visible returns text as it is shown on a stream: a terminal gets escapes for characters
// that cannot be seen, other streams get all bytes.
func (c *Console) Visible(stream io.Writer, text string) string {
	if !c.IsTerminal(stream) {
		return text
	}
	return Escape(text)
}

// Name returns the name of a file as it is shown on a stream: on one line, and as [Console.Visible] shows text.
func (c *Console) Name(stream io.Writer, name string) string {
	return c.Visible(stream, errtext.Line(name))
}

// Painted is text with the escape sequences of a [Palette], which [Console.Note] keeps.
type Painted string

// visible replaces the strings, which are parts of a line, and the errors that a terminal gets.
func (c *Console) visible(args []any) []any {
	list := make([]any, len(args))
	for i, arg := range args {
		switch v := arg.(type) {
		case string:
			arg = c.Name(c.Stderr, v)
		case error:
			arg = c.Visible(c.Stderr, v.Error())
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
			case e.Plain && !errtext.IsVisible(rune(c)):
				e.out = fmt.Appendf(e.out, `\x%02x`, c)
			case c == 0x7f:
				e.out = errtext.AppendEscape(e.out, rune(c))
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
		if r, _ := utf8.DecodeRune(e.held); !errtext.IsVisible(r) {
			e.out, e.held = errtext.AppendEscape(e.out, r), e.held[:0]
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
