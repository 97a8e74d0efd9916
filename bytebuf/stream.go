package bytebuf

import (
	"errors"
	"io"
	"sync"
)

var errNegativeRead = errors.New("bytes.Buffer: reader returned negative count from Read")

// ReadFrom reads from r until io.EOF and appends the data to the Buffer. It returns the number of bytes read and
// any error of r except io.EOF. It panics if r returns an invalid count, and with [ErrTooLarge] if the Buffer
// cannot grow. If r returns no bytes and no error 100 times in a row, the error is [io.ErrNoProgress].
//
// Every Read receives a slice of at least [MinRead] bytes. If the Buffer has less room, ReadFrom reads into other
// memory first to see whether more data follows, and grows only then. A Buffer whose room is exactly the size of
// the data therefore does not grow.
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

// maxEmptyReads is the number of consecutive reads that may return neither data nor an error, as in package bufio.
const maxEmptyReads = 100

// readDirect reads once into the room after the contents. It never uses the inner array, which is too short and may
// be on the stack.
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

// readProbe reads once into pooled memory and appends the bytes. If it must move the contents, it makes room for
// MinRead bytes more.
func (b *Buffer) readProbe(r io.Reader) (int, error) {
	if b.buf == nil {
		b.room = innerSize // Bytes must not return nil after ReadFrom, even if it read nothing
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
	// Clear the memory because the next reader must not see the data.
	clear(probe[:])
	probes.Put(probe)
	return m, err
}

// WriteTo writes the contents to w until the Buffer is empty or an error occurs. After an error, the unwritten
// bytes remain in the Buffer. If w writes fewer bytes without an error, the error is io.ErrShortWrite. WriteTo
// panics if w reports more bytes than it was given. Like a bytes.Buffer, the Buffer must be reset after w reported a
// negative number.
//
// Contents inside the struct move to the heap first. w never receives memory of the Buffer itself, so that a local
// Buffer can stay on the stack.
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

// spill moves the inner bytes to the heap. Their offsets and the capacity stay the same.
func (b *Buffer) spill() {
	if b.room == 0 {
		return
	}
	heap := make([]byte, innerSize)
	b.buf = heap[:copy(heap, b.inner[:b.end])]
	b.end = 0
	b.room = 0
}
