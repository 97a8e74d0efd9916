//go:build unix

package output

import (
	"context"
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

// TestInterruptNamedPipe interrupts Create, which waits for the reader of a named pipe.
func TestInterruptNamedPipe(t *testing.T) {
	name := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(name, 0o666); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if f, err := Create(ctx, name, nil); err != context.Canceled {
		t.Errorf("%+v, %v", f, err)
	}
	f, err := os.OpenFile(name, os.O_RDWR, 0) // for the goroutine that still waits
	if err != nil {
		t.Fatal(err)
	}
	f.Close()
}
