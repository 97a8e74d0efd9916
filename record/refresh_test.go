package record

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
)

// TestRefreshOfSameSize refreshes a file whose torn end was replaced by a block of the same length. A power loss leaves
// zeros of this length if the size of the file was on the disk, but not the block.
func TestRefreshOfSameSize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	w, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	add := func(w *Writer) int64 {
		t.Helper()
		if err := w.Write("a record"); err != nil {
			t.Fatal(err)
		}
		if err := w.Flush(); err != nil {
			t.Fatal(err)
		}
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Size()
	}
	one, two := add(w), add(w)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	two += markSize // which Append adds
	if err := os.WriteFile(path, slices.Concat(whole[:one], make([]byte, two-one)), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if r, err := f.Report(); err != nil || r.Records != 1 || r.Torn != two-one {
		t.Fatal(r, err)
	}
	w, err = Append(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	if size := add(w); size != two {
		t.Fatalf("%d bytes, want %d", size, two)
	}
	if err := f.Refresh(); err != nil || f.Len() != 2 {
		t.Errorf("%d records after Refresh, %v", f.Len(), err)
	}
}

// TestMetadataBesideRefresh asks for the metadata while Refresh finds it. The race detector shows what they share.
func TestMetadataBesideRefresh(t *testing.T) {
	file := writeTo(t, Options{Metadata: map[string]any{"a": "b"}}, 0, numbered(3, 0))
	growing := &growingFile{Reader: bytes.NewReader(file)}
	f, err := NewFile(growing, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	group.Go(func() {
		for f.Metadata() == nil {
		}
	})
	if err := f.Refresh(); err != nil {
		t.Error(err)
	}
	group.Wait()
}

// TestStoredAfterRefresh refreshes a File that has read an index. It does not know the stored lengths of the blocks in it.
func TestStoredAfterRefresh(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	if err := os.WriteFile(path, writeTo(t, Options{}, 5, numbered(20, 0)), 0o666); err != nil {
		t.Fatal(err)
	}
	f, err := Open(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if r, err := f.Report(); err != nil || r.Stored != 0 || r.Blocks != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	w, err := Append(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write("more"), w.Close(), f.Refresh()); err != nil {
		t.Fatal(err)
	}
	if r, err := f.Report(); err != nil || r.Stored != 0 || r.Blocks != 5 || r.Records != 21 {
		t.Errorf("%+v, %v", r, err)
	}
}

type growingFile struct{ *bytes.Reader }

// TestRefreshBesideRefresh refreshes a growing file from several goroutines. None of them must take the size that another
// has found for an error.
func TestRefreshBesideRefresh(t *testing.T) {
	var whole bytes.Buffer
	w, err := NewWriter(&whole, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2000 {
		if err := errors.Join(w.Write(i), w.Flush()); err != nil {
			t.Fatal(err)
		}
	}
	file := &slowSize{whole: bytes.NewReader(whole.Bytes())}
	f, err := NewFile(file, 0, nil)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			for last := int64(0); last < 2000; {
				if err := f.Refresh(); err != nil {
					t.Error(err)
					return
				}
				n := f.Len()
				if n < last {
					t.Errorf("%d records after %d", n, last)
					return
				}
				last = n
			}
		})
	}
	group.Wait()
}

// A slowSize grows whenever it is asked for its size.
type slowSize struct {
	whole *bytes.Reader
	now   atomic.Int64
}

func (f *slowSize) ReadAt(b []byte, offset int64) (int, error) { return f.whole.ReadAt(b, offset) }

func (f *slowSize) Size() int64 {
	size := min(f.now.Add(500), f.whole.Size())
	runtime.Gosched()
	return size
}

// TestDamagedTables changes each bit of the index and the seek table. The records are the same, and a report says that
// the file has an index only if it is one that a reader can use.
func TestDamagedTables(t *testing.T) {
	t.Parallel() // waits for the disk
	file := writeTo(t, Options{}, 7, numbered(60, 0))
	path := filepath.Join(t.TempDir(), "a.rec")
	disk, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer disk.Close()
	if _, err := disk.Write(file); err != nil {
		t.Fatal(err)
	}
	indexed := 0
	for i := 8 * len(withoutTables(t, file)); i < 8*len(file); i++ {
		changed := bytes.Clone(file)
		changed[i/8] ^= 1 << (i % 8)
		f := open(t, changed)
		r, err := f.Report()
		if err != nil || r.Records != 60 {
			if r.Damaged == 0 && r.Torn == 0 {
				t.Fatalf("bit %d: %v, %v", i, r, err)
			}
			continue
		}
		// A report that comes from the index lacks this number.
		if r.Indexed && r.Stored > 0 {
			t.Errorf("bit %d: the file seems to have an index", i)
		}
		if r.Indexed {
			indexed++
		}
		// Writing the byte is faster than writing a new file.
		if _, err := disk.WriteAt(changed[i/8:][:1], int64(i/8)); err != nil {
			t.Fatal(err)
		}
		if whole, err := Recover(path, "", nil); err != nil || whole.Damaged == 0 && whole.Indexed != r.Indexed {
			t.Errorf("bit %d: Recover: %v, index %v, %v", i, whole, whole.Indexed, err)
		}
		if _, err := disk.WriteAt(file[i/8:][:1], int64(i/8)); err != nil {
			t.Fatal(err)
		}
	}
	if indexed == 0 {
		t.Error("no change left the index as it was")
	}
}
