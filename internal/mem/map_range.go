//go:build !gc || !go1.26 || go1.28 || goexperiment.mapsplitgroup || race || purego

package mem

// MapTables returns 0, which means that the map cannot be read in place: because the
// layout of maps is unknown in this version of Go, because the race detector must see
// each access, or because the build excludes such code.
func MapTables(Ptr) int { return 0 }

// MapGroups is never called.
func MapGroups(Ptr, int) (first Ptr, groups int) { return Ptr{}, 0 }
