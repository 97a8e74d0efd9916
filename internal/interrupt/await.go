package interrupt

import "context"

// Go runs work in a goroutine, and returns a channel that receives a function with the
// results of work.
func Go[T any](work func() (T, error)) <-chan func() (T, error) {
	done := make(chan func() (T, error), 1)
	go func() {
		value, err := work()
		done <- func() (T, error) { return value, err }
	}()
	return done
}

// Await returns what work returns, or the error of ctx after a signal, which can also have
// ended the program that writes the input of work. Work that cannot be stopped, such as
// opening a named pipe, continues after Await returns.
func Await[T any](ctx context.Context, work func() (T, error)) (value T, err error) {
	select {
	case results := <-Go(work):
		if err = Err(ctx); err == nil {
			return results()
		}
		return value, err
	case <-ctx.Done():
		return value, ctx.Err()
	}
}
