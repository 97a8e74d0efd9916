package main

import (
	"os/exec"
	"syscall"
	"testing"
)

// hasFileLimit reports whether the shell command ulimit -f works.
const hasFileLimit = true

// TestFullDisk converts to a file system of 64 KiB.
func TestFullDisk(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64k"); err != nil {
		t.Skipf("a small file system cannot be mounted: %v", err)
	}
	defer func() {
		if err := syscall.Unmount(dir, syscall.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}()
	json, _ := lines(t, 10_000)
	checkFull(t, dir, json, "no space left on device", func(c *exec.Cmd) *exec.Cmd { return c })
}
