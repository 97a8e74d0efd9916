package scan

import "testing"

// FuzzText compares the result for text that arrives in parts with the result for
// the same text in one part.
func FuzzText(f *testing.F) {
	f.Add("aé€𝄞", uint8(2))
	f.Add("a\xff\xc3", uint8(1))
	f.Fuzz(func(t *testing.T, s string, size uint8) {
		var whole, parts Text
		whole.Write([]byte(s))
		for rest := s; len(rest) > 0; {
			n := min(len(rest), 1+int(size%5))
			parts.Write([]byte(rest[:n]))
			rest = rest[n:]
		}
		if whole.Invalid() != parts.Invalid() || whole.Invalid() > int64(len(s)) {
			t.Errorf("%q: invalid at %d at once, at %d in parts", s, whole.Invalid(), parts.Invalid())
		}
	})
}
