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

// overlaps reports whether two goroutines write n values of l to f. They write at
// offsets, so f must be a regular file that is not opened for appending. The
// methods of a custom order are only called by the caller's goroutine.
func (l *layout) overlaps(f *os.File, order ByteOrder, n int) bool {
	if n < overlapSize/l.size || endianOf(order) == custom || runtime.GOMAXPROCS(0) == 1 || appends(f) {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode().IsRegular()
}

// An overlap is what the two goroutines share. Each of them takes the next piece,
// encodes it into its own buffer and writes it. Passing encoded pieces from one
// goroutine to the other takes longer: each piece needs two signals, and moves
// between the caches of two processors.
type overlap struct {
	to     io.WriterAt
	start  int64 // where the values begin in the file
	order  ByteOrder
	layout *layout
	p      mem.Ptr
	n, per int // values, and values in a piece
	skew   int // how many values the first piece is shorter

	next atomic.Int64 // the next piece
	sync.Mutex
	end int // the number of bytes before the first error
	err error
}

// writeOverlapped writes n values to f. The caller holds fileChunk. It returns
// the number of bytes that were written without a gap.
func writeOverlapped(f *os.File, order ByteOrder, l *layout, p mem.Ptr, n int) (int, error) {
	start, err := f.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	o := overlap{to: f, start: start, order: order, layout: l, p: p, n: n, per: oneCall / l.size, end: n * l.size}
	// Pieces that end at a page are faster than pieces that share pages, for
	// example after a header.
	o.skew = int(start%oneCall) / l.size
	o.run()
	if _, err := f.Seek(start+int64(o.end), io.SeekStart); o.err == nil {
		o.err = err
	}
	return o.end, o.err
}

// run writes all pieces.
func (o *overlap) run() {
	second := largePool.Get().(*[oneCall]byte)
	defer largePool.Put(second)
	done := make(chan struct{})
	go func() {
		o.write(second[:])
		close(done)
	}()
	o.write(fileChunk.bytes[:])
	<-done // the other goroutine uses the caller's memory
}

// write writes pieces through b until there are no more, or until one fails.
func (o *overlap) write(b []byte) {
	l := o.layout
	for {
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
		at := first * l.size
		written, err := o.to.WriteAt(b[:k*l.size], o.start+int64(at))
		if err != nil {
			o.Lock()
			// All pieces before this one have been taken and are being written.
			if o.err == nil || at+written < o.end {
				o.end, o.err = at+written, err
			}
			o.Unlock()
			o.next.Store(int64(o.n)) // there are no more pieces
			return
		}
	}
}
