//go:build !gc || !go1.26 || go1.28 || goexperiment.mapsplitgroup || race || purego

package mem

// MapSlots returns nil because the layout of maps is unknown in this version of
// Go, because the race detector must see each access, or because the build
// excludes such code.
func MapSlots[K comparable, V any](map[K]V) (slots *[8]MapSlot[K, V], used uint64) {
	return nil, 0
}
