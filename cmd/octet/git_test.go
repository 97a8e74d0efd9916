package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
)

// TestGit runs the commands with which the help of diag sets up git, and looks at the
// changes of a file. The documentation has the same commands and the same text.
func TestGit(t *testing.T) {
	for _, program := range []string{"git", "sh"} {
		if _, err := exec.LookPath(program); err != nil || runtime.GOOS == "windows" {
			t.Skipf("skipped: %s is not installed, or the system has no symbolic links", program)
		}
	}
	page := read(t, filepath.Join("..", "..", "docs", "diagnostic-notation.md"))
	commands := regexp.MustCompile(`(?m)^  ((?:echo|git config) .*\bmsgpack\b.*)$`).FindAllStringSubmatch(diagHelp, -1)
	if len(commands) != 2 {
		t.Fatalf("the help of diag has %d commands for git", len(commands))
	}
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	dir, programs := t.TempDir(), t.TempDir()
	if err := os.Symlink(self, filepath.Join(programs, "octet")); err != nil {
		t.Fatal(err)
	}
	// Settings of the user and of the system do not count.
	env := []string{
		"PATH=" + programs + string(os.PathListSeparator) + os.Getenv("PATH"), "OCTET_TEST_PROCESS=1", "HOME=" + dir, "LC_ALL=C", "TERM=dumb",
		"GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=" + os.DevNull, "GIT_ATTR_NOSYSTEM=1", "GIT_PAGER=cat", "TMPDIR=" + os.TempDir(),
	}
	shell := func(line string) (string, error) {
		c := exec.Command("sh", "-c", line)
		c.Dir, c.Env = dir, env
		out, err := c.CombinedOutput()
		return string(out), err
	}
	must := func(line string) string {
		t.Helper()
		out, err := shell(line)
		if err != nil {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
		return out
	}
	must("git init -q .")
	for _, c := range commands {
		must(c[1])
		if !strings.Contains(page, "\n$ "+c[1]+"\n") {
			t.Errorf("docs/diagnostic-notation.md lacks the command %q of the help", c[1])
		}
	}
	write(t, filepath.Join(dir, "a.diag"), `{"name": "Ada", "tags": ["x", 5_u64]}`)
	write(t, filepath.Join(dir, "b.diag"), `{"name": "Ada", "tags": ["x", 5]}`)
	must("octet diag a.diag -o user.msgpack && git add user.msgpack && octet diag b.diag -o user.msgpack")
	got := regexp.MustCompile(`(?m)^index .*\n`).ReplaceAllString(must("git diff --no-color"), "")
	if !strings.HasPrefix(got, "diff --git a/user.msgpack b/user.msgpack\n") || !strings.Contains(page, "\n$ git diff\n"+got+"```\n") {
		t.Errorf("git diff prints\n%sand docs/diagnostic-notation.md has other text", got)
	}

	// A file that cannot be read fails, unless git compares the bytes.
	write(t, filepath.Join(dir, "user.msgpack"), "\x81\xa1")
	if out, err := shell("git diff"); err == nil || !strings.Contains(out, "truncated input") {
		t.Errorf("git diff of a malformed file: %v\n%s", err, out)
	}
	if out := must("git diff --no-textconv"); !strings.Contains(out, "Binary files a/user.msgpack and b/user.msgpack differ") {
		t.Errorf("git diff --no-textconv prints\n%s", out)
	}
}
