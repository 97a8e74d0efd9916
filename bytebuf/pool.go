package bytebuf

import "sync"

// defaultPoolMax is Pool.Max if that is 0: what a busy server may well have many of.
const defaultPoolMax = 64 << 10

// Pool keeps Buffers for reuse and is safe for concurrent use. The zero value is ready; its fields are set before
// first use. A Pool must not be copied.
type Pool struct {
	// Size is the least capacity of a Buffer from Get, in bytes. Up to 64 it costs nothing.
	Size int

	// Max is the largest capacity Put keeps, in bytes. 0 stands for 64 KiB, or Size if that is more. A Buffer that
	// grew beyond loses its memory to the garbage collector, so that one large message does not occupy the Pool for
	// good.
	Max int

	// Wipe makes Put overwrite with zeros what the Buffer holds, as [Buffer.Wipe] does. Without it, old contents stay
	// in memory, out of reach of reads but not of Reserve and AvailableBuffer.
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

// Put gives b back. Neither b nor any slice of its memory may be used afterwards.
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
