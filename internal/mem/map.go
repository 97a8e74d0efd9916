package mem

import "unsafe"

// A MapSlot is the memory of one map entry.
//
// The runtime stores a map of up to eight entries in one group: a control byte
// for each slot, whose high bit says that the slot is free, and then the slots.
// Ranging over such a map needs two random numbers and one call per entry, which
// takes longer than encoding a short entry. In the versions of Go whose map
// layout is known, MapSlots therefore reads the group directly. In other versions
// it returns nil, and the caller must range over the map.
//
// MapSlots returns the slots and a mask of the used ones: slot i is used if bit
// 8i+7 is set. The caller guarantees that K and V have at most 128 bytes each,
// that no other goroutine changes the map at the same time, and that it only
// reads the slots.
type MapSlot[K comparable, V any] struct {
	Key  K
	Elem V
}

// ElemOffset returns the offset of the element in a slot.
func (s *MapSlot[K, V]) ElemOffset() uintptr { return unsafe.Offsetof(s.Elem) }
