//go:build linux

package kernel

import (
	"bytes"
	"testing"
)

// TestIndexTriplesBetweenGuardPages puts each of the triples at every place in memory of every length up to 200, and in
// some places of more than one call of assembly processes.
func TestIndexTriplesBetweenGuardPages(t *testing.T) {
	g := newGuarded(t, 64)
	want := &[2][3]byte{{'t', '-', 'r'}, {0x82, 0xff, 0}}
	check := func(b []byte, at int, c [3]byte) {
		t.Helper()
		copy(b[at:], c[:])
		if got := IndexTriples(b, want); got != at {
			t.Fatalf("%d bytes, %q at %d: %d", len(b), c, at, got)
		}
		if got := indexTriplesGo(b, 0, want); got != at {
			t.Fatalf("%d bytes, %q at %d: the Go twin finds %d", len(b), c, at, got)
		}
		clear(b[at : at+3])
	}
	clear(g.b)
	for n := range 200 {
		for _, offset := range []int{0, 1, 63} {
			for _, b := range g.places(offset, n) {
				if got := IndexTriples(b, want); got != -1 {
					t.Fatalf("%d bytes without a triple: %d", n, got)
				}
				for at := range max(0, n-2) {
					for _, c := range want {
						check(b, at, c)
					}
				}
			}
		}
	}
	long := g.tail(0, 2*maxCall+300)
	for _, at := range []int{maxCall - 67, maxCall - 66, maxCall - 65, maxCall - 64, maxCall - 63, maxCall - 3, maxCall - 2, maxCall - 1, maxCall, maxCall + 1, 2 * maxCall, len(long) - 67, len(long) - 66, len(long) - 3} {
		check(long, at, want[0])
		check(long, at, want[1])
	}
}

// TestIndexTriplesOfParts requires the first triple among bytes that have parts of both.
func TestIndexTriplesOfParts(t *testing.T) {
	want := &[2][3]byte{{'a', 'b', 'c'}, {'c', 'a', 'a'}}
	b := bytes.Repeat([]byte("abacbcabbbcbaacbab"), 20)
	for i := range 300 {
		for _, c := range want {
			changed := bytes.Clone(b)
			copy(changed[i:], c[:])
			got := IndexTriples(changed, want)
			first := min(uint(bytes.Index(changed, want[0][:])), uint(bytes.Index(changed, want[1][:])))
			if uint(got) != first {
				t.Fatalf("%q at %d: %d, want %d", c, i, got, first)
			}
		}
	}
	if got := IndexTriples(b, want); got != -1 {
		t.Errorf("%d", got)
	}
}

func BenchmarkIndexTriples(b *testing.B) {
	data := make([]byte, 256<<10)
	fill(data, 1)
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		IndexTriples(data, &[2][3]byte{{'t', '-', 'r'}, {'t', '-', 'r'}})
	}
}
