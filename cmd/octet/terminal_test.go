package main

import (
	"bytes"
	"context"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/octet-go/octet/cmd/octet/internal/console"
)

// slow is a reader that returns one value every half second, as a network
// connection might.
type slow struct{ left int }

func (s *slow) Read(p []byte) (int, error) {
	if s.left == 0 {
		return 0, io.EOF
	}
	s.left--
	time.Sleep(time.Second / 2)
	return copy(p, `{"a":1}`), nil
}

// TestProgress runs conversions of up to three seconds with a fake clock.
func TestProgress(t *testing.T) {
	for _, c := range []struct {
		name     string
		values   int
		terminal bool // standard error
		args     []string
		want     bool
	}{
		{"long work on a terminal", 6, true, nil, true},
		{"short work", 2, true, nil, false}, // the tool reads the first value before the conversion starts
		{"no terminal", 6, false, nil, false},
		{"--progress=never", 6, true, []string{"--progress=never"}, false},
		{"--quiet", 6, true, []string{"--quiet"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var stderr bytes.Buffer
				con := &console.Console{
					Stdin: &slow{c.values}, Stdout: io.Discard, Stderr: &stderr,
					LookupEnv:  func(string) (string, bool) { return "", false },
					IsTerminal: func(stream any) bool { return c.terminal && stream == &stderr },
				}
				args := append([]string{"convert", "--from=json"}, c.args...)
				if code := run(context.Background(), args, con); code != 0 {
					t.Fatalf("exit %d: %s", code, &stderr)
				}
				if got := strings.Contains(stderr.String(), "\r"); got != c.want {
					t.Errorf("progress was shown: %v, want %v\n%q", got, c.want, &stderr)
				}
			})
		})
	}
}

// TestProgressOfCommands runs commands that read a slow input. They show their progress on
// the terminal to which they also write, before the results.
func TestProgressOfCommands(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.json")
	write(t, path, strings.Repeat(`{"a":1}`, 6))
	for _, args := range [][]string{
		{"lint", "-"}, {"query", "-s", "length"}, {"get", "--to", "diag", "b"}, {"stat"}, {"types"}, {"schema"}, {"diff", "-", path},
	} {
		t.Run(args[0], func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var screen bytes.Buffer
				con := &console.Console{
					Stdin: &slow{6}, Stdout: &screen, Stderr: &screen,
					LookupEnv: func(name string) (string, bool) {
						value, ok := map[string]string{"NO_COLOR": "1"}[name]
						return value, ok
					},
					IsTerminal: func(stream any) bool { return stream == &screen },
				}
				code := run(context.Background(), args, con)
				before, after, shown := strings.Cut(screen.String(), " B, ")
				if (code != 0) != (args[0] == "get") || !shown || !strings.Contains(before, "\r") {
					t.Fatalf("exit %d, and the screen has %q", code, &screen)
				}
				// What is left of the bar is erased before anything else is written.
				bar := after[strings.LastIndex(after, "\r")+1:]
				if strings.Contains(bar, "B/s") || (bar == "") != (args[0] == "lint" || args[0] == "diff") {
					t.Errorf("the screen ends in %q", bar)
				}
			})
		})
	}
}

// TestPager runs inspect with a pager that reads all of the output, and with
// one that exits at once.
func TestPager(t *testing.T) {
	if _, err := exec.LookPath("sed"); err != nil {
		t.Skip("sed is not installed")
	}
	for _, c := range []struct {
		name, pager string
		args        []string
		want        string
	}{
		{"read to the end", "sed s/^/page:/", nil, "page:offset"},
		{"exits at once", "true", nil, ""},
		{"encoding for less", "env | sed -n s/^LESSCHARSET=//p", nil, "utf-8\n"},
		{"--no-pager", "sed s/^/page:/", []string{"--no-pager"}, "offset"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var stdout, stderr bytes.Buffer
			con := &console.Console{
				Stdin: bytes.NewReader(bytes.Repeat(message(), 20_000)), Stdout: &stdout, Stderr: &stderr,
				LookupEnv: func(name string) (string, bool) {
					value, ok := map[string]string{"PAGER": c.pager, "NO_COLOR": "1"}[name]
					return value, ok
				},
				IsTerminal: func(stream any) bool { return stream == &stdout },
			}
			code := run(context.Background(), append([]string{"inspect", "-"}, c.args...), con)
			if code != 0 || stderr.Len() > 0 {
				t.Errorf("exit %d: %s", code, &stderr)
			}
			if got := stdout.String(); !strings.HasPrefix(got, c.want) || (got == "") != (c.want == "") {
				t.Errorf("output = %.100q, want prefix %q", got, c.want)
			}
		})
	}
}
