package binary

import (
	"os"
	"runtime"

	"github.com/octet-go/octet/internal/mem"
)

// overlapSize is the size from which data for a file is encoded and written at
// the same time, by two goroutines. For less, starting a goroutine and passing
// pieces between processors gains nothing. Variables of this size are never on
// a stack, so another goroutine may use the memory even if it is hidden from
// escape analysis.
const overlapSize = 16 << 20

// overlapPieces is the number of pieces of overlapPiece bytes between the two
// goroutines. Small pieces stay in the cache that the processors share. Together
// they have 128 KiB: the buffer for files and a pooled one.
const (
	overlapPiece  = 32 << 10
	overlapPieces = 2 * oneCall / overlapPiece
)

// overlaps reports whether n values of l are encoded and written at the same
// time. The methods of a custom order are only called by the caller's goroutine.
func (l *layout) overlaps(order ByteOrder, n int) bool {
	return n >= overlapSize/l.size && l.size <= overlapPiece && endianOf(order) != custom && runtime.GOMAXPROCS(0) > 1
}

// writeOverlapped writes n values to f. The caller holds fileChunk. It returns
// the number of bytes written.
func writeOverlapped(f *os.File, order ByteOrder, l *layout, p mem.Ptr, n int) (int, error) {
	second := largePool.Get().(*[oneCall]byte)
	defer largePool.Put(second)
	var pieces [overlapPieces][]byte
	for i := range pieces {
		at := i / 2 * overlapPiece
		pieces[i] = [2]*[oneCall]byte{&fileChunk.bytes, second}[i%2][at:][:overlapPiece]
	}
	// Both channels have room for all pieces, so that sending never waits.
	empty, encoded := make(chan []byte, overlapPieces), make(chan []byte, overlapPieces)
	for _, b := range pieces {
		empty <- b
	}
	go func() {
		defer close(encoded)
		per := overlapPiece / l.size
		for i := 0; i < n; i += per {
			b, ok := <-empty
			if !ok {
				return
			}
			k := min(per, n-i)
			l.encode(mem.Bytes(b), p.Add(uintptr(i*l.mem)), k, order)
			encoded <- b[:k*l.size]
		}
	}()
	total := 0
	var err error
	for b := range encoded {
		if err != nil {
			continue // wait for the other goroutine, which uses the caller's memory
		}
		var written int
		written, err = f.Write(b)
		total += written
		if err == nil && written != len(b) {
			err = shortWrite(written, len(b))
		}
		if err != nil {
			close(empty)
			continue
		}
		empty <- b[:cap(b)]
	}
	return total, err
}
