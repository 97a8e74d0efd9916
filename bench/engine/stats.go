package engine

import (
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// Quartiles are the quartiles of a sample. The middle one is the median.
type Quartiles struct{ Low, Median, High float64 }

func Summarize(xs []float64) Quartiles {
	s := stats.Sample{Xs: xs}
	return Quartiles{s.Quantile(0.25), s.Quantile(0.5), s.Quantile(0.75)}
}

// Ratio returns the quartiles of a's time divided by b's time in each round.
func Ratio(a, b Entry) Quartiles {
	return Summarize(divide(a.NS, b.NS))
}

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
