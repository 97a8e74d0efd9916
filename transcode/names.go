package transcode

import (
	"bytes"
	"hash/maphash"
)

// A name is a map key that was written: its offset in the input and its bytes
// in the output. Two keys are equal if their output is equal.
type name struct {
	offset     int
	start, end int
}

// names holds the keys of all open maps. The keys of a map are checked when the
// map closes, so that all maps can share one hash table.
type names struct {
	open  []name
	table []uint32
	seed  maphash.Seed
}

// few is the largest number of keys for which comparing all pairs is faster
// than hashing.
const few = 16

// close removes the names from base on, which belong to the innermost map, and
// returns the first one that equals an earlier one.
func (n *names) close(dst []byte, base int) (duplicate name, found bool) {
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

// hash finds equal names in a hash table with open addressing. The seed is
// random, so that input cannot be constructed to collide.
func (n *names) hash(dst []byte, list []name) (duplicate name, found bool) {
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

// reset removes all names and releases the memory of an unusually large map.
func (n *names) reset() {
	n.open = keep(n.open[:0])
	n.table = keep(n.table)
}

// keep returns scratch memory for the next input. It returns nil if the memory
// has grown so much that keeping it costs more than allocating it again.
func keep[T any](s []T) []T {
	if cap(s) > 64<<10 {
		return nil
	}
	return s
}
