package task_test

import (
	"context"
	"errors"
	"io"
	"os"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/task"
)

// TestSpool copies readers, and looks for files that are left.
func TestSpool(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"TMPDIR", "TMP", "TEMP"} {
		t.Setenv(name, dir)
	}
	left := func() int {
		files, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		return len(files)
	}
	path, remove, err := task.Spool(t.Context(), iotest.HalfReader(strings.NewReader("some text")), "standard input", nil)
	if err != nil {
		t.Fatal(err)
	}
	if data, err := os.ReadFile(path); err != nil || string(data) != "some text" {
		t.Errorf("the copy has %q, %v", data, err)
	}
	if remove(); left() > 0 {
		t.Error("remove has not removed the copy")
	}

	broken := io.MultiReader(strings.NewReader("some"), iotest.ErrReader(errors.New("unplugged")))
	_, _, err = task.Spool(t.Context(), broken, "standard input", nil)
	if failure.CodeOf(err) != failure.Access || err.Error() != "standard input: unplugged" {
		t.Errorf("a reader that fails: %v", err)
	}

	// After an interrupt, the copy is removed, although the reader still waits.
	r, w := io.Pipe()
	defer w.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, _, err = task.Spool(ctx, r, "standard input", nil); err != failure.ErrInterrupted {
		t.Errorf("after an interrupt: %v", err)
	}
	if n := left(); n > 0 && runtime.GOOS != "windows" { // where an open file cannot be removed
		t.Errorf("%d files are left", n)
	}
}
