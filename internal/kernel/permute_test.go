//go:build linux

package kernel

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/octet-go/octet/internal/mem"
)

// randomMap returns a random map. Each byte comes from a nearby position, as in
// a struct, or from any position if wild is set.
func randomMap(r *rand.Rand, dst, src int, wild bool) Map {
	m := Map{From: make([]int, dst), Limit: make([]byte, dst), SrcSize: src}
	for i := range m.From {
		m.Limit[i] = 255
		switch at := i * src / dst; r.IntN(10) {
		case 0:
			m.From[i] = Zero
		case 1:
			m.From[i] = Keep
		case 2:
			m.From[i], m.Limit[i] = at, 1
		default:
			m.From[i] = min(max(at+r.IntN(16)-8, 0), src-1)
			if wild {
				m.From[i] = r.IntN(src)
			}
		}
	}
	return m
}

// permutations returns m for every implementation that this processor can run.
func permutations(m Map) map[string]*Permutation {
	all := map[string]*Permutation{}
	if slices.Max(m.From) == Keep {
		return all
	}
	if permute64Body() {
		blocks := m.blocks64()
		all["64"] = &Permutation{dst: len(m.From), src: m.SrcSize, blocks64: blocks, shape: shapeOf(blocks)}
	}
	if permute16Body && hasPermute16 && len(m.From) >= 16 && m.SrcSize >= 16 {
		all["16"] = &Permutation{dst: len(m.From), src: m.SrcSize, blocks16: m.blocks16()}
	}
	return all
}

// runs returns the functions that apply p to n elements. One element has a
// function of its own.
func runs(p *Permutation, n int) map[string]func(dst, src mem.Ptr) {
	all := map[string]func(dst, src mem.Ptr){"Many": func(dst, src mem.Ptr) { p.Many(dst, src, n) }}
	if n == 1 {
		all["One"] = p.One
	}
	if n == 1 && p.IsFull() {
		all["Full"] = p.Full
	}
	return all
}

// TestPermuteBetweenGuardPages compares the kernels with the Go implementation,
// on random maps of every size up to 257 at every offset up to 63 from a guard
// page.
func TestPermuteBetweenGuardPages(t *testing.T) {
	from, to := newGuarded(t, 1), newGuarded(t, 1)
	r := rand.New(rand.NewPCG(1, 2))
	for size := 1; size <= 257; size++ {
		for off := range 64 {
			src := max(1, size+r.IntN(9)-4)
			m := randomMap(r, size, src, off%8 == 0)
			n := 1 + off%3
			for name, p := range permutations(m) {
				for entry, run := range runs(p, n) {
					for side := range 2 {
						in, out := from.places(off, n*src)[side], to.places(63-off, n*size)[side]
						fill(in, size)
						fill(to.b, off)
						was := bytes.Clone(to.b)
						run(ptr(out), ptr(in))
						got := bytes.Clone(to.b)
						copy(to.b, was)
						m.apply(ptr(out), ptr(in), n)
						if !bytes.Equal(got, to.b) {
							t.Fatalf("%s: %s: size=%d src=%d n=%d offset=%d side=%d: differs from the Go implementation\nmap  %v\ngot  %x\nwant %x\nwas  %x",
								name, entry, size, src, n, off, side, m.From, got, to.b, was)
						}
					}
				}
			}
		}
	}
}

// TestPermuteFullBlocks applies maps of whole blocks between guard pages. Every
// byte is read and written. A limit on one byte changes the shape.
func TestPermuteFullBlocks(t *testing.T) {
	from, to := newGuarded(t, 1), newGuarded(t, 1)
	r := rand.New(rand.NewPCG(7, 8))
	for _, size := range []int{64, 128} {
		for _, limit := range []byte{255, 1} {
			m := Map{From: r.Perm(size), Limit: bytes.Repeat([]byte{255}, size), SrcSize: size}
			m.Limit[size-1] = limit
			for name, p := range permutations(m) {
				if want := size == 64 && limit == 255 && name == "64"; (p.shape == fullBlock) != want {
					t.Errorf("%s: size=%d limit=%d: shape %d", name, size, limit, p.shape)
				}
				for off := range 64 {
					for side := range 2 {
						in, out := from.places(off, size)[side], to.places(63-off, size)[side]
						fill(in, size)
						fill(to.b, off)
						was := bytes.Clone(to.b)
						for entry, run := range runs(p, 1) {
							copy(to.b, was)
							run(ptr(out), ptr(in))
							got := bytes.Clone(to.b)
							copy(to.b, was)
							m.apply(ptr(out), ptr(in), 1)
							if !bytes.Equal(got, to.b) {
								t.Fatalf("%s: %s: size=%d limit=%d offset=%d side=%d: got %x, want %x", name, entry, size, limit, off, side, got, to.b)
							}
						}
					}
				}
			}
		}
	}
}

// TestPermuteMany needs more than one call of the assembly.
func TestPermuteMany(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, size := range []int{1, 3, 16, 39, 64, 65, 200, 1000} {
		m := randomMap(r, size, size+3, false)
		n := 3*maxCall/size + 1
		in, got, want := make([]byte, n*(size+3)), make([]byte, n*size), make([]byte, n*size)
		fill(in, size)
		m.apply(ptr(want), ptr(in), n)
		for name, p := range permutations(m) {
			clear(got)
			p.Many(ptr(got), ptr(in), n)
			if !bytes.Equal(got, want) {
				t.Errorf("%s: size=%d: differs from the Go implementation", name, size)
			}
		}
	}
}

// TestNewPermutation applies one map with the implementation that programs use.
func TestNewPermutation(t *testing.T) {
	m := randomMap(rand.New(rand.NewPCG(5, 6)), 40, 40, false)
	p := NewPermutation(m)
	if !p.Exists() {
		if hasPermute16 || hasPermute64 {
			t.Error("no permutation, although the processor has shuffle instructions")
		}
		return
	}
	in, got, want := make([]byte, 40), make([]byte, 40), make([]byte, 40)
	fill(in, 1)
	m.apply(ptr(want), ptr(in), 1)
	p.One(ptr(got), ptr(in))
	if !bytes.Equal(got, want) {
		t.Errorf("got %x, want %x", got, want)
	}
}
