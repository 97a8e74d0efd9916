package view

import (
	"strconv"
	"unicode/utf8"
)

// html builds HTML. The method text escapes its argument; literal does not.
type html struct{ b []byte }

func (h *html) literal(s string) *html {
	h.b = append(h.b, s...)
	return h
}

func (h *html) int(n int64) *html {
	h.b = strconv.AppendInt(h.b, n, 10)
	return h
}

// text appends text for content and for attributes in double quotes. Characters
// that HTML does not allow become U+FFFD.
func (h *html) text(s string) *html {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == '&':
			h.b = append(h.b, "&amp;"...)
		case r == '<':
			h.b = append(h.b, "&lt;"...)
		case r == '>':
			h.b = append(h.b, "&gt;"...)
		case r == '"':
			h.b = append(h.b, "&#34;"...)
		case r < ' ' && r != '\n' && r != '\t', r >= 0x7f && r < 0xa0, r == utf8.RuneError:
			h.b = append(h.b, "\ufffd"...)
		default:
			h.b = append(h.b, s[i:i+size]...)
		}
		i += size
	}
	return h
}

// Escape returns text for the content of HTML and for attributes in double quotes.
func Escape(text string) string { return new(html).text(text).String() }

// span appends text in a span with a class.
func (h *html) span(class, text string) *html {
	return h.literal(`<span class="` + class + `">`).text(text).literal("</span>")
}

func (h *html) String() string { return string(h.b) }
