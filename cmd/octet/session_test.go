package main

import (
	"bytes"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"
)

var update = flag.Bool("update", false, "update testdata/*.session with the current output of the tool")

// TestSessions replays the sessions in testdata. A session is a text file that
// begins with a description. Input files follow, each below a line "-- name --".
// If the name ends in .hex, the content is in hex and the file has the name without
// .hex.
// Below "-- session --" are the commands, each with its results:
//
//	$ octet inspect in.msgpack   a command line
//	1| text                      a line of standard output
//	x| 82 a1                     16 bytes of it, if it is not text
//	2| text                      a line of standard error
//	? 4                          the exit code, unless 0
//
// A command line may set environment variables, read from a file or a pipe, and
// write to a file: "NO_COLOR=1 octet convert <a | octet inspect >b". TTY=012
// makes the streams with these numbers terminals. The commands cat, hex and ls
// show the files that octet has written.
func TestSessions(t *testing.T) {
	files, err := filepath.Glob("testdata/*.session")
	if err != nil || len(files) == 0 {
		t.Fatalf("no sessions: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".session"), func(t *testing.T) {
			file, err := filepath.Abs(file)
			if err != nil {
				t.Fatal(err)
			}
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			head, want, ok := strings.Cut(string(data), "-- session --\n")
			if !ok {
				t.Fatal("no line -- session --")
			}
			t.Chdir(t.TempDir())
			unpack(t, head)
			got := replay(t, want)
			if got == want {
				return
			}
			if *update {
				if err := os.WriteFile(file, []byte(head+"-- session --\n"+got), 0o644); err != nil {
					t.Fatal(err)
				}
				return
			}
			t.Errorf("%s\n%s(if the change is intended: go test -run %s -update)", filepath.Base(file), difference(want, got), t.Name())
		})
	}
}

var fileLine = regexp.MustCompile(`(?m)^-- (\S+) --\n`)

// unpack writes the input files of a session.
func unpack(t *testing.T, head string) {
	marks := fileLine.FindAllStringSubmatchIndex(head, -1)
	for i, mark := range marks {
		end := len(head)
		if i+1 < len(marks) {
			end = marks[i+1][0]
		}
		name, content := head[mark[2]:mark[3]], []byte(head[mark[1]:end])
		if base, ok := strings.CutSuffix(name, ".hex"); ok {
			var err error
			name = base
			if content, err = hex.DecodeString(strings.Join(strings.Fields(string(content)), "")); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.WriteFile(name, content, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// replay runs the commands of a session and returns the session with their
// current results.
func replay(t *testing.T, session string) string {
	var b strings.Builder
	for line := range strings.Lines(session) {
		line = strings.TrimSuffix(line, "\n")
		command, ok := strings.CutPrefix(line, "$ ")
		if !ok {
			if line == "" || line[0] == '#' {
				b.WriteString(line + "\n") // keep blank lines and comments
			}
			continue
		}
		b.WriteString(line + "\n")
		before := snapshot(t)
		stdout, stderr, code := new(shell).execute(command)
		b.WriteString(transcript(stdout, "1| "))
		b.WriteString(transcript(stderr, "2| "))
		if code != 0 {
			fmt.Fprintf(&b, "? %d\n", code)
		}
		for _, hint := range hints.FindAllStringSubmatch(string(stderr), -1) {
			tryHint(t, before, hint[1], hint[2])
		}
	}
	return b.String()
}

// hints matches the commands that the tool suggests.
var hints = regexp.MustCompile(`(?m)^(Try|To see the bytes): (.*)$`)

// snapshot returns the files of the current directory.
func snapshot(t *testing.T) map[string]string {
	files := map[string]string{}
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		files[e.Name()] = read(t, e.Name())
	}
	return files
}

// tryHint runs a command that the tool has suggested, in a directory with the
// files that were there. It must work.
func tryHint(t *testing.T, files map[string]string, kind, command string) {
	t.Helper()
	for part := range strings.SplitSeq(command, " | ") {
		if !strings.HasPrefix(part, "octet ") {
			return // another program, which may not be installed
		}
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chdir(t.TempDir()); err != nil {
		t.Fatal(err)
	}
	defer os.Chdir(dir)
	for name, content := range files {
		write(t, name, content)
	}
	stdout, stderr, code := new(shell).execute(command)
	if kind == "Try" && code != 0 || kind != "Try" && len(stdout) == 0 {
		t.Errorf("the suggested command %q: exit %d, %s", command, code, stderr)
	}
}

// measured matches the part of the summary that differs from run to run.
var measured = regexp.MustCompile(`(?m), \d+(\.\d+)?(ns|µs|ms|s)(, \d+\.\d MB/s)?$`)

// transcript puts mark before each line of text. It prints data that is not
// text in hex.
func transcript(data []byte, mark string) string {
	var b strings.Builder
	if !utf8.Valid(data) || bytes.ContainsAny(data, "\x00\x01\x02\x03\x04") {
		for len(data) > 0 {
			n := min(16, len(data))
			fmt.Fprintf(&b, "x| % x\n", data[:n])
			data = data[n:]
		}
		return b.String()
	}
	text := measured.ReplaceAllString(string(data), ", TIME")
	text = strings.ReplaceAll(text, "\x1b", "␛")
	for line := range strings.Lines(text) {
		line, ended := strings.CutSuffix(line, "\n")
		b.WriteString(strings.TrimRight(mark+line, " "))
		if !ended {
			b.WriteString("⏎") // the last line has no newline
		}
		b.WriteString("\n")
	}
	return b.String()
}

// difference returns the first lines in which two texts differ.
func difference(want, got string) string {
	w, g := strings.Split(want, "\n"), strings.Split(got, "\n")
	for i := range max(len(w), len(g)) {
		if i >= len(w) || i >= len(g) || w[i] != g[i] {
			end := func(s []string) string { return strings.Join(s[min(i, len(s)):min(i+5, len(s))], "\n  ") }
			return fmt.Sprintf("line %d of the session:\nwant\n  %s\ngot\n  %s\n", i+1, end(w), end(g))
		}
	}
	return ""
}
