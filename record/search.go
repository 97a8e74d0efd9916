package record

import (
	"bytes"
	"encoding/binary"
	"math/bits"
)

// A finder finds the marker of a file and the name of the format.
//
// It looks at two bytes in every eight. An occurrence has nine bytes or more, so
// one of these pairs is among the first eight pairs of the occurrence. Most data has
// no such pair, so the search takes one step for 32 bytes.
type finder struct {
	marker marker
	// pairs has bit k set if pair k of the marker or of the name has this index.
	// Other pairs with the same index are looked at in vain.
	pairs [pairMask + 1]uint8
}

// pairMask selects the bits of a pair that are the index in finder.pairs.
const pairMask = 1<<13 - 1

// stride is the distance of the pairs, at most len(name)-1.
const stride = 8

func newFinder(m marker) *finder {
	f := &finder{marker: m}
	for _, text := range [][]byte{m[:], []byte(name)} {
		for i := range stride {
			f.pairs[binary.LittleEndian.Uint16(text[i:])&pairMask] |= 1 << i
		}
	}
	return f
}

// next returns where the next marker or name begins in b at or after from, and
// whether it is a name. The position is -1 if there is none.
func (f *finder) next(b []byte, from int) (at int, isName bool) {
	// The pair at i is inside every occurrence that begins in b[i-7:i+1]. The bytes
	// before from were searched before.
	i := from + stride - 1
	for {
		i = f.skip(b, i)
		if i+1 >= len(b) {
			return -1, false
		}
		pairs := f.pairs[binary.LittleEndian.Uint16(b[i:])&pairMask]
		for pairs != 0 { // the highest bit belongs to the earliest occurrence
			k := bits.Len8(pairs) - 1
			pairs &^= 1 << k
			at := i - k
			if bytes.HasPrefix(b[at:], f.marker[:]) {
				return at, false
			}
			if len(b)-at >= len(name) && string(b[at:at+len(name)]) == name {
				return at, true
			}
		}
		i += stride
	}
}

// skip returns the position of the first pair at i, i+8, i+16 and so on that can be
// in an occurrence. It returns len(b)-1 or more if there is none.
func (f *finder) skip(b []byte, i int) int {
	for ; i <= len(b)-(3*stride+2); i += 4 * stride {
		four := b[i : i+3*stride+2]
		found := f.pairs[binary.LittleEndian.Uint16(four)&pairMask] |
			f.pairs[binary.LittleEndian.Uint16(four[stride:])&pairMask] |
			f.pairs[binary.LittleEndian.Uint16(four[2*stride:])&pairMask] |
			f.pairs[binary.LittleEndian.Uint16(four[3*stride:])&pairMask]
		if found != 0 {
			break
		}
	}
	for ; i+1 < len(b) && f.pairs[binary.LittleEndian.Uint16(b[i:])&pairMask] == 0; i += stride {
	}
	return i
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
