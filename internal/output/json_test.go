package output

import (
	"strings"
	"testing"
)

func TestJSONLines(t *testing.T) {
	var b strings.Builder
	e := JSONLines(&b)
	for _, v := range []any{"<a&b>", 1, "a\xffb\ufffdc"} {
		if err := e.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	if want := "\"<a&b>\"\n1\n" + `"a\ufffdb\ufffdc"` + "\n"; b.String() != want {
		t.Errorf("%q, want %q", b.String(), want)
	}
}

func TestInvalidText(t *testing.T) {
	for text, want := range map[string]string{
		"":                  `""`,
		"<a&b>\n\"é":        `"<a&b>\n\"é"`,
		"bad\xff":           `"bad\ufffd"`,
		"\xff\xfe(\xe2\x82": `"\ufffd\ufffd(\ufffd\ufffd"`,
		"\xed\xa0\x80":      `"\ufffd\ufffd\ufffd"`, // half of a surrogate pair
		"is \ufffd":         `"is \ufffd"`,          // U+FFFD itself
	} {
		var b strings.Builder
		if err := JSONLines(&b).Encode(map[string]any{"v": text}); err != nil || b.String() != `{"v":`+want+"}\n" {
			t.Errorf("%q: %s, %v, want %s", text, b.String(), err, want)
		}
	}
}
