package main

import (
	"archive/zip"
	"bytes"
	"context"
	"os"
	"strings"
	"testing"

	"github.com/octet-go/octet/array"
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
	screen(false, "get", "--to", "msgpack", `["`+hostile+`"]`, hostile+".msgpack", "-o", "text.msgpack")
	if err := os.WriteFile("long.msgpack", []byte("\xd0\x01"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename("long.msgpack", hostile+"long.dat"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("arrays.npz", archive(t, hostile), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("chunks.png", []byte("\x89PNG\r\n\x1a\n"+"\x00\x00\x00\x01\x1b[3mx\x65\xbe\x6e\x00"), 0o644); err != nil {
		t.Fatal(err)
	}
	tried := map[string]bool{}
	for _, c := range []struct {
		line string // a @ is the first part of the name
		raw  bool   // other streams get the hostile text
	}{
		{"convert @.msgpack", true}, {"convert --pretty @.msgpack", true}, {"convert @.json", true}, {"convert missing@.json", true},
		{"query . @.msgpack", true}, {"query keys @.msgpack", true}, {"query . @.json", true},
		{"query --color always . @.json", true}, {"get . @.msgpack", true}, {"get --json . @.msgpack", true}, {"get x @.msgpack", true},
		{"diag @.msgpack", false}, {"diag --json @.msgpack", false}, {"fmt @.json", true},
		{"fmt good.json", true}, {"fmt --canonical good.json", true}, {"fmt --check @long.dat", true}, {"fmt --check --json @long.dat", true},
		{"query debug|empty @.msgpack", true}, {"query stderr|empty @.msgpack", true}, {"query -r . @.msgpack", true}, {"query -j keys[] @.msgpack", true},
		{"get --raw . @.msgpack", true}, {"get --raw . text.msgpack", true}, {"query -r . text.msgpack", true},
		{"array info arrays.npz", true}, {"array info --json arrays.npz", true}, {"array cat missing@.npy", true}, {"array convert --to csv missing@.npy", true},
		{"record cat @.json", true}, {"record index @.json", true}, {"record split @.json", true}, {"inspect --layout png chunks.png", false},
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
		tried[args[0]], tried[strings.Join(args[:min(2, len(args))], " ")] = true, true
		shown, plain := screen(true, args...), ""
		if c.raw {
			removeNew(t)
			plain = screen(false, args...)
		}
		removeNew(t)
		for _, part := range []string{"\x1b[31m", "\x1b[3m", "\u202e", "\u009b"} {
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
	for _, c := range commands() {
		name := strings.TrimPrefix(c.CommandPath(), "octet ")
		if c.Runnable() && !c.HasSubCommands() && !c.Hidden && !tried[name] && !strings.HasPrefix(name, "completion") && name != "help" && name != "serve" {
			t.Errorf("octet %s is not tried", name)
		}
	}
}

// archive returns a .npz file with two arrays, one of which has a hostile name.
func archive(t *testing.T, name string) []byte {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, name := range []string{name, "x"} {
		if err := array.WriteNPZ(z, name, []uint8{1}, array.NPY); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// removeNew removes the files that commands of the test make.
func removeNew(t *testing.T) {
	for _, name := range []string{hostile + "1.rec", hostile + "2.rec"} {
		if err := os.Remove(name); err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
}

// TestNameOfTwoLines runs commands on files whose names have two lines. The second never begins a line of the output.
func TestNameOfTwoLines(t *testing.T) {
	t.Chdir(t.TempDir())
	const second = "octet: all is well"
	const name = "a\n" + second
	for ending, content := range map[string]string{
		".json": `{"a": [1}`, ".dat": "\xcd\x00\x05", ".txt": "x", ".msgpack": "\xcd\x00\x05" + strings.Repeat("\x05", 10000), "good.json": "{}",
	} {
		if err := os.WriteFile(name+ending, []byte(content), 0o644); err != nil {
			t.Skip(err) // not on all systems a file can have this name
		}
	}
	for _, line := range []string{
		"convert -q @good.json -o @.rec", "record cat -o @1.rec @.rec", "record merge -o @2.rec @.rec", "record split -o @3.rec @.rec",
		"record recover -o @4.rec @.rec", "record merge -o @4.rec @.rec", "record info @.rec", "record verify @.rec", "record verify @.json",
		"record append @.rec @.json", "record index @.rec", "record cat @.json",
		"lint @.dat", "lint @.json", "lint --fix @.json", "lint --fix @good.json", "fmt --pretty @.dat", "fmt --write @.rec", "fmt --check @.json",
		"inspect @.dat @.dat", "inspect @.json @.json", "inspect --offset 99 @.dat", "inspect --layout png @.dat",
		"query .[0] @.msgpack", "query .[0] @.dat", "query nan @.dat", "query . @.json", "get a @.dat", "get a @.json", "diag @.json", "diff @.json @.dat",
		"types @.json", "types @good.json", "stat @.dat", "stat --svg @.gif @.dat", "schema @.dat", "schema @.json", "schema -o schema.json @good.json", "schema check schema.json @.dat", "schema check @.dat @.dat",
		"array info @.dat", "array cat @.npy", "array stats @.txt", "page @.json", "page @good.json -o @.html", "convert @.json", "convert @.dat @.txt", "convert --on-error skip @.json", "convert @.txt",
	} {
		args := strings.Fields(line)
		for i, arg := range args {
			args[i] = strings.ReplaceAll(arg, "@", name)
		}
		stdout, stderr, _ := runOctet(t, t.Context(), args...)
		if all := "\n" + stdout + "\n" + stderr; strings.Contains(all, "\n"+second) {
			t.Errorf("octet %s:%s", line, all)
		}
	}
}
