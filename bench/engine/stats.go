package engine

import (
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// Quartiles are the quartiles of a sample. The middle one is the median.
type Quartiles struct{ Low, Median, High float64 }

// Summarize returns the quartiles of xs.
func Summarize(xs []float64) Quartiles {
	s := stats.Sample{Xs: xs}
	return Quartiles{s.Quantile(0.25), s.Quantile(0.5), s.Quantile(0.75)}
}

// Times returns the times of e that figures are made of: processor times if both are measured, because other programs
// on the machine hardly change them.
func (e Entry) Times() []float64 {
	if e.CPU != nil {
		return e.CPU
	}
	return e.NS
}

// MinRounds is the number of rounds from which the figure of a library is its third lowest time.
const MinRounds = 15

// third returns the third lowest of at least 15 times: what an operation takes on a machine that is not disturbed,
// without the rare turn in which a clock or a cache was lucky. Of fewer times it returns an accordingly lower one.
func third(times []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	return sorted[min(2, 2*len(sorted)/MinRounds)]
}

// Time returns the figure of e with the quartiles of its rounds: the third lowest processor time, or, if only the time
// on the clock is known, the median. It widens the quartiles so that they include the figure.
func (e Entry) Time() Quartiles {
	q := Summarize(e.Times())
	if e.CPU != nil {
		q = q.around(third(e.CPU))
	}
	return q
}

// around returns the quartiles with another middle.
func (q Quartiles) around(middle float64) Quartiles {
	return Quartiles{min(q.Low, middle), middle, max(q.High, middle)}
}

// Ratio returns a's time divided by b's time, with the quartiles of this ratio in each round.
func Ratio(a, b Entry) Quartiles {
	if a.CPU == nil || b.CPU == nil {
		return Summarize(divide(a.NS, b.NS))
	}
	return Summarize(divide(a.CPU, b.CPU)).around(third(a.CPU) / third(b.CPU))
}

// Spread formats the quartiles.
func Spread(q Quartiles) string { return Digits(q.Low) + "–" + Digits(q.High) }

// String formats the ratio and marks it if the spread includes 1.
func (q Quartiles) String() string {
	if q.Low <= 1 && 1 <= q.High {
		return "≈ " + Digits(q.Median)
	}
	return Digits(q.Median)
}

// Find returns the entry of a library if it has times.
func Find(c Case, library string) (Entry, bool) {
	i := slices.IndexFunc(c.Entries, func(e Entry) bool { return e.Library == library && len(e.NS) > 0 })
	if i < 0 {
		return Entry{}, false
	}
	return c.Entries[i], true
}

// divide returns a divided by b for each round that both have.
func divide(a, b []float64) []float64 {
	shares := make([]float64, min(len(a), len(b)))
	for i := range shares {
		shares[i] = a[i] / b[i]
	}
	return shares
}
