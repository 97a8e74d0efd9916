package msgpack

import (
	"math"
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A getField is one field of a struct: its key, as it is compared by words, and
// what is done with the value behind it. The entries of maps, the elements of
// arrays and values that stand alone are fields without a key.
type getField struct {
	first, last uint64 // the first and last eight bytes of the key with its header; shorter keys have only first
	mask        uint64 // which bytes of first count
	offset      uintptr
	check       uint64 // the bit of a field that must be there, see fieldCheck
	whole       string // the key, if it is longer than these two words
	word        uint16 // where check is
	size        uint8  // of the key with its header; 0 for one that is too long to be compared like this
	keyed       bool   // a key precedes the value
	get         getOp
}

const maxKeySize = math.MaxUint8

// makeGetField returns the field of a key.
func makeGetField(name string, offset uintptr, o getOp) getField {
	key := wire.AppendString(nil, name)
	n := len(key)
	if n > maxKeySize {
		f := noField
		f.offset, f.get = offset, o
		return f // found by its name alone
	}
	p := mem.Bytes(append(key, make([]byte, 8)...))
	f := getField{offset: offset, size: uint8(n), keyed: true, get: o, mask: keyMasks[min(n, 8)]}
	f.first = mem.Load64(p, 0) & f.mask
	if f.last = f.first; n > 8 {
		f.last = mem.Load64(p, n-8)
	}
	if n > 16 {
		f.whole = string(key)
	}
	return f
}

// keyMasks holds, by the size of a key with its header, the mask of its first
// word.
var keyMasks = makeKeyMasks()

func makeKeyMasks() (t [1 + maxScalar]uint64) {
	for i := range t {
		t[i] = math.MaxUint64 >> (64 - 8*min(i, 8))
	}
	return t
}

// noField has a key that no key is, because no bit of it counts but one is set.
var noField = getField{first: 1, mask: 0, keyed: true}

// unnamed returns the field without a key.
func unnamed(offset uintptr, o getOp) getField { return getField{offset: offset, get: o} }

// isBetween compares what lies between the first and the last word.
func (f *getField) isBetween(in mem.Ptr, pos int) bool {
	key := mem.StringBytes(f.whole)
	for i := 8; i < len(f.whole)-8; i += 8 {
		if mem.Load64(in, pos+i) != mem.Load64(key, i) {
			return false
		}
	}
	return true
}

// A keyTable finds the fields of a struct by their keys. Keys of up to
// shortString bytes are found by their words, which [getField.is] compares:
// open-addressed, by a hash with a multiplier chosen such that the keys of this
// struct do not collide if that can be had. All others are found by name.
type keyTable struct {
	names map[string]int
	slots []uint16 // index of a field plus one, 0 where free; a power of two
	mask  uint64   // for an index of slots
	seed  uint64
	shift uint
	tails bool // the hash is of the first and the last word, because keys share the first
}

// maxFills bounds the time it takes to choose a multiplier.
const maxFills = 4096

func makeKeyTable(names []string, fields []getField) keyTable {
	best := keyTable{names: make(map[string]int, len(names)), slots: make([]uint16, 1)} // where nothing is found
	for i, name := range names {
		best.names[name] = i
	}
	if !best.hasWords() {
		return best
	}
	firsts := make(map[uint64]bool, len(names))
	for i := range names {
		firsts[fields[i].first] = true
	}
	log := bits.Len(uint(2 * len(names))) // at most half full
	t := keyTable{names: best.names, mask: 1<<log - 1, shift: uint(64 - log), tails: len(firsts) < len(names)}
	fewest := len(names) + 1
	var spare []uint16 // slots to try the next seed with
	for seed := range uint64(max(1, min(32, maxFills/(len(names)+1)))) {
		if spare == nil {
			spare = make([]uint16, 1<<log)
		}
		clear(spare)
		t.slots, t.seed = spare, 0x9e3779b97f4a7c15*(2*seed+1)
		if collisions := t.fill(fields[:len(names)]); collisions < fewest {
			spare = nil
			if fewest <= len(names) {
				spare = best.slots
			}
			best, fewest = t, collisions
		}
		if fewest == 0 {
			break
		}
	}
	return best
}

// hasWords reports whether the keys of up to shortString bytes are found by their
// words. Those of more fields than slots can number are found by name only.
func (t *keyTable) hasWords() bool { return len(t.names) <= math.MaxInt16 }

func (t *keyTable) fill(fields []getField) (collisions int) {
	for i := range fields {
		f := &fields[i]
		if f.size == 0 || f.size > 1+shortString {
			continue
		}
		slot := t.hash(f.first)
		if t.tails && f.size > 8 {
			slot = t.hash(f.first ^ f.last)
		}
		if t.at(slot) != 0 {
			collisions++
		}
		for t.at(slot) != 0 {
			slot++
		}
		t.slots[slot&t.mask] = uint16(i + 1)
	}
	return collisions
}

func (t *keyTable) hash(word uint64) uint64 { return word * t.seed >> (t.shift & 63) }

// at returns the slot of a hash.
func (t *keyTable) at(hash uint64) int {
	return int(*mem.At[uint16](mem.SliceStart(t.slots).Add(uintptr(hash&t.mask) * 2)))
}
