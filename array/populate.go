package array

import (
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// The first access to each page of a mapping is a page fault, even if the page is
// in memory. Linux maps several pages at a fault, but in a file system such as
// tmpfs, faults still take half as long as it takes to read the memory. To unmap
// the pages again takes a quarter of that time. A populator does both for a
// reader, in a goroutine on another processor: it maps the pages ahead of it, and
// drops those that it has passed.
//
// A page that is dropped stays in memory, and the next access to it is a page
// fault again. Nothing that was stored in it is lost, because the mapping is
// shared with the file.
type populator struct {
	b     []byte   // the mapping from its start
	drops bool     // whether it drops pages
	from  position // the reader has done what is before it
	to    position // the reader has received what is before it
	moved chan struct{}
	ends  atomic.Bool
	stops sync.Once
	end   chan struct{} // closed to end the goroutine
	done  chan struct{} // closed by the goroutine
}

// A position is how far a reader is: an offset, or the number of a piece. A goroutine
// can wait until the reader has reached another one.
type position struct {
	at, wanted atomic.Int64
}

// unwanted is the position that no reader reaches.
const unwanted = math.MaxInt64

// set changes the position, and sends to moved if it is the one that is wanted.
func (p *position) set(at int, moved chan struct{}) {
	p.at.Store(int64(at))
	if wanted := p.wanted.Load(); int64(at) >= wanted && p.wanted.CompareAndSwap(wanted, unwanted) {
		moved <- struct{}{}
	}
}

// reached makes a position wanted. It returns true if the reader has reached it; then
// it sends nothing.
func (p *position) reached(wanted int) bool {
	p.wanted.Store(int64(wanted))
	return p.at.Load() >= int64(wanted) && p.wanted.CompareAndSwap(int64(wanted), unwanted)
}

// sleepPatience is how long a goroutine sleeps before it ends. A loop that has panicked
// never continues, and one that is so slow does not need the goroutine.
const sleepPatience = time.Second

// sleep waits until the reader has reached a position. It returns false if the reader
// has ended or does not seem to go on.
func (p *position) sleep(wanted int, moved, end <-chan struct{}) bool {
	if p.reached(wanted) {
		return true
	}
	patience := time.NewTimer(sleepPatience)
	defer patience.Stop()
	select {
	case <-moved:
		return true
	case <-end:
	case <-patience.C:
	}
	return false
}

const (
	// populatePiece is how much one system call maps.
	populatePiece = 1 << 20
	// dropPiece is how much one system call drops. Each of them interrupts the other
	// processors, which must forget the pages, too.
	dropPiece = 4 << 20
	// populateAhead is how far the goroutine is ahead of what the reader has received.
	// A reader that stops early has not caused more work than this. For an array that
	// is shorter, starting a goroutine gains nothing.
	populateAhead = 16 << 20
	// populateWait is how often the goroutine looks where the reader is before it
	// sleeps. It takes some hundred microseconds, in which a fast reader goes on by
	// some MiB. To wake the goroutine takes time of the reader.
	populateWait = 1 << 18
)

// populate starts to map the pages of b, or returns nil if this gains nothing. If
// all is set, it maps all of them. Otherwise it stays ahead of a reader, which calls
// receives.
func populate(b []byte, all, drops bool) *populator {
	if !canPopulate || len(b) < populateAhead || runtime.GOMAXPROCS(0) == 1 {
		return nil
	}
	p := &populator{b: b, drops: drops, moved: make(chan struct{}, 1), end: make(chan struct{}), done: make(chan struct{})}
	p.from.wanted.Store(unwanted)
	p.to.wanted.Store(unwanted)
	if all {
		p.to.at.Store(int64(len(b)))
	}
	go p.run()
	return p
}

// run maps and drops pages until the reader ends or has everything. An error in
// mapping ends it, because without it everything works, too: old systems do not
// have the call, and a file that was cut short has no pages.
func (p *populator) run() {
	defer close(p.done)
	mapped, dropped := 0, 0
	for pieces, waits := 0, 0; !p.ends.Load(); {
		from, to := int(p.from.at.Load()), int(p.to.at.Load())
		switch {
		case mapped == len(p.b) && (!p.drops || dropped+dropPiece > len(p.b)):
			return
		case p.drops && dropped+dropPiece <= from && mapped >= min(from+dropPiece, len(p.b)):
			p.drops = dropPages(p.b[dropped:dropped+dropPiece]) == nil
			dropped += dropPiece
		case mapped < min(to+populateAhead, len(p.b)):
			mapped = max(mapped, from&^(populatePiece-1)) // do not stay behind the reader
			next := min(mapped+populatePiece, len(p.b))
			if mapped < next && populatePages(p.b[mapped:next]) != nil {
				return
			}
			mapped = next
		case waits < populateWait:
			waits++
			continue
		case mapped < len(p.b):
			if !p.to.sleep(mapped-populateAhead/2, p.moved, p.end) {
				return
			}
		default:
			// What is left at the end is not worth waking for.
			if dropped+populateAhead > len(p.b) || !p.from.sleep(dropped+populateAhead, p.moved, p.end) {
				return
			}
		}
		waits = 0
		if pieces++; pieces%32 == 0 {
			// The scheduler takes the processor away from a goroutine that makes system
			// calls for 10 ms without a call like this.
			runtime.Gosched()
		}
	}
}

// receives tells the goroutine that the reader receives what is between two
// offsets, and returns the offset at which to call again. It can be called on
// nil.
func (p *populator) receives(from, to int) (next int) {
	if p == nil {
		return math.MaxInt
	}
	p.from.set(from, p.moved)
	p.to.set(to, p.moved)
	return from + populatePiece
}

// stop ends the goroutine. It can be called on nil, and several times.
func (p *populator) stop() {
	if p == nil {
		return
	}
	p.stops.Do(func() {
		p.ends.Store(true)
		close(p.end)
	})
	<-p.done
}

// populators are those of a store that may be running. Close stops them, because
// they must not touch memory that is no longer part of the mapping.
type populators struct {
	sync.Mutex
	list   []*populator
	passes int // how many loops have begun
}

// ahead starts a populator for a loop over the mapping, or returns nil. Only that of
// the first loop drops pages: another one shows that the program uses the pages
// again.
func (s *store) ahead() *populator {
	if s.populator != nil {
		return nil // it maps everything
	}
	s.running.Lock()
	defer s.running.Unlock()
	p := populate(s.current[:s.end()], false, s.running.passes == 0)
	if p != nil {
		s.running.passes++
		s.running.list = append(slices.DeleteFunc(s.running.list, (*populator).ended), p)
	}
	return p
}

func (p *populator) ended() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// stopPopulators ends all populators.
func (s *store) stopPopulators() {
	s.populator.stop()
	s.running.Lock()
	defer s.running.Unlock()
	for _, p := range s.running.list {
		p.stop()
	}
	s.running.list = nil
}

// dropAll drops the pages of a mapping on two processors, so that unmapping it takes
// less time. An error does not matter.
func dropAll(b []byte) {
	half := len(b) / 2 &^ (dropPiece - 1)
	done := make(chan struct{})
	go func() {
		_ = dropPages(b[half:])
		close(done)
	}()
	_ = dropPages(b[:half])
	<-done
}
