package record

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// TestFinderInLongData searches data that has markers, names and parts of them, in both ways, and compares the results with those
// of package bytes.
func TestFinderInLongData(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := newMarker()
	pieces := [][]byte{m[:], []byte(name), m[:15], m[1:], []byte(name[:8]), []byte(name[1:]), bytes.Repeat([]byte("t-r"), 2*mostMisses), m[3:9], {0}, {0x82}, make([]byte, 50), bytes.Repeat([]byte("x-"), 40)}
	rounds := 3000
	if few() {
		rounds = 750
	}
	for i := range rounds {
		var b []byte
		for range r.IntN(12) {
			piece := pieces[r.IntN(len(pieces))]
			if r.IntN(3) > 0 {
				piece = pieces[2+r.IntN(len(pieces)-2)]
			}
			b = append(b, piece[:len(piece)-r.IntN(2)*r.IntN(len(piece))]...)
		}
		for _, vector := range []bool{false, true} {
			f := newFinder(m)
			f.vector = vector
			for from := 0; from <= len(b); from += 1 + r.IntN(7) {
				want, wantName := bytes.Index(b[from:], m[:]), false
				if k := bytes.Index(b[from:], []byte(name)); k >= 0 && (want < 0 || k < want) {
					want, wantName = k, true
				}
				if want >= 0 {
					want += from
				}
				at, isName := f.next(b, from)
				if at != want || isName != wantName {
					t.Fatalf("%d: vector %v: %q from %d: %d, %v, want %d, %v", i, vector, b, from, at, isName, want, wantName)
				}
			}
		}
	}
}
