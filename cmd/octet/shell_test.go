package main

import (
	"archive/zip"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// A shell runs the command lines of sessions and examples.
type shell struct {
	packages []byte       // what "go list -json std" prints
	worst    failure.Code // the highest exit code of the last pipeline
}

// execute runs a command line.
func (s *shell) execute(line string) (stdout, stderr []byte, code int) {
	var errs bytes.Buffer
	s.worst = 0
	for _, command := range pipeline(line) {
		var out bytes.Buffer
		c := &console.Console{Stdin: bytes.NewReader(stdout), Stdout: &out, Stderr: &errs}
		env := map[string]string{"PAGER": ""}
		var args []string
		target := ""
		for _, word := range words(command) {
			name, value, assigned := strings.Cut(word, "=")
			switch {
			case len(args) == 0 && assigned:
				env[name] = value
			case strings.HasPrefix(word, "<"):
				data, err := os.ReadFile(word[1:])
				if err != nil {
					return nil, []byte(err.Error()), -1
				}
				c.Stdin = bytes.NewReader(data)
			case strings.HasPrefix(word, ">"):
				target = word[1:]
			default:
				args = append(args, word)
			}
		}
		c.LookupEnv = func(name string) (string, bool) { v, ok := env[name]; return v, ok }
		c.IsTerminal = func(stream any) bool {
			return stream == c.Stdin && strings.Contains(env["TTY"], "0") ||
				stream == c.Stdout && strings.Contains(env["TTY"], "1") ||
				stream == c.Stderr && strings.Contains(env["TTY"], "2")
		}
		code = s.program(args, c)
		s.worst = max(s.worst, failure.Code(code))
		stdout = out.Bytes()
		if target != "" {
			if err := os.WriteFile(target, stdout, 0o644); err != nil {
				return nil, []byte(err.Error()), -1
			}
			stdout = nil
		}
	}
	return stdout, errs.Bytes(), code
}

// program runs octet, or one of the other programs that sessions and examples use.
func (s *shell) program(args []string, c *console.Console) int {
	line := strings.Join(args, " ")
	switch {
	case args[0] == "octet":
		return octetUntilEnd(args[1:], c)
	case strings.HasPrefix(line, "go run ./cmd/octet "):
		return octetUntilEnd(args[3:], c)
	case line == "go list -json std" && s.packages != nil:
		c.Stdout.Write(s.packages)
		return 0
	}
	other, ok := programs[args[0]]
	if !ok {
		fmt.Fprintf(c.Stderr, "no such program: %s\n", args[0])
		return 127
	}
	if err := other(args[1:], c); err != nil {
		fmt.Fprintln(c.Stderr, err)
		return 1
	}
	return 0
}

// octetUntilEnd runs octet. It interrupts record cat --follow, which does not end on its
// own, when it has printed as much as without the flag.
func octetUntilEnd(args []string, c *console.Console) int {
	follow := slices.Index(args, "--follow")
	if follow < 0 {
		return run(context.Background(), args, c)
	}
	var all bytes.Buffer
	finite := *c
	finite.Stdout = &all
	if code := run(context.Background(), slices.Delete(slices.Clone(args), follow, follow+1), &finite); code != 0 {
		return code
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	endless := *c
	endless.Stdout = &alarm{w: c.Stdout, left: all.Len(), ring: cancel}
	return run(ctx, args, &endless)
}

// An alarm is a writer that calls ring when left bytes were written.
type alarm struct {
	w    io.Writer
	left int
	ring func()
}

func (a *alarm) Write(b []byte) (int, error) {
	n, err := a.w.Write(b)
	if a.left -= n; a.left <= 0 {
		a.ring()
	}
	return n, err
}

// programs do what sessions and examples need of the programs with their names.
var programs = map[string]func(args []string, c *console.Console) error{
	"cat": func(args []string, c *console.Console) error {
		data, err := os.ReadFile(args[0])
		c.Stdout.Write(data)
		return err
	},
	"hex": func(args []string, c *console.Console) error {
		data, err := os.ReadFile(args[0])
		fmt.Fprintf(c.Stdout, "% x\n", data)
		return err
	},
	"ls": func(_ []string, c *console.Console) error {
		entries, err := os.ReadDir(".")
		for _, e := range entries {
			fmt.Fprintln(c.Stdout, e.Name())
		}
		return err
	},
	"echo": func(args []string, c *console.Console) error {
		_, err := fmt.Fprintln(c.Stdout, strings.Join(args, " "))
		return err
	},
	"printf": func(args []string, c *console.Console) error {
		text, err := strconv.Unquote(`"` + strings.ReplaceAll(args[0], `"`, `\"`) + `"`)
		io.WriteString(c.Stdout, text)
		return err
	},
	"seq": func(args []string, c *console.Console) error {
		first, last := 1, 0
		if len(args) == 2 {
			first, _ = strconv.Atoi(args[0])
		}
		last, err := strconv.Atoi(args[len(args)-1])
		for ; first <= last; first++ {
			fmt.Fprintln(c.Stdout, first)
		}
		return err
	},
	"less": func(_ []string, c *console.Console) error {
		_, err := io.Copy(c.Stdout, c.Stdin)
		return err
	},
	"head": func(args []string, c *console.Console) error {
		if len(args) != 2 || args[0] != "-n" {
			return errors.New("head: want -n N")
		}
		n, err := strconv.Atoi(args[1])
		data, _ := io.ReadAll(c.Stdin)
		lines := bytes.SplitAfter(data, []byte("\n"))
		c.Stdout.Write(bytes.Join(lines[:min(n, len(lines))], nil))
		return err
	},
	"jq": func(args []string, c *console.Console) error {
		if code := run(context.Background(), append([]string{"query"}, args...), c); code != 0 {
			return fmt.Errorf("jq: exit %d", code)
		}
		return nil
	},
	"sha256sum": func(_ []string, c *console.Console) error {
		data, err := io.ReadAll(c.Stdin)
		fmt.Fprintf(c.Stdout, "%x  -\n", sha256.Sum256(data))
		return err
	},
	"gzip": func(args []string, c *console.Console) error {
		var out bytes.Buffer
		w := gzip.NewWriter(&out)
		if len(args) == 0 {
			io.Copy(w, c.Stdin)
			w.Close()
			_, err := c.Stdout.Write(out.Bytes())
			return err
		}
		data, err := os.ReadFile(args[0])
		if err != nil {
			return err
		}
		w.Write(data)
		w.Close()
		if err := os.WriteFile(args[0]+".gz", out.Bytes(), 0o644); err != nil {
			return err
		}
		return os.Remove(args[0])
	},
	"zip": func(args []string, _ *console.Console) error {
		if len(args) < 3 || args[0] != "-q" {
			return errors.New("zip: want -q NEW FILE...")
		}
		var out bytes.Buffer
		w := zip.NewWriter(&out)
		for _, name := range args[2:] {
			data, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			f, err := w.Create(name)
			if err != nil {
				return err
			}
			f.Write(data)
		}
		w.Close()
		return os.WriteFile(args[1], out.Bytes(), 0o644)
	},
}

// pipeline divides a command line at " | " outside of single quotes.
func pipeline(line string) []string {
	var commands []string
	for part := range strings.SplitSeq(line, " | ") {
		if last := len(commands) - 1; last >= 0 && strings.Count(commands[last], "'")%2 == 1 {
			commands[last] += " | " + part
		} else {
			commands = append(commands, part)
		}
	}
	return commands
}

// words splits a command line at spaces outside of single quotes. A word with an
// asterisk outside of quotes becomes the names of the files that match.
func words(line string) (list []string) {
	word, quoted, begun, pattern := "", false, false, false
	for _, r := range line + " " {
		switch {
		case r == '\'':
			quoted, begun = !quoted, true
		case r == ' ' && !quoted:
			names, err := filepath.Glob(word)
			switch {
			case pattern && err == nil && len(names) > 0:
				slices.Sort(names)
				list = append(list, names...)
			case begun:
				list = append(list, word)
			}
			word, begun, pattern = "", false, false
		default:
			word, begun, pattern = word+string(r), true, pattern || r == '*' && !quoted
		}
	}
	return list
}
