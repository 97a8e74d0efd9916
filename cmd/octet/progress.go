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

// patience is how long work may take before it shows its progress.
const patience = time.Second

var (
	errInterrupted error = failure.New(failure.Interrupted, "", errors.New("interrupted"))
	errQuit              = errors.New("the pager was left") // which is no failure
)

// await runs the work until it is done, the context is, or quit is closed; and
// tick, if there is one, ten times a second in the meantime. Work that waits for
// input cannot be stopped, so it is left behind: what it would still do must not
// matter.
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

// stream converts, and shows on a terminal how far it is.
func (a *app) stream(ctx context.Context, v *conversion, size int64, from *source, to *sink) (values int64, err error) {
	wanted := !v.quiet && v.progress.value != "never" && a.Metered(to.w)
	meter := a.NewMeter(size)
	defer meter.Clear()
	start := time.Now()
	return await(ctx, nil, func() {
		if wanted && time.Since(start) >= patience {
			meter.Set(from.n.Load())
		}
	}, func() (int64, error) {
		return convert.Stream(to, from, v.Options)
	})
}

// summarise says on one line what has been done.
func (a *app) summarise(v *conversion, values, in, out int64, took time.Duration) {
	ratio := "-"
	if in > 0 {
		ratio = fmt.Sprintf("%.1f %%", 100*float64(out)/float64(in))
	}
	a.Note("octet: convert: %s, %s %s → %s %s (%s), %s, %.1f MB/s",
		console.Plural(values, "value"),
		humanize.Bytes(uint64(in)), v.From, humanize.Bytes(uint64(out)), v.To, ratio,
		took.Round(precision(took)), float64(in)/1e6/max(took.Seconds(), 1e-9))
}

// precision keeps three digits or so of a duration.
func precision(d time.Duration) time.Duration {
	p := time.Duration(1)
	for d/p >= 1000 {
		p *= 10
	}
	return p
}

// A source counts what is read, and keeps the reader's error apart from those
// of the work that reads.
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

// A sink does the same for what is written.
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
