package bytebuf

import (
	"errors"
	"io"
	"sync"
)

var errNegativeRead = errors.New("bytes.Buffer: reader returned negative count from Read")

// ReadFrom appends what r gives until io.EOF, and returns the number of bytes and any other error of r. It panics if
// r returns an impossible count, and with [ErrTooLarge] if the Buffer cannot grow. If r returns no bytes and no error
// 100 times in a row, the error is [io.ErrNoProgress].
//
// r is given [MinRead] bytes of room at least. Where the Buffer has less it learns from other memory whether there is
// anything left to read, and only then grows: a Buffer with room for just what r holds stays as it is.
func (b *Buffer) ReadFrom(r io.Reader) (n int64, err error) {
	b.last = opOther
	for empty := 0; ; {
		var m int
		if b.compact(MinRead) {
			m, err = b.readDirect(r)
		} else {
			m, err = b.readProbe(r)
		}
		n += int64(m)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
		if m > 0 {
			empty = 0
		} else if empty++; empty == maxEmptyReads {
			return n, io.ErrNoProgress
		}
	}
}

// maxEmptyReads is how often in a row a reader may return nothing and no error, as in package bufio.
const maxEmptyReads = 100

// readDirect reads once into the room behind the contents. That is never the inner array, which may be on the stack
// and is too short anyway.
func (b *Buffer) readDirect(r io.Reader) (int, error) {
	l := len(b.buf)
	m, err := r.Read(b.buf[l:cap(b.buf)])
	if m < 0 {
		panic(errNegativeRead)
	}
	b.buf = b.buf[:l+m]
	return m, err
}

var probes = sync.Pool{New: func() any { return new([MinRead]byte) }}

// readProbe reads once into pooled memory and then makes room for what came: for MinRead more if it has to move.
func (b *Buffer) readProbe(r io.Reader) (int, error) {
	if b.buf == nil {
		b.room = innerSize // now, as Bytes is not to be nil after reading nothing either
	}
	probe := probes.Get().(*[MinRead]byte)
	m, err := r.Read(probe[:])
	if m < 0 {
		panic(errNegativeRead)
	}
	if data := probe[:m]; m > 0 {
		if !b.compact(m) {
			b.move(m + MinRead)
		}
		copy(b.take(m), data)
	}
	// The next reader must not find here what this one brought.
	clear(probe[:])
	probes.Put(probe)
	return m, err
}

// WriteTo writes the contents to w and empties the Buffer. If w fails, it returns the error and the bytes not written
// stay. A writer that takes less without an error gives io.ErrShortWrite, and one that claims more a panic.
//
// Contents inside the struct move to the heap first: w is never given memory of the Buffer itself, so that a local
// Buffer stays where it is.
func (b *Buffer) WriteTo(w io.Writer) (n int64, err error) {
	b.last = opOther
	if size := b.Len(); size > 0 {
		b.spill()
		m, err := w.Write(b.buf[b.off:])
		if m > size {
			panic("bytes.Buffer.WriteTo: invalid Write count")
		}
		b.off += m
		n = int64(m)
		if err != nil {
			return n, err
		}
		if m != size {
			return n, io.ErrShortWrite
		}
	}
	b.Reset()
	return n, nil
}

// spill moves the inner bytes to the heap, where they keep their places and their capacity.
func (b *Buffer) spill() {
	if b.room == 0 {
		return
	}
	heap := make([]byte, innerSize)
	b.buf = heap[:copy(heap, b.inner[:b.end])]
	b.end = 0
	b.room = 0
}
