//go:build gc && go1.26 && !go1.27 && !race && !purego

package mem

import "unsafe"

// mapHeader is how a map begins, see Map in internal/runtime/maps.
type mapHeader struct {
	_      uint64         // entries
	_      uintptr        // seed of the hash
	group  unsafe.Pointer // of what else if dirLen is not 0
	dirLen int
}

// A mapGroup is laid out by MapGroupType in cmd/compile/internal/reflectdata.
type mapGroup[K comparable, V any] struct {
	control uint64
	slots   [8]MapSlot[K, V]
}

// MapSlots returns nil for no entries, and for a map that is not a group or has
// been more than one.
func MapSlots[K comparable, V any](m map[K]V) (slots *[8]MapSlot[K, V], used uint64) {
	h := *(**mapHeader)(unsafe.Pointer(&m))
	if h == nil || h.dirLen != 0 || h.group == nil {
		return nil, 0
	}
	g := (*mapGroup[K, V])(h.group)
	return &g.slots, ^g.control & 0x8080808080808080
}
