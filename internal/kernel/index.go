package kernel

import "github.com/octet-go/octet/internal/mem"

// IndexTriples returns the index of the first of two triples in b, or -1. If
// [HasIndexTriples] returns false, it is slow.
func IndexTriples(b []byte, t *[2][3]byte) int {
	done := 0
	for hasTriples && len(b)-done >= 66 {
		n := min((len(b)-2-done)&^63, maxCall-64)
		i := indexTriples(mem.Bytes(b[done:]), n, t)
		done += i
		if i < n {
			return done
		}
	}
	return indexTriplesGo(b, done, t)
}

// HasIndexTriples reports whether the processor has the instructions for
// [IndexTriples].
func HasIndexTriples() bool { return hasTriples }

func indexTriplesGo(b []byte, from int, t *[2][3]byte) int {
	for i := from; i+2 < len(b); i++ {
		if c := [3]byte(b[i : i+3]); c == t[0] || c == t[1] {
			return i
		}
	}
	return -1
}
