package mem

import "unsafe"

// A MapSlot is the memory of one map entry.
//
// The runtime stores a map in groups of eight slots. Ranging over a small map needs two
// random numbers and one call per entry, which takes longer than encoding a short entry.
// In the versions of Go whose map layout is known, [MapGroups] therefore gives access to
// the groups.
type MapSlot[K comparable, V any] struct {
	Key  K
	Elem V
}

// MapsByLayout is true if the runtime accesses a map by the sizes, hashes and pointers
// of its keys and elements alone, so that [MapAt] may be used for other types than those
// of the map. This has been checked for the versions of Go that are known.
const MapsByLayout = knownVersion

// MapAt returns the map at p as a map from K to V. The caller guarantees that it has
// these types, or, if MapsByLayout is true, that its keys are of the same kind and size
// as K, strings or integers, and that its elements have the size of V and pointers at the
// same places.
func MapAt[K comparable, V any](p Ptr) *map[K]V { return (*map[K]V)(p.p) }

// MapLen returns the number of entries of m. The caller guarantees that m is a map,
// of any type, or nil.
func MapLen(m Ptr) int { return len(*(*map[int8]int8)(unsafe.Pointer(&m))) }
