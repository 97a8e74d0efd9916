package chain

import (
	"math/bits"
	"sync"
)

// Blocks come in powers of two from one memory page to the largest size the Go allocator serves without a lock. The
// first block of a Buffer is small and each next one larger, so that short contents are cheap and long ones few blocks.
const (
	minBlock   = 4 << 10
	maxBlock   = 32 << 10
	blockSizes = 4
)

var blockPools [blockSizes]sync.Pool

// block is pooled memory of a Buffer. It may hold several of its segments, if slices were appended between writes, and
// goes back to the pool with the last of them.
type block struct {
	data []byte
	refs int // segments, and 1 while the Buffer still writes here
}

// newBlock returns a block of size bytes, a power of two, with one reference.
func newBlock(size int) *block {
	b, ok := blockPools[blockPool(size)].Get().(*block)
	if !ok {
		b = &block{data: make([]byte, size)}
	}
	b.refs = 1
	return b
}

// release drops one reference. A nil block, that of an appended slice, has none.
func (b *block) release() {
	if b == nil {
		return
	}
	if b.refs--; b.refs == 0 {
		blockPools[blockPool(len(b.data))].Put(b)
	}
}

func blockPool(size int) int { return bits.Len(uint(size)) - bits.Len(minBlock) }

// blockSize is the size of the block that follows one of last bytes when n bytes wait to be written.
func blockSize(last, n int) int {
	size := max(minBlock, min(2*last, maxBlock))
	for size < min(n, maxBlock) {
		size *= 2
	}
	return size
}
