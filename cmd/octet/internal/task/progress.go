package task

import (
	"fmt"
	"time"

	"github.com/octet-go/octet/cmd/octet/internal/console"
)

// progressDelay is how long a task runs before it shows its progress.
const progressDelay = time.Second

// A Progress shows on a terminal how many bytes a task has done, after one second.
type Progress struct {
	meter  *console.Meter
	start  time.Time
	wanted bool
}

// NewProgress returns the Progress of a task that begins now. total is the number of
// bytes to do, 0 if it is not known, and out what the task writes to. Nothing is shown
// if quiet is set, or if out is a terminal, because the output would be mixed with it.
func NewProgress(c *console.Console, total int64, out any, quiet bool) *Progress {
	return &Progress{meter: c.NewMeter(total), start: time.Now(), wanted: !quiet && c.CanMeter(out)}
}

// Tick returns a function for [Await] that shows what done returns.
func (p *Progress) Tick(done func() int64) func() {
	return func() {
		if p.wanted && time.Since(p.start) >= progressDelay {
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
