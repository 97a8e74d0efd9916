package record

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	w, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Append(path, nil); !errors.Is(err, ErrLocked) {
		t.Errorf("second Writer: %v", err)
	}
	if _, err := Create(path, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create over a Writer: %v", err)
	}
	f, err := Open(path, nil)
	if err != nil || f.Len() != 0 {
		t.Errorf("reader: %v", err)
	}
	f.Close()
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := Create(path, nil); !errors.Is(err, fs.ErrExist) {
		t.Errorf("Create over a file: %v", err)
	}
	w, err = Append(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestLockOfLink opens a file by its name and by a symbolic link to it.
func TestLockOfLink(t *testing.T) {
	path, link := filepath.Join(t.TempDir(), "a.rec"), filepath.Join(t.TempDir(), "b.rec")
	if err := os.Symlink(path, link); err != nil {
		t.Skip(err)
	}
	w, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Append(link, nil); !errors.Is(err, ErrLocked) {
		t.Errorf("second Writer, by a link: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if w, err = Append(link, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := Append(path, nil); !errors.Is(err, ErrLocked) {
		t.Errorf("second Writer, the first by a link: %v", err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestLockOfNewLink opens a file by a symbolic link that refers to no file before the first Writer makes it.
func TestLockOfNewLink(t *testing.T) {
	dir := t.TempDir()
	path, link, second := filepath.Join(dir, "a.rec"), filepath.Join(dir, "b.rec"), filepath.Join(dir, "c.rec")
	for name, target := range map[string]string{link: "a.rec", second: link} {
		if err := os.Symlink(target, name); err != nil {
			t.Skip(err)
		}
	}
	w, err := Append(second, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{path, link, second} {
		if other, err := Append(name, nil); !errors.Is(err, ErrLocked) {
			t.Errorf("second Writer, %s: %v", filepath.Base(name), err)
			if err == nil {
				other.Close()
			}
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
}

// TestLockIsOfFile opens a file a second time in ways that change its path or its name. The lock belongs to the file, so
// that there is never a second Writer.
func TestLockIsOfFile(t *testing.T) {
	for name, other := range map[string]func(t *testing.T, path string) (second string){
		"the same path": func(t *testing.T, path string) string { return path },
		"another directory": func(t *testing.T, path string) string {
			t.Chdir(t.TempDir())
			return path
		},
		"renamed": func(t *testing.T, path string) string {
			if err := os.Rename(path, path+".1"); err != nil {
				t.Skip(err) // as Windows does
			}
			return path + ".1"
		},
		"hard link": func(t *testing.T, path string) string {
			if err := os.Link(path, path+".link"); err != nil {
				t.Skip(err)
			}
			return path + ".link"
		},
		"other files removed": func(t *testing.T, path string) string {
			list, err := filepath.Glob(filepath.Join(filepath.Dir(path), "*"))
			if err != nil {
				t.Fatal(err)
			}
			for _, file := range list {
				if file != path {
					os.Remove(file)
				}
			}
			return path
		},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			w, err := Create("a.rec", nil)
			if err != nil {
				t.Fatal(err)
			}
			defer w.Close() // where the test is skipped
			path := other(t, filepath.Join(dir, "a.rec"))
			if second, err := Append(path, nil); !errors.Is(err, ErrLocked) {
				t.Errorf("second Writer: %v", err)
				if err == nil {
					second.Close()
				}
			}
			if err := errors.Join(w.Write("a"), w.Sync(), w.Close()); err != nil {
				t.Fatal(err)
			}
			// The file of the Writer has the record, whatever its name is now.
			if w, err = Append(path, nil); err != nil || w.Len() != 1 {
				t.Fatal(w.Len(), err)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestLockAfterChdir closes a Writer with a relative path in another directory, where another Writer has a file of the
// same name. Its lock must stay.
func TestLockAfterChdir(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	t.Chdir(first)
	a, err := Create("x.rec", nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Chdir(second)
	b, err := Create("x.rec", nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := a.Close(); err != nil {
		t.Fatal(err)
	}
	if c, err := Append("x.rec", nil); !errors.Is(err, ErrLocked) {
		t.Errorf("second Writer: %v", err)
		if err == nil {
			c.Close()
		}
	}
	if err := b.Close(); err != nil {
		t.Error(err)
	}
	for _, dir := range []string{first, second} {
		if list, err := os.ReadDir(dir); err != nil || len(list) != 1 {
			t.Errorf("%s has %v, %v, want the file alone", dir, list, err)
		}
	}
}

// appendOnce is a process that appends one record to a file. It prints the error.
func appendOnce(path string) {
	w, err := Append(path, nil)
	if err == nil {
		err = errors.Join(w.Write("from another process"), w.Close())
	}
	fmt.Println(errors.Is(err, ErrLocked), err)
	os.Exit(0)
}

// TestLockOfProcess opens a file in two processes.
func TestLockOfProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	w, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	try := func() string {
		out, err := child(t, "append", path).Output()
		if err != nil {
			t.Skip(err)
		}
		return strings.TrimSpace(string(out))
	}
	if got := try(); got != "true record: "+path+": another writer has the file open" {
		t.Errorf("while the file is open: %s", got)
	}
	if err := errors.Join(w.Write("from this process"), w.Close()); err != nil {
		t.Fatal(err)
	}
	if got := try(); got != "false <nil>" {
		t.Errorf("after Close: %s", got)
	}
	f, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	list, err := collect(All[string](f))
	if want := []string{"from this process", "from another process"}; err != nil || !slices.Equal(list, want) {
		t.Errorf("%q, %v, want %q", list, err, want)
	}
}
