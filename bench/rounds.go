package main

import (
	"math/rand/v2"
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
	base   string        // the library that the printed tables compare with
	seed   uint64        // of the order in which the libraries take their turns
	order  *rand.Rand
	step   func() // called after each round
}

// watched is the encoded size from which on the peak of memory is measured.
const watched = 1 << 20

// race lets every library have its turn in each round, so that whatever else the machine does meets all of them
// alike. The order changes from round to round, because a library may find memory and caches as its predecessor left
// them. A library that has no such call does not appear.
func race(verb string, entries []entry, p pace) ([]Entry, error) {
	var list, absent []Entry
	var loops []loop
	var turns []int
	var alone []*figuresOfCall
	for _, e := range entries {
		run := e.loops[verb]
		if run == nil {
			if e.loops == nil {
				absent = append(absent, Entry{Library: e.library, Note: e.note})
			}
			continue
		}
		t := Entry{Library: e.library, Size: e.size, Note: e.note}
		n := 1
		if e.alone == nil {
			var err error
			if n, err = t.survey(run, p.turn); err != nil {
				return nil, err
			}
		}
		list, loops, turns, alone = append(list, t), append(loops, run), append(turns, n), append(alone, e.alone)
	}
	for range p.rounds {
		for _, i := range p.order.Perm(len(list)) {
			// Nobody pays for the garbage of the one before.
			runtime.GC()
			start := time.Now()
			if err := loops[i](turns[i]); err != nil {
				return nil, err
			}
			ns := float64(time.Since(start)) / float64(turns[i])
			if f := alone[i]; f != nil {
				ns, list[i].Bytes, list[i].Allocs, list[i].Size = f.NS, f.Bytes, f.Allocs, f.Size
			}
			list[i].NS = append(list[i].NS, round(ns))
		}
		p.step()
	}
	return append(list, absent...), nil
}

// survey returns how many operations fill a turn, and notes what one of them allocates. The first operation may
// fill caches, pools and buffers, so it counts only if it takes a second or more: then it is the only one.
func (e *Entry) survey(run loop, turn time.Duration) (n int, err error) {
	large := e.Size >= watched
	d, err := e.allocate(run, 1, large)
	if err == nil && d > turn && d < time.Second {
		d, err = e.allocate(run, 1, large)
	}
	if err != nil || d > turn {
		return 1, err
	}
	for n = 1; ; n *= 2 {
		if d, err = e.allocate(run, n, false); err != nil {
			return 0, err
		}
		if d > turn/4 {
			break
		}
	}
	n = max(1, int(float64(n)*float64(turn)/float64(d)))
	if large {
		if _, err := e.allocate(run, 1, true); err != nil {
			return 0, err
		}
	}
	_, err = e.allocate(run, n, false)
	return n, err
}

// allocate times n operations, and notes what the runtime says was allocated in each of them. If watch is set, it
// also notes how much more heap was in use than before.
func (e *Entry) allocate(run loop, n int, watch bool) (time.Duration, error) {
	peak := func() int64 { return e.Peak }
	if watch {
		runtime.GC()
		peak = watchHeap()
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	start := time.Now()
	err := run(n)
	d := time.Since(start)
	runtime.ReadMemStats(&after)
	e.Peak = peak()
	e.Bytes = round(float64(after.TotalAlloc-before.TotalAlloc) / float64(n))
	e.Allocs = round(float64(after.Mallocs-before.Mallocs) / float64(n))
	return d, err
}

// watchHeap looks at the heap in use every tenth of a millisecond until the function that it returns is called,
// which looks once more and says by how much it was larger than at first. Garbage counts: memory that the
// collector has not come to yet is memory that the machine must have.
func watchHeap() (peak func() int64) {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	inUse := func() int64 {
		metrics.Read(sample)
		return int64(sample[0].Value.Uint64())
	}
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
	return func() int64 {
		stop <- true
		return <-highest - before
	}
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
