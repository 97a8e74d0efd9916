package array

import (
	"runtime"
	"sync/atomic"
)

// A ring is a buffer through which a loop reads an array. The loop receives blocks,
// which have one or several chunks. A block is read in one or several pieces. For a
// large array, a second goroutine reads pieces ahead of the loop. To copy a piece
// from the page cache takes longer than to add its numbers, so the loop's goroutine
// also reads: whenever a piece that it needs is not ready, it reads the next one
// that nobody has taken. So neither of them waits for long, and each piece is
// converted by the processor that has read it.
//
// Also for a file that is mapped, this takes less time than to access the mapping:
// the buffer stays in the cache, and there are no page faults.
type ring struct {
	s      *store
	memory []byte
	length int // elements of the array
	block  int // elements of a block
	parts  int // pieces of a block
	blocks int // in the array
	slots  []slot

	next  atomic.Int64 // the first piece that nobody has taken
	freed position     // the loop no longer uses pieces before this one
	ends  atomic.Bool

	// A goroutine that has waited too long sleeps. The one that works then sends, to
	// moved when freed is the piece that is wanted, and to filled when it has read the
	// piece that is needed.
	needed        atomic.Int64
	moved, filled chan struct{}
	end           chan struct{} // closed to end the goroutine
	done          chan struct{} // closed by the goroutine; nil if there is none
}

// A slot is the place of a piece in the memory of a ring.
type slot struct {
	ready atomic.Int64 // the number of the piece that it has, plus one
	err   error
	_     [40]byte // keeps slots in cache lines of their own
}

const (
	// ringPiece is the size of a piece, more or less.
	ringPiece = 128 << 10
	// ringSize is the size of the memory, unless a chunk is larger.
	ringSize = 768 << 10
	// aheadSize is the size of an array for which a second goroutine reads, unless a
	// test changes it. For less, starting it gains little.
	aheadSize = 16 << 20
	// ringWait is how often a goroutine looks at a value before it sleeps. It takes some
	// tens of microseconds, a little longer than reading a piece.
	ringWait = 1 << 15
	// longRun is the number of pieces after which a goroutine calls runtime.Gosched.
	// From a goroutine that has made system calls for 10 ms without such a call, the
	// scheduler takes the processor away in every call. A longRun takes about a
	// millisecond.
	longRun = 64
)

// readsAhead reports whether two goroutines read the array.
func (s *store) readsAhead() bool {
	return int64(s.Len)*int64(s.e.size) >= s.large && runtime.GOMAXPROCS(0) > 1
}

// newRing returns a ring for the elements in chunks of n, and how many elements its
// memory must have.
func (s *store) newRing(n int) (r *ring, room int) {
	r = &ring{s: s, length: s.Len}
	r.freed.wanted.Store(unwanted)
	r.needed.Store(unwanted)
	if r.length == 0 {
		return r, 0
	}
	n = min(n, r.length)
	r.block = n * max(1, min(ringPiece/s.e.size, r.length)/n)
	r.blocks = (r.length-1)/r.block + 1
	r.parts = 1
	several := 1 // blocks in the ring
	if s.readsAhead() {
		size := int64(r.block) * int64(s.e.size)
		r.parts = int((size-1)/ringPiece) + 1
		several = int(max(1, min(8, ringSize/size)))
	}
	r.slots = make([]slot, several*r.parts)
	return r, several * r.block
}

// start gives the ring its memory, and starts the second goroutine if it is useful.
func (r *ring) start(memory []byte) {
	r.memory = memory
	if len(r.slots) > 1 {
		r.begin()
		go r.readAhead()
	}
}

// begin prepares the ring for two goroutines.
func (r *ring) begin() {
	r.moved, r.filled = make(chan struct{}, 1), make(chan struct{}, 1)
	r.end, r.done = make(chan struct{}), make(chan struct{})
}

// stop ends the second goroutine.
func (r *ring) stop() {
	if len(r.slots) > 1 {
		r.ends.Store(true)
		close(r.end)
		<-r.done
	}
}

// place returns the elements of piece i, and where they are in the memory.
func (r *ring) place(i int) (from, to, at int) {
	block := i / r.parts
	first := block * r.block
	n := min(r.block, r.length-first)
	part, more := n/r.parts, n%r.parts
	from = first + i%r.parts*part + min(i%r.parts, more)
	to = from + part
	if i%r.parts < more {
		to++
	}
	return from, to, block%(len(r.slots)/r.parts)*r.block + from - first
}

// take returns a piece that the caller must read, if there is one and its slot is
// free.
func (r *ring) take() (i int, ok bool) {
	for {
		next := r.next.Load()
		if next >= int64(r.blocks*r.parts) || next >= r.freed.at.Load()+int64(len(r.slots)) {
			return int(next), false
		}
		if r.next.CompareAndSwap(next, next+1) {
			return int(next), true
		}
	}
}

// fill reads piece i. The slot must not be used afterwards, because the loop may
// already have given it to another piece.
func (r *ring) fill(i int) (err error) {
	slot := &r.slots[i%len(r.slots)]
	from, to, at := r.place(i)
	b := r.memory[at*r.s.e.size:][:(to-from)*r.s.e.size]
	if r.done == nil {
		err = r.s.load(b, from)
	} else {
		// The second goroutine must not touch the mapping, because Guard does not cover it.
		_, err = r.s.read(b, r.s.at(from))
	}
	slot.err = err
	slot.ready.Store(int64(i) + 1)
	if r.needed.Load() == int64(i) && r.needed.CompareAndSwap(int64(i), unwanted) {
		r.filled <- struct{}{}
	}
	return err
}

// receive returns the memory of a block. The caller asks for all blocks in order, and
// no longer uses those before.
func (r *ring) receive(block int) ([]byte, error) {
	first := block * r.parts
	r.freed.set(first, r.moved)
	for i := range r.parts {
		if err := r.await(first + i); err != nil {
			return nil, err
		}
	}
	_, _, at := r.place(first)
	return r.memory[at*r.s.e.size:][:min(r.block, r.length-block*r.block)*r.s.e.size], nil
}

// await waits until piece i is there, and reads pieces in the meantime.
func (r *ring) await(i int) error {
	slot := &r.slots[i%len(r.slots)]
	for waits := 0; slot.ready.Load() != int64(i)+1; {
		if next, ok := r.take(); ok {
			_ = r.fill(next) // slot.err has the error when its turn comes
			if waits = 0; next%longRun == 0 {
				runtime.Gosched()
			}
			continue
		}
		// The other goroutine is reading it.
		if waits++; waits < ringWait {
			continue
		}
		r.needed.Store(int64(i))
		if slot.ready.Load() != int64(i)+1 || !r.needed.CompareAndSwap(int64(i), unwanted) {
			<-r.filled
		}
	}
	return slot.err
}

// readAhead reads pieces until there are no more, until one fails, or until the loop
// ends.
func (r *ring) readAhead() {
	defer close(r.done)
	for waits, read := 0, 0; !r.ends.Load(); {
		i, ok := r.take()
		switch {
		case ok:
			if r.fill(i) != nil {
				return
			}
			waits = 0
			if read++; read%longRun == 0 {
				runtime.Gosched()
			}
		case i >= r.blocks*r.parts:
			return
		default:
			if waits++; waits < ringWait {
				continue
			}
			// Sleep until half of the slots are free.
			if !r.freed.sleep(i-len(r.slots)/2, r.moved, r.end) {
				return
			}
			waits = 0
		}
	}
}
