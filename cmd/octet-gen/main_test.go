package main

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/octet-go/octet/octetgen"
)

// TestRun writes the file of a package, checks that it is current, and checks the exit codes.
func TestRun(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("needs the go command:", err)
	}
	const shapes = "../../octetgen/internal/shapes"
	path := filepath.Join(shapes, octetgen.FileName)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		args []string
		want int
	}{
		{[]string{"-dir", shapes}, 0},
		{[]string{"-check", "-dir", shapes}, 0},
		{[]string{"-check", "-dir", shapes, "Tree2"}, 1},
		{[]string{"-dir", t.TempDir()}, 1},
		{[]string{"-unknown"}, 2},
		{[]string{"-help"}, 0},
	} {
		if got := run(t.Context(), test.args, io.Discard, io.Discard); got != test.want {
			t.Errorf("octet-gen %q: exit code %d, want %d", test.args, got, test.want)
		}
	}
	if after, err := os.Stat(path); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("a file that is current was written again (%v)", err)
	}
}

// TestVersion checks that -version prints the name and the build.
func TestVersion(t *testing.T) {
	var stdout bytes.Buffer
	code := run(t.Context(), []string{"-version"}, &stdout, io.Discard)
	text := stdout.String()
	if code != 0 || !strings.HasPrefix(text, "octet-gen ") || !strings.Contains(text, "go1.") || !strings.HasSuffix(text, ")\n") {
		t.Errorf("exit code %d, output %q", code, text)
	}
}

// TestVendor runs the command in a module with a vendor folder, after the commands that
// the usage names for that.
func TestVendor(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the command")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	run := func(name string, args ...string) error {
		c := exec.Command(name, args...)
		c.Dir = dir
		c.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-trimpath", "GOPROXY=off") // without the path, what was built before is in the cache
		out, err := c.CombinedOutput()
		if err != nil {
			t.Logf("%s %q: %s", name, args, out)
		}
		return err
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	sums, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	write("go.sum", string(sums))
	write("go.mod", "module example.com/app\n\ngo 1.26\n\nrequire github.com/octet-go/octet v0.0.0\n\nreplace github.com/octet-go/octet => "+root+"\n")
	write("app.go", `package app

import _ "github.com/octet-go/octet/msgpack"

`+"//go:generate"+` go run github.com/octet-go/octet/cmd/octet-gen

//octet:generate
type User struct{ Name string }
`)
	if err := run("go", "mod", "tidy"); err != nil {
		t.Skip("needs the go command and the modules of this one:", err)
	}
	if err := run("go", "mod", "vendor"); err != nil {
		t.Fatal(err)
	}
	if err := run("go", "generate"); err == nil {
		t.Error("the command runs in a module with a vendor folder, so that the usage is wrong")
	}
	commands := 0
	for line := range strings.Lines(usage) {
		if args := strings.Fields(line); strings.HasPrefix(line, "\tgo mod ") {
			commands++
			if err := run(args[0], args[1:]...); err != nil {
				t.Fatal(err)
			}
		}
	}
	if commands == 0 {
		t.Error("the usage names no commands")
	}
	if err := run("go", "generate"); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(dir, octetgen.FileName)); err != nil {
		t.Error(err)
	}
}

// TestFull requires an error if the help or the version cannot be printed.
func TestFull(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	for _, flag := range []string{"-help", "-version"} {
		var stderr bytes.Buffer
		if code := run(t.Context(), []string{flag}, full, &stderr); code != 1 || !strings.HasPrefix(stderr.String(), "octet-gen: standard output: ") {
			t.Error(flag, code, stderr.String())
		}
	}
}
