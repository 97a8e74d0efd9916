package transcode

import (
	"bytes"
	"encoding/binary"
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
	var signatures [few]uint64
	for i, a := range list {
		s := signature(dst[a.start:a.end])
		signatures[i] = s
		for k, earlier := range signatures[:i] {
			if s == earlier && bytes.Equal(dst[a.start:a.end], dst[list[k].start:list[k].end]) {
				return a, true
			}
		}
	}
	return name{}, false
}

// signature returns a number that is the same for equal keys, and rarely for
// others.
func signature(key []byte) uint64 {
	if n := len(key); n >= 8 {
		return binary.LittleEndian.Uint64(key)*31 ^ binary.LittleEndian.Uint64(key[n-8:])
	} else if n >= 4 {
		return uint64(binary.LittleEndian.Uint32(key))<<32 | uint64(binary.LittleEndian.Uint32(key[n-4:]))
	}
	s := uint64(len(key))
	for _, c := range key {
		s = s<<8 | uint64(c)
	}
	return s
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
