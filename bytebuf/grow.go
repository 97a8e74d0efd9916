package bytebuf

import "runtime"

const maxInt = int(^uint(0) >> 1)

// Grow makes room for n more bytes, so that writing them does not move the contents. It panics if n is negative,
// and with [ErrTooLarge] if the Buffer cannot grow.
func (b *Buffer) Grow(n int) {
	if n < 0 {
		panic("bytes.Buffer.Grow: negative count")
	}
	b.makeRoom(n)
}

// Reserve makes room for n bytes after the contents and returns this room as a slice, for example for an encoder or
// a Read call. After filling it, call [Buffer.Commit] with the number of bytes used to add them to the contents.
//
// The initial values of the n bytes are undefined. The slice is valid until the next call other than Commit.
// Reserve panics if n is negative, and with [ErrTooLarge] if the Buffer cannot grow.
func (b *Buffer) Reserve(n int) []byte {
	if n < 0 {
		panic("bytebuf.Buffer.Reserve: negative count")
	}
	p := b.extend(n)
	b.cut(n)
	return p[:n:n]
}

// Commit adds the first n bytes of the room to the contents. The caller has filled them through [Buffer.Reserve] or
// [Buffer.AvailableBuffer]. Commit panics if n is negative or greater than [Buffer.Available].
func (b *Buffer) Commit(n int) {
	if n < 0 || n > b.Available() {
		panic("bytebuf.Buffer.Commit: count out of range")
	}
	b.last = opOther
	b.take(n)
}

// extend adds n bytes of undefined value to the contents and returns them.
func (b *Buffer) extend(n int) []byte {
	b.last = opOther
	if l := len(b.buf); n <= cap(b.buf)-l {
		b.buf = b.buf[:l+n]
		return b.buf[l:]
	}
	if e := int(b.end); b.buf == nil && n <= innerSize-e {
		b.room = innerSize
		b.end = uint8(e + n)
		return b.inner[e : e+n]
	}
	b.makeRoom(n)
	return b.take(n)
}

// take adds the next n bytes of the room, which must have as many, to the contents.
func (b *Buffer) take(n int) []byte {
	if b.room != 0 {
		e := b.end
		b.end += uint8(n)
		return b.inner[e:b.end]
	}
	l := len(b.buf)
	b.buf = b.buf[:l+n]
	return b.buf[l:]
}

func (b *Buffer) makeRoom(n int) {
	if !b.compact(n) {
		b.move(n)
	}
}

// compact tries to make room for n bytes in the current memory and reports whether it succeeded. It moves the
// contents to the front only if half of the memory stays free, because otherwise it would soon have to move them
// again for few bytes.
func (b *Buffer) compact(n int) bool {
	m := b.Len()
	if m == 0 && b.off != 0 {
		b.Reset()
	}
	switch {
	case n <= b.Available():
		return true
	case b.Cap() == 0 && b.buf == nil && n <= innerSize:
		b.room = innerSize
		return true
	case n > b.Cap()/2-m:
		return false
	}
	if b.room != 0 {
		copy(b.inner[:], b.Bytes())
		b.end = uint8(m)
	} else {
		b.buf = b.buf[:copy(b.buf, b.Bytes())]
	}
	b.off = 0
	return true
}

// move copies the contents to new memory with room for n more bytes. The sizes are those of bytes.Buffer.
func (b *Buffer) move(n int) {
	old := b.Bytes()
	c := b.Cap()
	if c > maxInt-c-n {
		panic(ErrTooLarge)
	}
	size := max(b.off+len(old)+n, 2*cap(old))
	if uint64(size) > addressable() {
		panic(ErrTooLarge)
	}
	b.buf = allocate(size, old)[:len(old)]
	b.off = 0
	b.end = 0
	b.room = 0
}

// allocate returns at least size bytes that begin with old.
func allocate(size int, old []byte) []byte {
	if size >= innerSize && size&(size-1) == 0 {
		// The compiler combines these two lines into one call that clears only the bytes that copy does not set.
		next := make([]byte, size)
		copy(next, old)
		return next
	}
	// Unlike make, append to a nil slice uses the whole size class of the allocator. Append to old would be
	// shorter, but then old would have to be on the heap, and with it a local array that is a Buffer's first
	// memory.
	next := append([]byte(nil), make([]byte, size)...)
	copy(next, old)
	return next
}

// addressable is the size above which make panics itself, with a value other than ErrTooLarge.
func addressable() uint64 {
	switch {
	case runtime.GOARCH == "wasm":
		return 1 << 32
	case runtime.GOOS == "ios":
		return 1 << 40
	}
	return 1 << 47
}
