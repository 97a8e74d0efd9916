package console_test

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
)

func TestEscape(t *testing.T) {
	for _, c := range []struct{ text, want, json string }{
		{"abc\n\tä€𝄞", "abc\n\tä€𝄞", "abc\n\tä€𝄞"},
		{"\x1b[31m\a\r", `\x1b[31m\x07\x0d`, "\x1b[31m\a\r"},
		{"\u009b31m\u0080\x7f", `\u009b31m\u0080\x7f`, `\u009b31m\u0080\u007f`},
		{"gpj.\u202egpj\u2066\u200e\u061c", `gpj.\u202egpj\u2066\u200e\u061c`, `gpj.\u202egpj\u2066\u200e\u061c`},
		{"\u2028\u2029\ufeff\U000e0041", `\u2028\u2029\ufeff\udb40\udc41`, `\u2028\u2029\ufeff\udb40\udc41`},
		{"a\u00adb\u200cc\u200dd\u00a0e", "a\u00adb\u200cc\u200dd\u00a0e", "a\u00adb\u200cc\u200dd\u00a0e"},
		{"\xff\xc2", `\xff\xc2`, "\xff\xc2"},
		{"\xe2\x80a\xc2\xe2\x80\xae\x80\x80\x80\x80\x80", `\xe2\x80a\xc2\u202e\x80\x80\x80\x80\x80`, "\xe2\x80a\xc2\\u202e\x80\x80\x80\x80\x80"},
	} {
		if got := console.Escape(c.text); got != c.want {
			t.Errorf("Escape(%q) = %q, want %q", c.text, got, c.want)
		}
		for size := 1; size <= len(c.text); size++ {
			for plain, want := range map[bool]string{false: c.json, true: c.want} {
				var b bytes.Buffer
				e := console.Escaper{W: &b, Plain: plain}
				for part := c.text; len(part) > 0; {
					n := min(size, len(part))
					if _, err := e.Write([]byte(part[:n])); err != nil {
						t.Fatal(err)
					}
					part = part[n:]
				}
				if err := e.Flush(); err != nil || b.String() != want {
					t.Errorf("Escaper{Plain: %v}: %q in parts of %d is %q, %v, want %q", plain, c.text, size, &b, err, want)
				}
			}
		}
	}
}

func TestNoteEscapes(t *testing.T) {
	const name = "a\x1b[31m\u202e\u009b.json"
	c, _, stderr := consoletest.New("")
	say := func() string {
		stderr.Reset()
		c.Note("%s %v: %s (%d)", console.Painted("\x1b[1mred\x1b[0m"), errors.New(name), name, 5)
		return stderr.String()
	}
	if got, want := say(), "\x1b[1mred\x1b[0m "+name+": "+name+" (5)\n"; got != want {
		t.Errorf("not on a terminal: %q, want %q", got, want)
	}
	stderr.Reset()
	if c.Note("%s: %v", "a\nb", errors.New("c\nd")); stderr.String() != "a\\nb: c\nd\n" {
		t.Errorf("a name of two lines: %q", stderr)
	}
	c.IsTerminal = func(stream any) bool { return stream == c.Stderr }
	visible := `a\x1b[31m\u202e\u009b.json`
	if got, want := say(), fmt.Sprintf("\x1b[1mred\x1b[0m %s: %s (5)\n", visible, visible); got != want {
		t.Errorf("on a terminal: %q, want %q", got, want)
	}
	if got := c.Visible(c.Stdout, name); got != name {
		t.Errorf("Visible(%q) = %q for a stream that is not a terminal", name, got)
	}
	if got := c.Visible(c.Stderr, name); got != visible {
		t.Errorf("Visible(%q) = %q on a terminal", name, got)
	}
}
