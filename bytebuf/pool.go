package bytebuf

import "sync"

// defaultPoolMax is used if Pool.Max is 0. A busy server can keep many Buffers of this size.
const defaultPoolMax = 64 << 10

// A Pool keeps Buffers for reuse. It is safe for concurrent use. The zero value is ready to use. Set the fields
// before first use. A Pool must not be copied.
type Pool struct {
	// Size is the minimum capacity of a Buffer from Get, in bytes. Sizes up to 64 need no extra memory. Default: 0.
	Size int

	// Max is the maximum capacity that Put keeps, in bytes. The memory of a larger Buffer is left to the garbage
	// collector, so that one large message does not occupy memory permanently. Default: 0, which means 64 KiB, or
	// Size if that is larger.
	Max int

	// Wipe makes Put overwrite the memory of the Buffer with zeros, like [Buffer.Wipe]. Without it, old contents
	// stay in memory. They cannot be read, but are visible through Reserve and AvailableBuffer. Default: false.
	Wipe bool

	buffers sync.Pool
}

// Get returns an empty Buffer with room for p.Size bytes.
func (p *Pool) Get() *Buffer {
	b, ok := p.buffers.Get().(*Buffer)
	if !ok {
		b = new(Buffer)
	}
	if p.Size > max(b.Cap(), innerSize) {
		*b = *NewBuffer(make([]byte, 0, p.Size))
	}
	return b
}

// Put returns b to the Pool. The caller must not use b or any slice of its memory afterwards.
func (p *Pool) Put(b *Buffer) {
	if p.Wipe {
		b.Wipe()
	}
	b.Reset()
	if b.Cap() > p.max() {
		*b = Buffer{}
	}
	p.buffers.Put(b)
}

func (p *Pool) max() int {
	if p.Max == 0 {
		return max(defaultPoolMax, p.Size)
	}
	return p.Max
}
