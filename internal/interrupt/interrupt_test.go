//go:build unix

package interrupt

import (
	"context"
	"os"
	"runtime"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// TestErr sends this process signals, and requires that Err has the error of each. Other goroutines
// keep all processors busy, so that the threads that get the signals have to wait.
func TestErr(t *testing.T) {
	var over atomic.Bool
	var busy sync.WaitGroup
	defer busy.Wait()
	defer over.Store(true)
	for range runtime.GOMAXPROCS(0) {
		busy.Go(func() {
			for !over.Load() {
				time.Sleep(50 * time.Microsecond) // in a system call, so that there are threads
				for range 20_000 {
				}
			}
		})
	}
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	missed := 0
	for i := range rounds {
		ctx, stop := Notify(t.Context())
		if runtime.GOOS == "linux" { // a thread of a busy machine can be late
			ctx.Value(key{}).(*watcher).patience = time.Minute
		}
		if err := Err(ctx); err != nil {
			t.Fatalf("before the signal: %v", err)
		}
		s := []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}[i%3]
		if err := syscall.Kill(os.Getpid(), s); err != nil {
			t.Fatal(err)
		}
		derived, cancel := context.WithCancel(ctx)
		if Err(derived) != context.Canceled {
			missed++
		}
		<-ctx.Done() // the signal has arrived, and does not end this process
		cancel()
		stop()
	}
	if missed > 0 {
		t.Errorf("%d of %d signals were missed", missed, rounds)
	}
}

// TestErrPlain requires the error of a context that does not come from Notify.
func TestErrPlain(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	if err := Err(ctx); err != nil {
		t.Error(err)
	}
	cancel()
	if err := Err(ctx); err != context.Canceled {
		t.Error(err)
	}
}

// TestClosedPipe requires an error from a closed pipe, although it is standard output.
func TestClosedPipe(t *testing.T) {
	_, stop := Notify(t.Context())
	defer stop()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
	defer w.Close()
	if _, err := w.WriteString("x"); err == nil {
		t.Error("no error")
	}
}

// BenchmarkErr measures what Err costs a command that nothing interrupts.
func BenchmarkErr(b *testing.B) {
	ctx, stop := Notify(b.Context())
	defer stop()
	for b.Loop() {
		if err := Err(ctx); err != nil {
			b.Fatal(err)
		}
	}
}
