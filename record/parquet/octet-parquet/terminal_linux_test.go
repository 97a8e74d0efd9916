package main

import (
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/terminaltest"
)

// TestTerminal prints the names of hostile files and keys to a terminal, which gets no
// character that could change what it shows.
func TestTerminal(t *testing.T) {
	terminal := terminaltest.Open(t)
	t.Chdir(folder(t))
	const hostile = "k\x1b[31m\u202e\u009b"
	key := `"k\u001b[31m` + "\u202e\u009b" + `"`
	for name, text := range map[string]string{"lost.ndjson": "{" + key + ":1}", "mixed.ndjson": "{" + key + ":1}{" + key + `:"x"}`, hostile + ".ndjson": "{"} {
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Skip(err) // not every file system has such names
		}
	}
	for _, args := range [][]string{
		{"mixed.ndjson", "-o", "x.parquet"}, {"--schema", "click.json", "lost.ndjson", "-o", "x.parquet"}, {"--lossy", "--schema", "click.json", "lost.ndjson", "-o", "x.parquet"},
		{hostile + ".ndjson", "-o", "x.parquet"}, {hostile, "-o", "x.parquet"}, {"a.ndjson", "-o", hostile + "/x.parquet"}, {"--" + hostile},
		{"a.ndjson", "-o", "x.parquet", "--compression", hostile}, {"a.ndjson", "-o", "x.parquet", "--schema", hostile},
	} {
		run(t.Context(), append([]string{"--progress", "never"}, args...), nil, terminal.File, terminal.File)
		shown := terminal.Shown(t)
		if strings.ContainsAny(shown, "\x1b\u202e\u009b") || !strings.Contains(shown, "k\\x1b[31m\\u202e\\u009b") {
			t.Errorf("%q shows %q", args, shown)
		}
	}
}

// TestDumbTerminal requires that a terminal without escape sequences gets no progress.
func TestDumbTerminal(t *testing.T) {
	terminal := terminaltest.Open(t)
	for _, term := range []string{"dumb", "xterm"} {
		t.Setenv("TERM", term)
		m := newMeter(terminal.File, false, &inputs{}, true)
		hidden := false
		select {
		case <-m.ended:
			hidden = true
		default:
		}
		if hidden != (term == "dumb") {
			t.Errorf("TERM=%s: the progress is hidden: %t", term, hidden)
		}
		m.stop()
	}
}
