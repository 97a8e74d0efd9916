//go:build linux

package kernel

import (
	"hash/crc32"
	"testing"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// wholeCRC32C returns the checksum of all bytes.
func wholeCRC32C(crc uint32, b []byte) uint32 {
	crc, n := CRC32C(crc, b)
	return crc32.Update(crc, castagnoli, b[n:])
}

// TestCRC32CBetweenGuardPages compares the checksum of every length up to 1300, and of some beyond what one call of
// assembly processes, with that of package crc32, at offsets from a guard page.
func TestCRC32CBetweenGuardPages(t *testing.T) {
	g := newGuarded(t, 64)
	fill(g.b, 1)
	for n := range lengths(1300) {
		for _, offset := range []int{0, 1, 31, 63} {
			for side, b := range g.places(offset, n) {
				for _, before := range []uint32{0, 1, 0xffffffff, 0x12345678} {
					if got, want := wholeCRC32C(before, b), crc32.Update(before, castagnoli, b); got != want {
						t.Fatalf("%d bytes, offset %d, side %d, after %#x: %#x, want %#x", n, offset, side, before, got, want)
					}
				}
			}
		}
	}
}

// TestCRC32CBits requires that every bit of the input is counted.
func TestCRC32CBits(t *testing.T) {
	b := make([]byte, 1024)
	zero := wholeCRC32C(0, b)
	seen := map[uint32]int{zero: -1}
	for i := range 8 * len(b) {
		b[i/8] ^= 1 << (i % 8)
		got := wholeCRC32C(0, b)
		if want := crc32.Update(0, castagnoli, b); got != want {
			t.Fatalf("bit %d: %#x, want %#x", i, got, want)
		}
		if j, ok := seen[got]; ok {
			t.Fatalf("bits %d and %d have the same checksum", i, j)
		}
		seen[got] = i
		b[i/8] ^= 1 << (i % 8)
	}
}

// lengths yields the numbers below most, and some up to 200,000.
func lengths(most int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for n := range most {
			if !yield(n) {
				return
			}
		}
		for _, n := range []int{maxCall - 1, maxCall, maxCall + 1, 2*maxCall + 1000, 200_000} {
			if !yield(n) {
				return
			}
		}
	}
}

func BenchmarkCRC32C(b *testing.B) {
	data := make([]byte, 256<<10)
	fill(data, 1)
	b.Run("kernel", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			CRC32C(0, data)
		}
	})
	b.Run("crc32", func(b *testing.B) {
		b.SetBytes(int64(len(data)))
		for b.Loop() {
			crc32.Update(0, castagnoli, data)
		}
	})
}
