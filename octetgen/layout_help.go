package octetgen

import (
	"maps"
	"slices"
)

// helpers are functions that the printed code of package layout can need.
var helpers = map[string]string{
	"octetBit": `// octetBit returns 1 if b is set, and 0 otherwise.
func octetBit(b bool) byte {
	if b {
		return 1
	}
	return 0
}
`,
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
	"octetNext": `// octetNext returns s with one more element, in the memory of s if that is long enough.
func octetNext[S ~[]E, E any](s S) S {
	if len(s) < cap(s) {
		return s[:len(s)+1]
	}
	var zero E
	return append(s, zero)
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
