package msgpack

import (
	"math"
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A getField is one field of a struct: its key, in the form in which it is compared,
// and the operation that decodes its value. The halves of map entries, the elements
// of a struct in array form and whole messages are fields without a key.
//
// Keys are compared with their headers, as words of eight bytes: one comparison for
// keys of up to 7 characters, two for up to 15. This is faster than a comparison of
// strings, which needs the header decoded and a call.
type getField struct {
	first, last uint64  // the first and last eight bytes of the encoded key; equal if it is shorter
	mask        uint64  // the bytes of first that belong to the key
	offset      uintptr // of the variable in the struct
	check       uint64  // the bit of a required field, see structDecoder.decodeChecked
	longKey     string  // the encoded key, if it is longer than two words
	word        uint16  // index of the word that contains check
	size        uint8   // length of the encoded key; 0 if it is too long to be compared by words
	keyed       bool    // a key precedes the value
	get         getOp
}

// maxKeySize is the longest encoded key that is compared by words.
const maxKeySize = math.MaxUint8

// makeGetField returns the field for a key.
func makeGetField(name string, offset uintptr, o getOp) getField {
	key := wire.AppendString(nil, name)
	n := len(key)
	if n > maxKeySize {
		f := noField
		f.offset, f.get = offset, o
		return f // it is found by its name
	}
	p := mem.Bytes(append(key, make([]byte, 8)...)) // Load64 reads eight bytes of a shorter key
	f := getField{offset: offset, size: uint8(n), keyed: true, get: o, mask: keyMasks[min(n, 8)]}
	f.first = mem.Load64(p, 0) & f.mask
	if f.last = f.first; n > 8 {
		f.last = mem.Load64(p, n-8)
	}
	if n > 16 {
		f.longKey = string(key)
	}
	return f
}

// keyMasks holds the mask of the first word by the length of the encoded key.
var keyMasks = makeKeyMasks()

func makeKeyMasks() (t [1 + maxScalar]uint64) {
	for i := range t {
		t[i] = math.MaxUint64 >> (64 - 8*min(i, 8))
	}
	return t
}

// noField never matches a key: no masked word equals 1. It follows the last field,
// where the loop looks for the next one.
var noField = getField{first: 1, mask: 0, keyed: true}

// unnamed returns a field without a key.
func unnamed(offset uintptr, o getOp) getField { return getField{offset: offset, get: o} }

// isBetween reports whether the key at in+pos equals f between its first and last
// word.
func (f *getField) isBetween(in mem.Ptr, pos int) bool {
	key := mem.StringBytes(f.longKey)
	for i := 8; i < len(f.longKey)-8; i += 8 {
		if mem.Load64(in, pos+i) != mem.Load64(key, i) {
			return false
		}
	}
	return true
}

// A keyTable finds the fields of a struct by their keys in any order. Keys of up to
// shortString bytes are found by their words, in a hash table with open addressing.
// The multiplier of the hash is chosen so that the keys of this struct collide as
// little as possible. All other keys are found by name.
type keyTable struct {
	names map[string]int
	slots []uint16 // index of a field plus one, or 0 if free; the length is a power of two
	mask  uint64   // len(slots) - 1
	seed  uint64   // the multiplier
	shift uint     // keeps the high bits of the product, which depend on all bits of the word
	tails bool     // hash the first and the last word, because several keys share the first
}

// maxFills limits the time for choosing a multiplier.
const maxFills = 4096

func makeKeyTable(names []string, fields []getField) keyTable {
	best := keyTable{names: make(map[string]int, len(names)), slots: make([]uint16, 1)} // one free slot: finds nothing
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
	// Try multipliers and keep the best. Fewer are tried for structs with many fields,
	// where each attempt takes longer and a perfect one is unlikely.
	log := bits.Len(uint(2 * len(names))) // at most half full, so that a search ends
	t := keyTable{names: best.names, mask: 1<<log - 1, shift: uint(64 - log), tails: len(firsts) < len(names)}
	fewest := len(names) + 1
	var spare []uint16 // slots for the next attempt, which need not be allocated
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
		if fewest == 0 { // no key needs a second look-up
			break
		}
	}
	return best
}

// hasWords reports whether the keys of up to shortString bytes are found by their
// words. Those of more fields than slots can number are found by name only.
func (t *keyTable) hasWords() bool { return len(t.names) <= math.MaxInt16 }

// fill puts the fields into the slots and returns how many of them collided.
func (t *keyTable) fill(fields []getField) (collisions int) {
	for i := range fields {
		f := &fields[i]
		if f.size == 0 || f.size > 1+shortString {
			continue // found by name, because its header is not one byte
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

// hash returns the slot at which the search for a word begins. The mask of the shift
// saves the compiler a test for shifts of 64 bits or more.
func (t *keyTable) hash(word uint64) uint64 { return word * t.seed >> (t.shift & 63) }

// at returns the content of a slot. The mask keeps any hash within the slots.
func (t *keyTable) at(hash uint64) int {
	return int(*mem.At[uint16](mem.SliceStart(t.slots).Add(uintptr(hash&t.mask) * 2)))
}
