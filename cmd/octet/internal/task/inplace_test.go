package task

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// TestInterruptInPlace interrupts a command while it rewrites a file.
func TestInterruptInPlace(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("in", []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	c := &console.Console{Stdout: io.Discard, Stderr: io.Discard}
	var p InPlace
	ctx, cancel := context.WithCancel(t.Context())
	resume, done := make(chan bool), make(chan error)
	to := Target{Path: "-", InPlace: &p}
	err := to.Produce(ctx, c, func(io.Writer) error {
		out, err := p.Create("in", c.Stdout)
		if err == nil {
			_, err = out.Write([]byte("new"))
		}
		if err != nil {
			t.Error(err)
		}
		cancel()
		<-resume
		done <- p.Commit(t.Context())
		p.Discard()
		_, err = p.Create("in", c.Stdout)
		done <- err
		return err
	})
	if !errors.Is(err, failure.ErrInterrupted) {
		t.Errorf("Produce: %v, want %v", err, failure.ErrInterrupted)
	}
	check := func() {
		t.Helper()
		data, err := os.ReadFile("in")
		list, _ := os.ReadDir(".")
		if err != nil || string(data) != "old" || len(list) != 1 {
			t.Errorf("the file has %q, and there are %d files, %v", data, len(list), err)
		}
	}
	check()
	resume <- true
	for range 2 {
		if err := <-done; !errors.Is(err, failure.ErrInterrupted) {
			t.Errorf("after the interrupt: %v, want %v", err, failure.ErrInterrupted)
		}
	}
	check()
}

// TestNotInPlace requires an error for what cannot be replaced: a command would read from a pipe what it has written to it, and
// lose the content of a file that it has open.
func TestNotInPlace(t *testing.T) {
	name := filepath.Join(t.TempDir(), "in")
	if err := os.WriteFile(name, []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	in, err := os.OpenFile(name, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	names := []string{os.DevNull}
	if runtime.GOOS == "linux" {
		names = append(names, "/dev/stdin", fmt.Sprint("/dev/fd/", in.Fd()), fmt.Sprint("/proc/self/fd/", in.Fd()))
	}
	for _, name := range names {
		var p InPlace
		_, err := p.Create(name, io.Discard)
		if f, ok := errors.AsType[*failure.Error](err); !ok || f.Code != failure.Access || f.Subject != name {
			t.Errorf("%v, want an error for %s", err, name)
		}
		p.Discard()
	}
	if data, err := os.ReadFile(name); err != nil || string(data) != "old" {
		t.Errorf("%q, %v", data, err)
	}
}

// A reader is an input that a test sees closed.
type reader struct {
	t      *testing.T
	closed bool
}

func (r *reader) Close() {
	if data, err := os.ReadFile("in"); err != nil || string(data) != "old" {
		r.t.Errorf("the file has %q while it is read, %v", data, err)
	}
	r.closed = true
}

// TestCommitClosesInput requires that a file is closed before it is replaced.
func TestCommitClosesInput(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("in", []byte("old"), 0o666); err != nil {
		t.Fatal(err)
	}
	var p InPlace
	out, err := p.Create("in", io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(out, "new"); err != nil {
		t.Fatal(err)
	}
	in, again := &reader{t: t}, &reader{t: t}
	if err := p.Commit(t.Context(), in, again); err != nil || !in.closed || !again.closed {
		t.Errorf("closed: %v and %v, %v", in.closed, again.closed, err)
	}
	if data, err := os.ReadFile("in"); err != nil || string(data) != "new" {
		t.Errorf("the file has %q, %v", data, err)
	}
}
