package binary

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"strings"
	"sync"

	"github.com/octet-go/octet/bytebuf"
	"github.com/octet-go/octet/internal/mem"
)

// Readers and writers may do anything with the memory that they receive during
// a call, even pass it to another goroutine, so it must not be on a stack. It
// comes from pools. Most data is a struct of less than 512 bytes, which stays
// in the nearest cache. Data larger than oneCall is processed in pieces of 32
// KiB.
const (
	tinySize  = 64
	smallSize = 512
	chunkSize = 32 << 10

	// oneCall is the maximum size of data that Write writes with one call, and
	// that Read reads before it decodes. No datagram is larger, so the pieces
	// of larger data make no visible difference.
	oneCall = 64 << 10
)

var (
	smallPool = sync.Pool{New: func() any { return new([smallSize]byte) }}
	chunkPool = sync.Pool{New: func() any { return new([chunkSize]byte) }}
	largePool = sync.Pool{New: func() any { return new([oneCall]byte) }}
)

// fileChunk is the buffer for pieces of large data that are written to a file.
// Each write to a file is a system call, so large pieces are better, especially
// powers of two, which match the page cache. The program has one such buffer; a
// write that finds it in use takes a chunk as for any other writer.
var fileChunk struct {
	sync.Mutex
	bytes [64 << 10]byte
}

// getScratch returns n bytes of undefined content. Return them with putScratch.
func getScratch(n int) []byte {
	switch {
	case n <= smallSize:
		return smallPool.Get().(*[smallSize]byte)[:n]
	case n <= chunkSize:
		return chunkPool.Get().(*[chunkSize]byte)[:n]
	case n <= oneCall:
		return largePool.Get().(*[oneCall]byte)[:n]
	}
	return make([]byte, n)
}

func putScratch(b []byte) {
	switch cap(b) {
	case smallSize:
		smallPool.Put((*[smallSize]byte)(b[:smallSize]))
	case chunkSize:
		chunkPool.Put((*[chunkSize]byte)(b[:chunkSize]))
	case oneCall:
		largePool.Put((*[oneCall]byte)(b[:oneCall]))
	}
}

// piece returns the number of values of l to process at once: all n if they
// take at most limit bytes, otherwise as many as fit in a chunk.
func (l *layout) piece(n, limit int) int {
	if n*l.size > limit && l.size <= chunkSize {
		return chunkSize / l.size
	}
	return n
}

// writeValues writes n values to w. It encodes directly into the buffers of
// well-known writers. For others it uses scratch memory, and one call for up to
// limit bytes. It returns the number of bytes written.
func writeValues(w io.Writer, order ByteOrder, l *layout, p mem.Ptr, n, limit int) (int, error) {
	size := n * l.size
	switch w := w.(type) {
	case *bytes.Buffer:
		w.Grow(size)
		b := w.AvailableBuffer()[:size]
		l.encode(mem.Bytes(b), p, n, order)
		return w.Write(b) // the bytes are already in place, so this does not copy them
	case *bytebuf.Buffer:
		l.encode(mem.Bytes(w.Reserve(size)), p, n, order)
		w.Commit(size)
		return size, nil
	case *bufio.Writer:
		if size <= w.Available() {
			b := w.AvailableBuffer()[:size]
			l.encode(mem.Bytes(b), p, n, order)
			return w.Write(b)
		}
	}
	return writeThrough(w, order, l, p, n, limit)
}

// writeThrough writes n values to any writer w through scratch memory.
func writeThrough(w io.Writer, order ByteOrder, l *layout, p mem.Ptr, n, limit int) (int, error) {
	size := n * l.size
	// Most data is small. If w panics, the scratch memory is lost, which does no harm.
	if size <= smallSize {
		scratch := smallPool.Get().(*[smallSize]byte)
		l.encode(mem.PtrTo(&scratch[0]), p, n, order)
		written, err := w.Write(scratch[:size])
		smallPool.Put(scratch)
		return written, err
	}
	if f, ok := w.(*os.File); ok && size > limit && l.size <= len(fileChunk.bytes) && fileChunk.TryLock() {
		defer fileChunk.Unlock()
		if l.overlaps(f, order, n) {
			return writeOverlapped(f, order, l, p, n)
		}
		return writePieces(w, order, l, p, n, len(fileChunk.bytes)/l.size, fileChunk.bytes[:])
	}
	piece := l.piece(n, limit)
	b := getScratch(piece * l.size)
	defer putScratch(b)
	return writePieces(w, order, l, p, n, piece, b)
}

// writePieces writes n values to w through b, piece values at a time.
func writePieces(w io.Writer, order ByteOrder, l *layout, p mem.Ptr, n, piece int, b []byte) (int, error) {
	for i := 0; ; {
		k := min(piece, n-i)
		l.encode(mem.Bytes(b), p.Add(uintptr(i*l.mem)), k, order)
		written, err := w.Write(b[:k*l.size])
		i += k
		if i == n || err != nil {
			return (i-k)*l.size + written, err
		}
		if written != k*l.size {
			return (i-k)*l.size + written, shortWrite(written, k*l.size)
		}
	}
}

// shortWrite returns the error for a writer that returned a count other than n
// and no error.
func shortWrite(written, n int) error {
	if written < 0 || written > n {
		return errCount
	}
	return io.ErrShortWrite
}

// readValues reads n values from r. It decodes directly from the buffers of
// well-known readers, and through scratch memory otherwise.
func readValues(r io.Reader, order ByteOrder, l *layout, p mem.Ptr, n int) error {
	size := n * l.size
	if size == 0 {
		return nil
	}
	switch r := r.(type) {
	case *bytes.Buffer:
		if size <= r.Len() {
			l.decode(mem.Bytes(r.Next(size)), p, n, order)
			return nil
		}
	case *bytes.Reader:
		if size <= tinySize && size <= r.Len() {
			var b [tinySize]byte // this reader copies into b and does not retain it
			_, _ = r.Read(b[:size])
			l.decode(mem.PtrTo(&b), p, n, order)
			return nil
		}
	case *strings.Reader:
		if size <= tinySize && size <= r.Len() {
			var b [tinySize]byte
			_, _ = r.Read(b[:size])
			l.decode(mem.PtrTo(&b), p, n, order)
			return nil
		}
	case *bytebuf.Buffer:
		if size <= r.Len() {
			l.decode(mem.Bytes(r.Next(size)), p, n, order)
			return nil
		}
	case *bufio.Reader:
		if size <= r.Buffered() {
			b, _ := r.Peek(size)
			_, _ = r.Discard(size - 1)
			_, _ = r.ReadByte() // lets UnreadByte work, as after a Read
			l.decode(mem.Bytes(b), p, n, order)
			return nil
		}
	}
	return readThrough(r, order, l, p, n)
}

// readThrough reads n values from any reader r through scratch memory.
func readThrough(r io.Reader, order ByteOrder, l *layout, p mem.Ptr, n int) error {
	// As in writeThrough.
	if size := n * l.size; size <= smallSize {
		scratch := smallPool.Get().(*[smallSize]byte)
		_, err := readFull(r, scratch[:size])
		if err == nil {
			l.decode(mem.PtrTo(&scratch[0]), p, n, order)
		}
		smallPool.Put(scratch)
		return err
	}
	piece := l.piece(n, oneCall)
	b := getScratch(piece * l.size)
	defer putScratch(b)
	for i := 0; i < n; {
		k := min(piece, n-i)
		read, err := readFull(r, b[:k*l.size])
		if err == nil || piece < n {
			l.decode(mem.Bytes(b), p.Add(uintptr(i*l.mem)), read/l.size, order)
		}
		if err != nil {
			return midway(err, i > 0)
		}
		i += k
	}
	return nil
}

// midway returns err, but io.ErrUnexpectedEOF for io.EOF if something was read
// before.
func midway(err error, read bool) error {
	if err == io.EOF && read {
		return io.ErrUnexpectedEOF
	}
	return err
}

// discard reads n bytes from r and drops them.
func discard(r io.Reader, n int) error {
	b := getScratch(n)
	defer putScratch(b)
	_, err := readFull(r, b)
	return err
}

// maxEmptyReads is the number of consecutive reads that may return neither data
// nor an error. Package bufio uses the same number.
const maxEmptyReads = 100

// readFull is like io.ReadFull, for readers that may violate the rules of
// io.Reader.
func readFull(r io.Reader, b []byte) (int, error) { return readAtLeast(r, b, len(b)) }

// readAtLeast is like io.ReadAtLeast, for readers that may violate the rules of
// io.Reader. A count that is negative or too large is errReadCount; a reader
// that repeatedly returns nothing is io.ErrNoProgress.
func readAtLeast(r io.Reader, b []byte, least int) (n int, err error) {
	for empty := 0; n < least && err == nil; {
		var got int
		got, err = r.Read(b[n:])
		switch {
		case got < 0 || got > len(b)-n:
			return n, errReadCount
		case got > 0:
			n += got
			empty = 0
		case err == nil:
			if empty++; empty == maxEmptyReads {
				return n, io.ErrNoProgress
			}
		}
	}
	if n >= least {
		return n, nil
	}
	return n, midway(err, n > 0)
}
