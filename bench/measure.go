package main

import (
	"fmt"
	"io"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"
)

// measure runs every matching case and returns all of them. It prints the table of each contest when it is
// complete.
func measure(w io.Writer, match *regexp.Regexp, p effort) (*Results, error) {
	list, err := contests()
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(list, func(c contest) bool { return strings.HasPrefix(c.shape, "document/") }) {
		fmt.Fprintln(w, "no JSON documents: the Go installation has no JSON test documents of encoding/json")
	}
	if p.quick {
		list = slices.DeleteFunc(list, func(c contest) bool { return c.slow || c.large() })
	}
	total := 0
	for i, c := range list {
		list[i].verbs = slices.DeleteFunc(slices.Clone(c.verbs), func(verb string) bool { return !match.MatchString(c.name() + "/" + verb) })
		total += len(list[i].verbs)
	}
	list = slices.DeleteFunc(list, func(c contest) bool { return len(c.verbs) == 0 })
	if total == 0 {
		return nil, fmt.Errorf("bench: no case matches -run %s", match)
	}
	r := &Results{
		Machine:    machine(processor(), runtime.NumCPU()),
		Processor:  processor(),
		OS:         runtime.GOOS,
		Arch:       runtime.GOARCH,
		Go:         runtime.Version(),
		GOMAXPROCS: runtime.GOMAXPROCS(0),
		Date:       time.Now().UTC().Format(time.DateOnly),
		Quick:      p.quick,
		Rounds:     p.rounds,
		Seed:       p.seed,
		Libraries:  participants(),
	}
	printHeading(w, r, p.base)
	show := newProgress(total, p.rounds)
	p.step = show.round
	compared := false
	for _, c := range list {
		cases, err := measureContest(c, p, show)
		if err != nil {
			return nil, fmt.Errorf("bench: %s: %w", c.name(), err)
		}
		show.clear()
		printTable(w, c.name(), cases, p.base)
		compared = compared || slices.ContainsFunc(cases, func(c Case) bool { _, ok := find(c, p.base); return ok })
		r.Cases = append(r.Cases, cases...)
	}
	if !compared {
		fmt.Fprintf(w, "\n%s is in none of these cases, so there are no ratios\n", p.base)
	}
	return r, nil
}

// measureContest opens a contest and measures the selected verbs.
func measureContest(c contest, p effort, show *progress) ([]Case, error) {
	entries, err := c.open()
	if err != nil {
		return nil, err
	}
	var cases []Case
	for _, verb := range c.verbs {
		show.begin(c.name() + "/" + verb)
		p.order = orderOf(p.seed, c.name()+"/"+verb)
		list, err := timeInTurns(verb, entries, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", verb, err)
		}
		cases = append(cases, Case{Group: c.group, Shape: c.shape, Verb: verb, N: c.n, About: c.about, Entries: list})
	}
	return cases, nil
}
