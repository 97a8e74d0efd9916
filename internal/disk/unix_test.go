//go:build darwin || dragonfly || freebsd || linux || netbsd || openbsd

package disk

import (
	"path/filepath"
	"syscall"
	"testing"
)

func makePipe(path string) error { return syscall.Mkfifo(path, 0o666) }

// TestLockOfChild requires that Close ends a lock although a process that was started in the meantime still has the open
// file. A second descriptor stands for that of the process.
func TestLockOfChild(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	owner, err := OpenLocked(OS, path, create)
	if err != nil {
		t.Fatal(err)
	}
	child, err := syscall.Dup(int(owner.(*file).Fd()))
	if err != nil {
		t.Fatal(err)
	}
	defer syscall.Close(child)
	if _, err := OpenLocked(OS, path, create); err != ErrLocked {
		t.Errorf("before Close: %v", err)
	}
	if err := owner.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := OpenLocked(OS, path, create)
	if err != nil {
		t.Fatalf("after Close: %v", err)
	}
	second.Close()
}
