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
// control bytes, of which the high bit says that a slot is free, and then eight slots,
// as MapGroupType in cmd/compile/internal/reflectdata defines it. The caller guarantees
// that keys and elements have at most 128 bytes each, that no other goroutine changes
// the map at the same time, that it only reads the slots, and that i is less than the
// number that MapTables has returned.
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
	h := *(**mapHeader)(unsafe.Pointer(&m))
	if h.dirLen != 0 || h.writing != 0 || h.entries != uint64(len(m)) {
		return false
	}
	g := (*struct {
		control uint64
		slots   [8]struct {
			key  string
			elem any
		}
	})(h.group)
	found := 0
	for used := ^g.control & 0x8080808080808080; used != 0; used &= used - 1 {
		e := &g.slots[bits.TrailingZeros64(used)/8]
		if v, ok := m[e.key]; !ok || v != e.elem {
			return false
		}
		found++
	}
	return found == len(m) && checkTables()
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
	groups := (*[4]struct {
		control uint64
		slots   [8]struct{ key, elem uint16 }
	})(t.groups)
	found := 0
	for i := range groups {
		for used := ^groups[i].control & 0x8080808080808080; used != 0; used &= used - 1 {
			if e := groups[i].slots[bits.TrailingZeros64(used)/8]; e.key >= 20 || e.elem != ^e.key {
				return false
			}
			found++
		}
	}
	return found == len(m)
}
