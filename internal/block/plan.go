package block

import (
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/kernel"
)

// A Plan encodes and decodes the values of a fixed-size type in one byte order. There
// are up to three ways to do this. The first one that applies is the fastest.
type Plan struct {
	Size, Mem int // bytes of one value on the wire and in memory

	// whole is the width of the numbers if a value consists only of count
	// numbers of one width, without padding. Many values are then just more
	// numbers. A width of 1 means that wire and memory are equal. whole is 0 if
	// this does not apply. It applies to bools only for encoding.
	whole, count int
	bools        bool

	// EncodeLine and DecodeLine say that a value is a cache line of eight
	// swapped numbers. These are swapped one by one, because a call of assembly
	// takes longer and must wait for numbers that have only just been stored.
	EncodeLine, DecodeLine bool

	// EncodeFull and DecodeFull say that the permutation of one value is a
	// single shuffle of 64 bytes.
	EncodeFull, DecodeFull bool

	// EncodeRoom and DecodeRoom are the number of bytes of output or input that
	// one value needs if it is processed as a line or a permutation. If neither
	// applies, they exceed every possible length.
	EncodeRoom, DecodeRoom int

	// Encode and Decode are the permutations of the bytes of one value. The
	// group permutations process as many values as fit in a block. They are
	// empty if the steps are as fast.
	Encode, Decode         kernel.Permutation
	encodeMany, decodeMany kernel.Permutation
	group                  int

	steps []step // set in every plan
}

// A step is a sequence of bytes that are handled in the same way.
type step struct {
	op   Op
	wire int   // offset on the wire
	mem  int   // offset in memory
	n    int   // number of bytes, numbers or elements
	elem *Plan // plan of the repeated element
}

// An Op is the operation of a step. The operations for one number are separate
// from those for many, because most fields are one number.
type Op uint8

const (
	opCopy Op = iota
	opCopy1
	opCopy2
	opCopy4
	opCopy8
	opSwap2
	opSwap4
	opSwap8
	opSwapMany2
	opSwapMany4
	opSwapMany8
	opBool   // decodes to 0 or 1
	opBlank  // zeros on the wire, never decoded
	opRepeat // a large array of structs
)

// Arrays of structs are unrolled up to maxSteps steps. Permutations are built
// for values of up to maxPermuted bytes, or maxWhole bytes if all numbers have
// the same width. Larger tables would use more cache than they save time.
const (
	maxSteps    = 128
	maxPermuted = 1024
	maxWhole    = 128
)

// New compiles t, which must be fixed-size, for native or swapped order.
func New(t reflect.Type, swap bool) *Plan {
	var b Builder
	b.Add(t, swap)
	return b.Plan(int(t.Size()))
}

// Numbers returns the plan for n numbers of one width in swapped order, or in
// native order if width is 1. It has no permutations.
func Numbers(width, n int) Plan {
	return Plan{Size: width * n, Mem: width * n, whole: width, count: n, steps: []step{{op: numberOp(width, n), n: n}}}
}

// Single reports whether a value is a single number, and returns its width and
// whether its bytes are swapped.
func (p *Plan) Single() (width int, swap, ok bool) {
	if len(p.steps) != 1 {
		return 0, false, false
	}
	switch p.steps[0].op {
	case opCopy1, opCopy2, opCopy4, opCopy8:
		return p.Size, false, true
	case opSwap2, opSwap4, opSwap8:
		return p.Size, true, true
	}
	return 0, false, false
}

// IsImage reports whether the bytes of values on the wire are those in memory.
func (p *Plan) IsImage() bool { return p.whole == 1 }

// SetRooms sets EncodeRoom and DecodeRoom. It must be called after the other
// fields are set.
func (p *Plan) SetRooms() {
	p.EncodeFull = p.Encode.IsFull() && !p.EncodeLine
	p.DecodeFull = p.Decode.IsFull() && !p.DecodeLine
	p.EncodeRoom, p.DecodeRoom = math.MaxInt, math.MaxInt
	if p.EncodeLine || p.Encode.Exists() {
		p.EncodeRoom = p.Size
	}
	if p.DecodeLine || p.Decode.Exists() {
		p.DecodeRoom = p.Size
	}
}

// permute builds the permutations of a value. If the value is not whole, it
// also builds those of a group.
func (p *Plan) permute(runs []run) {
	if p.Size == 0 || max(p.Size, p.Mem) > maxPermuted {
		return
	}
	numbers := 0
	for _, r := range runs {
		if r.kind == repeatRun {
			return
		}
		numbers += r.n
	}
	if len(runs) > 2 || p.whole > 1 && numbers > 2 && p.Size <= maxWhole {
		p.Encode = kernel.NewPermutation(p.encodeMap(runs, 1))
		p.Decode = kernel.NewPermutation(p.decodeMap(runs, 1))
	}
	if p.whole == 0 || p.bools {
		p.group = max(1, 64/max(p.Size, p.Mem))
		p.encodeMany = kernel.NewPermutation(p.encodeMap(runs, p.group))
		p.decodeMany = kernel.NewPermutation(p.decodeMap(runs, p.group))
	}
}

// encodeMap returns, for each wire byte of n values, the offset of its source
// in memory.
func (p *Plan) encodeMap(runs []run, n int) kernel.Map {
	m := newMap(n*p.Size, n*p.Mem, kernel.Zero)
	for e := range n {
		for _, r := range runs {
			for i := 0; r.kind != blankRun && i < r.width*r.n; i++ {
				m.From[e*p.Size+r.wire+i] = e*p.Mem + r.mem + r.swappedIndex(i)
			}
		}
	}
	return m
}

// decodeMap returns, for each memory byte of n values, the offset of its source
// on the wire. Padding and blank fields keep their contents.
func (p *Plan) decodeMap(runs []run, n int) kernel.Map {
	m := newMap(n*p.Mem, n*p.Size, kernel.Keep)
	for e := range n {
		for _, r := range runs {
			for i := 0; r.kind != blankRun && i < r.width*r.n; i++ {
				at := e*p.Mem + r.mem + i
				m.From[at] = e*p.Size + r.wire + r.swappedIndex(i)
				if r.kind == boolRun {
					m.Limit[at] = 1
				}
			}
		}
	}
	return m
}

// swappedIndex returns the index of byte i of r after the bytes of each number
// are swapped.
func (r run) swappedIndex(i int) int {
	number, at := i/r.width*r.width, i%r.width
	return number + r.width - 1 - at
}

func newMap(dst, src, fill int) kernel.Map {
	m := kernel.Map{From: make([]int, dst), Limit: make([]byte, dst), SrcSize: src}
	for i := range m.From {
		m.From[i], m.Limit[i] = fill, 255
	}
	return m
}
