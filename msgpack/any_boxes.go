package msgpack

import "github.com/octet-go/octet/internal/mem"

// An interface points to its value, so each number or string in an any needs memory
// of its own. One allocation for each would take most of the time. Numbers and
// string headers therefore share chunks, and a short slice is allocated together
// with its header. The disadvantage is that a retained value keeps its chunk alive.
// The constants below limit a chunk to 2 KiB, strings included.
type boxes struct {
	numbers boxChunk[uint64]
	texts   boxChunk[string] // headers of strings whose bytes are in the current chunk of the decoder
	long    boxChunk[string] // headers of strings of maxShared bytes or more, which have their own memory
}

const (
	// Values in a chunk.
	maxNumbers = 64
	maxTexts   = 32
	maxLong    = 4

	maxBoxed = 512 // bytes; the header of a string of this length or more has memory of its own
)

// A boxChunk is memory for several values that interfaces point to.
type boxChunk[T any] struct {
	boxes []T
	used  int // an index: advancing the slice would store a pointer, which takes a write barrier
}

// next returns a free box. If the chunk is full, next allocates a new one of most
// boxes, or of fewer if only expected more values can follow.
func (c *boxChunk[T]) next(most, expected int) *T {
	if c.used == len(c.boxes) {
		c.boxes, c.used = make([]T, min(most, 1+expected)), 0
	}
	c.used++
	return &c.boxes[c.used-1]
}

var (
	int64Word   = mem.TypeWordOf(int64(0))
	float64Word = mem.TypeWordOf(float64(0))
	stringWord  = mem.TypeWordOf("")
	slicesWord  = mem.TypeWordOf([]any(nil))
)

// fixints holds the values of all fixints by format byte. Interfaces point into it,
// so small numbers need no allocation.
var fixints = makeFixints()

func makeFixints() (t [256]int64) {
	for i := range t {
		t[i] = int64(int8(i))
	}
	return t
}

// number stores v in a box and returns a pointer to the box. The rest of the input
// limits the length of a new chunk. The divisor is a guess at the input that a number
// takes, with its share of keys and headers.
func (d *decoder) number(v uint64) mem.Ptr {
	box := d.extras.numbers.next(maxNumbers, d.left()/3)
	*box = v
	return mem.PtrTo(box)
}

// emptySlice is shared by all empty slices, because nothing can be stored in it.
var emptySlice = any([]any{})

// newAnySlice returns a slice of n nils, as an interface and as a slice. Up to four
// elements are allocated together with the slice header, to save one of the two
// allocations.
func newAnySlice(n int) (any, []any) {
	switch n {
	case 0:
		return emptySlice, nil
	case 1:
		b := new(struct {
			s []any
			a [1]any
		})
		b.s = b.a[:]
		return mem.MakeAny(slicesWord, mem.PtrTo(&b.s)), b.s
	case 2:
		b := new(struct {
			s []any
			a [2]any
		})
		b.s = b.a[:]
		return mem.MakeAny(slicesWord, mem.PtrTo(&b.s)), b.s
	case 3:
		b := new(struct {
			s []any
			a [3]any
		})
		b.s = b.a[:]
		return mem.MakeAny(slicesWord, mem.PtrTo(&b.s)), b.s
	case 4:
		b := new(struct {
			s []any
			a [4]any
		})
		b.s = b.a[:]
		return mem.MakeAny(slicesWord, mem.PtrTo(&b.s)), b.s
	}
	s := make([]any, n)
	return s, s
}
