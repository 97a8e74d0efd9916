package main

import (
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/terminaltest"
)

// TestTerminal prints hostile flags, names and programs to a terminal, which gets no
// character that could change what it shows.
func TestTerminal(t *testing.T) {
	terminal := terminaltest.Open(t)
	const hostile = "k\x1b[31m\u202e"
	dir := writeProgram(t)
	writeFiles(t, dir, map[string]string{"b/" + hostile + ".go": "package b\n\nimport \"github.com/vmihailenco/msgpack/v5\"\n\nfunc c() { msgpack.Marshal(1); msgpack.Version() } // " + hostile + "\n"})
	for _, args := range [][]string{
		{"-" + hostile}, {"-C", hostile, "."}, {"-diff=" + hostile}, {"./" + hostile}, {"./...", "-" + hostile},
		{"-C", dir, "-list", "./..."}, {"-C", dir, "-diff", "./..."}, {"-C", dir, "./..."},
	} {
		run(args, terminal.File, terminal.File)
		if shown := terminal.Shown(t); strings.ContainsAny(shown, "\x1b\u202e") || !strings.Contains(shown, "k\\x1b[31m") {
			t.Errorf("%q shows %q", args, shown)
		}
	}
}
