package record

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"testing"

	"github.com/octet-go/octet/internal/disk"
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
