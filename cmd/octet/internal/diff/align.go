package diff

import (
	"bytes"
	"hash/maphash"
)

// An item is an element of an array or a top-level value of a stream.
type item struct {
	data []byte // in the form that is compared
	hash uint64
}

func (x *item) equal(y *item) bool { return x.hash == y.hash && bytes.Equal(x.data, y.data) }

// An aligner finds which elements of two windows belong together.
type aligner struct {
	seed maphash.Seed
	at   map[uint64]int // indexes of the elements of the second window
}

func newAligner() *aligner { return &aligner{maphash.MakeSeed(), map[uint64]int{}} }

func (l *aligner) item(data []byte) item { return item{data, maphash.Bytes(l.seed, data)} }

// next returns how many elements at the start of two windows are not in the
// other one, if their first elements differ. With the fewest possible elements
// before them, a[i] and b[j] are equal. If no elements are equal, it returns one
// element of each.
func (l *aligner) next(a, b []item) (i, j int) {
	a, b = a[:min(len(a), Window)], b[:min(len(b), Window)]
	clear(l.at)
	for n := len(b) - 1; n >= 0; n-- {
		l.at[b[n].hash] = n
	}
	best := len(a) + len(b) + 1
	for n := range a {
		if n >= best {
			break
		}
		if m, ok := l.at[a[n].hash]; ok && n+m < best && a[n].equal(&b[m]) {
			best, i, j = n+m, n, m
		}
	}
	if best > len(a)+len(b) {
		return 1, 1
	}
	return i, j
}
