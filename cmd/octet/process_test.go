package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/cmd/octet/internal/companion"
	records "github.com/octet-go/octet/record"
)

// TestMain runs the tool instead of the tests if OCTET_TEST_PROCESS is set, for
// tests that need a process. It runs the stand-in for octet-serve if the test binary has
// that name, and puts one into PATH.
func TestMain(m *testing.M) {
	if strings.TrimSuffix(filepath.Base(os.Args[0]), ".exe") == companion.Serve.Name() {
		server()
	}
	if os.Getenv("OCTET_TEST_PROCESS") != "" {
		main()
	}
	dir, err := installServer()
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// process returns a command that runs the tool.
func process(t *testing.T, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self, args...)
	c.Env = append(os.Environ(), "OCTET_TEST_PROCESS=1")
	return c
}

// goList returns the output of go list -json std.
func goList(t *testing.T) []byte {
	t.Helper()
	if testing.Short() {
		t.Skip("skipping in short mode: go list is slow")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	list, err := exec.Command("go", "list", "-json", "std").Output()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestSignal interrupts a conversion that has started.
func TestSignal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted on Windows")
	}
	dir := t.TempDir()
	c := process(t, "convert", "-o", filepath.Join(dir, "out.msgpack"))
	feed, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintln(feed, `{"a":1}`)
	for tries := 0; len(entries(t, dir)) == 0; tries++ { // until the temporary file exists
		if tries == 60_000 {
			t.Fatal("no temporary file appeared")
		}
		time.Sleep(time.Millisecond)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	var exit *exec.ExitError
	if err := c.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 130 {
		t.Errorf("err = %v, want exit code 130", err)
	}
	if left := entries(t, dir); len(left) > 0 {
		t.Errorf("files not removed: %v", left)
	}
}

// TestSignalWhileCompiling interrupts the go command that reads a Go type.
func TestSignalWhileCompiling(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted on Windows")
	}
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command")
	}
	for _, command := range []string{"schema", "types"} {
		temp := t.TempDir()
		ours := func() bool {
			return slices.ContainsFunc(entries(t, temp), func(e os.DirEntry) bool { return strings.HasPrefix(e.Name(), "octet") })
		}
		c := process(t, command, "github.com/octet-go/octet/layout.Options")
		c.Env = append(c.Env, "TMPDIR="+temp)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for tries := 0; !ours(); tries++ {
			if tries == 60_000 {
				t.Fatal("no temporary file appeared")
			}
			time.Sleep(time.Millisecond)
		}
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); c.ProcessState.ExitCode() != 130 {
			t.Errorf("%s: %v, want exit code 130", command, err)
		}
		if ours() {
			t.Errorf("%s leaves temporary files", command)
		}
	}
}

// TestSignalWhileReading interrupts commands that write files and wait for their input.
func TestSignalWhileReading(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted on Windows")
	}
	in := filepath.Join(t.TempDir(), "in.rec")
	numbers(t, in, 300_000)
	for _, c := range []struct {
		args string
		code int
		left string // the file that is left and complete, if there is one
	}{
		{"record cat - -o out.rec", 130, ""},
		{"record cat - -o out.rec --rotate 100kB", 130, ""},
		{"record cat - -o out.rec --follow", 0, "out.rec"},
		{"convert - -o out.rec", 130, ""},
		{"array convert - --from raw --type int16 -o out.npy", 130, ""},
		{"get . - -o out.json", 130, ""},
		{"query . - -o out.json", 130, ""},
		{"diag - -o out.diag", 130, ""},
		{"fmt - -o out.msgpack", 130, ""},
		{"types - -o types.go", 130, ""},
		{"schema - -o out.schema.json", 130, ""},
		{"page - -o out.html", 130, ""},
	} {
		t.Run(c.args, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			p := process(t, strings.Fields(c.args)...)
			p.Dir, p.Env = dir, append(p.Env, "TMPDIR="+dir)
			feed, err := p.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			var stderr bytes.Buffer
			p.Stderr = &stderr
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			data := content(t, in)
			if _, err := feed.Write(data[:len(data)-1]); err != nil { // a pipe takes less, so most was read
				t.Fatal(err, &stderr)
			}
			for tries := 0; len(entries(t, dir)) == 0 && !strings.HasPrefix(c.args, "array"); tries++ { // until there is a file
				if tries == 10_000 {
					t.Fatal("no file appeared")
				}
				time.Sleep(time.Millisecond)
			}
			if err := p.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
			if err := p.Wait(); p.ProcessState.ExitCode() != c.code {
				t.Errorf("%v, want exit code %d; %s", err, c.code, &stderr)
			}
			if far := regexp.MustCompile(`: interrupted after [0-9.]+ [kM]?B; nothing was written to [a-z]+\.`); c.code == 130 && !strings.HasPrefix(c.args, "record") && !far.Match(stderr.Bytes()) {
				t.Errorf("the error does not say how far the work came: %s", &stderr)
			}
			var left []string
			for _, e := range entries(t, dir) {
				left = append(left, e.Name())
			}
			if strings.Join(left, " ") != c.left {
				t.Errorf("files left: %v, want %q", left, c.left)
			}
			if c.left == "" {
				return
			}
			f, err := records.Open(filepath.Join(dir, c.left), nil)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if r, err := f.Report(); err != nil || !r.Indexed || r.Records == 0 {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}

// TestSignalAtEnd interrupts commands that write files, and ends their input at once, as
// Ctrl-C does that also ends the program which writes the input.
func TestSignalAtEnd(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted on Windows")
	}
	rounds := 8
	if os.Getenv("OCTET_LONG") == "" {
		rounds = 2
	}
	in := filepath.Join(t.TempDir(), "in.rec")
	numbers(t, in, 100_000)
	data := content(t, in)
	for _, args := range []string{
		"record cat - -o out.rec", "convert - -o out.rec", "convert - -o out.msgpack", "get . - -o out.json", "query . - -o out.json", "diag - -o out.diag",
		"fmt - -o out.msgpack", "types - -o types.go", "schema - -o out.schema.json", "page - -o out.html", "stat - --svg out.svg",
		"array convert - --from raw --type int16 -o out.npy", "array stats - --from raw --type int8 --chart out.svg",
	} {
		t.Run(args, func(t *testing.T) {
			for range rounds {
				dir := t.TempDir()
				p := process(t, strings.Fields(args)...)
				p.Dir, p.Env = dir, append(p.Env, "TMPDIR="+dir)
				feed, err := p.StdinPipe()
				if err != nil {
					t.Fatal(err)
				}
				var stderr bytes.Buffer
				p.Stderr = &stderr
				if err := p.Start(); err != nil {
					t.Fatal(err)
				}
				// A pipe takes less, so the command runs and has read most of it.
				if _, err := feed.Write(data); err != nil {
					t.Fatal(err, &stderr)
				}
				if err := p.Process.Signal(os.Interrupt); err != nil {
					t.Fatal(err)
				}
				feed.Close()
				if err := p.Wait(); p.ProcessState.ExitCode() != 130 {
					t.Errorf("%v, want exit code 130; %s", err, &stderr)
				}
				if left := entries(t, dir); len(left) > 0 {
					t.Errorf("files left: %v", left)
				}
			}
		})
	}
}

// TestClosedPipe closes the pipe after the first bytes, as the head command
// does.
func TestClosedPipe(t *testing.T) {
	for _, args := range [][]string{{"convert", "--from=msgpack"}, {"inspect"}, {"inspect", "--json"}} {
		c := process(t, args...)
		var stderr bytes.Buffer
		c.Stdin, c.Stderr = bytes.NewReader(bytes.Repeat(message(), 100_000)), &stderr
		out, err := c.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 10)); err != nil {
			t.Fatal(err)
		}
		out.Close()
		if err := c.Wait(); err != nil || stderr.Len() > 0 {
			t.Errorf("%v: %v, %s", args, err, &stderr)
		}
	}
}

// TestFullDevice writes to a device that has no space left.
func TestFullDevice(t *testing.T) {
	if _, err := os.Stat("/dev/full"); err != nil {
		t.Skip("no /dev/full")
	}
	for _, to := range []string{"json", "msgpack"} {
		var stderr bytes.Buffer
		c := process(t, "convert", "--from=json", "--to", to, "-o", "/dev/full")
		c.Stdin, c.Stderr = bytes.NewReader([]byte(`{"a":1}`)), &stderr
		err := c.Run()
		want := "octet: convert: /dev/full: no space left on device\n"
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 3 || stderr.String() != want {
			t.Errorf("to %s: %v, %s", to, err, &stderr)
		}
	}
}

func entries(t *testing.T, dir string) []os.DirEntry {
	t.Helper()
	list, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	return list
}
