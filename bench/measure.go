package main

import (
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/octet-go/octet/bench/cases"
	"github.com/octet-go/octet/bench/engine"
	"github.com/octet-go/octet/bench/report"
)

// measure runs every matching case and returns all of them. It prints the table of each contest when it is
// complete.
func measure(w io.Writer, match *regexp.Regexp, p engine.Effort) (*engine.Results, error) {
	list, err := cases.Contests()
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(list, func(c engine.Contest) bool { return strings.HasPrefix(c.Shape, "document/") }) {
		fmt.Fprintln(w, "no JSON documents: the Go installation has no JSON test documents of encoding/json")
	}
	if p.Quick {
		list = slices.DeleteFunc(list, func(c engine.Contest) bool { return c.Slow || c.Large() })
	}
	total := 0
	for i, c := range list {
		list[i].Verbs = slices.DeleteFunc(slices.Clone(c.Verbs), func(verb string) bool { return !match.MatchString(c.Name() + "/" + verb) })
		total += len(list[i].Verbs)
	}
	list = slices.DeleteFunc(list, func(c engine.Contest) bool { return len(c.Verbs) == 0 })
	if total == 0 {
		return nil, fmt.Errorf("bench: no case matches -run %s", match)
	}
	r := &engine.Results{
		Host:      engine.Here(),
		Quick:     p.Quick,
		Rounds:    p.Rounds,
		Seed:      p.Seed,
		Libraries: cases.Participants(),
	}
	report.PrintHeading(w, r, p.Base)
	show := newProgress(total, p.Rounds)
	p.Step = show.round
	compared := false
	for _, c := range list {
		cases, err := measureContest(c, p, show)
		if err != nil {
			return nil, fmt.Errorf("bench: %s: %w", c.Name(), err)
		}
		show.clear()
		report.PrintTable(w, c.Name(), cases, p.Base)
		compared = compared || slices.ContainsFunc(cases, func(c engine.Case) bool { _, ok := engine.Find(c, p.Base); return ok })
		r.Cases = append(r.Cases, cases...)
	}
	if !compared {
		fmt.Fprintf(w, "\n%s is in none of these cases, so there are no ratios\n", p.Base)
	}
	return r, nil
}

// measureContest opens a contest and measures the selected verbs.
func measureContest(c engine.Contest, p engine.Effort, show *progress) ([]engine.Case, error) {
	entries, err := c.Open()
	if err != nil {
		return nil, err
	}
	var cases []engine.Case
	for _, verb := range c.Verbs {
		show.begin(c.Name() + "/" + verb)
		p.Wall = slices.Contains(c.Wall, verb)
		p.Order = engine.OrderOf(p.Seed, c.Name()+"/"+verb)
		list, err := engine.TimeInTurns(verb, entries, p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", verb, err)
		}
		cases = append(cases, engine.Case{Group: c.Group, Shape: c.Shape, Verb: verb, N: c.N, About: c.About, Entries: list})
	}
	return cases, nil
}
