package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync/atomic"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/convert"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
	"github.com/octet-go/octet/cmd/octet/internal/input"
)

// progressDelay is how long a conversion runs before it shows its progress.
const progressDelay = time.Second

// errQuit means that the pager was closed. It is not a failure.
var errQuit = errors.New("the pager was closed")

// errNoName is the error for an empty file name. It usually comes from a script
// that uses an unset variable.
var errNoName = errors.New("the file name is empty")

// await runs work and returns its result. It returns early if ctx is canceled
// or quit is closed. If tick is not nil, await calls it ten times a second
// while work runs. Work that waits for input cannot be stopped; its goroutine
// continues after await returns, so nothing may depend on what it does then.
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
			return none, failure.ErrInterrupted
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

// stream converts one input and shows the progress on a terminal.
func (r *conversionRun) stream(ctx context.Context, in *input.Input) (convert.Result, error) {
	wanted := !r.quiet && r.progress.Value != "never" && r.CanMeter(r.out.Writer)
	return await(ctx, nil, func() {
		if wanted && time.Since(r.start) >= progressDelay {
			r.meter.Set(r.read + in.Consumed())
		}
	}, func() (convert.Result, error) {
		return convert.Stream(r.values, in, r.Options)
	})
}

// summarize prints a summary of the conversion, and how many values JSON could not
// hold.
func (r *conversionRun) summarize() {
	in, out := r.read, r.into.n.Load()
	ratio, to := "-", r.To.String()
	if r.asFile {
		to = toRecord
	}
	if in > 0 {
		ratio = fmt.Sprintf("%.1f %%", 100*float64(out)/float64(in))
	}
	r.Note("octet: convert: %s, %s %s → %s %s (%s), %s",
		console.Plural(r.result.Values, "value"),
		humanize.Bytes(uint64(in)), r.From, humanize.Bytes(uint64(out)), to, ratio, durationAndRate(r.start, in))
	c := r.result.Changed
	if c.Total() == 0 {
		return
	}
	var kinds []string
	for _, k := range []struct {
		n    int64
		noun string
	}{{c.Bins, "bin"}, {c.Timestamps, "timestamp"}, {c.Floats, "float 32"}, {c.Keys, "key that is not a string"}} {
		switch {
		case k.n == 1:
			kinds = append(kinds, "1 "+k.noun)
		case k.n > 1 && k.noun == "key that is not a string":
			kinds = append(kinds, humanize.Comma(k.n)+" keys that are not strings")
		case k.n > 1:
			kinds = append(kinds, console.Plural(k.n, k.noun))
		}
	}
	r.Note("octet: convert: JSON has no form for %s (%s); --reversible keeps them",
		console.Plural(c.Total(), "value"), strings.Join(kinds, ", "))
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
