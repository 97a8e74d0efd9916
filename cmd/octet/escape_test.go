package main

import (
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console"
)

// hostile is text that can change what a terminal shows.
const hostile = "k\x1b[31m\u202e\u009b"

// TestTerminalEscapes runs commands on files whose names, keys and values are hostile.
// Nothing of that reaches a terminal. Without a terminal, the output has every byte.
func TestTerminalEscapes(t *testing.T) {
	t.Chdir(t.TempDir())
	const name = hostile + ".msgpack"
	values := `{"` + strings.ReplaceAll(hostile, "\x1b", `\u001b`) + `":"` + strings.ReplaceAll(hostile, "\x1b", `\u001b`) + `"}`
	if err := os.WriteFile("good.json", []byte(values), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(hostile+".json", []byte(`{"a":x}`), 0o644); err != nil {
		t.Skip(err) // not on all systems a file can have this name
	}
	screen := func(terminal bool, args ...string) string {
		var out bytes.Buffer
		con := &console.Console{
			Stdin: strings.NewReader(""), Stdout: &out, Stderr: &out,
			LookupEnv:  func(name string) (string, bool) { return "1", name == "NO_COLOR" },
			IsTerminal: func(stream any) bool { return terminal && stream == &out },
		}
		run(context.Background(), args, con)
		return out.String()
	}
	for _, target := range []string{name, hostile + ".rec"} {
		screen(false, "convert", "-q", "good.json", "-o", target)
	}
	screen(false, "convert", "-q", "good.json", "-o", hostile+".dat", "--to", "msgpack")
	screen(false, "schema", "good.json", "-o", "good.schema.json")
	for _, c := range []struct {
		line string // a @ is the first part of the name
		raw  bool   // other streams get the hostile text
	}{
		{"convert @.msgpack", true}, {"convert --pretty @.msgpack", true}, {"convert @.json", true}, {"convert missing@.json", true},
		{"query . @.msgpack", true}, {"query keys @.msgpack", true}, {"query . @.json", true},
		{"query --color always . @.json", true}, {"get . @.msgpack", true}, {"get --json . @.msgpack", true}, {"get x @.msgpack", true},
		{"diag @.msgpack", false}, {"diag --json @.msgpack", false}, {"fmt @.json", true},
		{"stat @.msgpack", false}, {"stat --json @.msgpack", false}, {"types @.msgpack", false}, {"types --json @.msgpack", true},
		{"schema @.msgpack", true}, {"schema missing@.msgpack", true}, {"schema diff good.schema.json missing@", true}, {"schema diff good.schema.json @.msgpack", true},
		{"schema check good.schema.json @.json", true}, {"schema check missing@ good.json", true}, {"schema check --codec @ pkg.T good.json", false},
		{"lint @.json", true}, {"lint --json @.json", true}, {"diff good.json @.json", true}, {"diff good.json missing@", true},
		{"inspect @.msgpack @.dat", true}, {"inspect --json @.msgpack @.dat", true}, {"inspect @.json", true},
		{"record info @.rec", true}, {"record verify @.rec", true}, {"record info @.json", true}, {"record verify @.json", true},
		{"record merge @.rec -o @.json", true}, {"record recover @.rec -o @1.rec", true}, {"record merge @.rec -o @2.rec", true},
		{"array info missing@.npy", true}, {"array stats missing@.npy", true}, {"array diff missing@.npy good.json", true},
		{"page missing@.json -o page.html", true}, {"unknown@", false}, {"convert --unknown@", true},
	} {
		args := strings.Fields(strings.ReplaceAll(c.line, "@", hostile))
		shown, plain := screen(true, args...), ""
		if c.raw {
			removeNew(t)
			plain = screen(false, args...)
		}
		removeNew(t)
		for _, part := range []string{"\x1b[31m", "\u202e", "\u009b"} {
			if strings.Contains(shown, part) {
				t.Errorf("octet %s shows %q on a terminal:\n%q", c.line, part, shown)
			}
		}
		if shown == "" {
			t.Errorf("octet %s shows nothing", c.line)
		}
		if c.raw && !strings.Contains(plain, "\u202e") {
			t.Errorf("octet %s writes %q, and has escaped the text", c.line, plain)
		}
	}
}

// removeNew removes the files that commands of the test make.
func removeNew(t *testing.T) {
	for _, name := range []string{hostile + "1.rec", hostile + "2.rec"} {
		if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}
