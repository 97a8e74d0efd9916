package chain

import (
	"math/bits"
	"sync"
)

// Block sizes are powers of two, from one memory page to the largest size that the Go allocator serves without a
// lock. The first block of a Buffer is small and each next one is larger, so that short contents use little memory
// and long contents use few blocks.
const (
	minBlock   = 4 << 10
	maxBlock   = 32 << 10
	blockSizes = 4
)

var blockPools [blockSizes]sync.Pool

// A block is pooled memory of a Buffer. It may contain several segments if slices were appended between writes. It
// returns to the pool when its last segment is released.
type block struct {
	data []byte
	refs int // number of segments, plus 1 while the Buffer writes to the block
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

// release removes one reference. A nil block, which belongs to an appended slice, has none.
func (b *block) release() {
	if b == nil {
		return
	}
	if b.refs--; b.refs == 0 {
		blockPools[blockPool(len(b.data))].Put(b)
	}
}

func blockPool(size int) int { return bits.Len(uint(size)) - bits.Len(minBlock) }

// blockSize returns the size of the next block after one of last bytes, if n bytes are to be written.
func blockSize(last, n int) int {
	size := max(minBlock, min(2*last, maxBlock))
	for size < min(n, maxBlock) {
		size *= 2
	}
	return size
}
