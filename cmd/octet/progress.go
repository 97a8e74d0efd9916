package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/convert"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// progressDelay is how long a conversion runs before it shows its progress.
const progressDelay = time.Second

var (
	errInterrupted error = failure.New(failure.Interrupted, "", errors.New("interrupted"))
	errQuit              = errors.New("the pager was closed") // not a failure
)

// await runs work and returns its result. It returns early if ctx is canceled
// or quit is closed. If tick is not nil, await calls it ten times a second
// while work runs. Work that waits for input cannot be stopped; its goroutine
// continues after await returns, so what it does later must not matter.
func await[T any](ctx context.Context, quit <-chan struct{}, tick func(), work func() (T, error)) (T, error) {
	type result struct {
		value T
		err   error
	}
	done := make(chan result, 1)
	go func() {
		value, err := work()
		done <- result{value, err}
	}()
	ticker := time.NewTicker(100 * time.Millisecond)
	defer ticker.Stop()
	for {
		select {
		case r := <-done:
			return r.value, r.err
		case <-ctx.Done():
			var none T
			return none, errInterrupted
		case <-quit:
			var none T
			return none, errQuit
		case <-ticker.C:
			if tick != nil {
				tick()
			}
		}
	}
}

// stream runs the conversion and shows its progress on a terminal.
func (a *app) stream(ctx context.Context, v *conversion, size int64, from *source, to *sink) (values int64, err error) {
	wanted := !v.quiet && v.progress.value != "never" && a.CanMeter(to.w)
	meter := a.NewMeter(size)
	defer meter.Clear()
	start := time.Now()
	return await(ctx, nil, func() {
		if wanted && time.Since(start) >= progressDelay {
			meter.Set(from.n.Load())
		}
	}, func() (int64, error) {
		return convert.Stream(to, from, v.Options)
	})
}

// summarize prints a one-line summary of the conversion.
func (a *app) summarize(v *conversion, values, in, out int64, took time.Duration) {
	ratio := "-"
	if in > 0 {
		ratio = fmt.Sprintf("%.1f %%", 100*float64(out)/float64(in))
	}
	a.Note("octet: convert: %s, %s %s → %s %s (%s), %s, %.1f MB/s",
		console.Plural(values, "value"),
		humanize.Bytes(uint64(in)), v.From, humanize.Bytes(uint64(out)), v.To, ratio,
		took.Round(precision(took)), float64(in)/1e6/max(took.Seconds(), 1e-9))
}

// precision returns the unit to which d is rounded so that about three digits
// remain.
func precision(d time.Duration) time.Duration {
	p := time.Duration(1)
	for d/p >= 1000 {
		p *= 10
	}
	return p
}

// A source counts the bytes that are read. It records the error of the reader,
// so that the caller can tell it from an error of the conversion.
type source struct {
	r   io.Reader
	n   atomic.Int64
	err error
}

func (s *source) Read(p []byte) (int, error) {
	n, err := s.r.Read(p)
	s.n.Add(int64(n))
	if err != nil && err != io.EOF {
		s.err = err
	}
	return n, err
}

// A sink counts the bytes that are written and records the error of the writer.
type sink struct {
	w   io.Writer
	n   atomic.Int64
	err error
}

func (s *sink) Write(p []byte) (int, error) {
	n, err := s.w.Write(p)
	s.n.Add(int64(n))
	if err != nil {
		s.err = err
	}
	return n, err
}
