package main

import (
	"runtime"
	"time"

	"github.com/aclements/go-moremath/stats"
)

// timing is what was measured of one library at one operation.
type timing struct {
	library string
	ns      []float64 // per operation, one figure a round
	bytes   float64   // allocated per operation
	allocs  float64
}

// race lets every library have its turn in each round, each time beginning with the next one, so that whatever
// else the machine does meets all of them alike. A turn takes about as long as given.
func race(v verb, entries []entry, rounds int, turn time.Duration) ([]timing, error) {
	var list []timing
	var runs []func(n int) error
	var turns []int
	for _, e := range entries {
		run := v.of(e)
		if run == nil {
			continue
		}
		n, err := calibrate(run, turn)
		if err != nil {
			return nil, err
		}
		t := timing{library: e.library}
		if t.bytes, t.allocs, err = allocated(run, n); err != nil {
			return nil, err
		}
		list, runs, turns = append(list, t), append(runs, run), append(turns, n)
	}
	for round := range rounds {
		for i := range list {
			i = (i + round) % len(list)
			// Nobody pays for the garbage of the one before.
			runtime.GC()
			start := time.Now()
			if err := runs[i](turns[i]); err != nil {
				return nil, err
			}
			list[i].ns = append(list[i].ns, float64(time.Since(start))/float64(turns[i]))
		}
	}
	return list, nil
}

// calibrate returns how many operations fill a turn.
func calibrate(run func(n int) error, turn time.Duration) (int, error) {
	for n := 1; ; n *= 2 {
		start := time.Now()
		if err := run(n); err != nil {
			return 0, err
		}
		if d := time.Since(start); d > turn/4 {
			return max(1, int(float64(n)*float64(turn)/float64(d))), nil
		}
	}
}

func allocated(run func(n int) error, n int) (bytes, allocs float64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = run(n)
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc-before.TotalAlloc) / float64(n), float64(after.Mallocs-before.Mallocs) / float64(n), err
}

// quartiles of a sample; the middle one is the median.
type quartiles struct{ low, median, high float64 }

func summarise(xs []float64) quartiles {
	s := stats.Sample{Xs: xs}
	return quartiles{s.Quantile(0.25), s.Quantile(0.5), s.Quantile(0.75)}
}

// ratio sums up a's time as a share of b's, taken within each round.
func ratio(a, b timing) quartiles {
	shares := make([]float64, len(a.ns))
	for i := range shares {
		shares[i] = a.ns[i] / b.ns[i]
	}
	return summarise(shares)
}
