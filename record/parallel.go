package record

import (
	"context"
	"errors"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// rangesPerWorker makes ranges small enough that the workers end at about the same
// time.
const rangesPerWorker = 8

// Parallel calls fn for ranges that together have every record of the files once, with at
// most workers goroutines. If workers is 0 or less, they are as many as the processors that
// Go uses. fn usually begins with a loop over [In]; it must not close the File.
//
// The first error of fn or of opening a file ends the work: the context of the
// other calls is done, and Parallel returns the error after they have returned. A
// damaged block is an error only for the call that reads it. When Parallel returns,
// its goroutines have ended and the files are closed.
func Parallel(ctx context.Context, files []string, workers int, fn func(context.Context, *File, Range) error, o *Options) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	work := make(chan task)
	var group sync.WaitGroup
	send := func(t task) bool {
		select {
		case <-ctx.Done():
			return false
		case work <- t:
			return true
		default: // no worker waits
		}
		if workers > 0 {
			workers--
			group.Go(func() {
				t.run(ctx, cancel, fn)
				for t := range work {
					t.run(ctx, cancel, fn)
				}
			})
			return true
		}
		select {
		case <-ctx.Done():
			return false
		case work <- t:
			return true
		}
	}
	// Several files need not be divided as finely to keep the workers busy.
	many := max(1, len(files))
	ranges := max(1, (min(workers, math.MaxInt32/2/rangesPerWorker)*rangesPerWorker+many-1)/many)
	for _, path := range files {
		if ctx.Err() != nil {
			break
		}
		if err := divide(send, path, ranges, o); err != nil {
			cancel(err)
		}
	}
	close(work)
	group.Wait()
	if ctx.Err() == nil {
		return nil
	}
	return context.Cause(ctx)
}

// A task is one call of fn.
type task struct {
	file *File
	r    Range
	left *atomic.Int64 // tasks of the file that are not done
}

// errEnded is the error for a call of fn that does not return, as after Fatal of
// package testing. A panic ends the program.
var errEnded = errors.New("record: the function of Parallel called runtime.Goexit")

// run calls fn, unless another call has failed.
func (t task) run(ctx context.Context, cancel context.CancelCauseFunc, fn func(context.Context, *File, Range) error) {
	defer t.done(1)
	if ctx.Err() != nil {
		return
	}
	err := errEnded
	defer func() {
		if err != nil {
			cancel(err)
		}
	}()
	err = fn(ctx, t.file, t.r)
}

// done closes the file if n tasks were the last ones.
func (t task) done(n int) {
	if t.left.Add(int64(-n)) == 0 {
		t.file.Close() // it was only read
	}
}

// divide sends the ranges of a file, until send returns false.
func divide(send func(task) bool, path string, n int, o *Options) error {
	f, err := Open(path, o)
	if err != nil {
		return err
	}
	ranges := f.Split(n)
	var left atomic.Int64
	left.Store(int64(len(ranges)))
	for i, r := range ranges {
		t := task{f, r, &left}
		if !send(t) {
			t.done(len(ranges) - i)
			break
		}
	}
	return nil
}
