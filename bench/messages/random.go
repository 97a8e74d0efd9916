package messages

import "math/rand/v2"

// randomBytes returns n bytes.
func randomBytes(r *rand.Rand, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(r.Uint32())
	}
	return b
}

const letters = "abcdefghijklmnopqrstuvwxyz0123456789-_"

// randomText returns low to high letters.
func randomText(r *rand.Rand, low, high int) string {
	b := make([]byte, between(r, low, high))
	for i := range b {
		b[i] = letters[r.IntN(len(letters))]
	}
	return string(b)
}

// between returns a number from low to high.
func between(r *rand.Rand, low, high int) int { return low + r.IntN(high-low+1) }

// chance returns true once in n calls.
func chance(r *rand.Rand, n int) bool { return r.IntN(n) == 0 }

// some returns low to high elements.
func some[T any](r *rand.Rand, low, high int, one func() T) []T {
	s := make([]T, between(r, low, high))
	for i := range s {
		s[i] = one()
	}
	return s
}
