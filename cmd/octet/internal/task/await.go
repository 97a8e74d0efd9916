package task

import (
	"context"
	"errors"
	"time"

	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/internal/interrupt"
)

// ErrQuit means that the pager was closed. It is not a failure.
var ErrQuit = errors.New("the pager was closed")

// Await runs work and returns its result. It returns early if ctx is canceled
// or quit is closed. If tick is not nil, Await calls it ten times a second
// while work runs. Work that waits for input cannot be stopped; its goroutine
// continues after Await returns, so nothing may depend on what it does then.
func Await[T any](ctx context.Context, quit <-chan struct{}, tick func(), work func() (T, error)) (T, error) {
	done := interrupt.Go(work)
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	var none T
	for {
		select {
		case results := <-done:
			// Ctrl-C also ends the program that writes to our standard input. Work then
			// ends too, but not with all of the input. The signal may still be on its way.
			if interrupt.Err(ctx) != nil {
				return none, failure.ErrInterrupted
			}
			return results()
		case <-ctx.Done():
			return none, failure.ErrInterrupted
		case <-quit:
			return none, ErrQuit
		case <-ticker.C:
			if tick != nil {
				tick()
			}
		}
	}
}

// settleDelay is how long Settle waits for work after Ctrl-C.
const settleDelay = time.Second

// Settle is Await for work that notices the interrupt itself: it gives work the time to
// close its files. Work that waits for standard input does not end; Settle then returns
// [failure.ErrInterrupted].
func Settle(ctx context.Context, tick func(), work func() error) error {
	ended := make(chan error, 1)
	_, err := Await(ctx, nil, tick, func() (struct{}, error) {
		err := work()
		ended <- err
		return struct{}{}, err
	})
	if err == failure.ErrInterrupted {
		select {
		case err = <-ended:
		case <-time.After(settleDelay):
		}
	}
	return err
}
