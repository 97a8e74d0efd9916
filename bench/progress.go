package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows the progress of a run: a bar on a terminal, otherwise a line per case.
type progress struct {
	bar         *progressbar.ProgressBar // nil if standard error is not a terminal
	done, cases int
	start       time.Time
}

// newProgress shows the progress of a run of cases with rounds each on standard error.
func newProgress(cases, rounds int) *progress {
	p := &progress{cases: cases, start: time.Now()}
	if term.IsTerminal(int(os.Stderr.Fd())) {
		p.bar = progressbar.NewOptions(cases*rounds,
			progressbar.OptionSetWriter(os.Stderr),
			progressbar.OptionSetPredictTime(true),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionClearOnFinish(),
			progressbar.OptionFullWidth())
	}
	return p
}

// begin shows the name of the next case.
func (p *progress) begin(name string) {
	p.done++
	if p.bar != nil {
		p.bar.Describe(name)
		return
	}
	fmt.Fprintf(os.Stderr, "%d of %d, %s: %s\n", p.done, p.cases, time.Since(p.start).Round(time.Second), name)
}

// round counts a finished round.
func (p *progress) round() {
	if p.bar != nil {
		_ = p.bar.Add(1)
	}
}

// clear removes the bar before other output is printed.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
