package binary

import (
	"io"
	"os"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/octet-go/octet/internal/mem"
)

// overlapSize is the size from which two goroutines encode and write data for a
// file, so that one encodes while the other writes. For less, starting a
// goroutine gains nothing. Variables of this size are never on a stack, so
// another goroutine may use the memory even if it is hidden from escape analysis.
const overlapSize = 16 << 20

// overlapPiece is the size of the pieces. Two of them, with what a goroutine and
// its thread take, stay below 128 KiB. Larger pieces gain little.
const overlapPiece = 48 << 10

// overlaps reports whether two goroutines write n values of l to f. They write at
// offsets, so f must be a regular file that is not opened for appending. The
// methods of a custom order are only called by the caller's goroutine.
func (l *layout) overlaps(f *os.File, order ByteOrder, n int) bool {
	if n < overlapSize/l.size || l.size > overlapPiece || endianOf(order) == custom || runtime.GOMAXPROCS(0) == 1 || appends(f) {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// An overlap is what the two goroutines share. Each of them takes the next piece,
// encodes it into its own buffer and writes it, so that the system reads it from
// the cache of the processor that encoded it. Passing encoded pieces from one
// goroutine to the other takes longer.
//
// The system lets only one goroutine at a time write to a file, and puts the
// other one to sleep. Waking it takes as long as writing a piece. Therefore each
// piece is written under the lock of the overlap, and a goroutine waits for it
// awake. If that takes too long in total, because other programs use the
// processors, the goroutine that was started ends and the caller's goes on alone.
type overlap struct {
	to     io.WriterAt
	start  int64 // where the values begin in the file
	order  ByteOrder
	layout *layout
	p      mem.Ptr
	n, per int // values, and values in a piece
	skew   int // how many values the first piece is shorter

	next     atomic.Int64 // the next piece
	patience atomic.Int64 // how often a goroutine may go on waiting awake

	sync.Mutex     // held while writing
	end        int // the number of bytes before the first error
	err        error
}

const (
	// shortWait is how often a goroutine tries to get the lock. This takes some
	// tens of microseconds, a little longer than writing a piece to the page cache.
	shortWait = 1 << 16
	// impatience is the number of pieces for each of which a goroutine may wait
	// for another shortWait. It bounds what waiting can cost.
	impatience = 8
	// longRun is the number of pieces after which a goroutine calls
	// runtime.Gosched. From a goroutine that has made system calls for 10 ms and was
	// never scheduled, the scheduler takes the processor away in every call, if
	// all others are in use. A longRun takes about a millisecond.
	longRun = 32
)

// writeOverlapped writes n values to f. The caller holds fileChunk. It returns
// the number of bytes that were written without a gap.
func writeOverlapped(f *os.File, order ByteOrder, l *layout, p mem.Ptr, n int) (int, error) {
	start, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	o := newOverlap(f, start, order, l, p, n)
	o.run()
	if _, err := f.Seek(start+int64(o.end), io.SeekStart); o.err == nil {
		o.err = err
	}
	return o.end, o.err
}

func newOverlap(to io.WriterAt, start int64, order ByteOrder, l *layout, p mem.Ptr, n int) *overlap {
	o := &overlap{to: to, start: start, order: order, layout: l, p: p, n: n, per: overlapPiece / l.size, end: n * l.size}
	// Pieces that end at a page are faster than pieces that share pages, for
	// example after a header.
	o.skew = int(start%overlapPiece) / l.size
	o.patience.Store(int64(n / o.per / impatience))
	return o
}

// run writes all pieces.
func (o *overlap) run() {
	second := largePool.Get().(*[oneCall]byte)
	defer largePool.Put(second)
	done := make(chan struct{})
	go func() {
		o.write(second[:overlapPiece], func() bool { return o.patience.Load() >= 0 })
		close(done)
	}()
	o.write(fileChunk.bytes[:overlapPiece], func() bool { return true })
	<-done // the other goroutine uses the caller's memory
}

// write writes pieces through b until there are no more, until one fails, or
// until goesOn returns false.
func (o *overlap) write(b []byte, goesOn func() bool) {
	l := o.layout
	for pieces := 1; goesOn(); pieces++ {
		if pieces%longRun == 0 {
			runtime.Gosched()
		}
		i := int(o.next.Add(1) - 1)
		if i > o.n/o.per+1 {
			return
		}
		first := max(0, i*o.per-o.skew)
		k := min((i+1)*o.per-o.skew, o.n) - first
		if k <= 0 {
			return
		}
		l.encode(mem.Bytes(b), o.p.Add(uintptr(first*l.mem)), k, o.order)
		if !o.put(b[:k*l.size], first*l.size) {
			return
		}
	}
}

// put writes b at an offset from the start of the values. It returns false after
// an error.
func (o *overlap) put(b []byte, at int) bool {
	o.wait()
	defer o.Unlock()
	// All pieces before this one have been taken and are being written. If a piece
	// before it has failed, writing this one would leave a gap in the file.
	if o.err != nil && at >= o.end {
		return false
	}
	written, err := o.to.WriteAt(b, o.start+int64(at))
	if err != nil {
		o.end, o.err = at+written, err
		o.next.Store(int64(o.n)) // there are no more pieces
		return false
	}
	return true
}

// wait gets the lock. It waits awake at first.
func (o *overlap) wait() {
	for {
		for range shortWait {
			if o.TryLock() {
				return
			}
		}
		if o.patience.Add(-1) < 0 {
			o.Lock()
			return
		}
	}
}
