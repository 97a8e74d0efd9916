package xxh64

import (
	"encoding/binary"
	"math/bits"
	"testing"
)

// FuzzSum compares Sum with the steps of the specification, one lane after the
// other.
func FuzzSum(f *testing.F) {
	for _, n := range []int{0, 1, 3, 4, 8, 31, 32, 33, 63, 64, 200} {
		f.Add(sanity(n))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, want := Sum(b), bySpecification(b); got != want {
			t.Errorf("%d bytes: %016x, want %016x", len(b), got, want)
		}
	})
}

func bySpecification(input []byte) (h uint64) {
	rest := input
	next := func(size int) (v uint64) {
		var word [8]byte
		copy(word[:], rest[:size])
		rest = rest[size:]
		return binary.LittleEndian.Uint64(word[:])
	}
	step := func(lane, v uint64) uint64 {
		lane += v * prime2
		return bits.RotateLeft64(lane, 31) * prime1
	}
	first := prime1
	lanes := [4]uint64{first + prime2, prime2, 0, 0 - first}
	for len(rest) >= 32 {
		for i := range lanes {
			lanes[i] = step(lanes[i], next(8))
		}
	}
	if len(input) < 32 {
		h = prime5
	} else {
		for i, turn := range []int{1, 7, 12, 18} {
			h += bits.RotateLeft64(lanes[i], turn)
		}
		for _, lane := range lanes {
			h = (h^step(0, lane))*prime1 + prime4
		}
	}
	h += uint64(len(input))
	for len(rest) >= 8 {
		h = bits.RotateLeft64(h^step(0, next(8)), 27)*prime1 + prime4
	}
	if len(rest) >= 4 {
		h = bits.RotateLeft64(h^next(4)*prime1, 23)*prime2 + prime3
	}
	for len(rest) > 0 {
		h = bits.RotateLeft64(h^next(1)*prime5, 11) * prime1
	}
	h ^= h >> 33
	h *= prime2
	h ^= h >> 29
	h *= prime3
	return h ^ h>>32
}
