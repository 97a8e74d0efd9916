//go:build !gc || !go1.26 || go1.28

package mem

// knownVersion is false, so maps are accessed only through range and package
// reflect.
const knownVersion = false
