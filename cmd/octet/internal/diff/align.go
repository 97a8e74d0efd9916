package diff

import (
	"hash/maphash"

	"github.com/octet-go/octet/cmd/octet/internal/canonical"
)

// An item is an element of an array or a top-level value of a stream.
type item struct {
	data []byte // in the form that is compared
	hash uint64
}

// An aligner finds which elements of two windows belong together.
type aligner struct {
	pace *canonical.Pace
	seed maphash.Seed
	at   map[uint64]int // indexes of the elements of the second window
}

func newAligner(pace *canonical.Pace) *aligner {
	return &aligner{pace, maphash.MakeSeed(), map[uint64]int{}}
}

func (l *aligner) item(data []byte) (item, error) {
	const short = 1 << 10
	if len(data) <= short {
		return item{data, maphash.Bytes(l.seed, data)}, l.pace.Spend(len(data))
	}
	var h maphash.Hash // whose sum is the same as that of maphash.Bytes
	h.SetSeed(l.seed)
	err := l.pace.Chunks(data, func(part []byte) { _, _ = h.Write(part) }) // never fails
	return item{data, h.Sum64()}, err
}

// equal reports whether the data of two items is equal.
func (l *aligner) equal(x, y *item) (bool, error) {
	if x.hash != y.hash {
		return false, nil
	}
	return l.pace.Equal(x.data, y.data)
}

// next returns how many elements at the start of two windows are not in the
// other one, if their first elements differ. With the fewest possible elements
// before them, a[i] and b[j] are equal. If no elements are equal, it returns one
// element of each.
func (l *aligner) next(a, b []item) (i, j int, err error) {
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
		if m, ok := l.at[a[n].hash]; ok && n+m < best {
			same, err := l.equal(&a[n], &b[m])
			if err != nil {
				return 0, 0, err
			}
			if same {
				best, i, j = n+m, n, m
			}
		}
	}
	if best > len(a)+len(b) {
		return 1, 1, nil
	}
	return i, j, nil
}
