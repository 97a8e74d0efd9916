package position

import (
	"io"
	"math/rand/v2"
	"strings"
	"testing"
	"testing/iotest"
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

// TestCharacters reads a text that arrives in parts. No Read with enough room ends
// inside a character, and all bytes arrive, also those that are not UTF-8.
func TestCharacters(t *testing.T) {
	for _, text := range []string{"Ūé日本語😀", "\xff\x80日\xe6", "😀\xf0\x9f\x98", "\xe6\x97"} {
		for size := 1; size <= 5; size++ {
			r := &Reader{R: iotest.OneByteReader(strings.NewReader(text)), Consumed: func() int64 { return 0 }}
			var all []byte
			for {
				p := make([]byte, size)
				n, err := r.Read(p)
				if all = append(all, p[:n]...); err != nil {
					break
				}
				if n == 0 || size >= utf8.UTFMax && incomplete(p[:n]) > 0 {
					t.Errorf("%q: a Read of %d bytes returns %q", text, size, p[:n])
				}
			}
			if string(all) != text || string(r.From(0)) != text {
				t.Errorf("%q in parts of %d: %q, and %q is remembered", text, size, all, r.From(0))
			}
		}
	}
	empty := &Reader{R: iotest.DataErrReader(iotest.OneByteReader(strings.NewReader("日"))), Consumed: func() int64 { return 0 }}
	if n, err := empty.Read(make([]byte, 8)); n != 3 || err != io.EOF {
		t.Errorf("%d, %v, want the character with the end", n, err)
	}
}
