package records

import (
	"bytes"
	"errors"
	"io"
	"os"
	"testing"

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
