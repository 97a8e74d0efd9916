//go:build linux

package kernel

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/octet-go/octet/internal/mem"
)

var taggedWidths = []struct {
	width int
	tags  *tags
	tag   func(dst, src mem.Ptr, n int, tag byte)
	untag func(dst, src mem.Ptr, n int, tag byte) int
}{
	{4, &tags4, Tag4, Untag4},
	{8, &tags8, Tag8, Untag8},
}

const testTag = 0xcb

// tagGo is the Go implementation of the kernels that tag n numbers of a width.
func tagGo(dst, src mem.Ptr, n, width int) {
	if width == 4 {
		tag4Go(dst, src, 0, n, testTag)
	} else {
		tag8Go(dst, src, 0, n, testTag)
	}
}

func untagGo(dst, src mem.Ptr, n, width int) int {
	if width == 4 {
		return untag4Go(dst, src, 0, n, testTag)
	}
	return untag8Go(dst, src, 0, n, testTag)
}

// TestTagByHand compares the Go implementations with literal results.
func TestTagByHand(t *testing.T) {
	numbers4 := []uint32{0x01020304, 0xcb05cb06}
	tagged4 := []byte{testTag, 1, 2, 3, 4, testTag, 0xcb, 5, 0xcb, 6}
	numbers8 := []uint64{0x0102030405060708, 0x1112131415161718}
	tagged8 := []byte{testTag, 1, 2, 3, 4, 5, 6, 7, 8, testTag, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18}

	got := make([]byte, 10)
	Tag4(ptr(got), mem.PtrTo(&numbers4[0]), 2, testTag)
	if !bytes.Equal(got, tagged4) {
		t.Errorf("Tag4: got %x, want %x", got, tagged4)
	}
	var back4 [2]uint32
	if n := Untag4(mem.PtrTo(&back4), ptr(tagged4), 2, testTag); n != 2 || back4 != [2]uint32(numbers4) {
		t.Errorf("Untag4: got %d, %x", n, back4)
	}
	got = make([]byte, 18)
	Tag8(ptr(got), mem.PtrTo(&numbers8[0]), 2, testTag)
	if !bytes.Equal(got, tagged8) {
		t.Errorf("Tag8: got %x, want %x", got, tagged8)
	}
	var back8 [2]uint64
	if n := Untag8(mem.PtrTo(&back8), ptr(tagged8), 2, testTag); n != 2 || back8 != [2]uint64(numbers8) {
		t.Errorf("Untag8: got %d, %x", n, back8)
	}
}

// TestTagBetweenGuardPages tags and untags every count of numbers up to 257 at
// every offset up to 63 from a guard page, with the exported functions and with
// every implementation that this processor can run. The latter may process
// fewer numbers.
func TestTagBetweenGuardPages(t *testing.T) {
	plain, tagged := newGuarded(t, 1), newGuarded(t, 1)
	for _, w := range taggedWidths {
		type way struct {
			name  string
			tag   func(dst, src mem.Ptr, n int) int
			untag func(dst, src mem.Ptr, n int) int
		}
		ways := []way{{"chosen", func(dst, src mem.Ptr, n int) int {
			w.tag(dst, src, n, testTag)
			return n
		}, func(dst, src mem.Ptr, n int) int { return w.untag(dst, src, n, testTag) }}}
		for _, body := range tagBodies() {
			ways = append(ways, way{body.name, func(dst, src mem.Ptr, n int) int {
				return body.tag(dst, src, n, w.tags, testTag)
			}, func(dst, src mem.Ptr, n int) int { return body.untag(dst, src, n, w.tags, testTag) }})
		}
		clear(plain.b)
		clear(tagged.b)
		for _, way := range ways {
			t.Run(fmt.Sprint(way.name, "/", w.width), func(t *testing.T) {
				most := 64 / w.width // an implementation leaves at most this many numbers to the Go loop
				around, numbersAround := bytes.Clone(tagged.b), bytes.Clone(plain.b)
				for n := 0; n <= 257; n++ {
					values, want := make([]byte, n*w.width), make([]byte, n*(w.width+1))
					fill(values, n)
					tagGo(ptr(want), ptr(values), n, w.width)
					for off := range 64 {
						for side := range 2 {
							from, to := plain.places(off, len(values))[side], tagged.places(63-off, len(want))[side]
							check := func(verb string, done, width int, got, want, page, around []byte) {
								t.Helper()
								if done > n || n-done > most || !bytes.Equal(got[:done*width], want[:done*width]) {
									t.Fatalf("%s: n=%d offset=%d side=%d: did %d: got %x, want %x", verb, n, off, side, done, got, want)
								}
								clear(got)
								if !bytes.Equal(page, around) {
									t.Fatalf("%s: n=%d offset=%d side=%d: bytes outside changed", verb, n, off, side)
								}
							}
							copy(from, values)
							check("tag", way.tag(ptr(to), ptr(from), n), w.width+1, to, want, tagged.b, around)
							clear(from)
							copy(to, want)
							check("untag", way.untag(ptr(from), ptr(to), n), w.width, from, values, plain.b, numbersAround)
							clear(to)
						}
					}
				}
			})
		}
	}
}

// TestTagStops puts one wrong tag at every position of arrays of several
// lengths. The memory after it must not change.
func TestTagStops(t *testing.T) {
	plain, tagged := newGuarded(t, 1), newGuarded(t, 1)
	for _, w := range taggedWidths {
		untags := map[string]func(dst, src mem.Ptr, n int) int{
			"chosen": func(dst, src mem.Ptr, n int) int { return w.untag(dst, src, n, testTag) },
		}
		for _, body := range tagBodies() {
			untags[body.name] = func(dst, src mem.Ptr, n int) int {
				done := body.untag(dst, src, n, w.tags, testTag)
				rest, from := dst.Add(uintptr(done*w.width)), src.Add(uintptr(done*(w.width+1)))
				return done + untagGo(rest, from, n-done, w.width)
			}
		}
		for name, untag := range untags {
			for _, n := range []int{1, 2, 3, 4, 7, 8, 9, 12, 13, 15, 16, 17, 31, 64, 200} {
				for bad := range n {
					numbers, bytesOf := plain.tail(bad%8, n*w.width), tagged.tail(bad%5, n*(w.width+1))
					fill(numbers, n)
					tagGo(ptr(bytesOf), ptr(numbers), n, w.width)
					bytesOf[bad*(w.width+1)] ^= 1 << (bad % 8)
					fill(plain.b, bad)
					want := bytes.Clone(plain.b)
					untagGo(ptr(numbers), ptr(bytesOf), n, w.width)
					got := bytes.Clone(plain.b)
					copy(plain.b, want)
					done := untag(ptr(numbers), ptr(bytesOf), n)
					if done != bad {
						t.Fatalf("%s: width=%d n=%d bad=%d: done %d", name, w.width, n, bad, done)
					}
					if !bytes.Equal(plain.b, got) {
						t.Fatalf("%s: width=%d n=%d bad=%d: differs from the Go implementation", name, w.width, n, bad)
					}
					if end := len(want) - bad%8 - (n-bad)*w.width; !bytes.Equal(plain.b[end:], want[end:]) {
						t.Fatalf("%s: width=%d n=%d bad=%d: numbers after the wrong tag changed", name, w.width, n, bad)
					}
				}
			}
		}
	}
}

// TestTagLarge needs more than one call of the assembly.
func TestTagLarge(t *testing.T) {
	for _, w := range taggedWidths {
		for _, n := range []int{maxCall / (w.width + 1), maxCall/(w.width+1) + 1, 3*maxCall/w.width + 5} {
			numbers, got, want := make([]byte, n*w.width), make([]byte, n*(w.width+1)+64), make([]byte, n*(w.width+1)+64)
			fill(numbers, n)
			tagGo(ptr(want), ptr(numbers), n, w.width)
			w.tag(ptr(got), ptr(numbers), n, testTag)
			if !bytes.Equal(got, want) {
				t.Fatalf("width=%d n=%d: differs from the Go implementation", w.width, n)
			}
			back := make([]byte, n*w.width)
			if done := w.untag(ptr(back), ptr(got), n, testTag); done != n || !bytes.Equal(back, numbers) {
				t.Fatalf("width=%d n=%d: untagged %d, wrong numbers: %v", w.width, n, done, !bytes.Equal(back, numbers))
			}
			bad := n - 3
			got[bad*(w.width+1)]++
			if done := w.untag(ptr(back), ptr(got), n, testTag); done != bad {
				t.Fatalf("width=%d n=%d bad=%d: untagged %d", w.width, n, bad, done)
			}
		}
	}
}

// BenchmarkTag compares with copying the tagged bytes.
func BenchmarkTag(b *testing.B) {
	for _, w := range taggedWidths {
		for _, n := range []int{10, 100, 1000, 10_000, 100_000} {
			numbers, tagged, to := make([]byte, n*w.width), make([]byte, n*(w.width+1)), make([]byte, n*(w.width+1)+1)[1:]
			w.tag(ptr(tagged), ptr(numbers), n, testTag)
			run := func(name string, f func()) {
				b.Run(fmt.Sprintf("%d/%d/%s", w.width, n, name), func(b *testing.B) {
					b.SetBytes(int64(len(tagged)))
					for b.Loop() {
						f()
					}
				})
			}
			run("copy", func() { copy(to, tagged) })
			run("tag", func() { w.tag(ptr(to), ptr(numbers), n, testTag) })
			run("untag", func() { w.untag(ptr(numbers), ptr(tagged), n, testTag) })
		}
	}
}
