package randtype

import (
	"math/rand/v2"
	"reflect"
)

// A Rand makes the random choices. It is not safe for concurrent use.
type Rand struct {
	draw   func(bytes int) uint64 // returns a number of that many bytes
	leaves []Leaf
	room   int // how much the current type or value may still grow
}

// A Leaf is a type that is used unchanged, with a function that creates its
// values.
type Leaf struct {
	Type  reflect.Type
	Value func(r *Rand) reflect.Value
}

// LeafOf returns the Leaf for type T.
func LeafOf[T any](value func(r *Rand) T) Leaf {
	return Leaf{reflect.TypeFor[T](), func(r *Rand) reflect.Value { return reflect.ValueOf(value(r)) }}
}

// FromSeed returns a Rand whose choices depend on seed.
func FromSeed(seed uint64, leaves ...Leaf) *Rand {
	pcg := rand.NewPCG(seed, 0)
	draw := func(bytes int) uint64 { return pcg.Uint64() >> (64 - 8*bytes) }
	return &Rand{draw: draw, leaves: leaves}
}

// FromBytes returns a Rand whose choices are the bytes of data, and zeros after
// its end. Zero is always the simplest choice.
func FromBytes(data []byte, leaves ...Leaf) *Rand {
	draw := func(bytes int) (u uint64) {
		for range bytes {
			u <<= 8
			if len(data) > 0 {
				u |= uint64(data[0])
				data = data[1:]
			}
		}
		return u
	}
	return &Rand{draw: draw, leaves: leaves}
}

// Below returns a number from 0 to n-1, for n up to 65536.
func (r *Rand) Below(n int) int {
	if n <= 1<<8 {
		return int(r.draw(1)) % n
	}
	return int(r.draw(2)) % n
}

// Bits returns 64 random bits.
func (r *Rand) Bits() uint64 { return r.draw(8) }

// Bytes returns up to 65536 random bytes: usually a few, sometimes a length at
// which the format changes.
func (r *Rand) Bytes() []byte {
	b := make([]byte, r.contentLength())
	// Long content repeats a pattern, because nothing depends on it and the
	// input of a fuzzer is limited.
	pattern := r.Bits()
	for i := range b {
		b[i] = byte(pattern>>(8*(i%8))) ^ byte(i/8)
	}
	return b
}

// one returns true in one of n cases, and false for a choice of zero.
func (r *Rand) one(n int) bool { return r.Below(n) == n-1 }

// pick returns one of the choices. A choice of zero returns the first one.
func pick[T any](r *Rand, choices ...T) T { return choices[r.Below(len(choices))] }

// contentLength returns a length for strings and bytes.
func (r *Rand) contentLength() int {
	if !r.one(16) {
		return r.Below(10)
	}
	n := pick(r, 15, 31, 32, 33, 100, 255, 256, 257, 65535, 65536)
	if n > 1000 && !r.one(8) {
		n = 16
	}
	return n
}

// elementLength returns a length for slices and maps, limited by room.
func (r *Rand) elementLength() int {
	n := r.Below(4)
	if r.one(16) {
		n = pick(r, 15, 16, 17, 31, 32, 255, 256)
	}
	if n > r.room {
		n = 0
	}
	r.room -= n
	return n
}
