package console

import (
	"github.com/schollz/progressbar/v3"
)

// A Meter shows on standard error how far work has come: a bar where the whole
// is known, otherwise the bytes so far.
type Meter struct {
	bar   *progressbar.ProgressBar
	shown bool
}

// NewMeter returns a meter of total bytes, 0 standing for a number not known. The
// work begins now, but nothing is shown before Set.
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

// Set shows the bytes done. A terminal that is gone is no reason to stop the
// work, so errors are ignored here and in Clear.
func (m *Meter) Set(done int64) {
	m.shown = true
	_ = m.bar.Set64(done)
}

// Clear removes the meter from the terminal, if it is there.
func (m *Meter) Clear() {
	if m.shown {
		_ = m.bar.Clear()
	}
}

// Metered reports whether a meter can be shown while the output is written to
// out: standard error is a terminal, and out is not the same.
func (c *Console) Metered(out any) bool { return c.clever(c.Stderr) && !c.IsTerminal(out) }
