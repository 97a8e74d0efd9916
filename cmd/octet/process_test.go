package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

// TestMain runs the tool instead of the tests if OCTET_TEST_PROCESS is set, for
// tests that need a process.
func TestMain(m *testing.M) {
	if os.Getenv("OCTET_TEST_PROCESS") != "" {
		main()
	}
	os.Exit(m.Run())
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
