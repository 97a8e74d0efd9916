package output

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/octet-go/octet/internal/faulty"
)

// begin creates a File and writes "new" to it, without Commit.
func begin(t *testing.T, name string) *File {
	t.Helper()
	f, err := Create(t.Context(), name, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	return f
}

func TestCommit(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "out", "old")
	f := begin(t, "out")
	wantContent(t, "out", "old")
	if err := f.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantContent(t, "out", "new")
	wantOnly(t, "out")

	if err := begin(t, "other").Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantContent(t, "other", "new")
}

func TestDiscard(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "out", "old")
	f := begin(t, "out")
	f.Discard()
	wantContent(t, "out", "old")
	begin(t, "other").Discard()
	wantOnly(t, "out")
	if _, err := f.Write([]byte("late")); !errors.Is(err, os.ErrClosed) {
		t.Errorf("write after Discard: %v, want %v", err, os.ErrClosed)
	}
}

// TestCommitCanceled requires the old file after an interrupt.
func TestCommitCanceled(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "out", "old")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := begin(t, "out").Commit(ctx); err != context.Canceled {
		t.Error(err)
	}
	wantContent(t, "out", "old")
	wantOnly(t, "out")
}

// TestCommitFails creates a directory at the destination before Commit.
func TestCommitFails(t *testing.T) {
	t.Chdir(t.TempDir())
	f := begin(t, "out")
	if err := os.MkdirAll("out/full", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := f.Commit(t.Context()); err == nil {
		t.Error("Commit replaced a directory")
	}
	wantOnly(t, "out")
}

// TestRenamedDirectory renames the directory before Commit and before Discard.
func TestRenamedDirectory(t *testing.T) {
	switch runtime.GOOS {
	case "windows":
		t.Skip("Windows renames no directory with open files")
	case "js", "plan9":
		t.Skip("an os.Root is the name of a directory here")
	}
	t.Chdir(t.TempDir())
	for _, end := range []func(*File){
		func(f *File) {
			if err := f.Commit(t.Context()); !errors.Is(err, fs.ErrNotExist) {
				t.Error(err)
			}
		},
		(*File).Discard,
	} {
		if err := os.Mkdir("before", 0o777); err != nil {
			t.Fatal(err)
		}
		f := begin(t, "before/out")
		if err := os.Rename("before", "after"); err != nil {
			t.Fatal(err)
		}
		end(f)
		if err := os.Remove("after"); err != nil {
			t.Errorf("a file was left: %v", err)
		}
	}
}

// TestCommitSyncs checks that Commit syncs the directory after it has replaced the
// destination, and what it returns if that fails.
func TestCommitSyncs(t *testing.T) {
	t.Chdir(t.TempDir())
	boom := errors.New("boom")
	for _, c := range []struct{ sync, want error }{
		{nil, nil}, {boom, boom}, {&fs.PathError{Op: "open", Path: ".", Err: fs.ErrPermission}, nil},
	} {
		put(t, "out", "old")
		f := begin(t, "out")
		calls := 0
		f.syncName = func(path string) error {
			calls++
			wantContent(t, path, "new")
			wantOnly(t, "out")
			return c.sync
		}
		if err := f.Commit(t.Context()); !errors.Is(err, c.want) || (err == nil) != (c.want == nil) || err != nil && !errors.Is(err, ErrNotDurable) || calls != 1 {
			t.Errorf("Commit, when syncing the directory returns %v: %v, after %d calls", c.sync, err, calls)
		}
		wantContent(t, "out", "new")
		wantOnly(t, "out")
	}
}

// TestPublish requires that a file takes its name from no other one, and does not keep it if Publish fails.
func TestPublish(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".out.tmp", "new")
	if err := Publish(".out.tmp", "out"); err != nil {
		t.Fatal(err)
	}
	wantContent(t, "out", "new")
	wantOnly(t, "out")
	put(t, ".out.tmp", "newer")
	if err := Publish(".out.tmp", "out"); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	wantContent(t, "out", "new")
	wantContent(t, ".out.tmp", "newer")
	boom := errors.New("boom")
	if err := publish(".out.tmp", "other", func(string) error { return boom }); err != boom {
		t.Errorf("the directory cannot be synced: %v", err)
	}
	wantOnly(t, "out")
	put(t, ".out.tmp", "newest")
	if err := publish(".out.tmp", "other", func(string) error { return fs.ErrPermission }); err != nil {
		t.Errorf("the directory cannot be read: %v", err)
	}
	wantContent(t, "other", "newest")
}

// TestPublishWithoutLinks is TestPublish for file systems that can neither rename to a new name only nor make links.
func TestPublishWithoutLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".out.tmp", "new")
	unable := func(string, string) error { return errors.ErrUnsupported }
	if err := linkNew(".out.tmp", "out", unable); err != nil {
		t.Fatal(err)
	}
	wantContent(t, "out", "new")
	wantOnly(t, "out")
	put(t, ".out.tmp", "newer")
	if err := linkNew(".out.tmp", "out", unable); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	wantContent(t, "out", "new")
	wantContent(t, ".out.tmp", "newer")
}

// TestPublishWithLinks is TestPublish for systems that cannot rename to a new name only.
func TestPublishWithLinks(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, ".out.tmp", "new")
	put(t, "taken", "old")
	if err := linkNew(".out.tmp", "taken", os.Link); !errors.Is(err, fs.ErrExist) {
		t.Error(err)
	}
	if err := linkNew(".out.tmp", "out", os.Link); err != nil {
		t.Fatal(err)
	}
	wantContent(t, "out", "new")
	wantContent(t, "taken", "old")
	wantOnly(t, "out", "taken")
}

// TestPowerLoss cuts the power of a disk after Commit.
func TestPowerLoss(t *testing.T) {
	faulty.TestDisks(t, func(t *testing.T, disk *faulty.Disk) {
		t.Chdir(disk.Dir)
		for _, content := range []string{"one", "two"} {
			f, err := Create(t.Context(), "out", nil)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := f.Write([]byte(content)); err != nil {
				t.Fatal(err)
			}
			if err := f.Commit(t.Context()); err != nil {
				t.Fatal(err)
			}
			wantContent(t, filepath.Join(disk.Cut(t), "out"), content)
		}
	})
}

func TestPermissions(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows does not have these permissions")
	}
	t.Chdir(t.TempDir())
	put(t, "old", "old")
	for _, mode := range []fs.FileMode{0o600, 0o644, 0o755, 0o660} {
		if err := os.Chmod("old", mode); err != nil {
			t.Fatal(err)
		}
		if err := begin(t, "old").Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		if info, err := os.Stat("old"); err != nil || info.Mode() != mode {
			t.Errorf("mode changed from %v to %v, %v", mode, info.Mode(), err)
		}
	}
	put(t, "plain", "")
	if err := begin(t, "new").Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	plain, _ := os.Stat("plain")
	if info, err := os.Stat("new"); err != nil || info.Mode() != plain.Mode() {
		t.Errorf("new file has mode %v, want %v", info.Mode(), plain.Mode())
	}
}

func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root ignores permissions")
	}
	t.Chdir(t.TempDir())
	put(t, "out", "old")
	if err := os.Chmod("out", 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(t.Context(), "out", nil); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("err = %v, want %v", err, fs.ErrPermission)
	}
	wantOnly(t, "out")
}

func TestLink(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.Mkdir("dir", 0o755); err != nil {
		t.Fatal(err)
	}
	put(t, "dir/out", "old")
	for _, name := range []string{"out", "new"} { // there is no file dir/new yet
		link := "link to " + name
		if err := os.Symlink("dir/"+name, link); err != nil {
			t.Skipf("symbolic links are not supported: %v", err)
		}
		if err := begin(t, link).Commit(t.Context()); err != nil {
			t.Fatal(err)
		}
		wantContent(t, "dir/"+name, "new")
		if info, err := os.Lstat(link); err != nil || info.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("the symbolic link was replaced: mode %v, %v", info.Mode(), err)
		}
	}
}

// TestIsReplaced requires that IsReplaced says what Create does.
func TestIsReplaced(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.WriteFile("old", nil, 0o666); err != nil {
		t.Fatal(err)
	}
	names := []string{"-", "/dev/stdout", "old", "new", os.DevNull}
	if os.Symlink("old", "link") == nil {
		names = append(names, "link")
	}
	if runtime.GOOS == "linux" {
		in, err := os.OpenFile("old", os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		defer in.Close()
		names = append(names, fmt.Sprint("/dev/fd/", in.Fd()))
	}
	for _, name := range names {
		replaced := IsReplaced(name)
		f, err := Create(t.Context(), name, io.Discard)
		if err != nil || f.Direct() == replaced {
			t.Fatalf("IsReplaced(%q) = %v, %+v, %v", name, replaced, f, err)
		}
		f.Discard()
	}
}

func TestDirect(t *testing.T) {
	var stdout strings.Builder
	for _, name := range []string{"-", "/dev/stdout"} {
		f, err := Create(t.Context(), name, &stdout)
		if err != nil || f.Writer != &stdout || !f.Direct() || f.Name != "standard output" {
			t.Errorf("Create(%q) = %+v, %v", name, f, err)
			continue
		}
		if err := f.Commit(t.Context()); err != nil {
			t.Error(err)
		}
		f.Discard()
	}
	if _, err := os.Stat("/dev/null"); err == nil {
		f := begin(t, "/dev/null")
		if !f.Direct() {
			t.Error("Direct() = false for /dev/null")
		}
		if err := f.Commit(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

func TestCreateFails(t *testing.T) {
	t.Chdir(t.TempDir())
	put(t, "file", "")
	for name, want := range map[string]error{
		".":            ErrDirectory,
		"missing/file": fs.ErrNotExist,
		"missing/":     fs.ErrNotExist,
	} {
		if _, err := Create(t.Context(), name, nil); !errors.Is(err, want) {
			t.Errorf("Create(%q): %v, want %v", name, err, want)
		}
	}
	if _, err := Create(t.Context(), "file/below", nil); err == nil {
		t.Error("Create succeeded in a path whose parent is a file")
	}
	wantOnly(t, "file")
}

func put(t *testing.T, name, content string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(content), 0o666); err != nil {
		t.Fatal(err)
	}
}

func wantContent(t *testing.T, name, want string) {
	t.Helper()
	if got, err := os.ReadFile(name); err != nil || string(got) != want {
		t.Errorf("%s contains %q, %v; want %q", name, got, err, want)
	}
}

// wantOnly fails if the directory contains any other file, such as a temporary
// file.
func wantOnly(t *testing.T, names ...string) {
	t.Helper()
	list, err := filepath.Glob("*")
	if err != nil {
		t.Fatal(err)
	}
	hidden, _ := filepath.Glob(".*")
	if got := strings.Join(append(list, hidden...), " "); got != strings.Join(names, " ") {
		t.Errorf("files %q, want %q", got, names)
	}
}

// TestLongName replaces a file whose name is as long as the file system allows.
func TestLongName(t *testing.T) {
	t.Chdir(t.TempDir())
	name := strings.Repeat("n", 255)
	if err := os.WriteFile(name, []byte("old"), 0o666); err != nil {
		t.Skip(err)
	}
	if err := begin(t, name).Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
	wantContent(t, name, "new")
	wantOnly(t, name)
}

// TestIsClosedPipe writes to a pipe that its reader has closed.
func TestIsClosedPipe(t *testing.T) {
	r, w, err := os.Pipe()
	if err != nil {
		t.Skip(err) // there are none on js
	}
	defer w.Close()
	r.Close()
	if _, err := w.Write([]byte("a")); !IsClosedPipe(err) {
		t.Errorf("to write to a closed pipe: %v", err)
	}
	if IsClosedPipe(nil) || IsClosedPipe(io.EOF) {
		t.Error("another error is one of a closed pipe")
	}
}
