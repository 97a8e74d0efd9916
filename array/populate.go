package array

import (
	"math"
	"runtime"
	"sync/atomic"
	"time"
)

// The first access to each page of a mapping is a page fault, even if the page is
// in memory. Linux maps several pages at a fault, but in a file system such as
// tmpfs, faults still take half as long as it takes to read the memory. A
// populator maps the pages ahead of a reader, in a goroutine on another
// processor.
type populator struct {
	b     []byte       // the mapping from its start
	from  atomic.Int64 // the reader has done what is before this offset
	to    atomic.Int64 // the reader has received what is before this offset
	wake  atomic.Int64 // the reader sends to moved when it receives more
	moved chan struct{}
	ends  atomic.Bool
	end   chan struct{} // closed to end the goroutine
	done  chan struct{} // closed by the goroutine
}

const (
	// populatePiece is how much one system call maps.
	populatePiece = 1 << 20
	// populateFirst is how far the goroutine goes at first. Whenever the reader has
	// received half, it goes twice as far. So a reader that stops early has not caused
	// much work, and the goroutine, which is faster than most readers, seldom sleeps.
	// For less than this, starting a goroutine gains nothing.
	populateFirst = 16 << 20
	// populatePatience is how long the goroutine waits for the reader before it
	// ends. A loop that has panicked never continues, and one that is so slow does
	// not need it.
	populatePatience = time.Second
)

// populate starts to map the pages of b, or returns nil if this gains nothing. A
// populator that is not in a hurry waits for calls of receives.
func populate(b []byte, hurry bool) *populator {
	if !canPopulate || len(b) < populateFirst || runtime.GOMAXPROCS(0) == 1 {
		return nil
	}
	p := &populator{b: b, moved: make(chan struct{}, 1), end: make(chan struct{}), done: make(chan struct{})}
	p.wake.Store(math.MaxInt64)
	limit := populateFirst
	if hurry {
		limit = len(b)
	}
	go p.run(limit)
	return p
}

// run maps pages. Any error ends it, because without it everything works, too:
// old systems do not have the call, and a file that was cut short has no pages.
func (p *populator) run(limit int) {
	defer close(p.done)
	pieces := 0
	for i := 0; i < len(p.b); {
		if i >= limit {
			if !p.sleep(int64(limit / 2)) {
				return
			}
			limit *= 2
		}
		if p.ends.Load() {
			return
		}
		// Do not stay behind the reader.
		i = max(i, int(p.from.Load())&^(populatePiece-1))
		next := min(i+populatePiece, len(p.b))
		if i < next && populatePages(p.b[i:next]) != nil {
			return
		}
		i = next
		if pieces++; pieces%32 == 0 {
			// The scheduler takes the processor away from a goroutine that makes system
			// calls for 10 ms without a call like this.
			runtime.Gosched()
		}
	}
}

// sleep waits until the reader has received what is before offset wake. It returns
// false if the reader has ended or does not seem to go on.
func (p *populator) sleep(wake int64) bool {
	p.wake.Store(wake)
	if p.to.Load() >= wake && p.wake.CompareAndSwap(wake, math.MaxInt64) {
		return true
	}
	patience := time.NewTimer(populatePatience)
	defer patience.Stop()
	select {
	case <-p.moved:
		return true
	case <-p.end:
	case <-patience.C:
	}
	return false
}

// receives tells the goroutine that the reader receives what is between two
// offsets, and returns the offset at which to call again. It can be called on
// nil.
func (p *populator) receives(from, to int) (next int) {
	if p == nil {
		return math.MaxInt
	}
	p.from.Store(int64(from))
	p.to.Store(int64(to))
	if wake := p.wake.Load(); int64(to) >= wake && p.wake.CompareAndSwap(wake, math.MaxInt64) {
		p.moved <- struct{}{}
	}
	return from + populatePiece
}

// stop ends the goroutine. It can be called on nil.
func (p *populator) stop() {
	if p == nil {
		return
	}
	p.ends.Store(true)
	close(p.end)
	<-p.done
}
