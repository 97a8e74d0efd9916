package record

import (
	"context"
	"errors"
	"runtime"
	"sync"
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
// damaged block is an error only for the call that reads it.
func Parallel(ctx context.Context, files []string, workers int, fn func(context.Context, *File, Range) error, o ...Options) error {
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
				if ctx.Err() == nil {
					if err := fn(ctx, t.file, t.r); err != nil {
						cancel(err)
					}
				}
				t.done()
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

// A task is one call of fn. done closes the file after the last one.
type task struct {
	file *File
	r    Range
	done func()
}

// divide sends the ranges of one of many files.
func divide(ctx context.Context, work chan<- task, path string, many, workers int, o []Options) error {
	f, err := Open(path, o...)
	if err != nil {
		return err
	}
	// Several files need not be divided as finely to keep the workers busy.
	ranges := f.Split(max(1, (workers*rangesPerWorker+many-1)/many))
	var tasks sync.WaitGroup
	tasks.Add(len(ranges))
	for i, r := range ranges {
		select {
		case work <- task{f, r, tasks.Done}:
		case <-ctx.Done():
			tasks.Add(i - len(ranges))
			tasks.Wait()
			return errors.Join(f.Close())
		}
	}
	go func() {
		tasks.Wait()
		f.Close() // it was only read
	}()
	return nil
}
