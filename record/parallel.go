package record

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
)

// rangesPerWorker makes ranges small enough that the workers end at about the same
// time.
const rangesPerWorker = 8

// Parallel calls fn for ranges that together have every record of the files once, on
// several goroutines. If workers is 0 or less, there is one for each processor that
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
	for range workers {
		group.Go(func() {
			for t := range work {
				t.run(ctx, cancel, fn)
			}
		})
	}
	for _, path := range files {
		if ctx.Err() != nil {
			break
		}
		if err := divide(ctx, work, path, len(files), workers, o); err != nil {
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

// divide sends the ranges of one of many files.
func divide(ctx context.Context, work chan<- task, path string, many, workers int, o *Options) error {
	f, err := Open(path, o)
	if err != nil {
		return err
	}
	// Several files need not be divided as finely to keep the workers busy.
	ranges := f.Split(max(1, (workers*rangesPerWorker+many-1)/many))
	var left atomic.Int64
	left.Store(int64(len(ranges)))
	for i, r := range ranges {
		t := task{f, r, &left}
		select {
		case work <- t:
		case <-ctx.Done():
			t.done(len(ranges) - i)
			return nil
		}
	}
	return nil
}
