package chain

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"net"
)

// Errors of Buffer for readers and writers that break the rules of package io.
var (
	errReadCount  = errors.New("chain: reader returned an impossible count")
	errWriteCount = errors.New("chain: writer returned an impossible count")
)

// Buffer is a queue of bytes in pooled blocks: written at the end, read at the front. It grows without copying, takes
// in slices without copying, and goes to a network connection in one system call without being joined. The zero value
// is empty and ready to use.
//
// Blocks go back to the pool as they are read, and all of them on [Buffer.Reset]. A Buffer that is dropped without
// being emptied leaves its blocks to the garbage collector. Blocks are not overwritten with zeros in between, but a
// Buffer shows only bytes that were put into it.
//
// A Buffer must not be copied after first use, and panics if it was. It is not safe for concurrent use.
type Buffer struct {
	// The contents are segs[head:] and then tail, the bytes of block that are not yet a segment. cap(tail) ends with
	// the block.
	segs  []segment
	head  int
	tail  []byte
	block *block
	size  int
	self  *Buffer

	// The list of slices for the network: all of it, and what is left of it while being written. Both are fields only
	// to be reused.
	vector, pending net.Buffers
}

// segment is a run of bytes in a block or, if block is nil, in memory of the caller of Append. It is never empty.
type segment struct {
	data  []byte
	block *block
}

// keepSegments is the most segments Reset keeps memory for.
const keepSegments = 1024

// Len returns the number of bytes in the Buffer.
func (b *Buffer) Len() int { return b.size }

// Bytes returns a copy of the contents in one piece. It is O(n): [Buffer.Segments] gives the same bytes without
// copying, [Buffer.WriteTo] sends them.
func (b *Buffer) Bytes() []byte {
	all := make([]byte, 0, b.size)
	for data := range b.Segments() {
		all = append(all, data...)
	}
	return all
}

// Segments iterates over the contents in order, in pieces that are not empty and not copied. They must not be
// changed, and are valid until the next call that changes the Buffer, which must not come before the iteration ends.
func (b *Buffer) Segments() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		b.check()
		for _, s := range b.segs[b.head:] {
			if !yield(s.data) {
				return
			}
		}
		if n := len(b.tail); n > 0 {
			yield(b.tail[:n:n])
		}
	}
}

// Write appends a copy of p and returns len(p) and nil.
func (b *Buffer) Write(p []byte) (n int, err error) { return write(b, p), nil }

// WriteString appends a copy of s and returns len(s) and nil.
func (b *Buffer) WriteString(s string) (n int, err error) { return write(b, s), nil }

func write[S []byte | string](b *Buffer, s S) int {
	b.count(len(s))
	for rest := s; len(rest) > 0; {
		l := len(b.tail)
		if l == cap(b.tail) {
			b.nextBlock(len(rest))
			l = 0
		}
		n := copy(b.tail[l:cap(b.tail)], rest)
		b.tail = b.tail[:l+n]
		rest = rest[n:]
	}
	return len(s)
}

// WriteByte appends c and returns nil.
func (b *Buffer) WriteByte(c byte) error {
	b.count(1)
	if len(b.tail) == cap(b.tail) {
		b.nextBlock(1)
	}
	b.tail = append(b.tail, c)
	return nil
}

// Append appends p itself, without copying. The Buffer only reads p, and the caller must not change it until it has
// been read from the Buffer, or the Buffer was reset.
func (b *Buffer) Append(p []byte) {
	if len(p) == 0 {
		return
	}
	b.count(len(p))
	b.seal()
	b.push(segment{data: p[:len(p):len(p)]})
}

// ReadFrom appends what r gives until io.EOF, reading straight into the blocks, [bytes.MinRead] bytes or more at a time. It
// returns the number of bytes and any other error of r; the error is [io.ErrNoProgress] if r returns no bytes and no
// error 100 times in a row.
func (b *Buffer) ReadFrom(r io.Reader) (n int64, err error) {
	b.count(0)
	for empty := 0; ; {
		if cap(b.tail)-len(b.tail) < bytes.MinRead {
			b.nextBlock(bytes.MinRead)
		}
		l := len(b.tail)
		room := b.tail[l:cap(b.tail)]
		m, err := r.Read(room)
		if m < 0 || m > len(room) {
			return n, errReadCount
		}
		b.count(m)
		b.tail = b.tail[:l+m]
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

// Read moves up to len(p) bytes from the front of the Buffer to p and returns their number. It returns io.EOF if the
// Buffer is empty and p is not.
func (b *Buffer) Read(p []byte) (n int, err error) {
	b.check()
	if b.size == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	for n < len(p) && b.size > 0 {
		m := copy(p[n:], b.front())
		b.drop(m)
		n += m
	}
	return n, nil
}

// WriteTo moves the contents to w and returns their number. A connection of package net gets them through
// net.Buffers, which joins up to 1024 segments in one system call where there is one for it; any other writer gets one
// Write a segment. If w fails, WriteTo returns the error, and the bytes not written stay, to be sent by another call.
func (b *Buffer) WriteTo(w io.Writer) (n int64, err error) {
	b.check()
	switch w.(type) {
	// Only these themselves: a type that embeds one of them may have a Write of its own, which net.Buffers would pass by.
	case *net.TCPConn, *net.UnixConn, *net.UDPConn, *net.IPConn:
		return b.writeVector(w)
	}
	// What w itself appends, if it does, is not for this call.
	for left := b.size; left > 0; {
		data := b.front()
		m, err := w.Write(data)
		if m < 0 || m > len(data) {
			return n, errWriteCount
		}
		b.drop(m)
		left -= m
		n += int64(m)
		if err != nil {
			return n, err
		}
		if m < len(data) {
			return n, io.ErrShortWrite
		}
	}
	return n, nil
}

func (b *Buffer) writeVector(w io.Writer) (n int64, err error) {
	for data := range b.Segments() {
		b.vector = append(b.vector, data)
	}
	b.pending = b.vector
	n, err = b.pending.WriteTo(w)
	clear(b.vector)
	b.vector = b.vector[:0]
	b.drop(int(n))
	return n, err
}

// Reset empties the Buffer and gives its blocks back to the pool. Slices that came from Segments are invalid
// afterwards; those given to Append are the caller's again.
func (b *Buffer) Reset() {
	b.check()
	for _, s := range b.segs[b.head:] {
		s.block.release()
	}
	b.block.release()
	clear(b.segs)
	if cap(b.segs) > keepSegments {
		b.segs = nil
		b.vector = nil
	}
	*b = Buffer{segs: b.segs[:0], vector: b.vector, self: b.self}
}

// check panics if b is a copy of a Buffer in use. Two of them would give the same blocks back twice.
func (b *Buffer) check() {
	if b.self != b && b.self != nil {
		panic("chain: Buffer was copied after first use")
	}
}

// count adds n to the size, ahead of n bytes being appended.
func (b *Buffer) count(n int) {
	b.check()
	b.self = b
	if n > math.MaxInt-b.size {
		panic(bytes.ErrTooLarge)
	}
	b.size += n
}

// seal makes the tail a segment, and what is behind it in the block the new tail.
func (b *Buffer) seal() {
	if l := len(b.tail); l > 0 {
		b.block.refs++
		b.push(segment{data: b.tail[:l:l], block: b.block})
		b.tail = b.tail[l:]
	}
}

func (b *Buffer) push(s segment) {
	// Sliding no earlier than this keeps the cost of a push constant in the mean.
	if len(b.segs) == cap(b.segs) && b.head > len(b.segs)/2 {
		n := copy(b.segs, b.segs[b.head:])
		clear(b.segs[n:])
		b.segs = b.segs[:n]
		b.head = 0
	}
	b.segs = append(b.segs, s)
}

// nextBlock puts the tail at the start of a new block, for n bytes to be written, or for as many as fit.
func (b *Buffer) nextBlock(n int) {
	last := 0
	if b.block != nil {
		last = len(b.block.data)
	}
	b.seal()
	b.block.release()
	b.block = newBlock(blockSize(last, n))
	b.tail = b.block.data[:0]
}

// front returns the first segment of a Buffer that is not empty.
func (b *Buffer) front() []byte {
	if b.head < len(b.segs) {
		return b.segs[b.head].data
	}
	return b.tail
}

// drop takes n bytes from the front and gives back the blocks they leave.
func (b *Buffer) drop(n int) {
	b.size -= n
	for ; b.head < len(b.segs); b.head++ {
		s := &b.segs[b.head]
		if n < len(s.data) {
			s.data = s.data[n:]
			return
		}
		n -= len(s.data)
		s.block.release()
		*s = segment{}
	}
	b.segs = b.segs[:0]
	b.head = 0
	b.tail = b.tail[n:]
	if b.size == 0 && b.block != nil {
		b.tail = b.block.data[:0]
	}
}
