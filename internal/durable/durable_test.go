package durable

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/faulty"
)

// TestName renames a file, and cuts the power of the disk after Name.
func TestName(t *testing.T) {
	faulty.TestDisks(t, func(t *testing.T, disk *faulty.Disk) {
		for _, name := range []string{"old", "new"} {
			f, err := os.Create(filepath.Join(disk.Dir, name))
			if err != nil {
				t.Fatal(err)
			}
			_, err = f.WriteString(name)
			if err := errors.Join(err, f.Sync(), f.Close(), Name(f.Name())); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Rename(filepath.Join(disk.Dir, "new"), filepath.Join(disk.Dir, "old")); err != nil {
			t.Fatal(err)
		}
		content := func() string {
			text, err := os.ReadFile(filepath.Join(disk.Cut(t), "old"))
			if err != nil {
				t.Fatal(err)
			}
			return string(text)
		}
		if content() != "old" {
			t.Skip("the test was suspended for so long that the system has synced the disk")
		}
		if err := Name(filepath.Join(disk.Dir, "old")); err != nil {
			t.Fatal(err)
		}
		if got := content(); got != "new" {
			t.Errorf("after a power loss, the file has %q, want \"new\"", got)
		}
	})
}

func TestDirectoryOf(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("dir", 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("dir/a", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	cases := map[string]string{"a": ".", "dir/a": "dir", "dir/missing": "dir"}
	if err := os.Symlink(filepath.Join("dir", "a"), "link"); err == nil {
		cases["link"] = "dir"
	}
	for path, want := range cases {
		if got := directoryOf(filepath.FromSlash(path)); got != want {
			t.Errorf("directoryOf(%q) = %q, want %q", path, got, want)
		}
		if err := Name(path); err != nil {
			t.Errorf("Name(%q): %v", path, err)
		}
	}
	path := filepath.Join("none", "a")
	if err := Name(path); runtime.GOOS == "linux" && (!errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), path+": open none: ")) {
		t.Errorf("a directory that does not exist: %v", err)
	}
}

// TestTarget follows links to files that exist and to files that do not.
func TestTarget(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"a", "b", "b/c"} {
		if err := os.Mkdir(dir, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile("a/file", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	for name, target := range map[string]string{
		"file": "a/file", "new": "a/new", "again": "new", "dir": "b/c", "b/c/up": "../none", "loop": "other", "other": "loop", "lost": "none/file",
	} {
		if err := os.Symlink(filepath.FromSlash(target), filepath.FromSlash(name)); err != nil {
			t.Skip(err)
		}
	}
	for path, want := range map[string]string{
		"a/file": "a/file", "file": "a/file", "a/new": "a/new", "new": "a/new", "again": "a/new", "dir/up": "b/none", "lost": "none/file", "": "",
	} {
		if got := filepath.ToSlash(Target(filepath.FromSlash(path))); got != want {
			t.Errorf("Target(%q) = %q, want %q", path, got, want)
		}
	}
	if got := Target("loop"); got != "loop" && got != "other" {
		t.Errorf("Target of a loop is %q", got)
	}
	absolute, err := filepath.Abs("a/new")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(absolute, "absolute"); err != nil {
		t.Fatal(err)
	}
	if got := Target("absolute"); got != absolute {
		t.Errorf("Target(\"absolute\") = %q, want %q", got, absolute)
	}
	r, w, err := os.Pipe()
	if err != nil {
		t.Skip(err)
	}
	defer r.Close()
	defer w.Close()
	for _, dir := range []string{"/dev/fd", "/proc/self/fd"} {
		pipe := fmt.Sprintf("%s/%d", dir, r.Fd())
		if _, err := os.Stat(pipe); err == nil && Target(pipe) != pipe {
			t.Errorf("Target(%q) = %q", pipe, Target(pipe))
		}
	}
}

func TestBeside(t *testing.T) {
	long := strings.Repeat("é", 127)
	for _, c := range []struct{ path, suffix, want string }{
		{"a.rec", ".torn-1", "a.rec.torn-1"},
		{"dir/a", ".x", "dir/a.x"},
		{long + "a", "", long + "a"},
		{long, ".12", strings.Repeat("é", 126) + ".12"},
		{strings.Repeat("\xff", 255), ".torn-1", strings.Repeat("\xff", 248) + ".torn-1"}, // not UTF-8
		{strings.Repeat("\x80", 255), ".torn-1", strings.Repeat("\x80", 245) + ".torn-1"},
		{"\xff" + long, ".1", "\xff" + strings.Repeat("é", 126) + ".1"},
		{"dir/" + long, ".torn-1000", "dir/" + strings.Repeat("é", 122) + ".torn-1000"},
	} {
		path, want := filepath.FromSlash(c.path), filepath.FromSlash(c.want)
		if got := Beside(path, c.suffix); got != want {
			t.Errorf("Beside(%q, %q) = %q, want %q", path, c.suffix, got, want)
		}
	}
}
