//go:build linux

package kernel

import (
	"bytes"
	"math/rand/v2"
	"testing"
)

// randomBitMap returns a random map of groups of bits. If wild is set, they come from
// any place of the source.
func randomBitMap(r *rand.Rand, dst, src int, wild bool) BitMap {
	m := BitMap{From: make([]int, 8*dst), SrcSize: src, Mask: make([]byte, src), Value: make([]byte, src), OrZero: r.IntN(2) == 0}
	for i := 0; i < len(m.From); {
		at := min(max(i*src/dst+r.IntN(64)-32, 0), 8*src-1)
		if wild {
			at = r.IntN(8 * src)
		}
		special, reverse := r.IntN(8), r.IntN(2) == 0
		for n := 1 + r.IntN(20); n > 0 && i < len(m.From); n-- {
			switch special {
			case 0:
				m.From[i] = Zero
			case 1:
				m.From[i] = One
			default:
				m.From[i] = at
			}
			i++
			at++
			if reverse && at%8 == 0 { // big-endian
				at -= 16
			}
			if at < 0 || at >= 8*src {
				at = r.IntN(8 * src)
			}
		}
	}
	for i := range dst {
		if r.IntN(10) == 0 {
			for j := range 8 {
				m.From[8*i+j] = Keep
			}
		}
	}
	for i := range m.Mask {
		if r.IntN(4) == 0 {
			m.Mask[i] = byte(r.Uint32())
			m.Value[i] = byte(r.Uint32()) & m.Mask[i]
		}
	}
	return m
}

// simpleBitMap returns a random map without checks, in which each byte has one group of
// bits, which come from nearby.
func simpleBitMap(r *rand.Rand, dst, src int) BitMap {
	m := BitMap{From: make([]int, 8*dst), SrcSize: src, Mask: make([]byte, src), Value: make([]byte, src)}
	for i := range dst {
		at, n := min(max(8*(i*src/dst)+r.IntN(16)-8, 0), 8*src-8), r.IntN(9)
		for j := range 8 {
			m.From[8*i+j] = Zero
			if j < n {
				m.From[8*i+j] = at + j
			}
		}
	}
	return m
}

// TestPermuteBits compares the kernel with the Go implementation, with sources whose
// checked bits are right, zero or wrong.
func TestPermuteBits(t *testing.T) {
	if !hasBits64 {
		t.Skip("this processor has no instructions for it")
	}
	from, to := newGuarded(t, 1), newGuarded(t, 1)
	r := rand.New(rand.NewPCG(1, 2))
	count, shapes := map[bool]int{}, [3]int{}
	for size := 1; size <= 66; size++ {
		for off := range 64 {
			src := max(1, size+r.IntN(9)-4)
			m := randomBitMap(r, size, src, off%8 == 0)
			if off%4 == 1 {
				m = simpleBitMap(r, size, src)
			}
			p := NewBitPermutation(m)
			if p.Exists() {
				shapes[p.first.shape]++
			}
			if !p.Exists() {
				if src <= 64 && size <= 64 && !allKept(m) {
					t.Fatalf("size=%d src=%d: no permutation", size, src)
				}
				continue
			}
			for side := range 2 {
				in, out := from.places(off, src)[side], to.places(63-off, size)[side]
				fill(in, size+off)
				if state := r.IntN(4); state < 3 {
					for i := range in {
						in[i] &^= m.Mask[i]
						if state > 0 {
							in[i] |= m.Value[i]
						}
						if state > 1 && r.IntN(30) == 0 {
							in[i] ^= 1 << r.IntN(8)
						}
					}
				}
				fill(to.b, off)
				was := bytes.Clone(to.b)
				ok := p.Do(ptr(out), ptr(in))
				count[ok]++
				got := bytes.Clone(to.b)
				copy(to.b, was)
				if want := m.apply(ptr(out), ptr(in)); ok != want || ok && !bytes.Equal(got, to.b) {
					t.Fatalf("size=%d src=%d offset=%d side=%d: %v, want %v\nmap   %v\nmask  %x\nvalue %x\nin    %x\ngot   %x\nwant  %x",
						size, src, off, side, ok, want, m.From, m.Mask, m.Value, in, got[len(got)-size:], out)
				}
				start := 63 - off
				if side == 1 {
					start = len(was) - size - start
				}
				if !bytes.Equal(got[:start], was[:start]) || !bytes.Equal(got[start+size:], was[start+size:]) {
					t.Fatalf("size=%d src=%d offset=%d side=%d: changed bytes outside of the destination", size, src, off, side)
				}
			}
		}
	}
	if count[true] < 1000 || count[false] < 1000 {
		t.Errorf("%d right and %d wrong sources", count[true], count[false])
	}
	if min(shapes[freeBlock], shapes[shortBlock], shapes[longBlock]) < 100 {
		t.Errorf("blocks of each shape: %v", shapes)
	}
}

func allKept(m BitMap) bool {
	for _, f := range m.From {
		if f != Keep {
			return false
		}
	}
	return bytes.Count(m.Mask, []byte{0}) == len(m.Mask)
}
