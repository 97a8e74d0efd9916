package failure

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"
	"testing"
)

// TestSubject requires one line, whatever the name of the file.
func TestSubject(t *testing.T) {
	if got, want := New(Data, "a\noctet: b", errors.New("wrong")).Error(), `a\noctet: b: wrong`; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestAccessing checks what stays of errors of the os package below a file name.
func TestAccessing(t *testing.T) {
	path := &fs.PathError{Op: "open", Path: "out", Err: syscall.EACCES}
	for _, c := range []struct {
		err  error
		want string
	}{
		{path, "out: permission denied"},
		{fmt.Errorf("in between: %w", path), "out: permission denied"},
		{errors.Join(path), "out: permission denied"},
		{errors.New("another"), "out: another"},
		// Such as output.ErrNotDurable: the first part says what has happened to the file.
		{fmt.Errorf("%w: %w", errors.New("replaced"), path), "out: replaced: open out: permission denied"},
		{errors.Join(errors.New("several lines"), path), "out: permission denied"},
	} {
		if got := Accessing("out", c.err); got.Error() != c.want || got.Code != Access {
			t.Errorf("%v: %v, want %s", c.err, got, c.want)
		}
	}
}
