package scan

import (
	"testing"
	"unicode/utf8"
)

func TestText(t *testing.T) {
	for _, s := range []string{
		"", "plain", "é€𝄞", "\xff", "a\xffb", "a\xc3", "\xe2\x82", "\xe2\x82x", "\xf0\x9d\x84", "\xed\xa0\x80", "\xc0\x80", "ok\xf4\x90\x80\x80", "é€\xff", "𝄞\xc3x",
	} {
		want := int64(-1)
		for i := 0; i < len(s); {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				want = int64(i)
				break
			}
			i += size
		}
		for cut := range len(s) + 1 {
			for end := cut; end <= len(s); end++ {
				var text Text
				text.Write([]byte(s[:cut]))
				text.Write([]byte(s[cut:end]))
				text.Write([]byte(s[end:]))
				if got := text.Invalid(); got != want {
					t.Errorf("%q cut at %d and %d: %d, want %d", s, cut, end, got, want)
				}
			}
		}
	}
}
