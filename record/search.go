package record

import (
	"bytes"
	"encoding/binary"
	"math/bits"

	"github.com/octet-go/octet/internal/kernel"
)

// A finder finds the marker of a file and the name of the format.
//
// If the processor has the instructions, it searches for three bytes of each. Otherwise
// it looks at two bytes in every eight. An occurrence has nine bytes or more, so
// one of these pairs is among the first eight pairs of the occurrence. Most data has
// no such pair, so the search takes one step for 32 bytes.
type finder struct {
	marker  marker
	vector  bool
	triples [2][3]byte // at tripleAt in the marker and in the name
	// pairs has bit k set if pair k of the marker or of the name has this index.
	// Other pairs with the same index are looked at in vain.
	pairs [pairMask + 1]uint8
}

// pairMask selects the bits of a pair that are the index in finder.pairs.
const pairMask = 1<<13 - 1

// tripleAt is the offset of finder.triples. The text t-r is rarer in data than other
// parts of the name.
const tripleAt = 4

// stride is the distance of the pairs, at most len(name)-1.
const stride = 8

// newFinder returns a finder. It takes 8 KiB.
func newFinder(m marker) *finder {
	f := &finder{vector: kernel.HasIndexTriples()}
	f.set(m)
	return f
}

// set makes f search for another marker.
func (f *finder) set(m marker) {
	for i := range stride {
		f.pairs[binary.LittleEndian.Uint16(f.marker[i:])&pairMask] = 0
	}
	f.marker = m
	f.triples = [2][3]byte{[3]byte(m[tripleAt:]), [3]byte([]byte(name)[tripleAt:])}
	for _, text := range [][]byte{m[:], []byte(name)} {
		for i := range stride {
			f.pairs[binary.LittleEndian.Uint16(text[i:])&pairMask] |= 1 << i
		}
	}
}

// next returns where the next marker or name begins in b at or after from, and
// whether it is a name. The position is -1 if there is none.
func (f *finder) next(b []byte, from int) (at int, isName bool) {
	if !f.vector {
		return f.nextPair(b, from)
	}
	for range mostMisses {
		i := -1
		if from+tripleAt < len(b) {
			i = kernel.IndexTriples(b[from+tripleAt:], &f.triples)
		}
		if i < 0 {
			return -1, false
		}
		from += i
		if found, isName := f.is(b[from:]); found {
			return from, isName
		}
		from++
	}
	return f.nextPair(b, from)
}

// mostMisses is the number of triples that are not in a marker or name, after which
// next looks at pairs, because the data may have triples everywhere.
const mostMisses = 100

// nextPair is next without vector instructions.
func (f *finder) nextPair(b []byte, from int) (at int, isName bool) {
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
			if found, isName := f.is(b[i-k:]); found {
				return i - k, isName
			}
		}
		i += stride
	}
}

// is reports whether b begins with the marker or the name.
func (f *finder) is(b []byte) (found, isName bool) {
	if bytes.HasPrefix(b, f.marker[:]) {
		return true, false
	}
	isName = len(b) >= len(name) && string(b[:len(name)]) == name
	return isName, isName
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
