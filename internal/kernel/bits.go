package kernel

import (
	"math"

	"github.com/octet-go/octet/internal/mem"
)

// One is a special value in BitMap.From: the bit becomes one. Zero and Keep apply
// to bits, too.
const One = -3

// A BitMap gives the source of each bit of a destination. Bit i is bit i%8 of byte
// i/8; bit 0 of a byte is the lowest. For example, this BitMap decodes the two
// bytes of a big-endian run of fields of 4, 9 and 3 bits:
//
//	wire    AAAABBBB BBBBBCCC
//	memory  struct { A uint8; B uint16; C uint8 }     one byte of padding follows A
//	From    4 5 6 7 Zero...             A
//	        Keep...                     padding
//	        11 12 13 14 15 0 1 2        low byte of B
//	        3 Zero...                   high byte of B
//	        8 9 10 Zero...              C
//
// A byte of the destination is kept as a whole or not at all.
type BitMap struct {
	From    []int // for each bit of the destination: a bit of the source, Zero, One or Keep
	SrcSize int   // size of the source in bytes

	// Mask has the bits of the source that are checked. All of them must be those of
	// Value or, if OrZero is set, zero.
	Mask, Value []byte
	OrZero      bool
}

// A BitPermutation is a BitMap in the form that the processor's instructions need.
// The zero value is no permutation.
type BitPermutation struct{ first *bitBlock }

// A bitBlock checks bytes of one 64-byte window of the source and fills bytes of
// one window of the destination.
//
// The assembly uses these fields. The size is a multiple of a cache line; see
// block64.
type bitBlock struct {
	load   uint64 // bytes of the source window to read
	store  uint64 // bytes of the destination window to write
	filled uint64 // if plain is set, bytes that come from the source
	dst    uint32 // offsets of the windows
	src    uint32
	gather *bitGather // the first gather after the round
	count  uint32     // number of gathers
	shape  uint8
	plain  bool      // only whole bytes are moved
	orZero bool      // all checked bits may be zero
	next   *bitBlock // of the same message
	_      uint64

	mask  [64]byte // the bits that are checked
	value [64]byte
	fill  [64]byte // the bits that become one
	round bitRound

	end runEnd // if this is the last block of a run
}

// The shapes of blocks. The bytes of a short one are in the first 32 of its windows.
// A free one only has a round: nothing is checked, gathered, or becomes one.
const (
	freeBlock = iota // short and free
	shortBlock
	longBlock
)

// A bitRound fills bytes whose bits are consecutive in the source. Each eight bytes of
// the destination get up to eight bytes of the source, and each byte gets eight
// consecutive bits of these.
//
// The assembly uses these fields.
type bitRound struct {
	index [64]byte // for each byte, its index in the source window
	shift [64]byte // for each byte, the first of its eight bits in the eight bytes around it
	bits  [64]byte // the mask of those of the eight bits that are used
}

// A bitGather fills up to eight bytes with bits from anywhere in the source window.
//
// The assembly uses these fields.
type bitGather struct {
	index  [64]byte // eight bytes of the source for each of the bytes to fill
	bit    [64]byte // for each bit, which one of these eight bytes
	place  [64]byte // for each byte of the destination, which of the eight it is
	valid  uint64   // the bits that come from the source; the others become zero
	filled uint64   // the bytes of the destination
	_      [48]byte
}

// NewBitPermutation returns m as a BitPermutation. It returns the zero value if the
// processor has no instructions for it, or if the source or the destination has more
// than 64 bytes.
func NewBitPermutation(m BitMap) (p BitPermutation) {
	if !hasBits64 || m.SrcSize > 64 || len(m.From) > 8*64 {
		return p
	}
	if blocks := m.blocks(); len(blocks) == 1 {
		p.first = blocks[0]
	}
	return p
}

// Exists reports whether p is a permutation.
func (p *BitPermutation) Exists() bool { return p.first != nil }

// Do rearranges the bits. It reports whether the checked bits have their values. If
// not, it may have stored some bytes.
func (p *BitPermutation) Do(dst, src mem.Ptr) bool { return permuteBits(dst, src, p.first) }

// A bitGroup is a sequence of bits that are consecutive in one byte of the
// destination and in one or two bytes of the source.
type bitGroup struct {
	to    int // byte of the destination, and the lowest bit in it
	low   int
	n     int
	from  int // byte of the source, and the lowest bit in it
	first int
	next  int // byte of the source with the rest of the bits, or -1
}

// groups returns the groups of bits of one byte of the destination.
func (m BitMap) groups(to int) (list []bitGroup) {
	bits := m.From[8*to : 8*to+8]
	for i, b := range bits {
		switch {
		case b < 0:
		case i > 0 && len(list) > 0 && list[len(list)-1].extend(bits[i-1], b):
		default:
			list = append(list, bitGroup{to: to, low: i, n: 1, from: b / 8, first: b % 8, next: -1})
		}
	}
	return list
}

// extend adds bit b of the source to the group if it follows the bit last. last is
// the last bit of the group, or negative if another bit of the destination was in
// between. extend reports whether it added the bit.
func (g *bitGroup) extend(last, b int) bool {
	switch {
	case last >= 0 && b == last+1 && b%8 != 0:
	case last >= 0 && last%8 == 7 && b%8 == 0 && g.next < 0:
		g.next = b / 8
	default:
		return false
	}
	g.n++
	return true
}

// span returns the part of the source that the groups need.
func span(groups []bitGroup) (low, high int) {
	low = math.MaxInt
	for _, g := range groups {
		low, high = min(low, g.from), max(high, g.from+1, g.next+1)
		if g.next >= 0 {
			low = min(low, g.next)
		}
	}
	return low, high
}

// blocks divides m into blocks. There are none if the bits of one byte are too far
// apart in the source.
func (m BitMap) blocks() (blocks []*bitBlock) {
	size := len(m.From) / 8
	checked := make([]bool, m.SrcSize)
	for at := 0; at < size; at += 64 {
		b := &bitBlock{dst: uint32(at)}
		var list []bitGroup
		for i := at; i < min(at+64, size); i++ {
			if m.From[8*i] == Keep {
				continue
			}
			groups := m.groups(i)
			if low, high := span(groups); high-low > 64 {
				return nil
			}
			all := append(list, groups...)
			if low, high := span(all); high-low > 64 {
				blocks = append(blocks, b.complete(m, list, checked))
				b, all = &bitBlock{dst: uint32(at)}, groups
			}
			list = all
			b.store |= 1 << (i - at)
			for j, from := range m.From[8*i : 8*i+8] {
				if from == One {
					b.fill[i-at] |= 1 << j
				}
			}
		}
		if b.store != 0 {
			blocks = append(blocks, b.complete(m, list, checked))
		}
	}
	for i := range checked {
		if m.Mask != nil && m.Mask[i] != 0 && !checked[i] {
			b := &bitBlock{src: uint32(i)}
			blocks = append(blocks, b.complete(m, nil, checked))
		}
	}
	return blocks
}

// complete completes the block for the groups. The block also checks the bytes of its
// source window that no earlier block checks.
func (b *bitBlock) complete(m BitMap, list []bitGroup, checked []bool) *bitBlock {
	low := int(b.src)
	if len(list) > 0 {
		low, _ = span(list)
	}
	low = max(0, min(low, m.SrcSize-64))
	b.src = uint32(low)
	for i := 0; m.Mask != nil && i < 64 && low+i < m.SrcSize; i++ {
		if m.Mask[low+i] != 0 && !checked[low+i] {
			b.load |= 1 << i
			b.mask[i], b.value[i] = m.Mask[low+i], m.Value[low+i]
			checked[low+i] = true
		}
	}
	b.orZero, b.plain = m.OrZero, true
	for _, g := range list {
		b.plain = b.plain && g.n == 8 && g.first == 0
	}
	b.add(list, low)
	switch {
	case (b.load|b.store)>>32 != 0:
		b.shape = longBlock
	case b.mask != [64]byte{} || b.fill != [64]byte{} || b.count > 0:
		b.shape = shortBlock
	}
	return b
}

// add adds the groups to the round. Bytes that have several groups or find no room
// in the round get gathers.
func (b *bitBlock) add(list []bitGroup, low int) {
	var lanes [8]lane
	var rest [][]bitGroup
	for len(list) > 0 {
		n := 1
		for n < len(list) && list[n].to == list[0].to {
			n++
		}
		g := list[0]
		to, from, next := g.to-int(b.dst), g.from-low, -1
		if g.next >= 0 {
			next = g.next - low
		}
		at := -1
		switch {
		case b.plain:
			at = to % 8
			lanes[to/8].bytes[at] = byte(from)
			b.filled |= 1 << to
		case n == 1:
			at = lanes[to/8].place(from, next)
		}
		if at < 0 {
			rest = append(rest, list[:n])
		} else {
			b.round.shift[to] = byte(8*at+g.first-g.low) & 63
			b.round.bits[to] = byte((1<<g.n - 1) << g.low)
		}
		for _, g := range list[:n] {
			b.load |= 1 << (g.from - low)
			if g.next >= 0 {
				b.load |= 1 << (g.next - low)
			}
		}
		list = list[n:]
	}
	for i := range lanes {
		copy(b.round.index[8*i:], lanes[i].bytes[:])
	}
	gathers := make([]bitGather, (len(rest)+7)/8)
	for i, groups := range rest {
		gathers[i/8].add(i%8, groups, groups[0].to-int(b.dst), low)
	}
	if len(gathers) > 0 {
		b.gather, b.count = &gathers[0], uint32(len(gathers))
	}
}

// add adds the groups of one byte of the destination, as number i.
func (t *bitGather) add(i int, groups []bitGroup, to, low int) {
	var l lane
	for _, g := range groups {
		for k := range g.n {
			from, bit := g.from, g.first+k
			if bit >= 8 {
				from, bit = g.next, bit-8
			}
			at := l.place(from-low, -1)
			t.bit[8*i+g.low+k] = byte(8*at + bit)
			t.valid |= 1 << (8*i + g.low + k)
		}
	}
	copy(t.index[8*i:], l.bytes[:])
	t.place[to] = byte(i)
	t.filled |= 1 << to
}

// A lane is eight bytes of the source.
type lane struct {
	bytes [8]byte
	used  [8]bool
}

// place returns the index of the byte from in the lane, which it adds if necessary.
// If next is not -1, the byte next is at the following index; index 0 follows the last
// one. The result is -1 if there is no room.
func (l *lane) place(from, next int) int {
	for _, fresh := range []bool{false, true} {
		for i := range l.bytes {
			j := (i + 1) % 8
			if l.used[i] == fresh || l.used[i] && int(l.bytes[i]) != from {
				continue
			}
			if next >= 0 && l.used[j] && int(l.bytes[j]) != next {
				continue
			}
			l.bytes[i], l.used[i] = byte(from), true
			if next >= 0 {
				l.bytes[j], l.used[j] = byte(next), true
			}
			return i
		}
	}
	return -1
}

// apply is the Go implementation of the kernel.
func (m BitMap) apply(dst, src mem.Ptr) bool {
	var some, differ byte
	for i, mask := range m.Mask {
		v := mem.Load8(src, i) & mask
		some |= v
		differ |= v ^ m.Value[i]
	}
	if differ != 0 && !(m.OrZero && some == 0) {
		return false
	}
	for i := range len(m.From) / 8 {
		var v byte
		for j, from := range m.From[8*i : 8*i+8] {
			switch {
			case from == One:
				v |= 1 << j
			case from >= 0:
				v |= mem.Load8(src, from/8) >> (from % 8) & 1 << j
			}
		}
		if m.From[8*i] != Keep {
			mem.Store8(dst, i, v)
		}
	}
	return true
}
