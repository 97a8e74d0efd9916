package engine

import (
	"errors"
	"fmt"
	"io"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/perf/benchmath"
)

// alpha is the significance level: a change of time with a higher p-value is attributed to chance.
const alpha = 0.01

// minChange returns the minimum change of time that is reported, as a fraction of the old time. Memory layout and the
// seeds of maps are random for each run and constant during the run. Two runs of the same program therefore differ
// by more than their rounds do, and with fewer runs, more of this difference looks like a change. See README.md.
func minChange(runs int) float64 {
	switch runs {
	case 1:
		return 0.30
	case 2:
		return 0.20
	}
	return 0.10
}

// A change is the change of one measure of octet in one case.
type change struct {
	name     string // name of the case and the entry
	measure  string
	old, new string  // with units
	by       float64 // relative change, such as 0.1 for 10% more
	why      string  // statistics, only for times
}

// A comparison is the result for the runs of two programs on one machine.
type comparison struct {
	warnings               []string
	runs                   int // number of runs of each program (the minimum of both)
	compared               int // number of times compared
	regressed, improved    []change
	onlyInOld, onlyInNew   []string
	unadjusted, untestable int // numbers of times without a peer in all runs, and with too few rounds
}

// CompareFiles prints the changes between the runs of two programs, and reports whether octet got worse. Each
// argument is one results file or several, separated by commas.
func CompareFiles(w io.Writer, before, after string) (regressed bool, err error) {
	var runs [2][]*Results
	var many [2][]*Distribution
	for i, list := range []string{before, after} {
		for path := range strings.SplitSeq(list, ",") {
			var circumstances string
			if d, err := ReadDistribution(path); err == nil {
				many[i], circumstances = append(many[i], d), d.Circumstances()
			} else {
				r, err := Read(path)
				if err != nil {
					return false, err
				}
				runs[i], circumstances = append(runs[i], r), r.Circumstances()
			}
			fmt.Fprintf(w, "%s: %s, %s\n", []string{"old", "new"}[i], path, circumstances)
		}
	}
	if len(many[0])+len(many[1]) > 0 {
		if len(runs[0])+len(runs[1]) > 0 {
			return false, errors.New("bench: a run over many types cannot be compared with a run over cases")
		}
		return compareDistributions(w, many[0], many[1])
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

// compare returns an error for runs on different machines, because a program that is faster on one machine may be
// slower on another.
func compare(before, after []*Results) (*comparison, error) {
	c, first := &comparison{runs: min(len(before), len(after))}, before[0]
	moved := make(map[string]bool)
	for _, r := range slices.Concat(before, after) {
		if err := first.differs(r.Host); err != nil {
			return nil, err
		}
		if r.Go != first.Go {
			c.warn("the runs have different versions of Go: %s and %s", first.Go, r.Go)
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

// Name returns the name that identifies a case in every run.
func (c Case) Name() string {
	parts := []string{c.Group, c.Shape, c.Verb}
	if c.N > 0 {
		parts = append(parts, strconv.Itoa(c.N))
	}
	return strings.Join(parts, "/")
}

// caseNames returns the names of the cases of all runs, in order of first appearance.
func caseNames(runs []*Results) (names []string) {
	for _, r := range runs {
		for _, c := range r.Cases {
			if name := c.Name(); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// casesNamed returns the case with this name in each run that has it.
func casesNamed(runs []*Results, name string) (list []Case) {
	for _, r := range runs {
		if i := slices.IndexFunc(r.Cases, func(c Case) bool { return c.Name() == name }); i >= 0 {
			list = append(list, r.Cases[i])
		}
	}
	return list
}

// warn adds a warning, unless it was added before.
func (c *comparison) warn(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(c.warnings, text) {
		c.warnings = append(c.warnings, text)
	}
}

// versions collects the peers whose versions differ between the runs. They cannot serve as a reference.
func (c *comparison) versions(a, b *Results, moved map[string]bool) {
	for _, o := range a.Libraries {
		for _, n := range b.Libraries {
			if o.Name == n.Name && o.Version != n.Version && !IsOurs(n.Name) {
				moved[n.Name] = true
				c.warn("%s has versions %s and %s and is not used as a reference", n.Name, o.Version, n.Version)
			}
		}
	}
}

// IsOurs reports whether an entry is octet, possibly with another call, such as "octet as map".
func IsOurs(library string) bool { return library == Ours || strings.HasPrefix(library, Ours+" ") }

// add compares the entries of octet in one case. before and after have one case per run.
func (c *comparison) add(name string, before, after []Case, moved map[string]bool) {
	for _, e := range before[0].Entries {
		if !IsOurs(e.Library) || len(e.NS) == 0 {
			continue
		}
		name := name
		if e.Library != Ours {
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

// entriesOf returns the entries of a library in the cases.
func entriesOf(cases []Case, library string) (list []Entry) {
	for _, c := range cases {
		if e, ok := Find(c, library); ok {
			list = append(list, e)
		}
	}
	return list
}

// time compares the times of a library after adjusting them to the same speed of the machine.
func (c *comparison) time(name string, before, after []Case, library string, moved map[string]bool) {
	before, after = sameClock(before, after)
	usual := usualTimes(slices.Concat(before, after), len(before), moved)
	if len(usual) == 0 {
		c.unadjusted++
	}
	oldRounds, oldRuns := adjusted(before, library, usual)
	newRounds, newRuns := adjusted(after, library, usual)
	c.compared++
	if minPValue(len(oldRounds), len(newRounds)) > alpha {
		c.untestable++
	}
	thresholds := benchmath.DefaultThresholds
	thresholds.CompareAlpha = alpha
	test := benchmath.AssumeNothing.Compare(benchmath.NewSample(oldRounds, &thresholds), benchmath.NewSample(newRounds, &thresholds))
	o, n := Summarize(oldRuns).Median, Summarize(newRuns).Median
	// Compare logarithms, so that twice as fast and half as fast are changes of equal size.
	large := math.Abs(math.Log(n/o)) >= math.Log1p(minChange(min(len(oldRuns), len(newRuns))))
	if test.P <= alpha && large && separated(oldRuns, newRuns) {
		c.put(change{name, "time", FormatTime(o), FormatTime(n), n/o - 1, test.String()})
	}
}

// sameClock returns the cases without processor times if an entry with times has none, as in old files.
func sameClock(before, after []Case) (b, a []Case) {
	for _, c := range slices.Concat(before, after) {
		if slices.ContainsFunc(c.Entries, func(e Entry) bool { return e.NS != nil && e.CPU == nil }) {
			return onClock(before), onClock(after)
		}
	}
	return before, after
}

// onClock returns copies of the cases without processor times.
func onClock(cases []Case) []Case {
	cases = slices.Clone(cases)
	for i := range cases {
		cases[i].Entries = slices.Clone(cases[i].Entries)
		for j := range cases[i].Entries {
			cases[i].Entries[j].CPU = nil
		}
	}
	return cases
}

// usualTimes returns the median time of each peer in the old cases, which are the first old elements of cases. It
// omits peers that are not in all cases or have different versions.
func usualTimes(cases []Case, old int, moved map[string]bool) map[string]float64 {
	usual := make(map[string]float64)
	for _, e := range cases[0].Entries {
		list := entriesOf(cases, e.Library)
		if IsOurs(e.Library) || moved[e.Library] || len(list) < len(cases) {
			continue
		}
		var rounds []float64
		for _, e := range list[:old] {
			rounds = append(rounds, e.Times()...)
		}
		usual[e.Library] = Summarize(rounds).Median
	}
	return usual
}

// adjusted returns the adjusted times of a library in all rounds, and the median of each run. Each time is divided
// by the slowness of the machine in its round: the median of the times of the peers relative to their usual times.
// A change of a single peer does not change this median if there are several.
func adjusted(cases []Case, library string, usual map[string]float64) (rounds, runs []float64) {
	for _, c := range cases {
		e, ok := Find(c, library)
		if !ok {
			continue
		}
		ns := slices.Clone(e.Times())
		for i := range ns {
			var slowness []float64
			for _, peer := range c.Entries {
				if t := usual[peer.Library]; t > 0 && i < len(peer.Times()) {
					slowness = append(slowness, peer.Times()[i]/t)
				}
			}
			if len(slowness) > 0 {
				ns[i] /= Summarize(slowness).Median
			}
		}
		rounds, runs = append(rounds, ns...), append(runs, Summarize(ns).Median)
	}
	return rounds, runs
}

// separated reports whether every pair of an old and a new run shows the change.
func separated(old, new []float64) bool {
	return slices.Max(old) < slices.Min(new) || slices.Max(new) < slices.Min(old)
}

// minPValue returns the lowest p-value that is possible for two samples of these sizes.
func minPValue(n, m int) float64 {
	ways, _ := new(big.Float).SetInt(new(big.Int).Binomial(int64(n+m), int64(n))).Float64()
	return 2 / ways
}

// counter compares a measure that hardly varies. A change must exceed both a fraction of the old value and a
// constant.
func (c *comparison) counter(name, measure string, olds, news []Entry, of func(Entry) float64, share, more float64) {
	var before, after []float64
	for _, e := range olds {
		before = append(before, of(e))
	}
	for _, e := range news {
		after = append(after, of(e))
	}
	o, n := Summarize(before).Median, Summarize(after).Median
	if math.Abs(n-o) > o*share+more && separated(before, after) {
		c.put(change{name, measure, Whole(o), Whole(n), n/o - 1, ""})
	}
}

func (c *comparison) put(ch change) {
	if ch.by > 0 {
		c.regressed = append(c.regressed, ch)
	} else {
		c.improved = append(c.improved, ch)
	}
}
