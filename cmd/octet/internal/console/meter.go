package console

import (
	"github.com/schollz/progressbar/v3"
)

// A Meter shows progress on standard error: a bar if the total is known,
// otherwise the number of bytes so far.
type Meter struct {
	bar   *progressbar.ProgressBar
	shown bool
}

// NewMeter returns a meter for total bytes; 0 means that the total is unknown.
// The meter measures time from this call, but shows nothing before Set.
func (c *Console) NewMeter(total int64) *Meter {
	if total == 0 {
		total = -1
	}
	bar := progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(c.Stderr),
		progressbar.OptionShowBytes(true),
		progressbar.OptionShowCount(),
		progressbar.OptionSetWidth(30),
		progressbar.OptionSpinnerType(14),
		progressbar.OptionSetSpinnerChangeInterval(0), // no goroutine that draws after Clear
		progressbar.OptionClearOnFinish(),
	)
	bar.StartWithoutRender()
	return &Meter{bar: bar}
}

// Set shows the number of bytes done. Set and Clear ignore write errors,
// because the conversion should continue without a terminal.
func (m *Meter) Set(done int64) {
	m.shown = true
	_ = m.bar.Set64(done)
}

// Clear removes the meter from the terminal, if it is shown.
func (m *Meter) Clear() {
	if m.shown {
		_ = m.bar.Clear()
	}
}

// CanMeter reports whether a meter can be shown while output is written to out:
// standard error must be a terminal, and out must not be one.
func (c *Console) CanMeter(out any) bool { return c.supportsCursor(c.Stderr) && !c.IsTerminal(out) }
