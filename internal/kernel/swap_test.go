//go:build linux

package kernel

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/octet-go/octet/internal/mem"
)

var widths = []struct {
	width int
	swap  func(dst, src mem.Ptr, n int)
}{{2, Swap2}, {4, Swap4}, {8, Swap8}}

// reversed returns the expected result, computed in the simplest way.
func reversed(src []byte, width int) []byte {
	out := make([]byte, len(src))
	for i, b := range src {
		out[i^(width-1)] = b // the position from the other end of the element
	}
	return out
}

// TestSwapBetweenGuardPages tests every number of elements up to 257 at every
// offset up to 63 from a guard page, with separate memory and in place.
func TestSwapBetweenGuardPages(t *testing.T) {
	from, to := newGuarded(t, 1), newGuarded(t, 1)
	for _, w := range widths {
		t.Run(fmt.Sprint(w.width), func(t *testing.T) {
			for n := 0; n <= 257; n += w.width {
				for off := range 64 {
					for side := range 2 {
						src, dst := from.places(off, n)[side], to.places(63-off, n)[side]
						fill(from.b, n+off)
						want := reversed(src, w.width)
						fill(to.b, 7)
						w.swap(ptr(dst), ptr(src), n/w.width)
						if !bytes.Equal(dst, want) {
							t.Fatalf("n=%d offset=%d side=%d: got %x, want %x", n, off, side, dst, want)
						}
						around := bytes.Clone(to.b)
						fill(to.b, 7)
						copy(to.places(63-off, n)[side], want)
						if !bytes.Equal(around, to.b) {
							t.Fatalf("n=%d offset=%d side=%d: bytes outside changed", n, off, side)
						}
						w.swap(ptr(src), ptr(src), n/w.width)
						if !bytes.Equal(src, want) {
							t.Fatalf("n=%d offset=%d side=%d: in place: got %x, want %x", n, off, side, src, want)
						}
					}
				}
			}
		})
	}
}

// TestSwapTwins compares every implementation that this processor can run with
// the Go implementation.
func TestSwapTwins(t *testing.T) {
	from, to := newGuarded(t, 1), newGuarded(t, 1)
	for _, body := range swapBodies() {
		t.Run(body.name, func(t *testing.T) {
			for _, w := range widths {
				mask := map[int]*[16]byte{2: &reverse2, 4: &reverse4, 8: &reverse8}[w.width]
				for n := body.least; n <= 520; n++ {
					if n%body.multiple != 0 || n%w.width != 0 {
						continue
					}
					for off := range 64 {
						for side := range 2 {
							src, dst := from.places(off, n)[side], to.places(0, n)[side]
							if mem.Misalignment(ptr(dst), body.align) != 0 {
								continue
							}
							fill(src, n+off)
							want := make([]byte, n)
							swapGo(ptr(want), ptr(src), n, w.width)
							body.swap(ptr(dst), ptr(src), n, mask)
							if !bytes.Equal(dst, want) {
								t.Fatalf("width=%d n=%d offset=%d: got %x, want %x", w.width, n, off, dst, want)
							}
						}
					}
				}
			}
		})
	}
}

// TestSwapLarge needs more than one call of the assembly, and more memory than
// the caches.
func TestSwapLarge(t *testing.T) {
	random := make([]byte, 3*maxCall)
	if hasStream { // otherwise, larger sizes have no code of their own
		random = make([]byte, nonTemporal+24)
	}
	fill(random, 1)
	for _, w := range widths {
		swapped := reversed(random, w.width)
		for _, n := range []int{maxCall, maxCall + w.width, 3*maxCall - w.width, nonTemporal, nonTemporal + 24} {
			if n > len(random) {
				continue
			}
			for _, off := range []int{0, w.width, 1} {
				src, want, dst := random[:n:n], swapped[:n], make([]byte, n+off+64)
				w.swap(ptr(dst[off:]), ptr(src), n/w.width)
				if !bytes.Equal(dst[off:off+n], want) {
					t.Fatalf("width=%d n=%d offset=%d: wrong bytes", w.width, n, off)
				}
				if !bytes.Equal(dst[off+n:], make([]byte, 64)) || dst[0] != 0 && off > 0 {
					t.Fatalf("width=%d n=%d offset=%d: bytes outside changed", w.width, n, off)
				}
			}
		}
	}
}
