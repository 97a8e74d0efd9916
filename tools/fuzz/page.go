package main

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

const pageFile = "docs/fuzzing.md"

func writePage(root string) error {
	lines, err := readRecord(root)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, pageFile), []byte(makePage(lines)), 0o666)
}

// A sum adds up several lines of the record.
type sum struct {
	line    // the last one
	first   time.Time
	execs   int64
	cpu     float64
	found   int
	lines   int
	lastNew time.Time // start of the last run that found an input with new coverage
}

func (s *sum) add(l line) {
	if s.lines == 0 {
		s.first = l.Start
	}
	s.lines++
	coverage, corpus := max(s.Coverage, l.Coverage), l.Corpus
	if l.Plain {
		corpus = s.Corpus
	}
	s.line = l
	s.Coverage, s.Corpus = coverage, corpus
	s.execs += l.Execs
	s.cpu += l.CPU
	s.found += l.New
	if l.New > 0 {
		s.lastNew = l.Start
	}
}

// sumBy adds up the lines with the same key. It also returns the keys in order.
func sumBy(lines []line, key func(line) string) (keys []string, sums map[string]*sum) {
	sums = map[string]*sum{}
	for _, l := range lines {
		k := key(l)
		if sums[k] == nil {
			sums[k] = new(sum)
		}
		sums[k].add(l)
	}
	return slices.Sorted(maps.Keys(sums)), sums
}

const day = "2 January 2006"

// makePage returns the page. It depends only on the record, so that a new target
// does not change it before it has run.
func makePage(lines []line) string {
	var b strings.Builder
	p := func(format string, args ...any) { fmt.Fprintf(&b, format, args...) }
	p("# Fuzzing\n\n")
	p("Every function that reads bytes has a fuzz target. The fuzzer changes bytes, and the target calls the function with them. It checks\n" +
		"what must be true for any input: there is no panic, memory stays within its bound, the result is that of the oracle or of another\n" +
		"function, and accepted values encode to the same bytes each time. The inputs in the `testdata/fuzz` folders are part of `go test`.\n\n")
	p("```\n.ci/fuzz                        each target for 2 seconds, as .ci/run does\n" +
		".ci/fuzz -time 10m -record      each target for 10 minutes; adds the results to docs/fuzzing.jsonl and this page\n" +
		".ci/fuzz -plain -time 1m        each target for a minute without coverage: more executions, of changes to known inputs\n" +
		".ci/fuzz -time 0 -keep          copies inputs that add coverage to testdata/fuzz\n```\n\n")
	p("This page is made from [fuzzing.jsonl](fuzzing.jsonl), which has one line for each target of each run. Lines are only added.\n\n")

	var total sum
	for _, l := range lines {
		total.add(l)
	}
	ran, perTarget := sumBy(lines, func(l line) string { return l.Package + "." + l.Target })
	p("## Totals\n\n%d targets; %s executions in %s of CPU time", len(ran), thousands(total.execs), duration(total.cpu))
	if len(lines) > 0 {
		first, last := total.first.Format(day), lines[len(lines)-1].Start.Format(day)
		if first == last {
			p(", all on %s", first)
		} else {
			p(", %s to %s", first, last)
		}
	}
	p(".\n\n")

	p("## Runs\n\nThe fuzzer calls an input interesting if it adds coverage. A run with `-plain` does not look for such inputs, but changes those\n" +
		"that are known, and is two to seven times as fast.\n\n" +
		"| start (UTC) | commit | Go | platform | targets | executions | CPU time | interesting inputs |\n|---|---|---|---|---|---|---|---|\n")
	runs, perRun := sumBy(lines, func(l line) string { return l.Start.Format(time.RFC3339) })
	for _, k := range runs {
		s := perRun[k]
		found := thousands(int64(s.found))
		if s.Plain {
			found = ""
		}
		p("| %s | %s | %s | %s | %d | %s | %s | %s |\n", s.Start.Format("2006-01-02 15:04"), s.Commit, s.Go, s.Platform, s.lines, thousands(s.execs), duration(s.cpu), found)
	}

	p("\n## Findings\n\n")
	findings := slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return l.Finding == "" })
	if len(findings) == 0 {
		p("None in these runs.\n")
	} else {
		p("Each finding is fixed and has a test.\n\n| date | target | what it found | test |\n|---|---|---|---|\n")
		for _, l := range findings {
			p("| %s | `%s.%s` | %s | `%s` |\n", l.Start.Format("2006-01-02"), l.Package, l.Target, strings.ReplaceAll(l.Finding, "|", `\|`), l.Test)
		}
	}

	p("\n## Targets\n\nCoverage is the number of branches that the inputs take, as the fuzzer counts it: a branch counts again if it is taken twice as often.\n\n" +
		"| target | executions | CPU time | inputs | coverage | last new input |\n|---|---|---|---|---|---|\n")
	for _, name := range ran {
		s := perTarget[name]
		last := ""
		if !s.lastNew.IsZero() {
			last = s.lastNew.Format("2006-01-02")
		}
		p("| `%s` | %s | %s | %d | %s | %s |\n", name, thousands(s.execs), duration(s.cpu), s.Corpus, thousands(int64(s.Coverage)), last)
	}
	return b.String()
}

// duration formats a time in seconds, minutes or hours.
func duration(seconds float64) string {
	switch {
	case seconds < 60:
		return strconv.FormatFloat(seconds, 'f', 1, 64) + " s"
	case seconds < 3600:
		return strconv.FormatFloat(seconds/60, 'f', 1, 64) + " min"
	}
	return strconv.FormatFloat(seconds/3600, 'f', 2, 64) + " h"
}

func thousands(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
