package bytebuf

import "runtime"

const maxInt = int(^uint(0) >> 1)

// Grow makes room for n more bytes, so that writing them moves nothing. It panics if n is negative, and with
// [ErrTooLarge] if the Buffer cannot grow.
func (b *Buffer) Grow(n int) {
	if n < 0 {
		panic("bytes.Buffer.Grow: negative count")
	}
	b.makeRoom(n)
}

// Reserve makes room for n bytes behind the contents and returns it to be filled in, by an encoder or a reader that
// wants a slice. [Buffer.Commit] then takes as many of them into the contents as turned out to be used.
//
// The n bytes hold whatever was there before, and are valid until the next call other than Commit. Reserve panics if
// n is negative, and with [ErrTooLarge] if the Buffer cannot grow.
func (b *Buffer) Reserve(n int) []byte {
	if n < 0 {
		panic("bytebuf.Buffer.Reserve: negative count")
	}
	p := b.extend(n)
	b.cut(n)
	return p[:n:n]
}

// Commit appends to the contents the first n bytes behind them, which [Buffer.Reserve] or [Buffer.AvailableBuffer]
// gave out. It panics if n is negative or more than [Buffer.Available].
func (b *Buffer) Commit(n int) {
	if n < 0 || n > b.Available() {
		panic("bytebuf.Buffer.Commit: count out of range")
	}
	b.last = opOther
	b.take(n)
}

// extend appends n bytes of any value to the contents and returns them to be overwritten.
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

// take appends the n bytes behind the contents to them. There must be as many.
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

// compact makes room for n bytes in the memory at hand and reports whether it could. It slides the contents to the
// front only if half the memory stays free: n bytes might fit with less, but then sliding would soon be all it does.
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

// move takes the contents to new memory with room for n more bytes. The sizes are those of bytes.Buffer.
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

// allocate returns size bytes or more that begin with old.
func allocate(size int, old []byte) []byte {
	if size >= innerSize && size&(size-1) == 0 {
		// The compiler turns these two lines into one call that clears only what copy leaves.
		next := make([]byte, size)
		copy(next, old)
		return next
	}
	// Appending to nothing rounds other sizes up to what the allocator hands out anyway, which make does not.
	// Appending to old would be shorter, but tie it to the heap, and so a Buffer's first memory to be a local array.
	next := append([]byte(nil), make([]byte, size)...)
	copy(next, old)
	return next
}

// addressable is the size above which making a slice panics by itself, with a value other than ErrTooLarge.
func addressable() uint64 {
	switch {
	case runtime.GOARCH == "wasm":
		return 1 << 32
	case runtime.GOOS == "ios":
		return 1 << 40
	}
	return 1 << 47
}
