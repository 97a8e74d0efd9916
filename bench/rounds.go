package main

import (
	"runtime"
	"runtime/metrics"
	"time"

	"github.com/aclements/go-moremath/stats"
)

// pace is how much is measured.
type pace struct {
	rounds int           // how often each library has its turn
	turn   time.Duration // about how long one turn takes
	quick  bool          // nothing large
	step   func()        // called after each round
}

// watched is the encoded size from which on the peak of memory is measured.
const watched = 1 << 20

// race lets every library have its turn in each round, each time beginning with the next one, so that whatever
// else the machine does meets all of them alike. A library that has no such call does not appear.
func race(verb string, entries []entry, p pace) ([]Entry, error) {
	var list, absent []Entry
	var loops []loop
	var turns []int
	for _, e := range entries {
		run := e.loops[verb]
		if run == nil {
			if e.loops == nil {
				absent = append(absent, Entry{Library: e.library, Note: e.note})
			}
			continue
		}
		n, err := calibrate(run, p.turn)
		if err != nil {
			return nil, err
		}
		t := Entry{Library: e.library, Size: e.size, Note: e.note}
		if t.Bytes, t.Allocs, err = allocated(run, n); err != nil {
			return nil, err
		}
		if e.size >= watched {
			if t.Peak, err = peak(run); err != nil {
				return nil, err
			}
		}
		list, loops, turns = append(list, t), append(loops, run), append(turns, n)
	}
	for r := range p.rounds {
		for i := range list {
			i = (i + r) % len(list)
			// Nobody pays for the garbage of the one before.
			runtime.GC()
			start := time.Now()
			if err := loops[i](turns[i]); err != nil {
				return nil, err
			}
			list[i].NS = append(list[i].NS, round(float64(time.Since(start))/float64(turns[i])))
		}
		p.step()
	}
	return append(list, absent...), nil
}

// calibrate returns how many operations fill a turn.
func calibrate(run loop, turn time.Duration) (int, error) {
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

func allocated(run loop, n int) (bytes, allocs float64, err error) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = run(n)
	runtime.ReadMemStats(&after)
	return round(float64(after.TotalAlloc-before.TotalAlloc) / float64(n)), round(float64(after.Mallocs-before.Mallocs) / float64(n)), err
}

// peak returns how much more heap was in use during one operation than before it, garbage included: memory that
// the collector has not come to yet is memory that the machine must have. It looks every tenth of a millisecond,
// and at the end.
func peak(run loop) (int64, error) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	inUse := func() int64 {
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
	runtime.GC()
	before := inUse()
	stop, highest := make(chan bool), make(chan int64)
	go func() {
		most := before
		for {
			select {
			case <-stop:
				highest <- max(most, inUse())
				return
			default:
				time.Sleep(100 * time.Microsecond)
				most = max(most, inUse())
			}
		}
	}()
	err := run(1)
	stop <- true
	return <-highest - before, err
}

// quartiles of a sample; the middle one is the median.
type quartiles struct{ low, median, high float64 }

func summarise(xs []float64) quartiles {
	s := stats.Sample{Xs: xs}
	return quartiles{s.Quantile(0.25), s.Quantile(0.5), s.Quantile(0.75)}
}

// ratio sums up a's time as a share of b's, taken within each round.
func ratio(a, b Entry) quartiles {
	return summarise(divide(a.NS, b.NS))
}
