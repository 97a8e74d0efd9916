package errtext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// IsVisible reports whether a terminal shows a character, or only moves to another line or
// column. Other characters can change the colors, the title or the contents of a terminal,
// or the direction and the order of text.
func IsVisible(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r >= ' ' && r < 0x7f:
		return true
	case r < 0xa0 || r == '\u2028' || r == '\u2029':
		return false
	}
	// Soft hyphens and the joiners are part of words and of emoji.
	return !unicode.Is(unicode.Cf, r) || r == '\u00ad' || r == '\u200c' || r == '\u200d'
}

// Visible returns text in which all characters can be seen. It replaces the others by
// escapes such as \x1b and \u202e.
func Visible(text string) string {
	var b strings.Builder
	for len(text) > 0 {
		r, size := utf8.DecodeRuneInString(text)
		switch {
		case r == utf8.RuneError && size == 1 || !IsVisible(r) && r < 0x80:
			fmt.Fprintf(&b, `\x%02x`, text[0])
		case !IsVisible(r):
			b.Write(AppendEscape(nil, r))
		default:
			b.WriteString(text[:size])
		}
		text = text[size:]
	}
	return b.String()
}

// Line returns text, such as a file name, without the ends of lines, so that it cannot look like another message.
func Line(text string) string { return strings.ReplaceAll(text, "\n", `\n`) }

// AppendEscape appends a character as JSON escapes it.
func AppendEscape(dst []byte, r rune) []byte {
	if r > 0xffff {
		high, low := utf16.EncodeRune(r)
		return fmt.Appendf(dst, `\u%04x\u%04x`, high, low)
	}
	return fmt.Appendf(dst, `\u%04x`, r)
}
