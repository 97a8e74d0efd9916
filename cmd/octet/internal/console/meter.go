package console

import (
	"io"
	"sync"

	"github.com/cheggaaa/pb/v3"
)

// A Meter shows progress on standard error: a bar if the total is known,
// otherwise the number of bytes so far. Its methods may be called from several
// goroutines.
type Meter struct {
	mu    sync.Mutex
	c     *Console
	w     io.Writer
	bar   *pb.ProgressBar
	form  string // of the bar
	total int64
	shown bool
}

// What a meter shows. The bar takes the columns that the rest leaves.
const (
	speed        = `{{speed . "%s/s" "- B/s"}}`
	elapsed      = `{{etime .}}`
	left         = `{{rtime . "%s left" "" "-"}}`
	bar          = `{{percent . "%3.0f %%"}} {{bar . "|" "█" "█" " " "|"}} `
	unknownTotal = `{{counters .}}, ` + speed + ` [` + elapsed + `]`
	wideMeter    = bar + `{{counters . "%s of %s"}}, ` + speed + ` [` + elapsed + `, ` + left + `]`
	narrowMeter  = bar + `{{counters . "%[1]s"}}, ` + speed
)

// clearLine clears a line, with what else is on it, such as ^C.
const clearLine = "\x1b[2K\r"

// NewMeter returns a meter for total bytes; 0 means that the total is unknown.
// The meter fits into one line, and is cut off if that has less than 40 columns. It
// measures time from this call, but shows nothing before Set. What [Console.Messages]
// writes replaces it until the next Set. NewMeter must be called before the goroutines
// that write messages start.
func (c *Console) NewMeter(total int64) *Meter {
	m := &Meter{c: c, w: c.Stderr, total: total}
	m.bar = pb.New64(total).Set(pb.Static, true).Set(pb.Bytes, true).Set(pb.SIBytesPrefix, true)
	m.fit()
	m.bar.Start()
	_ = m.bar.String() // the speed is that since the first text
	c.meter = m
	return m
}

// fit selects what is shown for the width that the terminal has now, and returns the width.
func (m *Meter) fit() int {
	const widest, wide = 100, 74 // columns: the most that are used, and those for a bar and the longest numbers
	width := max(min(m.c.Width(m.w), widest)-len("^C"), 1)
	form := wideMeter
	switch {
	case m.total <= 0:
		form = unknownTotal
	case width < wide:
		form = narrowMeter
	}
	m.bar.SetWidth(width)
	if form != m.form {
		m.form = form
		m.bar.SetTemplateString(form)
	}
	return width
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
	width := m.fit()
	text := []rune(m.bar.SetCurrent(done).String())
	_, _ = io.WriteString(m.w, clearLine+string(text[:min(len(text), width)]))
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
		_, _ = io.WriteString(m.w, clearLine)
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
