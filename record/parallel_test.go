package record

import (
	"context"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/octet-go/octet/internal/disk"
	"github.com/octet-go/octet/msgpack"
)

// TestParallelCloses requires that the files are closed when Parallel returns, also after an error.
func TestParallelCloses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	if err := os.WriteFile(path, writeTo(t, Options{BlockSize: minBlock}, 5, numbered(300, 0)), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, fail := range []error{nil, errors.New("failed")} {
		for range 50 {
			var mu sync.Mutex
			var files []disk.File
			err := Parallel(context.Background(), []string{path, path}, 2, func(_ context.Context, f *File, _ Range) error {
				mu.Lock()
				defer mu.Unlock()
				files = append(files, f.r.(disk.File))
				return fail
			}, nil)
			if err != fail || len(files) == 0 {
				t.Fatal(err, len(files))
			}
			for _, file := range files {
				if _, err := file.Stat(); !errors.Is(err, fs.ErrClosed) {
					t.Fatal("a file is open after Parallel has returned")
				}
			}
		}
	}
}

// TestParallelGoexit ends the goroutines of Parallel, as Fatal of package testing does.
func TestParallelGoexit(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	if err := os.WriteFile(path, writeTo(t, Options{BlockSize: minBlock}, 5, numbered(300, 0)), 0o666); err != nil {
		t.Fatal(err)
	}
	err := Parallel(context.Background(), []string{path}, 2, func(context.Context, *File, Range) error {
		runtime.Goexit()
		return nil
	}, nil)
	if err != errEnded {
		t.Error(err)
	}
}

// TestParallelWorkers counts goroutines: there are no more than workers, and no more than ranges.
func TestParallelWorkers(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.rec")
	if err := os.WriteFile(path, writeTo(t, Options{BlockSize: minBlock}, 5, numbered(300, 0)), 0o666); err != nil {
		t.Fatal(err)
	}
	const blocks = 60
	before := runtime.NumGoroutine()
	for _, workers := range []int{1, 3, blocks, 20_000, math.MaxInt} {
		var running, most, records atomic.Int64
		err := Parallel(t.Context(), []string{path}, workers, func(_ context.Context, f *File, r Range) error {
			if n := running.Add(1); n > int64(workers) {
				t.Errorf("%d calls with %d workers", n, workers)
			}
			defer running.Add(-1)
			if n := int64(runtime.NumGoroutine() - before); n > most.Load() {
				most.Store(n)
			}
			list, err := collect(In[msgpack.Raw](f, r))
			records.Add(int64(len(list)))
			runtime.Gosched()
			return err
		}, nil)
		if err != nil || records.Load() != 300 {
			t.Errorf("%d workers: %d records, %v", workers, records.Load(), err)
		}
		if n := most.Load(); n > min(int64(workers), blocks)+5 {
			t.Fatalf("%d goroutines for %d workers", n, workers)
		}
	}
}
