//go:build unix

package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/octet-go/octet/array"
	"github.com/octet-go/octet/cmd/octet/internal/console/consoletest"
)

// makePipe makes a named pipe. At the end of the test, it ends what still waits for the other side of the pipe.
func makePipe(t *testing.T) string {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if f, err := os.OpenFile(name, os.O_RDWR, 0); err == nil {
			f.Close()
		}
	})
	return name
}

// openPipe opens a named pipe for reading and writing, so that neither waits for the other.
func openPipe(t *testing.T, name string) *os.File {
	t.Helper()
	f, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestInterruptNamedPipe interrupts commands that wait for the writer of a named pipe.
func TestInterruptNamedPipe(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, command := range []string{
		"convert", "inspect", "lint", "record cat", "array info --from csv", "array stats --from csv", "array cat --from csv",
		"query --from-file", "query -n 1 --slurpfile a", "query -n 1 --rawfile a", "schema check",
	} {
		_, stderr, code := runOctet(t, ctx, append(strings.Fields(command), makePipe(t))...)
		if code != 130 || !strings.HasSuffix(stderr, ": interrupted\n") {
			t.Errorf("%s: exit %d, %s", command, code, stderr)
		}
	}
}

// TestInterruptSlurping interrupts query while it reads the values of a variable from a named pipe.
func TestInterruptSlurping(t *testing.T) {
	name := makePipe(t)
	pipe := openPipe(t, name)
	ctx, cancel := context.WithCancel(t.Context())
	go func() {
		_, _ = pipe.WriteString("[" + strings.Repeat(" ", 1<<20)) // more than a pipe holds, so query has begun to read it
		cancel()
		pipe.Close()
	}()
	_, stderr, code := runOctet(t, ctx, "query", "-n", "1", "--slurpfile", "a", name)
	if code != 130 || !strings.HasSuffix(stderr, ": interrupted\n") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

// TestSameNamedPipe requires that no command writes the named pipe that it reads, because it would read what it has written.
func TestSameNamedPipe(t *testing.T) {
	name := makePipe(t)
	for _, command := range []string{"convert FILE -o FILE", "diag FILE -o FILE", "fmt FILE -o FILE", "array convert --from csv FILE -o FILE --to csv"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel() // so that it does not wait
		_, stderr, code := runOctet(t, ctx, strings.Fields(strings.ReplaceAll(command, "FILE", name))...)
		if code != 3 || !strings.HasSuffix(stderr, "pipe: this pipe is also the output; write to another one\n") {
			t.Errorf("%s: exit %d, %s", command, code, stderr)
		}
	}
	stdin := openPipe(t, name)
	defer stdin.Close()
	for _, command := range []string{"convert -o FILE", "convert - -o FILE", "diag -o FILE", "fmt - -o FILE", "query . -o FILE", "array convert --from csv - -o FILE --to csv"} {
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		c, _, stderr := consoletest.New("")
		c.Stdin = stdin
		code := run(ctx, strings.Fields(strings.ReplaceAll(command, "FILE", name)), c)
		if code != 3 || !strings.HasSuffix(stderr.String(), "standard input: this pipe is also the output; write to another one\n") {
			t.Errorf("%s: exit %d, %s", command, code, stderr)
		}
	}
}

// TestRecordDevice requires a reason why a record file is no device or pipe.
func TestRecordDevice(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "a.rec", 10)
	for _, name := range []string{makePipe(t), os.DevNull} {
		for _, command := range []string{"cat", "cat --follow", "merge", "recover", "split"} {
			_, stderr, code := runOctet(t, t.Context(), append(append([]string{"record"}, strings.Fields(command)...), "a.rec", "-o", name)...)
			if want := name + ", which is a device or a pipe and cannot be synced\n"; code != 2 || !strings.Contains(stderr, want) {
				t.Errorf("%s: exit %d, %s", command, code, stderr)
			}
		}
	}
}

// TestInterruptWriting interrupts commands whose output is a named pipe that nobody empties. The interrupt ends
// them, and not the error of writing to the pipe that they then close.
func TestInterruptWriting(t *testing.T) {
	input := filepath.Join(t.TempDir(), "long.csv")
	if err := os.WriteFile(input, []byte(strings.Repeat("1\n", 1<<20)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, command := range []string{"array convert --to csv", "query --raw-input ."} {
		name := makePipe(t)
		pipe := openPipe(t, name)
		ctx, cancel := context.WithCancel(t.Context())
		go func() {
			_, _ = pipe.Read(make([]byte, 1)) // the rest is more than a pipe holds
			cancel()
		}()
		_, stderr, code := runOctet(t, ctx, append(strings.Fields(command), input, "-o", name)...)
		if code != 130 || !strings.Contains(stderr, ": interrupted") {
			t.Errorf("%s: exit %d, %s", command, code, stderr)
		}
		pipe.Close()
	}
}

// TestFortranNamedPipe reads an array in Fortran order from a named pipe, whose elements cannot be reordered.
func TestFortranNamedPipe(t *testing.T) {
	name := makePipe(t)
	pipe := openPipe(t, name)
	defer pipe.Close()
	if err := array.Write(pipe, make([]int16, 4), array.NPY.WithShape(2, 2).WithFortranOrder()); err != nil {
		t.Fatal(err)
	}
	_, stderr, code := runOctet(t, t.Context(), "array", "cat", name)
	if code != 2 || !strings.Contains(stderr, "must be a regular .npy file") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}
