package scan

import "testing"

func TestParsePath(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"a", "a"}, {".a", "a"}, {"$.a[3].b", "a[3].b"}, {"[0][1]", "[0][1]"}, {`["a"].b`, "a.b"},
		{`a["x y"]`, `a["x y"]`}, {`["\"]"]`, `["\"]"]`}, {"a-b.c", `["a-b"].c`}, {"[-5]", "[-5]"},
		{"[18446744073709551615]", "[18446744073709551615]"}, {"a{3}", "a{3}"}, {"é.日", "é.日"}, {"$", ""}, {"$ref", `["$ref"]`},
	} {
		if got, err := ParsePath(c.text); err != nil || got != c.want {
			t.Errorf("ParsePath(%q) = %q, %v; want %q", c.text, got, err, c.want)
		}
	}
	for _, text := range []string{"a..b", "a[", "a[x]", `["a`, `["a"`, "a]b[0]c", "a[0]b", ".", "{"} {
		if got, err := ParsePath(text); err == nil {
			t.Errorf("ParsePath(%q) = %q, want an error", text, got)
		}
	}
}
