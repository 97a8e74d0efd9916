package bytebuf

import (
	"errors"
	"io"
	"iter"
	"net"
)

// Errors of Chain for readers and writers that break the rules of package io.
var (
	errReadCount  = errors.New("bytebuf: reader returned an impossible count")
	errWriteCount = errors.New("bytebuf: writer returned an impossible count")
)

// Chain is a queue of bytes in pooled blocks: written at the end, read at the front. It grows without copying, takes
// in slices without copying, and goes to a network connection in one system call without being joined. The zero value
// is empty and ready to use.
//
// Blocks go back to the pool as they are read, and all of them on [Chain.Reset]. A Chain that is dropped without
// being emptied leaves its blocks to the garbage collector. Blocks are not overwritten with zeros in between, but a
// Chain shows only bytes that were put into it.
//
// A Chain must not be copied after first use, and panics if it was. It is not safe for concurrent use.
type Chain struct {
	// The contents are segs[head:] and then tail, the bytes of block that are not yet a segment. cap(tail) ends with
	// the block.
	segs  []segment
	head  int
	tail  []byte
	block *block
	size  int
	self  *Chain

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

// Len returns the number of bytes in the Chain.
func (c *Chain) Len() int { return c.size }

// Bytes returns a copy of the contents in one piece. It is O(n): [Chain.Segments] gives the same bytes without
// copying, [Chain.WriteTo] sends them.
func (c *Chain) Bytes() []byte {
	all := make([]byte, 0, c.size)
	for data := range c.Segments() {
		all = append(all, data...)
	}
	return all
}

// Segments iterates over the contents in order, in pieces that are not empty and not copied. They must not be
// changed, and are valid until the next call that changes the Chain, which must not come before the iteration ends.
func (c *Chain) Segments() iter.Seq[[]byte] {
	return func(yield func([]byte) bool) {
		c.check()
		for _, s := range c.segs[c.head:] {
			if !yield(s.data) {
				return
			}
		}
		if n := len(c.tail); n > 0 {
			yield(c.tail[:n:n])
		}
	}
}

// Write appends a copy of p and returns len(p) and nil.
func (c *Chain) Write(p []byte) (n int, err error) { return write(c, p), nil }

// WriteString appends a copy of s and returns len(s) and nil.
func (c *Chain) WriteString(s string) (n int, err error) { return write(c, s), nil }

func write[S []byte | string](c *Chain, s S) int {
	c.count(len(s))
	for rest := s; len(rest) > 0; {
		l := len(c.tail)
		if l == cap(c.tail) {
			c.nextBlock(len(rest))
			l = 0
		}
		n := copy(c.tail[l:cap(c.tail)], rest)
		c.tail = c.tail[:l+n]
		rest = rest[n:]
	}
	return len(s)
}

// WriteByte appends b and returns nil.
func (c *Chain) WriteByte(b byte) error {
	c.count(1)
	if len(c.tail) == cap(c.tail) {
		c.nextBlock(1)
	}
	c.tail = append(c.tail, b)
	return nil
}

// Append appends p itself, without copying. The Chain only reads p, and the caller must not change it until it has
// been read from the Chain, or the Chain was reset.
func (c *Chain) Append(p []byte) {
	if len(p) == 0 {
		return
	}
	c.count(len(p))
	c.seal()
	c.push(segment{data: p[:len(p):len(p)]})
}

// ReadFrom appends what r gives until io.EOF, reading straight into the blocks, [MinRead] bytes or more at a time. It
// returns the number of bytes and any other error of r.
func (c *Chain) ReadFrom(r io.Reader) (n int64, err error) {
	c.count(0)
	for {
		if cap(c.tail)-len(c.tail) < MinRead {
			c.nextBlock(MinRead)
		}
		l := len(c.tail)
		room := c.tail[l:cap(c.tail)]
		m, err := r.Read(room)
		if m < 0 || m > len(room) {
			return n, errReadCount
		}
		c.count(m)
		c.tail = c.tail[:l+m]
		n += int64(m)
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// Read moves up to len(p) bytes from the front of the Chain to p and returns their number. It returns io.EOF if the
// Chain is empty and p is not.
func (c *Chain) Read(p []byte) (n int, err error) {
	c.check()
	if c.size == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	for n < len(p) && c.size > 0 {
		m := copy(p[n:], c.front())
		c.drop(m)
		n += m
	}
	return n, nil
}

// WriteTo moves the contents to w and returns their number. A connection of package net gets them through
// net.Buffers, which joins up to 1024 segments in one system call where there is one for it; any other writer gets one
// Write a segment. If w fails, WriteTo returns the error, and the bytes not written stay, to be sent by another call.
func (c *Chain) WriteTo(w io.Writer) (n int64, err error) {
	c.check()
	switch w.(type) {
	// Only these themselves: a type that embeds one of them may have a Write of its own, which net.Buffers would pass by.
	case *net.TCPConn, *net.UnixConn, *net.UDPConn, *net.IPConn:
		return c.writeVector(w)
	}
	// What w itself appends, if it does, is not for this call.
	for left := c.size; left > 0; {
		data := c.front()
		m, err := w.Write(data)
		if m < 0 || m > len(data) {
			return n, errWriteCount
		}
		c.drop(m)
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

func (c *Chain) writeVector(w io.Writer) (n int64, err error) {
	for data := range c.Segments() {
		c.vector = append(c.vector, data)
	}
	c.pending = c.vector
	n, err = c.pending.WriteTo(w)
	clear(c.vector)
	c.vector = c.vector[:0]
	c.drop(int(n))
	return n, err
}

// Reset empties the Chain and gives its blocks back to the pool. Slices that came from Segments are invalid
// afterwards; those given to Append are the caller's again.
func (c *Chain) Reset() {
	c.check()
	for _, s := range c.segs[c.head:] {
		s.block.release()
	}
	c.block.release()
	clear(c.segs)
	if cap(c.segs) > keepSegments {
		c.segs = nil
		c.vector = nil
	}
	*c = Chain{segs: c.segs[:0], vector: c.vector, self: c.self}
}

// check panics if c is a copy of a Chain in use. Two of them would give the same blocks back twice.
func (c *Chain) check() {
	if c.self != c && c.self != nil {
		panic("bytebuf: Chain was copied after first use")
	}
}

// count adds n to the size, ahead of n bytes being appended.
func (c *Chain) count(n int) {
	c.check()
	c.self = c
	if n > maxInt-c.size {
		panic(ErrTooLarge)
	}
	c.size += n
}

// seal makes the tail a segment, and what is behind it in the block the new tail.
func (c *Chain) seal() {
	if l := len(c.tail); l > 0 {
		c.block.refs++
		c.push(segment{data: c.tail[:l:l], block: c.block})
		c.tail = c.tail[l:]
	}
}

func (c *Chain) push(s segment) {
	// Sliding no earlier than this keeps the cost of a push constant in the mean.
	if len(c.segs) == cap(c.segs) && c.head > len(c.segs)/2 {
		n := copy(c.segs, c.segs[c.head:])
		clear(c.segs[n:])
		c.segs = c.segs[:n]
		c.head = 0
	}
	c.segs = append(c.segs, s)
}

// nextBlock puts the tail at the start of a new block, for n bytes to be written, or for as many as fit.
func (c *Chain) nextBlock(n int) {
	last := 0
	if c.block != nil {
		last = len(c.block.data)
	}
	c.seal()
	c.block.release()
	c.block = newBlock(blockSize(last, n))
	c.tail = c.block.data[:0]
}

// front returns the first segment of a Chain that is not empty.
func (c *Chain) front() []byte {
	if c.head < len(c.segs) {
		return c.segs[c.head].data
	}
	return c.tail
}

// drop takes n bytes from the front and gives back the blocks they leave.
func (c *Chain) drop(n int) {
	c.size -= n
	for ; c.head < len(c.segs); c.head++ {
		s := &c.segs[c.head]
		if n < len(s.data) {
			s.data = s.data[n:]
			return
		}
		n -= len(s.data)
		s.block.release()
		*s = segment{}
	}
	c.segs = c.segs[:0]
	c.head = 0
	c.tail = c.tail[n:]
	if c.size == 0 && c.block != nil {
		c.tail = c.block.data[:0]
	}
}
