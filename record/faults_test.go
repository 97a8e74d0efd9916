package record

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/octet-go/octet/msgpack"
)

var errFull = errors.New("no space left")

// A fullWriter fails after room bytes. It accepts a part of the last write.
type fullWriter struct {
	bytes.Buffer
	room  int
	syncs int
	fail  error // of Sync
}

func (w *fullWriter) Write(b []byte) (int, error) {
	if len(b) > w.room {
		n, _ := w.Buffer.Write(b[:w.room])
		w.room = 0
		return n, errFull
	}
	w.room -= len(b)
	return w.Buffer.Write(b)
}

func (w *fullWriter) Sync() error {
	w.syncs++
	return w.fail
}

// TestFailingWriter lets the destination fail at every position. After the
// first error, every call returns the same error. The file is torn, and has all
// records up to the last successful Flush.
func TestFailingWriter(t *testing.T) {
	t.Parallel()
	records := numbered(30, 0)
	whole := len(writeTo(t, Options{}, 5, records))
	step := 1
	if few() {
		step = 37
	}
	for room := 0; room < whole; room += step {
		out := &fullWriter{room: room}
		w, err := NewWriter(out, nil)
		if err != nil {
			if !errors.Is(err, errFull) {
				t.Fatal(err)
			}
			continue
		}
		var first error
		flushed := 0
		keep := func(err error) {
			if first == nil {
				first = err
			} else if err != first {
				t.Fatalf("room %d: error %v, before %v", room, err, first)
			}
		}
		for i, r := range records {
			keep(w.WriteRaw(r))
			keep(w.Write(1)) // an odd record in between
			if i%5 == 4 {
				err := w.Flush()
				keep(err)
				if err == nil {
					flushed = 2 * (i + 1)
				}
			}
		}
		keep(w.Sync())
		keep(w.Close())
		keep(w.Flush())
		keep(w.Close())
		if !errors.Is(first, errFull) {
			t.Fatalf("room %d of %d: %v", room, whole, first)
		}
		got, err := collect(All[msgpack.Raw](open(t, out.Bytes())))
		if err != nil || len(got) < flushed {
			t.Fatalf("room %d: %d records can be read, %v, %d were flushed", room, len(got), err, flushed)
		}
	}
}

// TestFailingSync checks that the Writer fails after a sync that failed.
func TestFailingSync(t *testing.T) {
	out := &fullWriter{room: 1 << 20}
	w, err := NewWriter(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	w.Write(1)
	if err := w.Sync(); err != nil || out.syncs != 1 {
		t.Fatal(err, out.syncs)
	}
	if err := w.Sync(); err != nil || out.syncs != 1 {
		t.Fatal("a second Sync without new records", err, out.syncs)
	}
	out.fail = errFull
	w.Write(2)
	first := w.Sync()
	if !errors.Is(first, errFull) {
		t.Fatal(first)
	}
	out.fail = nil
	for _, err := range []error{w.Write(3), w.WriteRaw(msgpack.Raw{1}), WriteSlice(w, []int{1}), w.Flush(), w.Sync(), w.Close(), w.Close()} {
		if err != first {
			t.Errorf("%v, want %v", err, first)
		}
	}
}

// wrongWriter returns invalid counts.
type wrongWriter int

func (w wrongWriter) Write(b []byte) (int, error) { return len(b) + int(w), nil }

func TestWrongCounts(t *testing.T) {
	if _, err := NewWriter(wrongWriter(-1), nil); !errors.Is(err, io.ErrShortWrite) {
		t.Error(err)
	}
	if _, err := NewWriter(wrongWriter(1), nil); err == nil || !strings.Contains(err.Error(), "invalid count") {
		t.Error(err)
	}
}

func TestCallsAfterClose(t *testing.T) {
	w, err := NewWriter(io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{w.Write(3), w.WriteRaw(msgpack.Raw{1}), w.Flush(), w.Close(), WriteSlice(w, []int{1})} {
		if !errors.Is(err, ErrClosed) || !errors.Is(err, fs.ErrClosed) {
			t.Error(err)
		}
	}
	if err := w.Sync(); !errors.Is(err, ErrNoSync) {
		t.Error(err)
	}
}

// TestRefusedRecords checks errors that leave the Writer usable.
func TestRefusedRecords(t *testing.T) {
	var buf bytes.Buffer
	w, err := NewWriter(&buf, &Options{BlockSize: minBlock, MaxBlock: 4 * minBlock})
	if err != nil {
		t.Fatal(err)
	}
	text := func(n int) string { return strings.Repeat("x", n) }
	var want []string
	for i, n := range []int{10, 4 * minBlock, 900, 3 * minBlock, 4*minBlock - 3, 5, 100 * minBlock, 7} {
		err := w.Write(text(n))
		if n+3 > 4*minBlock {
			if !errors.Is(err, ErrLimit) {
				t.Errorf("record %d of %d bytes: %v", i, n, err)
			}
			continue
		}
		if err != nil {
			t.Errorf("record %d of %d bytes: %v", i, n, err)
		}
		want = append(want, text(n))
	}
	if err := w.Write(func() {}); !errors.Is(err, msgpack.ErrUnsupported) {
		t.Error(err)
	}
	for _, raw := range []msgpack.Raw{nil, {1, 2}, {0x92, 1}, {0xc1}} {
		if err := w.WriteRaw(raw); !errors.Is(err, ErrInvalid) {
			t.Errorf("% x: %v", raw, err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	f := open(t, buf.Bytes(), Options{BlockSize: minBlock, MaxBlock: 4 * minBlock})
	got, err := collect(All[string](f))
	if err != nil || strings.Join(got, ",") != strings.Join(want, ",") {
		t.Errorf("%d records, %v, want %d", len(got), err, len(want))
	}
	// A reader with a lower limit refuses the first block that is larger.
	f = open(t, buf.Bytes(), Options{BlockSize: minBlock, MaxBlock: 2 * minBlock})
	if _, err := collect(All[string](f)); !errors.Is(err, ErrLimit) {
		t.Error(err)
	}
}

// TestPanic lets a method panic inside Write. The Writer must not stay locked.
func TestPanic(t *testing.T) {
	w, err := NewWriter(io.Discard, nil)
	if err != nil {
		t.Fatal(err)
	}
	func() {
		defer func() { recover() }()
		w.Write(panics{})
	}()
	if err := w.Write(1); err != nil || w.Len() != 1 {
		t.Error(err, w.Len())
	}
}

type panics struct{}

func (panics) MarshalMsgpack() ([]byte, error) { panic("no") }

// TestAppendRefuses checks that Append does not change files that it cannot continue.
func TestAppendRefuses(t *testing.T) {
	file := writeTo(t, Options{}, 5, numbered(20, 0))
	f := open(t, file)
	blocks, err := collect(f.Blocks(f.Range()))
	if err != nil {
		t.Fatal(err)
	}
	damaged := bytes.Clone(file)
	damaged[blocks[1].Offset+30] ^= 1
	last := bytes.Clone(file)
	last[blocks[len(blocks)-1].Offset+80] ^= 1
	for name, content := range map[string][]byte{
		"text":               []byte("not a record file, but a text that somebody named like one"),
		"a damaged header":   damaged,
		"a damaged end":      last,
		"a text of one line": []byte("hello\n"),
	} {
		path := filepath.Join(t.TempDir(), "a")
		if err := os.WriteFile(path, content, 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := Append(path, nil); !errors.Is(err, ErrCorrupt) {
			t.Errorf("%s: %v", name, err)
		}
		if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, content) {
			t.Errorf("%s: the file was changed (%v)", name, err)
		}
	}
	if _, err := Append(t.TempDir(), nil); err == nil {
		t.Error("Append to a directory")
	}
}

// TestSharedSync lets many goroutines sync: they need fewer syncs than calls.
func TestSharedSync(t *testing.T) {
	out := &slowSync{}
	w, err := NewWriter(out, nil)
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	const writers, each = 20, 20
	for i := range writers {
		group.Go(func() {
			for j := range each {
				w.Write(fmt.Sprint(i, j))
				if err := w.Sync(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	group.Wait()
	if n := out.syncs.Load(); n >= writers*each/2 {
		t.Errorf("%d syncs for %d calls", n, writers*each)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if f := open(t, out.Bytes()); f.Len() != writers*each {
		t.Errorf("%d records", f.Len())
	}
}

type slowSync struct {
	bytes.Buffer
	syncs atomic.Int32
}

func (s *slowSync) Sync() error {
	s.syncs.Add(1)
	time.Sleep(time.Millisecond)
	return nil
}

// TestSyncEvery waits for a sync without calling Sync.
func TestSyncEvery(t *testing.T) {
	out := &slowSync{}
	w, err := NewWriter(out, &Options{SyncEvery: time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	for i := range 3 {
		if err := w.Write(i); err != nil {
			t.Fatal(err)
		}
		for before := out.syncs.Load(); out.syncs.Load() == before; {
			time.Sleep(time.Millisecond)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := NewWriter(new(bytes.Buffer), &Options{SyncEvery: 1}); !errors.Is(err, ErrNoSync) {
		t.Error(err)
	}
}

// TestWriterCutShort truncates a file that a Writer writes, as a program does that rotates logs by copying them. The Writer
// must not go on after a hole, and say that it has synced what nobody can read.
func TestWriterCutShort(t *testing.T) {
	for name, next := range map[string]func(w *Writer) error{
		"Sync":                   (*Writer).Sync,
		"Close":                  (*Writer).Close,
		"Write and Flush":        func(w *Writer) error { return errors.Join(w.Write(2), w.Flush()) },
		"Write, Flush and Sync":  func(w *Writer) error { w.Write(2); w.Flush(); return w.Sync() },
		"Write, Flush and Close": func(w *Writer) error { w.Write(2); w.Flush(); return w.Close() },
	} {
		for _, size := range []int64{0, 70, 140} {
			path := filepath.Join(t.TempDir(), "a")
			w, err := Create(path, nil)
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(w.Write("some text that is longer than the first size"), w.Sync(), w.Write(1), w.Flush()); err != nil {
				t.Fatal(err)
			}
			if err := os.Truncate(path, size); err != nil {
				t.Skipf("an open file cannot be truncated on this system: %v", err)
			}
			w.Write(1) // so that there is something to sync
			if err := next(w); !errors.Is(err, ErrTruncated) {
				t.Errorf("cut at %d, %s: %v", size, name, err)
			}
			w.Close()
			if now, err := os.ReadFile(path); err != nil || int64(len(now)) != size {
				t.Errorf("cut at %d, %s: %d bytes were written after it, %v", size, name, int64(len(now))-size, err)
			}
		}
	}
}
