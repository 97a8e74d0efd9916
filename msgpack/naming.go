package msgpack

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// SnakeCase is a naming policy for [Config]: UserID becomes user_id, HTTPServer2
// http_server2.
func SnakeCase(goName string) string {
	words := splitWords(goName)
	for i, w := range words {
		words[i] = strings.ToLower(w)
	}
	return strings.Join(words, "_")
}

// CamelCase is a naming policy for [Config]: UserID becomes userId, HTTPServer2
// httpServer2.
func CamelCase(goName string) string {
	words := splitWords(goName)
	for i, w := range words {
		w = strings.ToLower(w)
		if i > 0 {
			r, size := utf8.DecodeRuneInString(w)
			w = string(unicode.ToUpper(r)) + w[size:]
		}
		words[i] = w
	}
	return strings.Join(words, "")
}

// splitWords splits a Go name before each upper-case letter that follows a
// lower-case letter or digit, or precedes a lower-case letter. Underscores also
// separate words.
func splitWords(name string) []string {
	var words []string
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, string(runes[start:end]))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case r == '_':
			cut(i)
			start = i + 1
		case unicode.IsUpper(r) && i > start:
			before := runes[i-1]
			if !unicode.IsUpper(before) || i+1 < len(runes) && unicode.IsLower(runes[i+1]) {
				cut(i)
			}
		}
	}
	cut(len(runes))
	return words
}
