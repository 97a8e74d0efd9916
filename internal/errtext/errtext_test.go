package errtext

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestPath(t *testing.T) {
	short := strings.Repeat("[123]", 44)
	if got := Path(short); got != short {
		t.Errorf("220 bytes became %q", got)
	}
	if got := Path(short + "."); len(got) >= 220 {
		t.Errorf("221 bytes became %q", got)
	}
	long := "Begin" + strings.Repeat(".Next", 1000) + ".End"
	if got := Path(long); len(got) > 220 || !strings.HasPrefix(got, "Begin.Next") || !strings.HasSuffix(got, ".Next.End") || !strings.Contains(got, " … ") {
		t.Errorf("got %q", got)
	}
	// The cuts must not leave half a character.
	for n := range 4 {
		if got := Path(strings.Repeat("x", n) + strings.Repeat("€", 100)); !utf8.ValidString(got) || strings.ContainsRune(got, utf8.RuneError) {
			t.Errorf("got %q", got)
		}
	}
}

func TestSimilar(t *testing.T) {
	names := []string{"prefix", "fixed", "be", "le", "Data"}
	for name, want := range map[string]string{
		"prefx": "prefix", "prefiks": "prefix", "prf": "", "PREFIX": "prefix", "fix": "fixed", "bee": "be", "ce": "be",
		"dat": "Data", "xx": "", "": "", "length": "",
	} {
		if got := Similar(name, names); got != want {
			t.Errorf("%q: got %q, want %q", name, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"", "abc", 3}, {"abc", "abc", 0}, {"abc", "axc", 1}, {"abc", "ac", 1}, {"kitten", "sitting", 3}, {"form", "from", 2}} {
		if got := Distance(c.a, c.b); got != c.want || Distance(c.b, c.a) != c.want {
			t.Errorf("%s, %s: %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestVisible(t *testing.T) {
	for text, want := range map[string]string{
		"abc\n\tä€𝄞\u00ad":        "abc\n\tä€𝄞\u00ad",
		"\x1b[31m\a\r\x7f":        `\x1b[31m\x07\x0d\x7f`,
		"\u009b\u202e\U000e0041a": `\u009b\u202e\udb40\udc41a`,
		"\xff\xc2":                `\xff\xc2`,
	} {
		if got := Visible(text); got != want {
			t.Errorf("Visible(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestLine(t *testing.T) {
	if got := Line("a\n\tb\n"); got != "a\\n\tb\\n" {
		t.Errorf("%q", got)
	}
}
