//go:build gc && go1.26 && !go1.28

package mem

// knownVersion is true for the versions of Go whose maps and iterators have
// been checked to have the layout that this package uses.
const knownVersion = true
