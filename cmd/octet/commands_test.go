package main

import (
	"bytes"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/msgpack/wire"
)

// readers has a command line of every command that reads values from standard
// input.
var readers = [][]string{
	{"diag"}, {"diag", "--pretty"}, {"diag", "--json"},
	{"get", "a[0].b{}"}, {"get", "[]", "--json"}, {"get", ".", "--to", "diag"}, {"get", ".", "--raw"},
	{"query", "."}, {"query", "..", "--reversible"}, {"query", ".", "--to", "msgpack"}, {"query", "-s", "length"},
	{"lint"}, {"lint", "--canonical", "--single", "--json"},
	{"fmt"}, {"fmt", "--canonical"}, {"fmt", "--check"},
	{"stat"}, {"stat", "--json"}, {"stat", "--svg", "-"},
	{"types"}, {"types", "--json", "--narrow"},
	{"schema"}, {"schema", "--narrow", "--type", "T"}, {"schema", "check", "message.schema.json"}, {"schema", "check", "message.schema.json", "-", "--limit", "1"},
	{"diff", "-", "other.msgpack"}, {"diff", "other.msgpack", "-", "--bytes"},
}

// TestHostileInput gives truncated, random and deeply nested input to every
// command, as MessagePack and as JSON.
func TestHostileInput(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "other.msgpack", string(message()))
	if stderr, code := octet(bytes.NewReader(message()), io.Discard, "schema", "-", "-o", "message.schema.json"); code != failure.OK {
		t.Fatal(stderr)
	}
	inputs := map[string]string{
		"empty":           "",
		"deep arrays":     strings.Repeat("\x91", 1000),
		"deep maps":       strings.Repeat("\x81", 100_000),
		"deep JSON":       strings.Repeat("[", 1000),
		"false count":     "\xdd\xff\xff\xff\xff",
		"false pairs":     "\xdf\xff\xff\xff\xff\x01\x02",
		"false length":    "\xdb\xff\xff\xff\xffabc",
		"reserved":        "\x92\x01\xc1",
		"odd timestamp":   "\x81\xd4\xff\x00\xc7\x0d\xff" + strings.Repeat("\xff", 13),
		"duplicate keys":  "\x82\xa1a\x01\xc4\x01a\x02",
		"whole":           string(message()),
		"JSON":            `{"a": [{"b": {"c": 1e300, "d": "\ud83d\ude00"}}]} [null]`,
		"JSON, bad UTF-8": "{\"a\xff\": \"\xff\"}",
	}
	for cut := 0; cut < len(message()); cut += 7 {
		inputs["cut at "+string(rune('0'+cut/100))+string(rune('0'+cut/10%10))+string(rune('0'+cut%10))] = string(message()[:cut])
	}
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 15 {
		b := make([]byte, 1+random.IntN(40))
		for j := range b {
			b[j] = byte(random.Uint32())
		}
		inputs["random "+string(rune('A'+i))] = string(b)
	}
	allowed := []failure.Code{failure.OK, failure.Finding, failure.Data}
	for _, args := range readers {
		for name, text := range inputs {
			for _, from := range []string{"msgpack", "json"} {
				if args[0] == "diff" && from == "json" {
					continue // the other file is MessagePack
				}
				stderr, code := octet(strings.NewReader(text), io.Discard, append(slices.Clone(args), "--from", from)...)
				if !slices.Contains(allowed, code) || code != failure.OK && stderr == "" {
					t.Errorf("%s, as %s: %q: exit %d, %s", name, from, args, code, stderr)
				}
				if strings.Contains(stderr, "panic") || strings.Contains(stderr, "goroutine") {
					t.Errorf("%s, as %s: %q: %s", name, from, args, stderr)
				}
			}
		}
	}
}

// TestStream checks that commands print the first values before the input ends.
func TestStream(t *testing.T) {
	for _, args := range [][]string{{"diag"}, {"get", "."}, {"query", "."}, {"lint"}, {"fmt"}, {"fmt", "--canonical"}} {
		t.Run(strings.Join(args, " "), func(t *testing.T) {
			in, out := io.Pipe()
			result, printed := io.Pipe()
			done := make(chan failure.Code)
			go func() {
				_, code := octet(in, printed, append(slices.Clone(args), "--from", "msgpack")...)
				printed.Close()
				done <- code
			}()
			if _, err := out.Write([]byte{0x91, byte(wire.Uint8), 5, 0xa2}); err != nil { // [5_u8], and the beginning of a str
				t.Fatal(err)
			}
			b := make([]byte, 1)
			if _, err := io.ReadFull(result, b); err != nil {
				t.Fatal(err)
			}
			go io.Copy(io.Discard, result)
			out.Close()
			<-done
		})
	}
}

// TestRelease writes the files of a release and checks what they contain.
func TestRelease(t *testing.T) {
	t.Chdir(t.TempDir())
	var stdout bytes.Buffer
	if stderr, code := octet(nil, &stdout, "release", "dist"); code != failure.OK {
		t.Fatal(stderr)
	}
	for _, name := range []string{"convert", "inspect", "get", "query", "stat", "diag", "fmt", "types", "schema", "lint", "diff"} {
		page := read(t, filepath.Join("dist", "man", "man1", "octet-"+name+".1"))
		for _, part := range []string{".TH OCTET", ".SH NAME\n", ".SH SYNOPSIS\n", ".SH DESCRIPTION\n", ".SH OPTIONS\n", ".SH EXAMPLES\n", ".SH EXIT STATUS\n", "\n.BR octet (1)"} {
			if !strings.Contains(page, part) {
				t.Errorf("the page of %s has no %q", name, part)
			}
		}
		// A line that begins with a dot or a quote must be a request.
		for line := range strings.Lines(page) {
			if odd := regexp.MustCompile(`^('|\.[^A-Z nfalbi])`).MatchString(line); odd {
				t.Errorf("the page of %s has the line %q", name, line)
			}
		}
	}
	if main := read(t, filepath.Join("dist", "man", "man1", "octet.1")); !strings.Contains(main, ".SS Check and compare\n") || !strings.Contains(main, ".B lint\n") {
		t.Errorf("octet.1 does not list the commands:\n%s", main)
	}
	if record := read(t, filepath.Join("dist", "man", "man1", "octet-record.1")); !strings.Contains(record, "\n.B octet record [command]\n") ||
		!strings.Contains(record, ".SH COMMANDS\n.TP\n.B cat\n") || !strings.Contains(record, "\n.BR octet\\-record\\-cat (1)") {
		t.Errorf("octet-record.1 does not list the commands:\n%s", record)
	}
	for _, name := range []string{"octet.bash", "_octet", "octet.fish", "octet.ps1"} {
		if text := read(t, filepath.Join("dist", "completions", name)); !strings.Contains(text, "octet") {
			t.Errorf("%s is empty", name)
		}
		name = strings.Replace(name, "octet", "octet-serve", 1)
		if text := read(t, filepath.Join("dist", "completions", name)); !strings.Contains(text, " octet-serve") {
			t.Errorf("%s does not complete octet-serve", name)
		}
	}
	if got, want := entries(t, filepath.Join("dist", "man", "man1")), pagesOfHelp(t, "octet"); !slices.EqualFunc(got, want, func(e os.DirEntry, name string) bool { return e.Name() == name }) {
		t.Errorf("pages %v, want %v", got, want)
	}
	if _, code := octet(nil, io.Discard, "release"); code != failure.Usage {
		t.Errorf("release without a folder: exit %d", code)
	}
}

// pagesOfHelp returns the names of the manual pages of a command, and of all commands
// and topics that its help lists, sorted.
func pagesOfHelp(t *testing.T, command string) []string {
	t.Helper()
	words := strings.Fields(command)
	var stdout bytes.Buffer
	if stderr, code := octet(nil, &stdout, append(words[1:], "--help")...); code != failure.OK {
		t.Fatal(stderr)
	}
	list := []string{strings.Join(words, "-") + ".1"}
	_, usage, _ := strings.Cut(stdout.String(), "\nUsage:\n")
	for _, line := range regexp.MustCompile(`(?m)^  (octet )?([a-z]+) {2,}[A-Z]`).FindAllStringSubmatch(usage, -1) {
		list = append(list, pagesOfHelp(t, command+" "+line[2])...)
	}
	slices.Sort(list)
	return list
}

// TestHelp checks that every command has a full help text, is in a group, and has a
// flag --json. Commands with subcommands do not need the flag, because their
// subcommands print the results. Convert, page and serve write files or pages.
func TestHelp(t *testing.T) {
	a := &app{}
	for _, c := range a.root().Commands() {
		if c.Hidden || !c.Runnable() || c.Name() == "help" || c.Name() == "completion" {
			continue
		}
		switch {
		case c.GroupID == "":
			t.Errorf("%s is in no group", c.Name())
		case len(c.Long) < 300 || strings.Count(c.Example, "octet ") < 4:
			t.Errorf("the help of %s is short", c.Name())
		case !slices.Contains([]string{"convert", "page", "serve"}, c.Name()) && !c.HasSubCommands() && c.Flags().Lookup("json") == nil:
			t.Errorf("%s has no flag --json", c.Name())
		}
		for line := range strings.Lines(c.Long + "\n" + c.Example) {
			if n := len([]rune(strings.TrimRight(line, "\n"))); n > 88 {
				t.Errorf("the help of %s has a line of %d columns: %s", c.Name(), n, line)
			}
		}
	}
}
