package scan

import "testing"

// FuzzParsePath parses any text as a path. The result is a path in the notation of
// Path, so that it parses to itself.
func FuzzParsePath(f *testing.F) {
	for _, s := range []string{"", "$.a[3].b", `["a"].b`, `a["x y"]`, "[18446744073709551615]", "a{3}", "é.日", "$ref", "a..b", "a[x]", `["a`, "[-5]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		path, err := ParsePath(text)
		if err != nil {
			return
		}
		if again, err := ParsePath(path); err != nil || again != path {
			t.Errorf("%q is %q, then %q, %v", text, path, again, err)
		}
	})
}

// FuzzText checks text that arrives in parts as text at once.
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
