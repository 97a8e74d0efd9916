package chain

import (
	"bytes"
	"errors"
	"io"
	"iter"
	"math"
	"net"
)

// Errors for readers and writers that violate the rules of package io.
var (
	errReadCount  = errors.New("chain: reader returned invalid count from Read")
	errWriteCount = errors.New("chain: writer returned invalid count from Write")
)

// A Buffer is a queue of bytes in pooled blocks. Bytes are written at the end and read at the front. The queue
// grows without copying and accepts slices without copying. It is written to a network connection with one system
// call, without being joined into one slice. The zero value is an empty Buffer ready to use.
//
// Blocks return to the pool when they have been read and on [Buffer.Reset]. If a Buffer is dropped with contents,
// the garbage collector frees its blocks. Blocks are not cleared between uses, but a Buffer only returns bytes that
// were written to it.
//
// A Buffer must not be copied after first use; its methods panic in that case. It is not safe for concurrent use.
type Buffer struct {
	// The contents are segs[head:] followed by tail, the last bytes of block, which are not yet a segment. The
	// capacity of tail extends to the end of the block.
	segs  []segment
	head  int
	tail  []byte
	block *block
	size  int
	self  *Buffer

	// vector is the list of slices for the network, and pending is the part that is not yet written. They are
	// fields so that their memory is reused.
	vector, pending net.Buffers
}

// A segment is a sequence of bytes in a block or, if block is nil, in a slice that was passed to Append. It is
// never empty.
type segment struct {
	data  []byte
	block *block
}

// keepSegments is the maximum number of segments for which Reset keeps memory.
const keepSegments = 1024

// Len returns the number of bytes in the Buffer.
func (b *Buffer) Len() int { return b.size }

// Bytes returns a copy of the contents. It takes O(n) time. [Buffer.Segments] returns the same bytes without
// copying, and [Buffer.WriteTo] sends them.
func (b *Buffer) Bytes() []byte {
	all := make([]byte, 0, b.size)
	for data := range b.Segments() {
		all = append(all, data...)
	}
	return all
}

// Segments returns an iterator over the contents in order, in non-empty slices that are not copies. The caller must
// not modify the slices. They are valid until the next call that changes the Buffer; such a call is not allowed
// during the iteration.
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

// Write appends a copy of p. It returns len(p), nil.
func (b *Buffer) Write(p []byte) (n int, err error) { return write(b, p), nil }

// WriteString appends a copy of s. It returns len(s), nil.
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

// WriteByte appends c. It returns nil.
func (b *Buffer) WriteByte(c byte) error {
	b.count(1)
	if len(b.tail) == cap(b.tail) {
		b.nextBlock(1)
	}
	b.tail = append(b.tail, c)
	return nil
}

// Append appends p without copying it. The Buffer does not modify p. The caller must not modify p until it has been
// read from the Buffer or the Buffer has been reset.
func (b *Buffer) Append(p []byte) {
	if len(p) == 0 {
		return
	}
	b.count(len(p))
	b.seal()
	b.push(segment{data: p[:len(p):len(p)]})
}

// ReadFrom reads from r until io.EOF and appends the data. It reads directly into the blocks, at least
// [bytes.MinRead] bytes at a time. It returns the number of bytes read and any error of r except io.EOF. If r
// returns no bytes and no error 100 times in a row, the error is [io.ErrNoProgress].
func (b *Buffer) ReadFrom(r io.Reader) (n int64, err error) {
	b.count(0)
	for empty := 0; ; {
		if cap(b.tail)-len(b.tail) < bytes.MinRead {
			b.nextBlock(bytes.MinRead)
		}
		room, held := b.tail[len(b.tail):cap(b.tail)], b.block
		held.refs++ // r may use b, as in io.CopyN(b, b, n)
		m, err := r.Read(room)
		switch free := b.tail[len(b.tail):cap(b.tail)]; {
		case m < 0 || m > len(room):
			m, err = 0, errReadCount
		case len(free) > 0 && &free[0] == &room[0]:
			b.count(m)
			b.tail = b.tail[:len(b.tail)+m]
		default:
			write(b, room[:m])
		}
		held.release()
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

// Read reads up to len(p) bytes into p and returns their number. It returns io.EOF if the Buffer is empty and p is
// not.
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

// WriteTo writes the contents to w and returns the number of bytes written. For a connection of package net it uses
// net.Buffers, which writes up to 1024 segments with one system call where the system supports this. For any other
// writer it calls Write once per segment. If w fails, WriteTo returns the error; the unwritten bytes remain in the
// Buffer and can be sent by another call.
func (b *Buffer) WriteTo(w io.Writer) (n int64, err error) {
	b.check()
	switch w.(type) {
	// Only these types: a type that embeds one of them may have its own Write method, which net.Buffers would
	// bypass.
	case *net.TCPConn, *net.UnixConn, *net.UDPConn, *net.IPConn:
		return b.writeVector(w)
	}
	// Do not write bytes that w itself appends to the Buffer during the call.
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

// Reset empties the Buffer and returns its blocks to the pool. Slices from Segments become invalid. Slices passed
// to Append belong to the caller again.
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

// check panics if b is a copy of a used Buffer, because both would return the same blocks to the pool.
func (b *Buffer) check() {
	if b.self != b && b.self != nil {
		panic("chain: Buffer was copied after first use")
	}
}

// count adds n to the size before n bytes are appended.
func (b *Buffer) count(n int) {
	b.check()
	b.self = b
	if n > math.MaxInt-b.size {
		panic(bytes.ErrTooLarge)
	}
	b.size += n
}

// seal makes the tail a segment and starts a new tail after it in the block.
func (b *Buffer) seal() {
	if l := len(b.tail); l > 0 {
		b.block.refs++
		b.push(segment{data: b.tail[:l:l], block: b.block})
		b.tail = b.tail[l:]
	}
}

func (b *Buffer) push(s segment) {
	// Moving the segments only when half of the list is free keeps the average cost of an append constant.
	if len(b.segs) == cap(b.segs) && b.head > len(b.segs)/2 {
		n := copy(b.segs, b.segs[b.head:])
		clear(b.segs[n:])
		b.segs = b.segs[:n]
		b.head = 0
	}
	b.segs = append(b.segs, s)
}

// nextBlock starts a new block for n bytes, or for as many of them as fit in a block.
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

// drop removes n bytes from the front and releases the blocks that are no longer used.
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
