package record

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// An arrivingFile has more bytes whenever its size is asked for. It counts the bytes that are read.
type arrivingFile struct {
	*bytes.Reader
	whole []byte
	size  int
	count int
}

func (f *arrivingFile) Read(b []byte) (int, error) {
	n, err := f.Reader.Read(b)
	f.count += n
	return n, err
}

func (f *arrivingFile) Seek(offset int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		f.size = min(f.size+5000, len(f.whole))
		f.Reader = bytes.NewReader(f.whole[:f.size])
	}
	return f.Reader.Seek(offset, whence)
}

// TestFollowReadsOnce follows a file that grows slowly. An incomplete block must not be read whenever it has become longer.
func TestFollowReadsOnce(t *testing.T) {
	records := []msgpack.Raw{wire.AppendBin(nil, make([]byte, 1<<20)), {1}, wire.AppendBin(nil, make([]byte, 1<<20))}
	file := writeTo(t, Options{}, 1, records)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	in := &arrivingFile{Reader: bytes.NewReader(nil), whole: file}
	s := NewScanner(in, nil)
	s.Follow(ctx, 1)
	for i, want := range records {
		if !s.Scan() || !bytes.Equal(s.Raw(), want) {
			t.Fatalf("record %d: %d bytes, %v", i, len(s.Raw()), s.Err())
		}
	}
	if in.count > 3*len(file) {
		t.Errorf("%d bytes are read of %d", in.count, len(file))
	}
	cancel()
	if s.Scan() || s.Err() != nil {
		t.Errorf("after the context is done: %v", s.Err())
	}
}

// TestFollowPipe ends with its context while a pipe has no more bytes.
func TestFollowPipe(t *testing.T) {
	file := writeTo(t, Options{}, 3, numbered(9, 0))
	for _, cut := range []int{0, 100, len(file) / 2, len(file)} {
		r, w, err := os.Pipe()
		if err != nil {
			t.Skipf("there are no pipes on this system: %v", err)
		}
		defer w.Close()
		defer r.Close()
		if _, err := w.Write(file[:cut]); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		s := NewScanner(r, nil)
		s.Follow(ctx, time.Millisecond)
		want := open(t, file[:cut]).Len()
		for i := range want {
			if !s.Scan() {
				t.Fatalf("%d bytes: record %d of %d, %v", cut, i, want, s.Err())
			}
		}
		time.AfterFunc(time.Millisecond, cancel)
		if s.Scan() || s.Err() != nil {
			t.Errorf("%d bytes: %v after the context is done", cut, s.Err())
		}
	}
}

// follow writes a file of n records, and returns its path and a Scanner that follows it and
// has read them.
func follow(t *testing.T, file []byte, n int) (path string, s *Scanner) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "a.rec")
	if err := os.WriteFile(path, file, 0o666); err != nil {
		t.Fatal(err)
	}
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { in.Close() })
	s = NewScanner(in, nil)
	s.Follow(t.Context(), time.Millisecond)
	for range n {
		if !s.Scan() {
			t.Fatal(s.Err())
		}
	}
	return path, s
}

// TestFollowDamaged follows small files with two changed bytes before a sync mark. The error must not wait until the file has grown.
func TestFollowDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	w, err := Create(path, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer w.Close()
	for i := range 4 {
		if err := errors.Join(w.Write(i), w.Sync()); err != nil {
			t.Fatal(err)
		}
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	f := open(t, whole)
	var second, third Block
	for b := range f.Blocks(f.Range()) {
		second, third = third, b
		if b.Ordinal == 2 {
			break
		}
	}
	for at := second.Offset; at < third.Offset-markSize-1; at++ {
		file := bytes.Clone(whole)
		file[at] ^= 0x11
		file[at+1] ^= 0x11
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		s := NewScanner(bytes.NewReader(file), nil)
		s.Follow(ctx, time.Millisecond)
		for s.Scan() {
		}
		if !errors.Is(s.Err(), ErrCorrupt) || ctx.Err() != nil {
			t.Fatalf("bytes %d and %d: %v, %v", at, at+1, s.Err(), ctx.Err())
		}
		cancel()
	}
}

// TestFollowWrittenAgain follows a file that is truncated and then written again up to a place after the one that was
// read.
func TestFollowWrittenAgain(t *testing.T) {
	path, s := follow(t, withoutTables(t, writeTo(t, Options{}, 3, numbered(9, 0))), 9)
	if err := os.Truncate(path, 0); err != nil {
		t.Skipf("an open file cannot be truncated on this system: %v", err)
	}
	if err := os.WriteFile(path, writeTo(t, Options{}, 3, numbered(100, 1000)), 0o666); err != nil {
		t.Fatal(err)
	}
	if s.Scan() || !errors.Is(s.Err(), ErrTruncated) {
		t.Errorf("a record %x, %v, of another file", s.Raw(), s.Err())
	}
}

// TestFollowShorter follows a file that is truncated to a place before the one that was read.
func TestFollowShorter(t *testing.T) {
	file := withoutTables(t, writeTo(t, Options{}, 3, numbered(9, 0)))
	path, s := follow(t, file, 9)
	if err := os.Truncate(path, int64(len(file)-1)); err != nil {
		t.Skipf("an open file cannot be truncated on this system: %v", err)
	}
	if s.Scan() || !errors.Is(s.Err(), ErrTruncated) || !strings.Contains(s.Err().Error(), "file that became shorter at offset") {
		t.Errorf("a record %x, %v, after the end of the file", s.Raw(), s.Err())
	}
}
