package main

import (
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/terminaltest"
)

// TestTerminal prints hostile flags and names to a terminal, which gets no character that
// could change what it shows.
func TestTerminal(t *testing.T) {
	terminal := terminaltest.Open(t)
	const hostile = "k\x1b[31m\u202e\u009b"
	for _, args := range [][]string{{"-" + hostile}, {"-dir", hostile}, {"-check=" + hostile}, {hostile}} {
		run(t.Context(), args, terminal.File, terminal.File)
		if shown := terminal.Shown(t); strings.ContainsAny(shown, "\x1b\u202e\u009b") || !strings.Contains(shown, "k\\x1b[31m") {
			t.Errorf("%q shows %q", args, shown)
		}
	}
}
