package main

import (
	"os"
	"os/exec"
	"path/filepath"
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
		if got := run(test.args); got != test.want {
			t.Errorf("octet-gen %q: exit code %d, want %d", test.args, got, test.want)
		}
	}
	if after, err := os.Stat(path); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("a file that is current was written again (%v)", err)
	}
}
