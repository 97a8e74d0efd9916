package interrupt

import (
	"context"
	"errors"
	"testing"
)

// TestAwait requires the results of work that ends, and otherwise the error of the context, also if work ends after it.
func TestAwait(t *testing.T) {
	failed := errors.New("failed")
	ctx, cancel := context.WithCancel(t.Context())
	if n, err := Await(ctx, func() (int, error) { return 7, failed }); n != 7 || err != failed {
		t.Errorf("%d, %v", n, err)
	}
	if n, err := Await(ctx, func() (int, error) { cancel(); return 7, nil }); n != 0 || err != context.Canceled {
		t.Errorf("canceled at the end: %d, %v", n, err)
	}
	forever := make(chan int)
	defer close(forever)
	if n, err := Await(ctx, func() (int, error) { return <-forever, nil }); n != 0 || err != context.Canceled {
		t.Errorf("canceled: %d, %v", n, err)
	}
}
