package main

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/companion"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// server is the stand-in for octet-serve, which has tests of its own. It prints its
// arguments, and fails for the file "missing". With --open, it runs until it is interrupted,
// or until its input ends.
func server() {
	args := os.Args[1:]
	fmt.Println("octet-serve", strings.Join(args, " "))
	switch {
	case slices.Contains(args, "missing"):
		fmt.Fprintln(os.Stderr, "octet-serve: missing: no such file")
		os.Exit(int(failure.Access))
	case slices.Contains(args, "--open") && os.Getenv("OCTET_TEST_SERVE") == "wait":
		interrupted := make(chan os.Signal, 1)
		signal.Notify(interrupted, os.Interrupt)
		fmt.Println("ready")
		go func() {
			io.Copy(io.Discard, os.Stdin)
			fmt.Println("left running")
			os.Exit(1)
		}()
		<-interrupted
		fmt.Println("interrupted")
	}
	os.Exit(0)
}

// installServer puts the stand-in into a new folder, and the folder into PATH.
func installServer() (dir string, err error) {
	self, err := os.Executable()
	if err != nil {
		return "", err
	}
	if dir, err = os.MkdirTemp("", "octet-test-"); err != nil {
		return "", err
	}
	name := companion.Serve.Name()
	if runtime.GOOS == "windows" {
		name += ".exe"
	}
	file := filepath.Join(dir, name)
	if os.Symlink(self, file) != nil {
		data, err := os.ReadFile(self)
		if err == nil {
			err = os.WriteFile(file, data, 0o755)
		}
		if err != nil {
			return dir, err
		}
	}
	return dir, os.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
}

// TestServe requires that serve passes on its flags, the exit code and the messages of
// octet-serve.
func TestServe(t *testing.T) {
	for _, c := range []struct {
		args, stdout, stderr string
		code                 failure.Code
	}{
		{"serve", "octet-serve \n", "", failure.OK},
		{"serve a.json --port 8080 --open --from json", "octet-serve --port=8080 --open --from=json -- a.json\n", "", failure.OK},
		{"serve --color never -- -a.json", "octet-serve --color=never -- -a.json\n", "", failure.OK},
		{"serve missing", "octet-serve -- missing\n", "octet-serve: missing: no such file\n", failure.Access},
	} {
		var stdout bytes.Buffer
		stderr, code := octet(nil, &stdout, strings.Fields(c.args)...)
		if code != c.code || stdout.String() != c.stdout || stderr != c.stderr {
			t.Errorf("%s: exit %d, %q, %q", c.args, code, &stdout, stderr)
		}
	}
}

// TestServeMissing requires one line that says how to install octet-serve.
func TestServeMissing(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	stderr, code := octet(nil, io.Discard, "serve")
	if want := "octet: serve: octet-serve, which serves the inspector, is not installed; the archives of octet have it, and so does: go install github.com/octet-go/octet/cmd/octet/octet-serve@latest\n"; code != failure.Access || stderr != want {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestServeEnds interrupts octet, and kills it. Nothing must be left running.
func TestServeEnds(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process cannot be interrupted on Windows")
	}
	for _, s := range []struct {
		signal  os.Signal
		rest    string
		success bool
	}{
		{os.Interrupt, "interrupted\n", true},
		{os.Kill, "", false},
	} {
		t.Run(s.signal.String(), func(t *testing.T) {
			c := process(t, "serve", "--open")
			c.Env = append(c.Env, "OCTET_TEST_SERVE=wait")
			stdin, err := c.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			out, err := c.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			c.Stderr = os.Stderr
			if err := c.Start(); err != nil {
				t.Fatal(err)
			}
			r := bufio.NewReader(out)
			for line := ""; line != "ready\n"; {
				if line, err = r.ReadString('\n'); err != nil {
					t.Fatal(err)
				}
			}
			if err := c.Process.Signal(s.signal); err != nil {
				t.Fatal(err)
			}
			state, err := c.Process.Wait()
			if err != nil || state.Success() != s.success {
				t.Error(state, err)
			}
			stdin.Close() // now the stand-in says if it is left running
			if rest, err := io.ReadAll(r); err != nil || string(rest) != s.rest {
				t.Errorf("%q, %v", rest, err)
			}
			out.Close()
		})
	}
}
