package position

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestAt compares positions with those counted from the beginning, while the text
// is read and consumed in random steps.
func TestAt(t *testing.T) {
	const text = "a\né日\n\n  {\"x\": 1,\r\n\"y\": [é]}\n日本語\nend"
	r := rand.New(rand.NewPCG(1, 2))
	// between returns the beginning of a character.
	between := func(least, most int64) int64 {
		at := least + r.Int64N(most-least+1)
		for at < int64(len(text)) && !utf8.RuneStart(text[at]) {
			at--
		}
		return max(at, least)
	}
	for range 2000 {
		consumed, read := int64(0), int64(0)
		p := &Reader{R: strings.NewReader(text), Consumed: func() int64 { return consumed }}
		for {
			n, err := p.Read(make([]byte, 1+r.IntN(7)))
			if read += int64(n); err != nil {
				break
			}
			for range r.IntN(4) {
				at := between(consumed, read)
				want := Position{}.After([]byte(text[:at]))
				if got := p.At(at); got.Offset != at || got.Lines != want.Lines || got.Runes != int64(len([]rune(text[strings.LastIndex(text[:at], "\n")+1:at]))) {
					t.Fatalf("offset %d: %+v, want %+v", at, got, want)
				}
				if got := string(p.From(at)); got != text[at:read] {
					t.Fatalf("from %d: %q, want %q", at, got, text[at:read])
				}
			}
			consumed = between(consumed, read)
		}
		if p.From(int64(len(text))+1) != nil {
			t.Fatal("text after the end")
		}
	}
}
