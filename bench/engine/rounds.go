package engine

import (
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"runtime/metrics"
	"time"
)

// Effort controls how much is measured.
type Effort struct {
	Rounds int           // number of rounds
	Turn   time.Duration // approximate duration of one turn
	Quick  bool          // skip large cases
	Base   string        // the library for the ratios in the printed tables
	Seed   uint64        // seed for the order of the libraries
	Order  *rand.Rand
	Wall   bool   // measure only the time on the clock
	Step   func() // called after each round
}

// minPeakSize is the encoded size from which the peak of memory is measured.
const minPeakSize = 1 << 20

// TimeInTurns gives every library one turn in each round, so that other activity of the machine affects all equally.
// The order changes from round to round, because the previous library influences memory and caches. A library
// without the call is omitted.
func TimeInTurns(verb string, entries []Peer, p Effort) ([]Entry, error) {
	var list, absent []Entry
	var loops []Loop
	var alone []*CallFigures
	for _, e := range entries {
		run := e.Loops[verb]
		if run == nil {
			if e.Loops == nil {
				absent = append(absent, Entry{Library: e.Library, Note: e.Note})
			}
			continue
		}
		t := Entry{Library: e.Library, Size: e.Size, Note: e.Note, Turn: max(e.Turn, 1)}
		var err error
		switch {
		case e.Turn > 0:
			err = run((e.Turn + 3) / 4) // fills caches, pools and buffers
		case e.Alone == nil:
			t.Turn, err = t.survey(run, p.Turn)
		}
		if err != nil {
			return nil, err
		}
		list, loops, alone = append(list, t), append(loops, run), append(alone, e.Alone)
	}
	var garbage garbage
	for range p.Rounds {
		for _, i := range p.Order.Perm(len(list)) {
			e := &list[i]
			garbage.collect()
			cpu, start := ProcessorTime(), time.Now()
			if err := loops[i](e.Turn); err != nil {
				return nil, err
			}
			elapsed, used := time.Since(start), ProcessorTime()-cpu
			if f := alone[i]; f != nil {
				elapsed, used, e.Bytes, e.Allocs, e.Size = time.Duration(f.NS), 0, f.Bytes, f.Allocs, f.Size
			}
			e.NS = append(e.NS, Round(float64(elapsed)/float64(e.Turn)))
			if used > 0 && !p.Wall {
				e.CPU = append(e.CPU, Round(float64(used)/float64(e.Turn)))
			}
		}
		p.Step()
	}
	for i := range list {
		// A coarse clock may show no progress in a short turn.
		if len(list[i].CPU) < len(list[i].NS) {
			list[i].CPU = nil
		}
	}
	return append(list, absent...), nil
}

// minGarbage is a quarter of the smallest growth of the heap after which the runtime collects.
const minGarbage = 1 << 20

// garbage knows how much was allocated when the heap was last collected.
type garbage struct{ allocated uint64 }

// collect collects the garbage of the previous libraries, if it is more than a quarter of what the runtime collects
// itself, which is as much as is alive, and at least four megabytes. With less, the library whose turn follows collects
// hardly earlier than it would alone. collect returns when the collection is complete, so none of it is part of the turn.
func (g *garbage) collect() {
	sample := [...]metrics.Sample{{Name: "/gc/heap/allocs:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample[:])
	if now := sample[0].Value.Uint64(); now-g.allocated > max(minGarbage, sample[1].Value.Uint64()/4) {
		runtime.GC()
		g.allocated = now
	}
}

// survey returns the number of operations in a turn, and records what one operation allocates. The first operation
// may fill caches, pools and buffers, so it is ignored unless it takes a second or more. In that case it is the
// only one.
func (e *Entry) survey(run Loop, turn time.Duration) (n int, err error) {
	large := e.Size >= minPeakSize
	d, err := e.allocate(run, 1, large)
	if err != nil || d >= time.Second {
		return 1, err
	}
	for n = 1; ; n *= 2 {
		if d, err = e.exceeds(run, n, turn/4, large && n == 1); err != nil {
			return 0, err
		}
		if d > turn/4 {
			break
		}
	}
	n = max(1, int(float64(n)*float64(turn)/float64(d)))
	if n > 1 {
		_, err = e.allocate(run, n, false)
	}
	return n, err
}

// An operation must exceed its share of a turn this often before it counts: a pause of the machine makes any operation
// slow once, and its turns would be too short to time. No pause is as long as noPause.
const (
	surveys = 3
	noPause = 100 * time.Millisecond
)

// exceeds times n operations, again if they take longer than limit, and returns the shortest duration.
func (e *Entry) exceeds(run Loop, n int, limit time.Duration, watch bool) (shortest time.Duration, err error) {
	for i := range surveys {
		d, err := e.allocate(run, n, watch)
		if err != nil {
			return 0, err
		}
		if i == 0 || d < shortest {
			shortest = d
		}
		if shortest <= limit || shortest >= noPause {
			break
		}
	}
	return shortest, nil
}

// allocate times n operations and records the allocations per operation. If watch is set, it also records the
// increase of the heap in use.
func (e *Entry) allocate(run Loop, n int, watch bool) (time.Duration, error) {
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
	e.Bytes = Round(float64(after.TotalAlloc-before.TotalAlloc) / float64(n))
	e.Allocs = Round(float64(after.Mallocs-before.Mallocs) / float64(n))
	return d, err
}

// watchHeap reads the size of the heap in use every tenth of a millisecond, until the returned function is called.
// That function reads it once more and returns the maximum increase. Garbage that has not been collected counts,
// because the machine must have memory for it.
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

// OrderOf returns the random source for the orders in one case. They do not depend on the other cases of a run.
func OrderOf(seed uint64, name string) *rand.Rand {
	h := fnv.New64a()
	h.Write([]byte(name))
	return rand.New(rand.NewPCG(seed, h.Sum64()))
}
