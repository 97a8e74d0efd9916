package console

import (
	"io"
	"sync"

	"github.com/schollz/progressbar/v3"
)

// A Meter shows progress on standard error: a bar if the total is known,
// otherwise the number of bytes so far. Its methods may be called from several
// goroutines.
type Meter struct {
	mu    sync.Mutex
	bar   *progressbar.ProgressBar
	total int64
	shown bool
}

// NewMeter returns a meter for total bytes; 0 means that the total is unknown.
// The meter fits into one line of at least 40 columns. It measures time from this call, but
// shows nothing before Set. What
// [Console.Messages] writes replaces it until the next Set. NewMeter must be called before
// the goroutines that write messages start.
func (c *Console) NewMeter(total int64) *Meter {
	m := &Meter{total: total}
	if total == 0 {
		total = -1
	}
	const text, times = 51, 16 // the most columns that the numbers and ^C need, and of these the times
	width := c.Width(c.Stderr) - text
	withTimes := width >= 5
	if !withTimes {
		width += times
	}
	m.bar = progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(c.Stderr),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionSetElapsedTime(withTimes),
		progressbar.OptionSetPredictTime(withTimes),
		progressbar.OptionSetWidth(min(max(width, 1), 30)),
		progressbar.OptionUseANSICodes(true), // clears what else is on the line, such as ^C
		progressbar.OptionSpinnerType(14),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine that draws after Clear
		progressbar.OptionClearOnFinish(),
	)
	m.bar.StartWithoutRender()
	c.meter = m
	return m
}

// Set shows the number of bytes done. Set and Clear ignore write errors,
// because the work should continue without a terminal.
func (m *Meter) Set(done int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.total > 0 {
		done = min(done, m.total-1) // the bar would end at the total, but the work may go on
	}
	m.shown = true
	_ = m.bar.Set64(done)
}

// Clear removes the meter from the terminal, if it is shown. It does not wait for a Write,
// which has removed it.
func (m *Meter) Clear() {
	if m.mu.TryLock() {
		m.hide()
		m.mu.Unlock()
	}
}

func (m *Meter) hide() {
	if m.shown {
		m.shown = false
		_ = m.bar.Clear()
	}
}

// Write writes text to w, which may be the terminal that shows the meter.
func (m *Meter) Write(w io.Writer, text []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.hide()
	return w.Write(text)
}

// CanMeter reports whether a meter can be shown while output is written to out:
// standard error must be a terminal, and out must not be one.
func (c *Console) CanMeter(out any) bool { return c.supportsCursor(c.Stderr) && !c.IsTerminal(out) }
