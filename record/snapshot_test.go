package record

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/octet-go/octet/msgpack"
)

// TestSnapshotOfTornEnd opens a file with a torn end, which a Writer then cuts off. The File has the whole records.
func TestSnapshotOfTornEnd(t *testing.T) {
	records := numbered(20, 0)
	whole := withoutTables(t, writeTo(t, Options{}, 5, numbered(25, 0)))
	blocks, err := collect(open(t, whole).Blocks(Range{End: int64(len(whole))}))
	if err != nil {
		t.Fatal(err)
	}
	block := whole[blocks[4].Offset:]
	whole = whole[:blocks[4].Offset]
	for _, torn := range [][]byte{block[:20], block[:blockHeaderSize+40], make([]byte, 3), make([]byte, 5000)} {
		for _, more := range []int{0, 1, 200} {
			path := filepath.Join(t.TempDir(), "a.rec")
			if err := os.WriteFile(path, slices.Concat(whole, torn), 0o666); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			w, err := Append(path, nil)
			if err != nil {
				t.Skipf("an open file cannot be truncated on this system: %v", err)
			}
			defer w.Close()
			for _, r := range numbered(more, 1000) {
				if err := w.WriteRaw(r); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Flush(); err != nil {
				t.Fatal(err)
			}
			list, err := collect(All[msgpack.Raw](f))
			if err != nil || len(list) < 20 || !same(list[:20], records) {
				t.Errorf("%d bytes torn, %d records more: %d records, %v", len(torn), more, len(list), err)
			}
			n := f.Len()
			if r, err := f.Report(); err != nil || r.Damaged > 0 || n < 20 || n != r.Records || int64(len(list)) != n {
				t.Errorf("%d bytes torn, %d records more: Len %d, %v, %v", len(torn), more, n, r, err)
			}
			if err := f.Refresh(); err != nil || f.Len() != int64(20+more) {
				t.Errorf("%d bytes torn, %d records more: %d after Refresh, %v", len(torn), more, f.Len(), err)
			}
		}
	}
}

// TestFileWrittenAgain truncates an open file and writes another one in its place. No record of the other one is read.
func TestFileWrittenAgain(t *testing.T) {
	for _, n := range []int{0, 3, 20, 300} {
		for _, known := range []bool{true, false} {
			path := filepath.Join(t.TempDir(), "a.rec")
			if err := os.WriteFile(path, withoutTables(t, writeTo(t, Options{}, 5, numbered(20, 0))), 0o666); err != nil {
				t.Fatal(err)
			}
			f, err := Open(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if known && f.Len() != 20 {
				t.Fatal(f.Len())
			}
			if err := os.Truncate(path, 0); err != nil {
				t.Skipf("an open file cannot be truncated on this system: %v", err)
			}
			if n > 0 {
				if err := os.WriteFile(path, writeTo(t, Options{}, 5, numbered(n, 1000)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			if list, err := collect(All[msgpack.Raw](f)); !errors.Is(err, ErrTruncated) || len(list) > 0 {
				t.Errorf("%d records of another file: %d are read, %v", n, len(list), err)
			}
			if _, err := At[msgpack.Raw](f, 7); !errors.Is(err, ErrTruncated) {
				t.Errorf("%d records of another file: At: %v", n, err)
			}
			if err := f.Refresh(); !errors.Is(err, ErrTruncated) {
				t.Errorf("%d records of another file: Refresh: %v", n, err)
			}
		}
	}
}
