package input

import "testing"

func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"a/b_1.msgpack":          `a/b_1.msgpack`,
		"":                       `''`,
		"my file":                `'my file'`,
		"it's":                   `'it'\''s'`,
		`a\b`:                    `'a\b'`,
		"ä.json":                 `'ä.json'`,
		"a\x1b[31m\u202e'\\\n\t": `$'a\x1b[31m\u202e\'\\\n\t'`,
	} {
		if got := Quote(word); got != want {
			t.Errorf("Quote(%q) = %s, want %s", word, got, want)
		}
	}
}
