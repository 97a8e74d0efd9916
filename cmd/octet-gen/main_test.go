package main

import (
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
		if got := run(test.args); got != test.want {
			t.Errorf("octet-gen %q: exit code %d, want %d", test.args, got, test.want)
		}
	}
	if after, err := os.Stat(path); err != nil || !after.ModTime().Equal(before.ModTime()) {
		t.Errorf("a file that is current was written again (%v)", err)
	}
}

// TestVersion checks that -version prints the name and the build.
func TestVersion(t *testing.T) {
	output, err := os.Create(filepath.Join(t.TempDir(), "output"))
	if err != nil {
		t.Fatal(err)
	}
	defer output.Close()
	stdout := os.Stdout
	os.Stdout = output
	code := run([]string{"-version"})
	os.Stdout = stdout
	text, err := os.ReadFile(output.Name())
	if err != nil {
		t.Fatal(err)
	}
	if code != 0 || !strings.HasPrefix(string(text), "octet-gen ") || !strings.Contains(string(text), "go1.") || !strings.HasSuffix(string(text), ")\n") {
		t.Errorf("exit code %d, output %q", code, text)
	}
}
