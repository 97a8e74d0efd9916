//go:build gc && go1.26 && !go1.28 && !goexperiment.mapsplitgroup && !race && !purego

package mem

import (
	"math/bits"
	"unsafe"
)

// mapHeader is the start of a map, see Map in internal/runtime/maps.
type mapHeader struct {
	entries uint64
	_       uintptr        // seed of the hash
	group   unsafe.Pointer // points at something else if dirLen is not 0
	dirLen  int
	_, _    uint8
	writing uint8 // not 0 while the map is being changed
}

// A mapGroup has the layout that MapGroupType in
// cmd/compile/internal/reflectdata defines.
type mapGroup[K comparable, V any] struct {
	control uint64
	slots   [8]MapSlot[K, V]
}

// MapSlots returns nil for an empty map and for a map that is, or once was,
// larger than one group. It also returns nil for a map that is being changed,
// so that ranging over the map can detect the concurrent access.
func MapSlots[K comparable, V any](m map[K]V) (slots *[8]MapSlot[K, V], used uint64) {
	if !mapsAsKnown {
		return nil, 0
	}
	return mapSlots(m)
}

func mapSlots[K comparable, V any](m map[K]V) (slots *[8]MapSlot[K, V], used uint64) {
	h := *(**mapHeader)(unsafe.Pointer(&m))
	if h == nil || h.dirLen != 0 || h.group == nil || h.writing != 0 {
		return nil, 0
	}
	g := (*mapGroup[K, V])(h.group)
	return &g.slots, ^g.control & 0x8080808080808080
}

// A mapTable is the start of a table, of which a map with more than one group has
// one or more, see table in internal/runtime/maps.
type mapTable struct {
	_, _, _  uint16
	_        uint8
	index    int // of the first place in the directory that refers to the table; -1 if the table was replaced
	groups   unsafe.Pointer
	lastMask uint64 // the number of groups minus 1
}

// MapTables returns the number of places in the directory of m, each of which
// refers to a table. It returns 1 for a map of one group, and 0 for a map that
// cannot be read in place: the layout is unknown, or the map is being changed. The
// caller guarantees that m is a map with entries, and that no other goroutine
// changes it at the same time.
func MapTables(m Ptr) int {
	h := (*mapHeader)(m.p)
	if !mapsAsKnown || h.writing != 0 || h.group == nil {
		return 0
	}
	return max(h.dirLen, 1)
}

// MapGroups returns the address of the first group of table i and the number of its
// groups, which is 0 if an earlier place refers to the same table. A group is eight
// control bytes, of which the high bit says that a slot is free, and then eight
// slots, as in [MapSlots]. The caller guarantees the same as for MapSlots, and that
// i is less than the number that MapTables has returned.
func MapGroups(m Ptr, i int) (first Ptr, groups int) {
	h := (*mapHeader)(m.p)
	if h.dirLen == 0 {
		return Ptr{h.group}, 1
	}
	// A method of an element may have changed the map meanwhile.
	if i >= h.dirLen {
		return Ptr{}, 0
	}
	t := *(**mapTable)(unsafe.Add(h.group, uintptr(i)*unsafe.Sizeof(h.group)))
	if t.index != i {
		return Ptr{}, 0
	}
	return Ptr{t.groups}, int(t.lastMask) + 1
}

// mapsAsKnown reports whether maps have the layout that this file expects. A
// modified build of Go may have another layout despite its version.
var mapsAsKnown = checkMaps()

func checkMaps() bool {
	m := make(map[string]any)
	for i, key := range [...]string{"a", "bc", "def", "gone", ""} {
		m[key] = i
	}
	delete(m, "gone")
	slots, used := mapSlots(m)
	if slots == nil || bits.OnesCount64(used) != len(m) || (*(**mapHeader)(unsafe.Pointer(&m))).entries != uint64(len(m)) {
		return false
	}
	for ; used != 0; used &= used - 1 {
		e := &slots[bits.TrailingZeros64(used)/8]
		if v, ok := m[e.Key]; !ok || v != e.Elem {
			return false
		}
	}
	return checkTables()
}

// checkTables is checkMaps for a map of several groups.
func checkTables() bool {
	m := make(map[uint16]uint16)
	for i := range uint16(20) {
		m[i] = ^i
	}
	h := *(**mapHeader)(unsafe.Pointer(&m))
	if h.dirLen != 1 || h.writing != 0 {
		return false
	}
	t := *(**mapTable)(h.group)
	if t.index != 0 || t.lastMask != 3 {
		return false
	}
	found := 0
	for _, g := range unsafe.Slice((*mapGroup[uint16, uint16])(t.groups), 4) {
		for used := ^g.control & 0x8080808080808080; used != 0; used &= used - 1 {
			if e := g.slots[bits.TrailingZeros64(used)/8]; e.Key >= 20 || e.Elem != ^e.Key {
				return false
			}
			found++
		}
	}
	return found == len(m)
}
