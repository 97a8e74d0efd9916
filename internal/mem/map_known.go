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
	return true
}
