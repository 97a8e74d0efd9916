package console

import "testing"

func TestShorten(t *testing.T) {
	for _, c := range []struct {
		text string
		room int
		want string
	}{
		{"", 0, ""},
		{"abc", 3, "abc"},
		{"abcd", 3, "ab…"},
		{"abcd", 1, "…"},
		{"abcd", 0, "…"},
		{"世界世界", 8, "世界世界"},
		{"世界世界", 7, "世界世…"},
		{"世界世界", 6, "世界…"},
		{"e\u0301e\u0301e\u0301", 2, "e\u0301…"}, // an accent stays with its letter
	} {
		if got := Shorten(c.text, c.room); got != c.want {
			t.Errorf("%q, %d columns: %q, want %q", c.text, c.room, got, c.want)
		}
	}
}
