package layout

import (
	"slices"

	"github.com/octet-go/octet/internal/kernel"
)

// close ends the part.
func (b *straightener) close() {
	t := &b.part
	t.size = len(b.wire)
	needed, mask := make([]bool, t.size), make([]byte, t.size)
	for i := range b.wire {
		needed[i] = b.fixed[i] || b.loose[i]
		if b.fixed[i] {
			mask[i] = 0xff
		}
	}
	t.fill = fills(b.wire, needed)
	if lead := 8 - t.size; lead > 0 && b.before >= lead {
		// A word that begins before the run covers it.
		t.checks, _ = constantWords(append(make([]byte, lead), b.wire...), append(make([]byte, lead), mask...))
		for i := range t.checks {
			t.checks[i].off -= lead
		}
	} else {
		t.checks, t.single = constantWords(b.wire, mask)
	}
	t.decode = backwards(b.fields)
	if len(b.fields) > fewMoves {
		t.to, t.scatter = b.permutation(b.fields, false)
	}
	if len(t.encode) > fewMoves {
		t.from, t.gather = b.permutation(t.encode, true)
	}
	t.extra = len(t.single)+len(t.bits)+len(t.patches) > 0
	b.before += t.size
	b.s.parts = append(b.s.parts, *t)
	b.part, b.wire, b.fixed, b.loose, b.fields = part{}, nil, nil, nil, nil
}

// fewMoves is how many moves are faster than a permutation.
const fewMoves = 2

// backwards returns the moves in the direction of decoding.
func backwards(list []move) []move {
	list = slices.Clone(list)
	for i := range list {
		list[i].to, list[i].from = list[i].from, list[i].to
	}
	return list
}

// permutation returns the permutation that does all moves, if there is one, and where
// it begins in memory. The moves have the direction of encoding; if encode is false,
// the permutation has the other one.
func (b *straightener) permutation(list []move, encode bool) (low uintptr, p kernel.Permutation) {
	first, end := list[0].from, 0
	for i, m := range list {
		first = min(first, m.from)
		if i > 0 && m.from-end >= 8 { // other variables may be in between
			return 0, p
		}
		end = max(end, m.from+m.n)
	}
	if max(end-first, len(b.wire)) > maxPermuted {
		return 0, p
	}
	k := kernel.Map{From: make([]int, end-first), SrcSize: len(b.wire)}
	if encode {
		k = kernel.Map{From: make([]int, len(b.wire)), SrcSize: end - first}
	}
	k.Limit = make([]byte, len(k.From))
	for i := range k.From {
		k.From[i], k.Limit[i] = kernel.Keep, 255
	}
	for _, m := range list {
		for i := range m.n {
			w, v := m.to+i, m.from-first+i
			if m.kind >= reverse2 && m.kind <= reverse8 {
				w = m.to + m.n - 1 - i
			}
			if encode {
				k.From[w] = v
			} else {
				k.From[v] = w
			}
		}
	}
	return uintptr(first), kernel.NewPermutation(k)
}

// maxPermuted is the most bytes of a run that are permuted.
const maxPermuted = 256

// fills returns the words that write the needed bytes. They may write others, too.
func fills(value []byte, needed []bool) (list []word) {
	for i := 0; i < len(value); i++ {
		if !needed[i] {
			continue
		}
		width := 8
		for width > len(value) || len(value) < 8 && width > len(value)-i {
			width /= 2
		}
		at := min(i, len(value)-width)
		list = append(list, word{at, nativeBytes(value[at : at+width]), uint8(width)})
		i = at + width - 1
	}
	return list
}

// constantWords returns the constant bytes as words, or one by one if there are fewer than
// eight bytes in all.
func constantWords(value, mask []byte) (list, single []masked) {
	for i := 0; i < len(value); i++ {
		switch {
		case mask[i] == 0:
		case len(value) < 8:
			single = append(single, masked{i, uint64(value[i]), 0xff})
		default:
			at := min(i, len(value)-8)
			m := masked{at, 0, nativeBytes(mask[at : at+8])}
			m.value = nativeBytes(value[at:at+8]) & m.mask
			list = append(list, m)
			i = at + 7
		}
	}
	return list, single
}

// nativeBytes returns the number that the bytes are in memory.
func nativeBytes(b []byte) uint64 { return getFixed(b, native) }
