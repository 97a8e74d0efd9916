package main

import (
	"slices"

	"github.com/aclements/go-moremath/stats"
)

// quartiles are the quartiles of a sample. The middle one is the median.
type quartiles struct{ low, median, high float64 }

func summarise(xs []float64) quartiles {
	s := stats.Sample{Xs: xs}
	return quartiles{s.Quantile(0.25), s.Quantile(0.5), s.Quantile(0.75)}
}

// ratio returns the quartiles of a's time divided by b's time in each round.
func ratio(a, b Entry) quartiles {
	return summarise(divide(a.NS, b.NS))
}

func spread(q quartiles) string { return digits(q.low) + "–" + digits(q.high) }

// String formats the ratio and marks it if the spread includes 1.
func (q quartiles) String() string {
	if q.low <= 1 && 1 <= q.high {
		return "≈ " + digits(q.median)
	}
	return digits(q.median)
}

// find returns the entry of a library if it has times.
func find(c Case, library string) (Entry, bool) {
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
