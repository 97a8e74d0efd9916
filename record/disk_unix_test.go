//go:build linux || darwin

package record

import (
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const diskSize = 64 << 10

// limitFiles limits the size of the files that the process writes.
func limitFiles() {
	signal.Ignore(syscall.SIGXFSZ)
	limit := syscall.Rlimit{Cur: diskSize, Max: diskSize}
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		fmt.Println("skip", err)
		os.Exit(0)
	}
}

// fillDisk writes until the file has the maximum size that the process may write, and
// prints the results of the calls.
func fillDisk(path string) {
	limitFiles()
	w, err := Create(path, &Options{BlockSize: minBlock})
	if err != nil {
		fmt.Println("create", err)
		os.Exit(0)
	}
	for err == nil {
		if err = w.Write(entryOf(w.Len())); err == nil && w.Len()%100 == 0 {
			if err = w.Sync(); err == nil {
				fmt.Println("safe", w.Len())
			}
		}
	}
	same := w.Write(1) == err && w.Sync() == err && w.Flush() == err && w.Close() == err
	fmt.Println("failed", same, err)
	os.Exit(0)
}

// TestFullDisk lets a process write until the disk has no room. The synced records
// are in the file, and Append works when there is room again.
func TestFullDisk(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	out, err := child(t, "fill", path).Output()
	if err != nil {
		t.Skip(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if strings.HasPrefix(lines[0], "skip") {
		t.Skip(lines[0])
	}
	var safe int64
	for _, line := range lines[:len(lines)-1] {
		safe = checkLine(t, line, safe)
	}
	if last := lines[len(lines)-1]; !strings.HasPrefix(last, "failed true record: "+path+": write at offset") || safe == 0 {
		t.Fatalf("the child says %q after %d records", last, safe)
	}
	n := checkKilled(t, path, safe)
	w, err := Append(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if w.Len() != n {
		t.Errorf("Append finds %d records, want %d", w.Len(), n)
	}
	if err := w.Write(entryOf(n)); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if now := checkKilled(t, path, n); now != n+1 {
		t.Errorf("%d records, want %d", now, n+1)
	}
}

// recoverToFull recovers a file where there is no room for the copy.
func recoverToFull(path string) {
	limitFiles()
	_, err := Recover(path, path+".copy", nil)
	fmt.Println(err)
	os.Exit(0)
}

// TestRecoverToFullDisk requires that Recover leaves no part of a copy, and names the copy in the error.
func TestRecoverToFullDisk(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.rec")
	if err := os.WriteFile(path, writeTo(t, Options{}, 4, numbered(10_000, 0)), 0o666); err != nil {
		t.Fatal(err)
	}
	out, err := child(t, "recover", path).Output()
	if err != nil || strings.HasPrefix(string(out), "skip") {
		t.Skip(err, string(out))
	}
	if text := string(out); !strings.HasPrefix(text, "record: "+path+".copy: write at offset ") || strings.Count(text, "\n") != 1 {
		t.Error(text)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left: %v, %v", left, err)
	}
}
