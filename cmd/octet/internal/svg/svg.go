// Package svg has what the charts of several commands share.
package svg

import "strings"

// Escape returns text for the content and the attributes of XML. Characters that
// XML does not allow become U+FFFD.
func Escape(s string) string {
	var b strings.Builder
	for _, r := range s {
		switch {
		case r == '&':
			b.WriteString("&amp;")
		case r == '<':
			b.WriteString("&lt;")
		case r == '>':
			b.WriteString("&gt;")
		case r == '"':
			b.WriteString("&#34;")
		case r == '\n':
			b.WriteString("&#xA;")
		case r < ' ' && r != '\t', r == 0xfffe, r == 0xffff:
			b.WriteRune('\ufffd')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}
