package record

import "bytes"

// A finder finds the marker of a file and the name of the format.
//
// It looks at two bytes in every eight. An occurrence has nine bytes or more, so
// one of these pairs is among the first eight pairs of the occurrence, and pairs has
// a bit for each of those. Most data has no such pair, so the search takes about
// one step for eight bytes.
type finder struct {
	marker marker
	pairs  [1 << 16 / 64]uint64
}

// stride is the distance of the pairs, at most len(name)-1.
const stride = 8

func newFinder(m marker) *finder {
	f := &finder{marker: m}
	for _, text := range [][]byte{m[:], []byte(name)} {
		for i := range stride {
			pair := uint(text[i]) | uint(text[i+1])<<8
			f.pairs[pair/64] |= 1 << (pair % 64)
		}
	}
	return f
}

// next returns where the next marker or name begins in b at or after from, and
// whether it is a name. The position is -1 if there is none.
func (f *finder) next(b []byte, from int) (at int, isName bool) {
	// The pair at i is inside every occurrence that begins in b[i-7:i+1]. What lies
	// before from was searched.
	for i := from + stride - 1; i+1 < len(b); i += stride {
		pair := uint(b[i]) | uint(b[i+1])<<8
		if f.pairs[pair/64]&(1<<(pair%64)) == 0 {
			continue
		}
		for at := i - (stride - 1); at <= i; at++ {
			if bytes.HasPrefix(b[at:], f.marker[:]) {
				return at, false
			}
			if len(b)-at >= len(name) && string(b[at:at+len(name)]) == name {
				return at, true
			}
		}
	}
	return -1, false
}

// contains reports whether b has a marker or name.
func (f *finder) contains(b []byte) bool {
	at, _ := f.next(b, 0)
	return at >= 0
}

// cuts appends to dst the positions at which data must be divided so that no piece
// contains a marker or name, and none begins in one piece and ends in tail. The
// last position can be len(data).
func (f *finder) cuts(dst []int, data, tail []byte) []int {
	all := append(data, tail...)
	for from := 0; ; {
		at, isName := f.next(all, from)
		if at < 0 {
			return dst
		}
		cut := at + markerSize/2
		if isName {
			cut = at + len(name)/2
		}
		// Each occurrence that begins between at and the cut is divided as well.
		from = cut
		dst = append(dst, min(cut, len(data)))
	}
}
