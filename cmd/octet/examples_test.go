package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/octet-go/octet/cmd/octet/internal/command"
	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// commands returns all commands and help topics, those with subcommands first.
func commands() []*cobra.Command {
	c, _, _ := consoletest.New("")
	list := []*cobra.Command{(&app{Program: command.New(c)}).root()}
	for i := 0; i < len(list); i++ {
		list = append(list, list[i].Commands()...)
	}
	return list
}

// TestHelpWidth requires help texts that fit a terminal of 80 columns.
func TestHelpWidth(t *testing.T) {
	for _, c := range commands() {
		var stdout bytes.Buffer
		args := append(strings.Fields(c.CommandPath())[1:], "--help")
		if !c.Runnable() {
			args = append([]string{"help"}, args[:len(args)-1]...)
		}
		if stderr, code := octet(nil, &stdout, args...); code != 0 {
			t.Errorf("%q: exit %d, %s", args, code, stderr)
		}
		for line := range strings.Lines(stdout.String()) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > command.HelpWidth {
				t.Errorf("%s: %d columns: %s", c.CommandPath(), n, line)
			}
		}
	}
}

// description matches what follows an example on its line.
var description = regexp.MustCompile(`\s{2,}\S.*$`)

// TestExamples runs the examples of all help texts. Those of a command run one after
// another in a folder that has only the file that the first example of octet --help
// makes. testdata/examples.golden has the results in the form of a session, without the
// end of a long output. An example with "→" after it shows its output in the help text.
func TestExamples(t *testing.T) {
	golden, err := filepath.Abs("testdata/examples.golden")
	if err != nil {
		t.Fatal(err)
	}
	sh := &shell{packages: []byte(read(t, filepath.Join("testdata", "packages.json")))}
	var b strings.Builder
	for _, c := range commands() {
		if c.Example == "" {
			continue
		}
		fmt.Fprintf(&b, "# %s\n", c.CommandPath())
		t.Chdir(t.TempDir())
		if c.HasParent() {
			first, _, _ := strings.Cut(c.Root().Example, "\n")
			if _, stderr, code := sh.execute(description.ReplaceAllString(strings.TrimSpace(first), "")); code != 0 {
				t.Fatalf("%s: exit %d, %s", first, code, stderr)
			}
		}
		for line := range strings.Lines(c.Example) {
			command := strings.TrimSpace(line)
			_, shown, ok := strings.Cut(command, "→ ")
			command = description.ReplaceAllString(command, "")
			stdout, stderr, code := sh.execute(command)
			if ok && strings.TrimRight(string(stdout), "\n") != shown {
				t.Errorf("%s: the help text of %s shows %s, and the output is %s", command, c.CommandPath(), shown, stdout)
			}
			b.WriteString("$ " + command + "\n" + beginning(transcript(stdout, "1| ")) + beginning(transcript(stderr, "2| ")))
			if code != 0 {
				fmt.Fprintf(&b, "? %d\n", code)
			}
			if sh.worst > failure.Finding || sh.worst == failure.Finding && !mayFind.MatchString(command) {
				t.Errorf("%s: exit %d, %s", command, sh.worst, stderr)
			}
		}
		b.WriteString("\n")
	}
	got := b.String()
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if want := read(t, golden); got != want {
		t.Errorf("%s\n%s(if the change is intended: go test -run %s -update)", filepath.Base(golden), difference(want, got), t.Name())
	}
}

// sizes matches what the summary of a conversion says about bytes, because the size of
// compressed data depends on the version of the library that compresses.
var sizes = regexp.MustCompile(`\d[\d.]* [kM]?B (json|msgpack) → \d[\d.]* [kM]?B (json|msgpack|record) \([\d.]+ %\)`)

// mayFind matches the commands whose exit code is 1 if they do what they are for.
var mayFind = regexp.MustCompile(`octet (diff|lint|schema diff|schema check|fmt .*--check|array diff) `)

// beginning returns the first lines of a transcript, each with at most 120 characters.
func beginning(text string) string {
	const most = 5
	text = sizes.ReplaceAllString(text, "SIZES")
	lines := strings.SplitAfter(text, "\n")
	lines = lines[:len(lines)-1] // the last one is empty
	for i, line := range lines {
		if r := []rune(line); len(r) > 121 {
			lines[i] = string(r[:120]) + "…\n"
		}
	}
	if len(lines) > most {
		lines = append(lines[:most], fmt.Sprintf("%s… %d more lines\n", lines[0][:3], len(lines)-most))
	}
	return strings.Join(lines, "")
}
