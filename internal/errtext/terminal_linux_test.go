package errtext

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/octet-go/octet/internal/terminaltest"
)

// TestMessages requires escapes on a terminal, and all bytes elsewhere.
func TestMessages(t *testing.T) {
	const text = "a\x1b[31m\u202e.rec\n"
	terminal := terminaltest.Open(t)
	if n, err := fmt.Fprint(Messages(terminal.File), text); n != len(text) || err != nil {
		t.Error(n, err)
	}
	if got, want := terminal.Shown(t), `a\x1b[31m\u202e.rec`+"\r\n"; got != want {
		t.Errorf("a terminal shows %q, want %q", got, want)
	}
	var b bytes.Buffer
	if fmt.Fprint(Messages(&b), text); b.String() != text {
		t.Errorf("a buffer gets %q", b.String())
	}
	terminal.Close()
	if n, err := fmt.Fprint(Messages(terminal.File), text); n != 0 || err == nil {
		t.Error(n, err)
	}
}
