//go:build !gc || !go1.26 || go1.27

package mem

// knownVersion is false: maps are read and ranged over as reflect offers it.
const knownVersion = false
