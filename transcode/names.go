package transcode

import (
	"bytes"
	"hash/maphash"
)

// A name is a map key that was written: where it stands in the input, and its
// bytes in the output. Keys are equal where their output is.
type name struct {
	offset     int
	start, end int
}

// names collects the keys of the maps that are open. Those of a map are looked
// at when it closes, all at once, so that one table serves every map.
type names struct {
	open  []name
	table []uint32
	seed  maphash.Seed
}

// few is the number of keys up to which comparing each with each is faster
// than hashing.
const few = 16

// close drops the names from base on, which are those of the innermost map,
// and returns the first that equals one before it.
func (n *names) close(dst []byte, base int) (twin name, found bool) {
	list := n.open[base:]
	n.open = n.open[:base]
	if len(list) > few {
		return n.hash(dst, list)
	}
	for i, a := range list {
		for _, b := range list[:i] {
			if a.end-a.start == b.end-b.start && bytes.Equal(dst[a.start:a.end], dst[b.start:b.end]) {
				return a, true
			}
		}
	}
	return name{}, false
}

// hash looks for equal names by open addressing. The seed is random, so nobody
// can choose keys that collide.
func (n *names) hash(dst []byte, list []name) (twin name, found bool) {
	if n.seed == (maphash.Seed{}) {
		n.seed = maphash.MakeSeed()
	}
	size := 1
	for size < 2*len(list) {
		size *= 2
	}
	if cap(n.table) < size {
		n.table = make([]uint32, size)
	}
	table := n.table[:size]
	clear(table)
	for i, a := range list {
		text := dst[a.start:a.end]
		slot := maphash.Bytes(n.seed, text) & uint64(size-1)
		for table[slot] != 0 {
			b := list[table[slot]-1]
			if bytes.Equal(text, dst[b.start:b.end]) {
				return a, true
			}
			slot = (slot + 1) & uint64(size-1)
		}
		table[slot] = uint32(i + 1)
	}
	return name{}, false
}

// reset forgets all names, and the memory of an unusually large map.
func (n *names) reset() {
	n.open = keep(n.open[:0])
	n.table = keep(n.table)
}

// keep returns scratch memory for the next input, unless it has grown so much
// that holding on to it would cost more than making it anew.
func keep[T any](s []T) []T {
	if cap(s) > 64<<10 {
		return nil
	}
	return s
}
