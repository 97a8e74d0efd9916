package xxh64

import (
	"fmt"
	"testing"
)

// TestSum compares with published test vectors: those of the specification's own
// implementation for short texts, and of its sanity check, whose input is made by
// sanity.
func TestSum(t *testing.T) {
	for _, c := range []struct {
		name  string
		input []byte
		want  uint64
	}{
		{"empty", nil, 0xef46db3751d8e999},
		{"a", []byte("a"), 0xd24ec4f1a98c6e5b},
		{"abc", []byte("abc"), 0x44bc2cf5ad770999},
		{"a sentence", []byte("Nobody inspects the spammish repetition"), 0xfbcea83c8a378bf1},
		{"sanity 1", sanity(1), 0xe934a84adb052768},
		{"sanity 4", sanity(4), 0x9136a0dca57457ee},
		{"sanity 14", sanity(14), 0x8282dcc4994e35c8},
		{"sanity 222", sanity(222), 0xb641ae8cb691c174},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := Sum(c.input); got != c.want {
				t.Errorf("%016x, want %016x", got, c.want)
			}
		})
	}
}

// sanity returns the input of the sanity check of xxHash: the high bytes of a
// sequence of squares of its second prime for 32 bits.
func sanity(n int) []byte {
	const prime32, prime64 uint64 = 2654435761, 11400714785074694797
	b := make([]byte, n)
	state := prime32
	for i := range b {
		b[i] = byte(state >> 56)
		state *= prime64
	}
	return b
}

func BenchmarkSum(b *testing.B) {
	for _, n := range []int{16, 1 << 10, 256 << 10} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			data := sanity(n)
			b.SetBytes(int64(n))
			for b.Loop() {
				Sum(data)
			}
		})
	}
}
