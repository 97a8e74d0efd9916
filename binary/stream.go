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

// Readers and writers may do anything with the memory that they are given while
// they have it, even pass it to another goroutine, so it must not be on a stack.
// It comes from pools: most data is a struct of less than 512 bytes, which stays in
// the nearest cache; what is larger than oneCall goes in pieces of 32 KiB.
const (
	tinySize  = 64
	smallSize = 512
	chunkSize = 32 << 10

	// oneCall is up to how many bytes Write writes by one call and Read reads before
	// it decodes any. No datagram is larger, so that for larger data nobody can tell.
	oneCall = 64 << 10
)

var (
	smallPool = sync.Pool{New: func() any { return new([smallSize]byte) }}
	chunkPool = sync.Pool{New: func() any { return new([chunkSize]byte) }}
	largePool = sync.Pool{New: func() any { return new([oneCall]byte) }}
)

// fileChunk is for the pieces of large data that go to a file, where every call is
// one of the system: the larger they are the better, above all in powers of two,
// by which file systems cut their caches. There is one for the whole program;
// whoever finds it taken has a chunk as for any other writer.
var fileChunk struct {
	sync.Mutex
	bytes [64 << 10]byte
}

// getScratch returns n bytes with anything in them, for putScratch to take back.
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

// piece returns how many of n values of l go through scratch memory at once: all
// if they take no more than limit bytes, or else as many as fit a chunk.
func (l *layout) piece(n, limit int) int {
	if n*l.size > limit && l.size <= chunkSize {
		return chunkSize / l.size
	}
	return n
}

// writeValues writes n values to w: straight into the buffers of well-known
// writers, and through scratch memory to others, up to limit bytes by one call. It
// returns how many bytes were written.
func writeValues(w io.Writer, order ByteOrder, l *layout, p mem.Ptr, n, limit int) (int, error) {
	size := n * l.size
	switch w := w.(type) {
	case *bytes.Buffer:
		w.Grow(size)
		b := w.AvailableBuffer()[:size]
		l.encode(mem.Bytes(b), p, n, order)
		return w.Write(b) // which finds the bytes in place already
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

// writeThrough writes n values to w, whatever it is, by way of scratch memory.
func writeThrough(w io.Writer, order ByteOrder, l *layout, p mem.Ptr, n, limit int) (int, error) {
	size := n * l.size
	if _, ok := w.(*os.File); ok && size > limit && l.size <= len(fileChunk.bytes) && fileChunk.TryLock() {
		defer fileChunk.Unlock()
		return writePieces(w, order, l, p, n, len(fileChunk.bytes)/l.size, fileChunk.bytes[:])
	}
	piece := l.piece(n, limit)
	b := getScratch(piece * l.size)
	defer putScratch(b)
	return writePieces(w, order, l, p, n, piece, b)
}

// writePieces writes n values to w, by way of b as many at once as a piece has.
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

// shortWrite returns what is wrong with a writer that took another number of bytes
// than n and returned no error.
func shortWrite(written, n int) error {
	if written < 0 || written > n {
		return errCount
	}
	return io.ErrShortWrite
}

// readValues reads n values from r: straight out of the buffers of well-known
// readers, and through scratch memory from others.
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
			var b [tinySize]byte // which this reader copies to, and forgets
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
			_, _ = r.ReadByte() // so that UnreadByte works, as after a Read
			l.decode(mem.Bytes(b), p, n, order)
			return nil
		}
	}
	return readThrough(r, order, l, p, n)
}

// readThrough reads n values from r, whatever it is, by way of scratch memory.
func readThrough(r io.Reader, order ByteOrder, l *layout, p mem.Ptr, n int) error {
	piece := l.piece(n, oneCall)
	b := getScratch(piece * l.size)
	defer putScratch(b)
	for i := 0; i < n; {
		k := min(piece, n-i)
		if _, err := readFull(r, b[:k*l.size]); err != nil {
			return midway(err, i > 0)
		}
		l.decode(mem.Bytes(b), p.Add(uintptr(i*l.mem)), k, order)
		i += k
	}
	return nil
}

// midway returns err, where the end of the input was not expected if something
// had been read before.
func midway(err error, read bool) error {
	if err == io.EOF && read {
		return io.ErrUnexpectedEOF
	}
	return err
}

// discard reads n bytes from r for nothing.
func discard(r io.Reader, n int) error {
	b := getScratch(n)
	defer putScratch(b)
	_, err := readFull(r, b)
	return err
}

// maxEmptyReads is how often in a row a reader may return nothing and no error.
// Package bufio has the same number.
const maxEmptyReads = 100

// readFull is io.ReadFull for readers that may break the rules of io.Reader.
func readFull(r io.Reader, b []byte) (int, error) { return readAtLeast(r, b, len(b)) }

// readAtLeast is io.ReadAtLeast for readers that may break the rules of io.Reader:
// a count outside b is errReadCount, and a reader that returns nothing again and
// again is io.ErrNoProgress.
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
