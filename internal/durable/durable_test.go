package durable

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
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
	if err := Name(filepath.Join("none", "a")); !errors.Is(err, fs.ErrNotExist) && runtime.GOOS == "linux" {
		t.Errorf("a directory that does not exist: %v", err)
	}
}
