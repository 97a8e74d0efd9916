package record

import (
	"bytes"
	"errors"
	"os"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

// A slowFile takes some time for each call.
type slowFile struct {
	bytes.Buffer
	syncs atomic.Int32
	fails int32 // the number of calls of Sync that succeed, or 0 for all
}

func (f *slowFile) Write(b []byte) (int, error) {
	time.Sleep(time.Millisecond)
	return f.Buffer.Write(b)
}

func (f *slowFile) Sync() error {
	time.Sleep(time.Millisecond)
	if n := f.syncs.Add(1); f.fails > 0 && n > f.fails {
		return errFull
	}
	return nil
}

// TestCloseBesideWrites closes a Writer while other goroutines write. Every record that was accepted is in the file,
// and the index counts no other.
func TestCloseBesideWrites(t *testing.T) {
	file := open(t, writeTo(t, Options{}, 3, numbered(9, 0)))
	for round := range 10 {
		out := &slowFile{}
		w, err := NewWriter(out, &Options{BlockSize: minBlock})
		if err != nil {
			t.Fatal(err)
		}
		var accepted atomic.Int64
		var group sync.WaitGroup
		for _, write := range []func() (int64, error){
			func() (int64, error) { return 1, w.Write("a record") },
			func() (int64, error) { return 1, w.WriteRaw([]byte{0xc0}) },
			func() (int64, error) { return 2, WriteSlice(w, []int{1, 2}) },
			func() (int64, error) { return w.Copy(file, file.Range()) },
			func() (int64, error) { return 0, w.Flush() },
			func() (int64, error) { return 0, w.Sync() },
		} {
			group.Go(func() {
				for {
					n, err := write()
					if err == nil {
						accepted.Add(n)
					}
					if err != nil {
						if !errors.Is(err, ErrClosed) {
							t.Error(err)
						}
						return
					}
				}
			})
		}
		time.Sleep(time.Duration(round) * time.Millisecond)
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		group.Wait()
		f := open(t, out.Bytes())
		list, err := collect(All[any](f))
		if n := int64(len(list)); err != nil || n < accepted.Load() || f.Len() != n || w.Len() != n {
			t.Errorf("%d records, %v; the calls returned nil for %d, the index has %d, and Len returns %d", n, err, accepted.Load(), f.Len(), w.Len())
		}
	}
}

// TestFailingSyncBesideWrites lets a sync fail while other goroutines write. The race detector shows what they share.
func TestFailingSyncBesideWrites(t *testing.T) {
	w, err := NewWriter(&slowFile{fails: 2}, &Options{BlockSize: minBlock})
	if err != nil {
		t.Fatal(err)
	}
	var group sync.WaitGroup
	for range 2 {
		group.Go(func() {
			for w.Write("a record") == nil {
			}
		})
	}
	for err == nil {
		err = w.Sync()
	}
	group.Wait()
	if closed := w.Close(); !errors.Is(err, errFull) || closed != err {
		t.Errorf("Sync: %v, Close: %v", err, closed)
	}
}

// TestSyncEveryOfCopies waits for the sync of records that were copied.
func TestSyncEveryOfCopies(t *testing.T) {
	file := open(t, writeTo(t, Options{}, 3, numbered(9, 0)))
	synctest.Test(t, func(t *testing.T) {
		out := &slowFile{}
		w, err := NewWriter(out, &Options{SyncEvery: time.Minute})
		if err != nil {
			t.Fatal(err)
		}
		for round := range int32(3) {
			if _, err := w.Copy(file, file.Range()); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Minute + time.Second)
			if n := out.syncs.Load(); n != round+1 {
				t.Errorf("round %d: %d syncs", round, n)
			}
		}
		if err := w.Write(1); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		if w.timer.Stop() {
			t.Error("the timer still runs after Close")
		}
	})
}

// TestWriterOfPipe writes to files that cannot be synced.
func TestWriterOfPipe(t *testing.T) {
	r, pipe, err := os.Pipe()
	if err != nil {
		t.Skip(err)
	}
	defer r.Close()
	defer pipe.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer null.Close()
	for _, out := range []*os.File{pipe, null} {
		w, err := NewWriter(out, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := w.Write("a record"); err != nil {
			t.Fatal(err)
		}
		if err := w.Sync(); !errors.Is(err, ErrNoSync) {
			t.Errorf("%s: Sync: %v", out.Name(), err)
		}
		if err := w.Close(); err != nil {
			t.Errorf("%s: Close: %v", out.Name(), err)
		}
		if _, err := NewWriter(out, &Options{SyncEvery: 1}); !errors.Is(err, ErrNoSync) {
			t.Errorf("%s: SyncEvery: %v", out.Name(), err)
		}
	}
	pipe.Close()
	if s := NewScanner(r, nil); !s.Scan() || s.Err() != nil {
		t.Error("no record in the pipe:", s.Err())
	}
}
