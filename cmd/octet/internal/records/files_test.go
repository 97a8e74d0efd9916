package records

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/record"
)

// TestNewFiles requires that nothing is created after an interrupt, and that keep
// completes the last file.
func TestNewFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	var n newFiles
	defer n.release()
	w, err := n.create("a.rec", record.Options{})
	if err != nil {
		t.Fatal(err)
	}
	n.abandon()
	wantFiles(t)
	if _, err := n.create("c.rec", record.Options{}); err != failure.ErrInterrupted {
		t.Errorf("create after abandon: %v", err)
	}
	if err := n.close(w, "a.rec"); err == nil {
		t.Error("a file was completed after abandon")
	}
	wantFiles(t)

	var kept newFiles
	defer kept.release()
	if w, err = kept.follow("d.rec", record.Options{}); err != nil {
		t.Fatal(err)
	}
	if err := w.Write(0); err != nil {
		t.Fatal(err)
	}
	if err := kept.keep(); err != nil {
		t.Fatal(err)
	}
	wantNumbers(t, 1, "d.rec")
	wantFiles(t, "d.rec")
}

// TestUnfinished requires that a new file has its name only when it is complete, and takes it from no other file.
func TestUnfinished(t *testing.T) {
	t.Chdir(t.TempDir())
	var n newFiles
	defer n.release()
	for _, name := range []string{"a.rec", "b.rec"} {
		w, err := n.create(name, record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(w.Write(0), w.Flush()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Lstat(name); err == nil {
			t.Errorf("%s is there before it is complete", name)
		}
		if name == "b.rec" {
			numbers(t, name, 0, 2)
			if err := n.close(w, name); failure.CodeOf(err) != failure.Access || err.Error() != "b.rec: file exists" {
				t.Errorf("another program has made b.rec: %v", err)
			}
			n.remove()
			wantNumbers(t, 2, name)
		} else if err := n.close(w, name); err != nil {
			t.Fatal(err)
		} else {
			wantFiles(t, name)
		}
	}
	wantFiles(t, "b.rec")
}

// TestRenamedDirectory requires that nothing is left in a directory that is renamed while files are made in it.
func TestRenamedDirectory(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows renames no directory with open files")
	}
	t.Chdir(t.TempDir())
	if err := os.Mkdir("before", 0o777); err != nil {
		t.Fatal(err)
	}
	var n newFiles
	defer n.release()
	for _, name := range []string{"before/a.rec", "before/a-1.rec"} {
		w, err := n.create(name, record.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if name == "before/a.rec" {
			if err := n.close(w, name); err != nil {
				t.Fatal(err)
			}
			continue
		}
		if err := os.Rename("before", "after"); err != nil {
			t.Fatal(err)
		}
		if err := n.close(w, name); failure.CodeOf(err) != failure.Access {
			t.Error(err)
		}
	}
	n.remove()
	if err := os.Remove("after"); err != nil {
		t.Errorf("a file was left: %v", err)
	}
}

// TestNameTooLong requires that a name that no file can have is refused before anything is copied.
func TestNameTooLong(t *testing.T) {
	t.Chdir(t.TempDir())
	name := strings.Repeat("x", 300) + ".rec"
	if err := os.WriteFile(name, nil, 0o666); err == nil {
		t.Skip("the file system has names of 300 bytes")
	}
	var n newFiles
	defer n.release()
	if _, err := n.create(name, record.Options{}); failure.CodeOf(err) != failure.Access || !strings.HasPrefix(err.Error(), name+": ") {
		t.Error(err)
	}
	wantFiles(t)
}

func TestNumberedName(t *testing.T) {
	for n, want := range map[int64]string{0: "a/out.rec", 1: "a/out-1.rec", 12: "a/out-12.rec"} {
		if got := numberedName("a/out.rec", n, 1); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	for _, name := range []string{"a.b/out", "a.b/.out"} {
		if got := numberedName(name, 1, 2); got != name+"-01" {
			t.Errorf("a name without an extension: %s", got)
		}
	}
}

func TestList(t *testing.T) {
	var n newFiles
	defer n.release()
	for _, c := range []struct{ made, want string }{{"a", "a"}, {"b", "a and b"}, {"c", "3 files, a to c"}} {
		n.names = append(n.names, c.made)
		if got := n.list(); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// TestNothingLeftOpen requires that the commands close what they open, because Windows removes and renames nothing that is open.
func TestNothingLeftOpen(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux lists open files")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	numbers(t, "in.rec", 0, 3000)
	defer debug.SetGCPercent(debug.SetGCPercent(-1)) // which closes files, too
	ctx := t.Context()
	c, _, _ := command("")
	for name, err := range map[string]error{
		"cat":     c.Cat(ctx, Cat{Output: "cat.rec"}, []string{"in.rec"}),
		"merge":   c.Merge(ctx, "merge.rec", []string{"in.rec", "in.rec"}),
		"split":   c.Split(ctx, "split.rec", "in.rec", 2),
		"recover": c.Recover(ctx, "in.rec", "recover.rec"),
		"index":   c.WriteIndex(t.Context(), "in.rec"),
		"info":    c.Info(ctx, []string{"in.rec"}),
		"blocks":  c.Blocks(ctx, "in.rec"),
		"verify":  c.Verify(ctx, []string{"in.rec"}),
	} {
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, fail := range []error{
		c.Cat(ctx, Cat{Output: "in.rec"}, []string{"in.rec"}), c.Merge(ctx, "in.rec", []string{"in.rec"}),
		c.Recover(ctx, "in.rec", "in.rec"), c.Recover(ctx, "none.rec", "out.rec"), c.WriteIndex(t.Context(), "."),
	} {
		if fail == nil {
			t.Error("a command did not fail")
		}
	}
	links, err := filepath.Glob("/proc/self/fd/*")
	if err != nil || len(links) == 0 {
		t.Skip("no list of open files")
	}
	for _, link := range links {
		if target, _ := os.Readlink(link); strings.HasPrefix(target, dir) {
			t.Errorf("%s is open", target)
		}
	}
}
