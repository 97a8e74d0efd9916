// Package xxh64 computes XXH64, the 64-bit hash of the xxHash family with seed 0. A zstd frame ends with its low
// 32 bits as the checksum of its content.
//
// The algorithm is described at https://github.com/Cyan4973/xxHash/blob/dev/doc/xxhash_spec.md. It reads four lanes
// of 8 bytes a turn, so that the multiplications of the lanes overlap.
package xxh64

import (
	"encoding/binary"
	"math/bits"
)

// The primes of the algorithm.
const (
	prime1 uint64 = 11400714785074694791
	prime2 uint64 = 14029467366897019727
	prime3 uint64 = 1609587929392839161
	prime4 uint64 = 9650029242287828579
	prime5 uint64 = 2870177450012600261
)

// stripe is the number of bytes of one turn.
const stripe = 32

// Sum returns the hash of b.
func Sum(b []byte) uint64 {
	var h uint64
	n := uint64(len(b))
	if len(b) >= stripe {
		one := prime1 // not a constant: prime1+prime2 wraps
		v1, v2, v3, v4 := one+prime2, prime2, uint64(0), -one
		for len(b) >= stripe {
			lanes := b[:stripe:stripe] // one bounds check for the four loads
			v1 = round(v1, binary.LittleEndian.Uint64(lanes[0:8]))
			v2 = round(v2, binary.LittleEndian.Uint64(lanes[8:16]))
			v3 = round(v3, binary.LittleEndian.Uint64(lanes[16:24]))
			v4 = round(v4, binary.LittleEndian.Uint64(lanes[24:32]))
			b = b[stripe:]
		}
		h = bits.RotateLeft64(v1, 1) + bits.RotateLeft64(v2, 7) + bits.RotateLeft64(v3, 12) + bits.RotateLeft64(v4, 18)
		h = merge(merge(merge(merge(h, v1), v2), v3), v4)
	} else {
		h = prime5
	}
	h += n
	for ; len(b) >= 8; b = b[8:] {
		h ^= round(0, binary.LittleEndian.Uint64(b))
		h = bits.RotateLeft64(h, 27)*prime1 + prime4
	}
	if len(b) >= 4 {
		h ^= uint64(binary.LittleEndian.Uint32(b)) * prime1
		h = bits.RotateLeft64(h, 23)*prime2 + prime3
		b = b[4:]
	}
	for _, c := range b {
		h ^= uint64(c) * prime5
		h = bits.RotateLeft64(h, 11) * prime1
	}
	h = (h ^ h>>33) * prime2
	h = (h ^ h>>29) * prime3
	return h ^ h>>32
}

func round(lane, input uint64) uint64 {
	return bits.RotateLeft64(lane+input*prime2, 31) * prime1
}

func merge(h, lane uint64) uint64 {
	return (h^round(0, lane))*prime1 + prime4
}
