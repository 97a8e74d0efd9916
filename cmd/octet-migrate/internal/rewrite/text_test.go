package rewrite

import (
	"strings"
	"testing"
)

// TestLikeBefore requires that a file that was not formatted is only changed where something
// is rewritten, and that line ends stay.
func TestLikeBefore(t *testing.T) {
	const formatted = "package a\n\nvar x = f(1)\n"
	for _, c := range []struct{ name, old, text, want string }{
		{"formatted", formatted, "package a\n\nvar x =  g( 1)\n", "package a\n\nvar x = g(1)\n"},
		{"not formatted", "package a\nvar  x = f( 1 )\n", "package a\nvar  x = g( 1 )\n", "package a\nvar  x = g( 1 )\n"},
		{"line ends of Windows", strings.ReplaceAll(formatted, "\n", "\r\n"), "package a\r\n\r\nvar x =  g(1)\n", "package a\r\n\r\nvar x = g(1)\r\n"},
		{"mixed line ends", "package a\r\n\nvar x = f(1)\n", "package a\r\n\nvar x = g(1)\n", "package a\r\n\nvar x = g(1)\n"},
	} {
		if got, err := likeBefore([]byte(c.old), []byte(c.text)); err != nil || string(got) != c.want {
			t.Errorf("%s: got %q, %v, want %q", c.name, got, err, c.want)
		}
	}
	for _, old := range []string{formatted, "package  a\n"} {
		if _, err := likeBefore([]byte(old), []byte("package a\n\nvar x =\n")); err == nil {
			t.Errorf("after %q: no error for a text that is not Go", old)
		}
	}
}
