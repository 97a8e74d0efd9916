//go:build gc && go1.26 && !go1.27 && !race && !purego

package mem

import (
	"math/bits"
	"unsafe"
)

// mapHeader is how a map begins, see Map in internal/runtime/maps.
type mapHeader struct {
	entries uint64
	_       uintptr        // seed of the hash
	group   unsafe.Pointer // of what else if dirLen is not 0
	dirLen  int
	_, _    uint8
	writing uint8 // somebody is changing the map
}

// A mapGroup is laid out by MapGroupType in cmd/compile/internal/reflectdata.
type mapGroup[K comparable, V any] struct {
	control uint64
	slots   [8]MapSlot[K, V]
}

// MapSlots returns nil for no entries, and for a map that is not a group or has
// been more than one. It does so too for one that is being changed, so that
// ranging over it may stop the program as Go promises to try.
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

// mapsAsKnown reports whether maps are what this file takes them to be, which a
// build of Go by somebody else may have changed in spite of its version.
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
	return true
}
