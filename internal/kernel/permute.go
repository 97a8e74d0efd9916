package kernel

import "github.com/octet-go/octet/internal/mem"

// Special values in Map.From.
const (
	Zero = -1 // the byte becomes zero
	Keep = -2 // the byte does not change
)

// A Map gives the source of each byte of a destination. For example, this Map
// encodes a struct in big-endian order:
//
//	struct { A uint8; B uint16; C uint32; _ uint8; D bool }
//
//	memory  A . B₀ B₁ C₀ C₁ C₂ C₃ _ D       . is padding
//	From    0 3 2 7 6 5 4 Zero 9
//	wire    A B₁ B₀ C₃ C₂ C₁ C₀ 0 D
//
// This Map decodes it. On the wire, D may be any byte; Limit changes it to 0 or
// 1:
//
//	From    0 Keep 2 1 6 5 4 3 Keep 8 Keep Keep
//	Limit   .  .   . . . . . .  .   1  .    .     . is 255
type Map struct {
	From    []int  // for each byte of the destination: an index in the source, Zero or Keep
	Limit   []byte // maximum value of each byte; a larger value becomes the maximum
	SrcSize int    // size of the source in bytes
}

// A Permutation is a Map in the form that the processor's shuffle instructions
// need. The zero value is not a permutation.
//
// The assembly uses these fields.
type Permutation struct {
	dst, src int // size of one element in bytes
	blocks64 []block64
	blocks16 []block16
	shape    shape
}

// shape classifies the blocks of a single element.
type shape int

// The assembly uses fullBlock. It treats smaller values as anyBlocks and larger
// ones as oneBlock.
const (
	anyBlocks shape = iota
	fullBlock       // one of blocks64 that reads and writes all bytes and has no limits
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

// NewPermutation returns m as a Permutation. It returns the zero value if the
// processor has no instructions that are faster than a loop over the numbers.
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
	if len(p.blocks64)+len(p.blocks16) > 0 { // otherwise no byte changes
		p.dst, p.src = len(m.From), m.SrcSize
	}
	return p
}

// Exists reports whether p is a permutation.
func (p *Permutation) Exists() bool { return p.dst > 0 }

// IsFull reports whether p, for one element, is a single load, shuffle and
// store of 64 bytes.
func (p *Permutation) IsFull() bool { return p.shape == fullBlock }

// Full is like One but requires a full permutation.
func (p *Permutation) Full(dst, src mem.Ptr) { permuteFull(dst, src, p) }

// One rearranges one element. It must be inlined, because most programs encode
// small structs.
func (p *Permutation) One(dst, src mem.Ptr) { permuteOne(dst, src, p) }

// Many rearranges n consecutive elements. The source and the destination must
// not overlap.
func (p *Permutation) Many(dst, src mem.Ptr, n int) {
	most := max(1, maxCall/max(p.dst, p.src))
	for i := 0; i < n; i += most {
		permute(dst.Add(uintptr(i*p.dst)), src.Add(uintptr(i*p.src)), min(most, n-i), p)
	}
}

// apply is the Go implementation of the permutation kernels.
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
