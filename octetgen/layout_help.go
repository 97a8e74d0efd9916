package octetgen

import (
	"maps"
	"slices"
)

// helpers are functions that the printed code of package layout can need.
var helpers = map[string]string{
	"octetSetVarint": `// octetSetVarint writes v over the byte at at of b. What follows moves.
func octetSetVarint(b []byte, at int, v uint64) []byte {
	if v < 0x80 {
		b[at] = byte(v)
		return b
	}
	var text [$binary$.MaxVarintLen64]byte
	return $slices$.Replace(b, at, at+1, text[:$binary$.PutUvarint(text[:], v)]...)
}
`,
	"octetResize": `// octetResize returns a slice of n elements, in the memory of s if that is long enough.
func octetResize[S ~[]E, E any](s S, n int) S {
	if s == nil || cap(s) < n {
		return make(S, n)
	}
	return s[:n]
}
`,
}

// help returns the name of a helper, which will be printed.
func (p *printer) help(name string) string {
	p.helpers[name] = helpers[name]
	return name
}

// printHelpers prints the helpers that the printed functions call.
func (p *printer) printHelpers() {
	for _, name := range slices.Sorted(maps.Keys(p.helpers)) {
		p.printf("%s\n", p.helpers[name])
	}
}
