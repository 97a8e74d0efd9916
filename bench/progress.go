package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a run has come: a bar on a terminal, a line for each case elsewhere.
type progress struct {
	bar         *progressbar.ProgressBar // nil: not a terminal
	done, cases int
	start       time.Time
}

// newProgress shows a run of so many cases, each of so many rounds, on standard error.
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

// begin names the case that comes next.
func (p *progress) begin(name string) {
	p.done++
	if p.bar != nil {
		p.bar.Describe(name)
		return
	}
	fmt.Fprintf(os.Stderr, "%d of %d, %s: %s\n", p.done, p.cases, time.Since(p.start).Round(time.Second), name)
}

// round counts one that is over.
func (p *progress) round() {
	if p.bar != nil {
		_ = p.bar.Add(1)
	}
}

// clear makes room for what is printed next.
func (p *progress) clear() {
	if p.bar != nil {
		_ = p.bar.Clear()
	}
}
