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

// A change of time counts when both hold: it is larger than what two runs of the same program differ by on a quiet
// machine, and chance alone would hardly give it. Of many cases one in a hundred passes the second by chance.
const (
	worthy = 0.10
	alpha  = 0.01
)

// change is how one measure of octet in one case has moved.
type change struct {
	name     string // of the case and the entry
	measure  string
	old, new string  // with units
	by       float64 // share of the old, such as 0.1 for a tenth more
	why      string  // statistics, for times
}

// comparison is what two runs on one machine tell of octet.
type comparison struct {
	warnings               []string
	compared               int // times
	regressed, improved    []change
	onlyInOld, onlyInNew   []string
	unadjusted, untestable int // times without a peer in both runs, and with too few rounds
}

// compareFiles prints what has changed between two results files, and tells whether octet got worse.
func compareFiles(w io.Writer, oldPath, newPath string) (regressed bool, err error) {
	before, err := readResults(oldPath)
	if err != nil {
		return false, err
	}
	after, err := readResults(newPath)
	if err != nil {
		return false, err
	}
	c, err := compare(before, after)
	if err != nil {
		return false, err
	}
	fmt.Fprintf(w, "old: %s, %s\nnew: %s, %s\n", oldPath, before.circumstances(), newPath, after.circumstances())
	c.print(w)
	return len(c.regressed) > 0, nil
}

// compare fails for runs on different machines: what is faster on one may be slower on the other for no fault of the code.
func compare(before, after *Results) (*comparison, error) {
	for _, fact := range []struct{ name, old, new string }{
		{"processor", before.Processor, after.Processor},
		{"operating system", before.OS, after.OS},
		{"architecture", before.Arch, after.Arch},
		{"GOMAXPROCS", strconv.Itoa(before.GOMAXPROCS), strconv.Itoa(after.GOMAXPROCS)},
	} {
		if fact.old != fact.new {
			return nil, fmt.Errorf("bench: the runs cannot be compared: %s %s in the old, %s in the new", fact.name, fact.old, fact.new)
		}
	}
	c := new(comparison)
	if before.Go != after.Go {
		c.warn("the runs differ in more than the code of octet: %s, now %s", before.Go, after.Go)
	}
	moved := c.versions(before, after)
	for _, o := range before.Cases {
		i := slices.IndexFunc(after.Cases, func(n Case) bool { return n.name() == o.name() })
		if i < 0 {
			c.onlyInOld = append(c.onlyInOld, o.name())
			continue
		}
		c.add(o, after.Cases[i], moved)
	}
	for _, n := range after.Cases {
		if !slices.ContainsFunc(before.Cases, func(o Case) bool { return o.name() == n.name() }) {
			c.onlyInNew = append(c.onlyInNew, n.name())
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

func (c *comparison) warn(format string, args ...any) {
	c.warnings = append(c.warnings, fmt.Sprintf(format, args...))
}

// versions returns the peers that are another version in the new run: they are no measure of the machine.
func (c *comparison) versions(before, after *Results) (moved []string) {
	for _, o := range before.Libraries {
		for _, n := range after.Libraries {
			if o.Name == n.Name && o.Version != n.Version && !isOurs(n.Name) {
				moved = append(moved, n.Name)
				c.warn("%s %s is now %s, and is no measure of the machine", n.Name, o.Version, n.Version)
			}
		}
	}
	return moved
}

// isOurs tells whether an entry is octet, perhaps by one of its other calls, such as "octet as map".
func isOurs(library string) bool { return library == ours || strings.HasPrefix(library, ours+" ") }

// add compares what is octet's in one case.
func (c *comparison) add(before, after Case, moved []string) {
	oldPace, newPace := paces(before, after, moved)
	for _, o := range before.Entries {
		if !isOurs(o.Library) || len(o.NS) == 0 {
			continue
		}
		name := before.name()
		if o.Library != ours {
			name += " (" + o.Library + ")"
		}
		n, ok := find(after, o.Library)
		if !ok {
			c.onlyInOld = append(c.onlyInOld, name)
			continue
		}
		c.compared++
		if newPace == nil {
			c.unadjusted++
		}
		c.time(name, adjusted(o.NS, oldPace), adjusted(n.NS, newPace))
		c.counter(name, "allocs/op", o.Allocs, n.Allocs, 0.02, 0.5)
		c.counter(name, "B/op", o.Bytes, n.Bytes, worthy, 16)
		c.counter(name, "encoded bytes", float64(o.Size), float64(n.Size), 0, 0)
	}
}

// paces returns, round by round, how slow the machine was in each of the runs: the median over the peers of their time
// in the round, as a multiple of their median in the old run. A peer that moved alone moves no median of several.
// It is nil for both if no peer is in both.
func paces(before, after Case, moved []string) (old, new []float64) {
	var olds, news [][]float64
	for _, o := range before.Entries {
		n, ok := find(after, o.Library)
		if isOurs(o.Library) || slices.Contains(moved, o.Library) || len(o.NS) == 0 || !ok {
			continue
		}
		usual := summarise(o.NS).median
		scaled := func(ns []float64) []float64 {
			list := make([]float64, len(ns))
			for i := range ns {
				list[i] = ns[i] / usual
			}
			return list
		}
		olds, news = append(olds, scaled(o.NS)), append(news, scaled(n.NS))
	}
	return across(olds), across(news)
}

// across returns the median of each round over several entries.
func across(entries [][]float64) (medians []float64) {
	for round := 0; ; round++ {
		var figures []float64
		for _, e := range entries {
			if round < len(e) {
				figures = append(figures, e[round])
			}
		}
		if len(figures) == 0 {
			return medians
		}
		medians = append(medians, summarise(figures).median)
	}
}

// adjusted returns what the times would have been at the usual pace of the old run.
func adjusted(ns, pace []float64) []float64 {
	if pace == nil {
		return slices.Clone(ns)
	}
	return divide(ns, pace)
}

func (c *comparison) time(name string, before, after []float64) {
	thresholds := benchmath.DefaultThresholds
	thresholds.CompareAlpha = alpha
	o, n := benchmath.NewSample(before, &thresholds), benchmath.NewSample(after, &thresholds)
	oldTime, newTime := summarise(before).median, summarise(after).median
	test := benchmath.AssumeNothing.Compare(o, n)
	if rarest(len(before), len(after)) > alpha {
		c.untestable++
	}
	by := newTime/oldTime - 1
	// A tenth less of a speed is a tenth more of a time: both directions are measured as ratios.
	if !(test.P <= alpha) || math.Abs(math.Log1p(by)) < math.Log1p(worthy) {
		return
	}
	c.put(change{name, "time", moment(oldTime), moment(newTime), by, test.String()})
}

// rarest is the probability that chance alone parts two samples wholly, one above the other: no test gives less.
func rarest(n, m int) float64 {
	ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n+m), int64(n))).Float64()
	return 2 / ways
}

// counter compares what hardly varies: it counts from a share of the old and something more.
func (c *comparison) counter(name, measure string, before, after, share, more float64) {
	if math.Abs(after-before) <= before*share+more {
		return
	}
	c.put(change{name, measure, whole(before), whole(after), after/before - 1, ""})
}

func (c *comparison) put(ch change) {
	if ch.by > 0 {
		c.regressed = append(c.regressed, ch)
	} else {
		c.improved = append(c.improved, ch)
	}
}
