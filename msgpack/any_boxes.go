package msgpack

import "github.com/octet-go/octet/internal/mem"

// What an interface holds lies elsewhere, where it points. Most values of a
// message would cost an allocation each for that alone. So numbers and the
// headers of short strings share chunks, and a short slice lies behind its
// header. The price is that whoever keeps a number keeps its chunk, and whoever
// keeps a string that of its header and that of its bytes: see [decoder.newChunk].
type boxes struct {
	numbers     []uint64
	usedNumbers int

	texts     []string // the bytes of all are in one chunk
	usedTexts int
}

const (
	maxNumbers = 64
	maxTexts   = 32
)

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

// number returns where a number has been put. left is the length of the rest of
// the input, which bounds how many numbers may still come.
func (d *decoder) number(v uint64, left int) mem.Ptr {
	x := d.extras
	if x.usedNumbers == len(x.numbers) {
		x.numbers = make([]uint64, min(maxNumbers, 1+left/3))
		x.usedNumbers = 0
	}
	box := &x.numbers[x.usedNumbers]
	x.usedNumbers++
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
