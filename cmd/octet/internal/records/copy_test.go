package records

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/record"
)

// failsOnce is a reader that fails in one call.
type failsOnce struct {
	io.ReaderAt
	call int // that fails
}

func (f *failsOnce) ReadAt(b []byte, offset int64) (int, error) {
	if f.call--; f.call == 0 {
		return 0, errors.New("failed once")
	}
	return f.ReaderAt.ReadAt(b, offset)
}

// TestDivideFailingReads lets one read of a file fail. The file is then not divided into too few parts.
func TestDivideFailingReads(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "in.rec", 0, 3000)
	file, err := os.ReadFile("in.rec")
	if err != nil {
		t.Fatal(err)
	}
	failed := 0
	for call := 1; ; call++ {
		r := &failsOnce{bytes.NewReader(file), call}
		f, err := record.NewFile(r, int64(len(file)), nil)
		if err != nil {
			continue
		}
		groups, err := divide(f, 2)
		if err == nil && len(groups) != 2 {
			t.Errorf("after a failed read: %d groups", len(groups))
		}
		if r.call > 0 {
			break
		}
		failed++
	}
	if failed == 0 {
		t.Error("no read failed")
	}
}

// TestSplitRenamed divides a file that was replaced after it was opened.
func TestSplitRenamed(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "in.rec", 0, 3000)
	f, err := open("in.rec")
	if err != nil {
		t.Fatal(err)
	}
	groups, err := divide(f, 2)
	if err != nil {
		t.Fatal(err)
	}
	numbers(t, "other.rec", 0, 10)
	if err := os.Rename("other.rec", "in.rec"); err != nil {
		f.Close()
		t.Skip(err) // a system that does not replace open files
	}
	r := rangeCopy{ctx: t.Context(), done: new(atomic.Int64)}
	if err := r.split("out.rec", "in.rec", f, groups); err != nil {
		t.Fatal(err)
	}
	wantNumbers(t, 3000, "out-1.rec", "out-2.rec")
}

// TestRecoverNames checks which file an error of recover names.
func TestRecoverNames(t *testing.T) {
	t.Chdir(t.TempDir())
	numbers(t, "in.rec", 0, 10)
	w, err := record.Create("locked.rec", nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	none := filepath.Join("none", "out.rec")
	for _, names := range [][3]string{
		{"in.rec", none, none}, {"in.rec", "in.rec", "in.rec"}, {"in.rec", "locked.rec", "locked.rec"}, {"in.rec", ".", "."},
		{"lost.rec", "out.rec", "lost.rec"}, {"lost.rec", none, "lost.rec"}, {".", "out.rec", "."},
	} {
		c, _, _ := command("")
		err := c.Recover(t.Context(), names[0], names[1])
		if failure.CodeOf(err) != failure.Access || !strings.HasPrefix(err.Error(), names[2]+": ") {
			t.Errorf("recover %s -o %s: %v, want an error of %s", names[0], names[1], err, names[2])
		}
	}
	wantFiles(t, "in.rec", "locked.rec")
}
