package kernel

import "github.com/octet-go/octet/internal/mem"

// What a byte of the destination can be other than a byte of the source.
const (
	Zero = -1 // a zero byte
	Keep = -2 // what it was before
)

// A Map says where each byte of a destination comes from. Encoding a struct to
// big-endian bytes looks like this:
//
//	struct { A uint8; B uint16; C uint32; _ uint8; D bool }
//
//	memory  A . B₀ B₁ C₀ C₁ C₂ C₃ _ D       . is padding
//	From    0 3 2 7 6 5 4 Zero 9
//	wire    A B₁ B₀ C₃ C₂ C₁ C₀ 0 D
//
// and decoding like this, where D may hold any byte on the wire and has to become
// 0 or 1:
//
//	From    0 Keep 2 1 6 5 4 3 Keep 8 Keep Keep
//	Limit   .  .   . . . . . .  .   1  .    .     . is 255
type Map struct {
	From    []int  // for each byte of the destination, an index in the source, Zero or Keep
	Limit   []byte // the largest value of each byte; larger ones become that
	SrcSize int    // how many bytes the source has
}

// A Permutation is a Map made ready for the processor's shuffle instructions. The
// zero value stands for none.
//
// The assembly uses these fields.
type Permutation struct {
	dst, src int // bytes of one element
	blocks64 []block64
	blocks16 []block16
	shape    shape
}

// shape is what the blocks are like, for a single element.
type shape int

// The assembly uses fullBlock, and takes what is less for anyBlocks and what is
// more for oneBlock.
const (
	anyBlocks shape = iota
	fullBlock       // one of blocks64, all of whose bytes are read and written, unlimited
	oneBlock        // one of blocks64
)

// shapeOf returns the shape of blocks.
func shapeOf(blocks []block64) shape {
	if len(blocks) != 1 {
		return anyBlocks
	}
	b := &blocks[0]
	full := b.dst == 0 && b.src == 0 && b.load&b.fill&b.store == 1<<64-1
	for _, most := range b.limit {
		full = full && most == 255
	}
	if full {
		return fullBlock
	}
	return oneBlock
}

// NewPermutation returns m as a Permutation, the zero value if the processor has
// no instructions that carry it out faster than a loop over the numbers would.
func NewPermutation(m Map) (p Permutation) {
	switch {
	case hasPermute64:
		p.blocks64 = m.blocks64()
	case hasPermute16 && len(m.From) >= 16 && m.SrcSize >= 16:
		p.blocks16 = m.blocks16()
	default:
		return p
	}
	p.shape = shapeOf(p.blocks64)
	if len(p.blocks64)+len(p.blocks16) > 0 { // else every byte is kept
		p.dst, p.src = len(m.From), m.SrcSize
	}
	return p
}

// Exists reports whether p is a permutation.
func (p *Permutation) Exists() bool { return p.dst > 0 }

// IsFull reports whether p, for one element, is a load, a shuffle and a store of
// 64 bytes.
func (p *Permutation) IsFull() bool { return p.shape == fullBlock }

// Full is One for a permutation that is full.
func (p *Permutation) Full(dst, src mem.Ptr) { permuteFull(dst, src, p) }

// One rearranges one element. It is to be inlined, as small structs are what most
// programs encode.
func (p *Permutation) One(dst, src mem.Ptr) { permuteOne(dst, src, p) }

// Many rearranges n elements, which lie one after the other in both places. The
// two do not overlap.
func (p *Permutation) Many(dst, src mem.Ptr, n int) {
	most := max(1, maxCall/max(p.dst, p.src))
	for i := 0; i < n; i += most {
		permute(dst.Add(uintptr(i*p.dst)), src.Add(uintptr(i*p.src)), min(most, n-i), p)
	}
}

// apply is the Go twin of the permutation kernels.
func (m Map) apply(dst, src mem.Ptr, n int) {
	for e := range n {
		for i, from := range m.From {
			at := e*len(m.From) + i
			switch from {
			case Keep:
			case Zero:
				mem.Store8(dst, at, 0)
			default:
				mem.Store8(dst, at, min(mem.Load8(src, e*m.SrcSize+from), m.Limit[i]))
			}
		}
	}
}
