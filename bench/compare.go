package main

import (
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchmath"
)

// alpha is the probability from which on down a change of time is taken for more than chance.
const alpha = 0.01

// worthy returns how large a change of time must be to count, as a share of the old time. What lies in memory where, and
// the seeds of maps, are drawn anew for each run and stay for all of its rounds. So identical programs differ by more
// than their rounds tell, and the fewer runs there are, the more of that passes for a change. See README.md.
func worthy(runs int) float64 {
	switch runs {
	case 1:
		return 0.30
	case 2:
		return 0.20
	}
	return 0.10
}

// change is how one measure of octet in one case has moved.
type change struct {
	name     string // of the case and the entry
	measure  string
	old, new string  // with units
	by       float64 // share of the old, such as 0.1 for a tenth more
	why      string  // statistics, for times
}

// comparison is what the runs of two programs on one machine tell of octet.
type comparison struct {
	warnings               []string
	runs                   int // of each program, at least
	compared               int // times
	regressed, improved    []change
	onlyInOld, onlyInNew   []string
	unadjusted, untestable int // times without a peer in all runs, and with too few rounds
}

// compareFiles prints what has changed between the runs of two programs, and tells whether octet got worse. Each of
// the arguments is a results file, or several of one program, separated by commas.
func compareFiles(w io.Writer, before, after string) (regressed bool, err error) {
	var runs [2][]*Results
	for i, list := range []string{before, after} {
		for path := range strings.SplitSeq(list, ",") {
			r, err := readResults(path)
			if err != nil {
				return false, err
			}
			runs[i] = append(runs[i], r)
			fmt.Fprintf(w, "%s: %s, %s\n", []string{"old", "new"}[i], path, r.circumstances())
		}
	}
	c, err := compare(runs[0], runs[1])
	if err != nil {
		return false, err
	}
	if c.compared == 0 {
		return false, fmt.Errorf("bench: %s and %s have no case of octet in common", before, after)
	}
	c.print(w)
	return len(c.regressed) > 0, nil
}

// compare fails for runs on different machines: what is faster on one may be slower on the other for no fault of the code.
func compare(before, after []*Results) (*comparison, error) {
	c, first := &comparison{runs: min(len(before), len(after))}, before[0]
	moved := make(map[string]bool)
	for _, r := range slices.Concat(before, after) {
		for _, fact := range []struct{ name, one, other string }{
			{"processor", first.Processor, r.Processor},
			{"operating system", first.OS, r.OS},
			{"architecture", first.Arch, r.Arch},
			{"GOMAXPROCS", strconv.Itoa(first.GOMAXPROCS), strconv.Itoa(r.GOMAXPROCS)},
		} {
			if fact.one != fact.other {
				return nil, fmt.Errorf("bench: the runs cannot be compared: %s %s and %s", fact.name, fact.one, fact.other)
			}
		}
		if r.Go != first.Go {
			c.warn("the runs differ in more than the code of octet: %s and %s", first.Go, r.Go)
		}
		c.versions(first, r, moved)
	}
	names := caseNames(after)
	for _, name := range caseNames(before) {
		if !slices.Contains(names, name) {
			c.onlyInOld = append(c.onlyInOld, name)
			continue
		}
		c.add(name, casesNamed(before, name), casesNamed(after, name), moved)
	}
	for _, name := range names {
		if casesNamed(before, name) == nil {
			c.onlyInNew = append(c.onlyInNew, name)
		}
	}
	return c, nil
}

// name is by what a case is found again in another run.
func (c Case) name() string {
	parts := []string{c.Group, c.Shape, c.Verb}
	if c.N > 0 {
		parts = append(parts, strconv.Itoa(c.N))
	}
	return strings.Join(parts, "/")
}

// caseNames lists the cases of all runs, in the order in which they first come.
func caseNames(runs []*Results) (names []string) {
	for _, r := range runs {
		for _, c := range r.Cases {
			if name := c.name(); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// casesNamed returns one case of each run that has it.
func casesNamed(runs []*Results, name string) (list []Case) {
	for _, r := range runs {
		if i := slices.IndexFunc(r.Cases, func(c Case) bool { return c.name() == name }); i >= 0 {
			list = append(list, r.Cases[i])
		}
	}
	return list
}

// warn says each thing once.
func (c *comparison) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.warnings, text) {
		c.warnings = append(c.warnings, text)
	}
}

// versions collects the peers that are not of one version in two runs: they are no measure of the machine.
func (c *comparison) versions(a, b *Results, moved map[string]bool) {
	for _, o := range a.Libraries {
		for _, n := range b.Libraries {
			if o.Name == n.Name && o.Version != n.Version && !isOurs(n.Name) {
				moved[n.Name] = true
				c.warn("%s is %s and %s, and is no measure of the machine", n.Name, o.Version, n.Version)
			}
		}
	}
}

// isOurs tells whether an entry is octet, perhaps by one of its other calls, such as "octet as map".
func isOurs(library string) bool { return library == ours || strings.HasPrefix(library, ours+" ") }

// add compares what is octet's in one case, of which there is one for each run.
func (c *comparison) add(name string, before, after []Case, moved map[string]bool) {
	for _, e := range before[0].Entries {
		if !isOurs(e.Library) || len(e.NS) == 0 {
			continue
		}
		name := name
		if e.Library != ours {
			name += " (" + e.Library + ")"
		}
		olds, news := entriesOf(before, e.Library), entriesOf(after, e.Library)
		if news == nil {
			c.onlyInOld = append(c.onlyInOld, name)
			continue
		}
		c.time(name, before, after, e.Library, moved)
		c.counter(name, "allocs/op", olds, news, func(e Entry) float64 { return e.Allocs }, 0.02, 0.5)
		c.counter(name, "B/op", olds, news, func(e Entry) float64 { return e.Bytes }, 0.1, 16)
		c.counter(name, "encoded bytes", olds, news, func(e Entry) float64 { return float64(e.Size) }, 0, 0)
	}
}

// entriesOf returns what a library has in each of the cases.
func entriesOf(cases []Case, library string) (list []Entry) {
	for _, c := range cases {
		if e, ok := find(c, library); ok {
			list = append(list, e)
		}
	}
	return list
}

// time compares what a library's times would have been at the same pace of the machine.
func (c *comparison) time(name string, before, after []Case, library string, moved map[string]bool) {
	usual := usualTimes(slices.Concat(before, after), len(before), moved)
	if len(usual) == 0 {
		c.unadjusted++
	}
	oldRounds, oldRuns := adjusted(before, library, usual)
	newRounds, newRuns := adjusted(after, library, usual)
	c.compared++
	if rarest(len(oldRounds), len(newRounds)) > alpha {
		c.untestable++
	}
	thresholds := benchmath.DefaultThresholds
	thresholds.CompareAlpha = alpha
	test := benchmath.AssumeNothing.Compare(benchmath.NewSample(oldRounds, &thresholds), benchmath.NewSample(newRounds, &thresholds))
	o, n := summarise(oldRuns).median, summarise(newRuns).median
	// Twice as fast and half as fast are changes of one size.
	large := math.Abs(math.Log(n/o)) >= math.Log1p(worthy(min(len(oldRuns), len(newRuns))))
	if test.P <= alpha && large && parted(oldRuns, newRuns) {
		c.put(change{name, "time", moment(o), moment(n), n/o - 1, test.String()})
	}
}

// usualTimes returns the median time of each peer in the old cases, of which there are so many at the beginning. A peer
// that is not in all cases, or moved to another version, is left out.
func usualTimes(cases []Case, old int, moved map[string]bool) map[string]float64 {
	usual := make(map[string]float64)
	for _, e := range cases[0].Entries {
		list := entriesOf(cases, e.Library)
		if isOurs(e.Library) || moved[e.Library] || len(list) < len(cases) {
			continue
		}
		var rounds []float64
		for _, e := range list[:old] {
			rounds = append(rounds, e.NS...)
		}
		usual[e.Library] = summarise(rounds).median
	}
	return usual
}

// adjusted returns the times of a library in all rounds, and the median of each run. They are divided by how slow the
// machine was in the round: the median of what the peers took, as multiples of their usual times. A peer that moves
// alone moves no median of several.
func adjusted(cases []Case, library string, usual map[string]float64) (rounds, runs []float64) {
	for _, c := range cases {
		e, ok := find(c, library)
		if !ok {
			continue
		}
		ns := slices.Clone(e.NS)
		for i := range ns {
			var pace []float64
			for _, peer := range c.Entries {
				if t := usual[peer.Library]; t > 0 && i < len(peer.NS) {
					pace = append(pace, peer.NS[i]/t)
				}
			}
			if len(pace) > 0 {
				ns[i] /= summarise(pace).median
			}
		}
		rounds, runs = append(rounds, ns...), append(runs, summarise(ns).median)
	}
	return rounds, runs
}

// parted tells whether the change shows in every pair of an old and a new run.
func parted(old, new []float64) bool {
	return slices.Max(old) < slices.Min(new) || slices.Max(new) < slices.Min(old)
}

// rarest is the probability that chance alone parts two samples wholly, one above the other: no test gives less.
func rarest(n, m int) float64 {
	ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n+m), int64(n))).Float64()
	return 2 / ways
}

// counter compares what hardly varies: it counts from a share of the old and something more.
func (c *comparison) counter(name, measure string, olds, news []Entry, of func(Entry) float64, share, more float64) {
	var before, after []float64
	for _, e := range olds {
		before = append(before, of(e))
	}
	for _, e := range news {
		after = append(after, of(e))
	}
	o, n := summarise(before).median, summarise(after).median
	if math.Abs(n-o) > o*share+more && parted(before, after) {
		c.put(change{name, measure, whole(o), whole(n), n/o - 1, ""})
	}
}

func (c *comparison) put(ch change) {
	if ch.by > 0 {
		c.regressed = append(c.regressed, ch)
	} else {
		c.improved = append(c.improved, ch)
	}
}
