package main

import (
	"context"
	"errors"
	"io"
	"os"
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
	a := &app{Console: &console.Console{Stdout: io.Discard, Stderr: io.Discard}}
	ctx, cancel := context.WithCancel(t.Context())
	resume, done := make(chan bool), make(chan error)
	err := a.produce(ctx, target{path: "-"}, func(io.Writer) error {
		out, err := a.rewritten.create(a, "in")
		if err == nil {
			_, err = out.Write([]byte("new"))
		}
		if err != nil {
			t.Error(err)
		}
		cancel()
		<-resume
		done <- a.rewritten.commit()
		a.rewritten.discard()
		_, err = a.rewritten.create(a, "in")
		done <- err
		return err
	})
	if !errors.Is(err, failure.ErrInterrupted) {
		t.Errorf("produce: %v, want %v", err, failure.ErrInterrupted)
	}
	check := func() {
		t.Helper()
		data, err := os.ReadFile("in")
		if list := entries(t, "."); err != nil || string(data) != "old" || len(list) != 1 {
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
