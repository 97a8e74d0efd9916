package msgpack

import "github.com/octet-go/octet/internal/mem"

// What an interface holds lies elsewhere, where it points. Most values of a
// message would cost an allocation each for that alone. So numbers and the
// headers of strings share chunks, and a short slice lies behind its header. The
// price is that whoever keeps one keeps its chunk, hence the bounds, which come
// to 2 KiB each.
type boxes struct {
	numbers boxChunk[uint64]
	texts   boxChunk[string] // of strings whose bytes share a chunk, the same for all
	long    boxChunk[string] // of strings of at least maxShared bytes, which have their own
}

const (
	maxNumbers = 64
	maxTexts   = 32
	maxLong    = 4
	maxBeside  = 512 // bytes from which on a string has a header of its own
)

// A boxChunk is where values lie that interfaces point at.
type boxChunk[T any] struct {
	boxes []T
	used  int // an index, since shortening the slice would store a pointer
}

// next returns a free box. A new chunk has most boxes, or fewer if no more than
// expected are still to come.
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

// fixints holds, by format byte, what the interfaces of small numbers point at.
var fixints = makeFixints()

func makeFixints() (t [256]int64) {
	for i := range t {
		t[i] = int64(int8(i))
	}
	return t
}

// number returns where a number has been put.
func (d *decoder) number(v uint64) mem.Ptr {
	box := d.extras.numbers.next(maxNumbers, d.left()/3)
	*box = v
	return mem.PtrTo(box)
}

// emptySlice is shared: nothing can be stored in it.
var emptySlice = any([]any{})

// newAnySlice returns a slice of n nils as an interface and as it is.
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
