//go:build !gc || !go1.26 || go1.27 || race || purego

package mem

// MapSlots returns nil: this version of Go may lay maps out in another way, or
// the race detector wants to see each access, or the build wants none of this.
func MapSlots[K comparable, V any](map[K]V) (slots *[8]MapSlot[K, V], used uint64) {
	return nil, 0
}
