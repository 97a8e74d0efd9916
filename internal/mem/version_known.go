//go:build gc && go1.26 && !go1.27

package mem

// knownVersion is true for the versions of Go whose maps and iterators were read
// before this package was allowed to rely on their layout.
const knownVersion = true
