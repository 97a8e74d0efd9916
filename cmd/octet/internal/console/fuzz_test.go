package console

import (
	"bytes"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/heaptest"
	"github.com/rivo/uniseg"
)

var escapes = regexp.MustCompile(`\x1b\[[0-9;]*m`)

// FuzzJSONPainter colors any bytes, at once and byte by byte. Without the colors
// they are the same.
func FuzzJSONPainter(f *testing.F) {
	f.Add([]byte("{\"a\\\"\":1.5e+3,\"b\":[\"c\",-2,null,{\"d\":true}],\"e\":{}}\n\"f\"\n7\n"))
	f.Add([]byte("]}\"\\"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if bytes.IndexByte(text, 0x1b) >= 0 {
			return
		}
		p := NewPalette(true)
		var whole, parts bytes.Buffer
		heaptest.AtMost(t, 200*len(text)+2<<20, func() {
			whole = bytes.Buffer{}
			if n, err := NewJSONPainter(&whole, p).Write(text); n != len(text) || err != nil {
				t.Fatal(n, err)
			}
		})
		w := NewJSONPainter(&parts, p)
		for i := range text {
			if _, err := w.Write(text[i : i+1]); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(whole.Bytes(), parts.Bytes()) {
			t.Errorf("at once %q, in parts %q", &whole, &parts)
		}
		if bare := escapes.ReplaceAll(whole.Bytes(), nil); !bytes.Equal(bare, text) {
			t.Errorf("%q became %q", text, bare)
		}
	})
}

// FuzzShorten cuts any text. The result has at most the columns, and is the text or
// the beginning of it with an ellipsis.
func FuzzShorten(f *testing.F) {
	for _, text := range []string{"", "a", "short text", "\u4f60\u597d", "e\u0301e\u0301", "\xff\xfe", "\U0001f468\u200d\U0001f469"} {
		f.Add(text, uint8(3))
	}
	f.Fuzz(func(t *testing.T, text string, columns uint8) {
		room := int(columns) + 1
		got := Shorten(text, room)
		if got == text {
			return
		}
		begin, cut := strings.CutSuffix(got, "…")
		if !cut || !strings.HasPrefix(text, begin) || uniseg.StringWidth(got) > room {
			t.Errorf("Shorten(%q, %d) = %q", text, room, got)
		}
	})
}

// FuzzEscape escapes any bytes, at once and byte by byte. All characters of the result can
// be seen, and text with such characters only stays the same.
func FuzzEscape(f *testing.F) {
	f.Add("plain ä𝄞\n\t")
	f.Add("\x1b[31m\u202e\u009b\xff\xe2\x80\U000e0041")
	f.Fuzz(func(t *testing.T, text string) {
		c := &Console{IsTerminal: func(any) bool { return true }}
		var shown string
		heaptest.AtMost(t, 200*len(text)+2<<20, func() { shown = c.Visible(nil, text) })
		safe := utf8.ValidString(text)
		for _, r := range text {
			safe = safe && errtext.IsVisible(r)
		}
		if shown != Escape(text) || safe != (shown == text) || !utf8.ValidString(shown) {
			t.Errorf("Escape(%q) = %q", text, shown)
		}
		for _, r := range shown {
			if !errtext.IsVisible(r) {
				t.Errorf("Escape(%q) = %q, with %q", text, shown, r)
			}
		}
		var whole, parts bytes.Buffer
		w := Escaper{W: &whole}
		if n, err := w.Write([]byte(text)); n != len(text) || err != nil {
			t.Fatal(n, err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		w = Escaper{W: &parts}
		for i := range len(text) {
			if _, err := w.Write([]byte{text[i]}); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Flush(); err != nil || !bytes.Equal(whole.Bytes(), parts.Bytes()) {
			t.Errorf("at once %q, in parts %q, error %v", &whole, &parts, err)
		}
		for _, r := range whole.String() {
			if !errtext.IsVisible(r) && r >= 0x7f {
				t.Errorf("the Escaper writes %q for %q, with %q", &whole, text, r)
			}
		}
	})
}
