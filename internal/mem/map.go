package mem

// A MapSlot is where a map keeps one entry.
//
// The runtime keeps a map of up to eight entries in one group: a byte for each
// slot, whose high bit says that the slot is free, and the slots. Ranging over
// it takes two random numbers and a call for each entry: encoding small maps takes
// 1.6 to 2.3 times as long that way, and documents 1.1 to 1.9 times, see
// Measurements in CONTRIBUTING.md. So in versions of Go whose layout is known, MapSlots reads the
// group as it is; elsewhere it returns nil, which says that the map must be
// ranged over.
//
// It returns the slots and which of them hold an entry: slot i does if bit 8i+7
// is set. The caller guarantees that K and V take 128 bytes at most, that nobody
// changes the map at the same time, and only reads.
type MapSlot[K comparable, V any] struct {
	Key  K
	Elem V
}
