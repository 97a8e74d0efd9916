package task

import (
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/dustin/go-humanize"

	"github.com/octet-go/octet/cmd/octet/internal/console"
	"github.com/octet-go/octet/cmd/octet/internal/failure"
)

// progressDelay is how long a task runs before it shows its progress. Where output goes
// to the same terminal, it is also how long nothing must have been written.
const progressDelay = time.Second

// A Progress shows on a terminal how many bytes a task has done, after one second.
type Progress struct {
	meter  *console.Meter
	start  time.Time
	wanted bool

	mu     sync.Mutex
	wrote  time.Time // when Writer has last written
	inLine bool      // what it wrote does not end in a newline
}

// NewProgress returns the Progress of a task that begins now. total is the number of
// bytes to do, 0 if it is not known, and out what the task writes to. Nothing is shown
// if quiet is set, or if out is a terminal, because the output would be mixed with it.
func NewProgress(c *console.Console, total int64, out any, quiet bool) *Progress {
	return &Progress{meter: c.NewMeter(total), start: time.Now(), wanted: !quiet && c.CanMeter(out)}
}

// Writer returns a writer to w, which may be the terminal that shows the progress. The
// progress then gives way to the output, and comes back when the output has paused at
// the end of a line.
func (p *Progress) Writer(w io.Writer) io.Writer { return progressWriter{p, w} }

type progressWriter struct {
	p *Progress
	w io.Writer
}

func (w progressWriter) Write(text []byte) (int, error) {
	w.p.mu.Lock()
	defer w.p.mu.Unlock()
	n, err := w.p.meter.Write(w.w, text)
	w.p.wrote = time.Now()
	if n > 0 {
		w.p.inLine = text[n-1] != '\n'
	}
	return n, err
}

// Tick returns a function for [Await] that shows what done returns.
func (p *Progress) Tick(done func() int64) func() {
	return func() {
		if !p.wanted || time.Since(p.start) < progressDelay || !p.mu.TryLock() {
			return // a write to the terminal may wait
		}
		defer p.mu.Unlock()
		if !p.inLine && time.Since(p.wrote) >= progressDelay {
			p.meter.Set(done())
		}
	}
}

// Clear removes the progress from the terminal.
func (p *Progress) Clear() { p.meter.Clear() }

// Rate returns the time since the beginning and the rate at which bytes were done.
// For few bytes, the rate says nothing and is left out.
func (p *Progress) Rate(bytes int64) string { return rate(time.Since(p.start), bytes) }

func rate(d time.Duration, bytes int64) string {
	text := d.Round(precision(d)).String()
	if bytes >= 1e6 {
		text += fmt.Sprintf(", %.1f MB/s", float64(bytes)/1e6/max(d.Seconds(), 1e-9))
	}
	return text
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

// Interrupted returns the error of a task that was interrupted after it had read some
// of its input. total is 0 if it is not known. kept is the name of the file to which
// nothing was written, or empty.
func Interrupted(done, total int64, kept string) error {
	text := ""
	switch {
	case done > 0 && total > 0:
		text = fmt.Sprintf(" after %s of %s", humanize.Bytes(uint64(done)), humanize.Bytes(uint64(max(done, total))))
	case done > 0:
		text = " after " + humanize.Bytes(uint64(done))
	}
	if kept != "" {
		text += "; nothing was written to " + kept
	}
	if text == "" {
		return failure.ErrInterrupted
	}
	return failure.New(failure.Interrupted, "", fmt.Errorf("%w%s", failure.ErrInterrupted, text))
}
