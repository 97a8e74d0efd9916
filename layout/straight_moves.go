package layout

import (
	"math/bits"

	"github.com/octet-go/octet/internal/kernel"
	"github.com/octet-go/octet/internal/mem"
)

// Moves encodes and decodes a run step by step.
type moves struct {
	memory []masked // the constants in memory
	bytes  []masked // those that are in no word

	fill   []word   // constants on the wire
	checks []masked // the same, to compare
	single []masked // those that are in no word

	encode  []move
	decode  []move
	gather  kernel.Permutation // does the moves of encode, if it exists
	scatter kernel.Permutation // does those of decode
	from    uintptr            // where gather begins in memory
	to      uintptr            // where scatter does
	bits    []bitMoves
}

// A word is eight or fewer bytes on the wire.
type word struct {
	off   int
	value uint64
	width uint8
}

// A masked is a word some of whose bits are constant. The others are zero in both
// the value and the mask.
type masked struct {
	off         int
	value, mask uint64
}

// A move copies a number or some bytes. While a plan is made, moves have the direction
// of encoding: to the wire, from memory.
type move struct {
	kind     moveKind
	to, from int
	n        int
}

type moveKind uint8

const (
	move1 moveKind = iota
	move2
	move4
	move8
	move16
	reverse2
	reverse4
	reverse8
	moveAny
)

// A bitMoves is a run of bit fields, in the order of their sizes in memory.
type bitMoves struct {
	op     op // as in the general program; n is the number of bytes
	wire   int
	fields []bitMove
	upTo   [3]int // how many have at most 1, 2 and 4 bytes
}

// A bitMove is a bit field.
type bitMove struct {
	off   int
	shift uint8
	size  uint8
	width uint8
	low   uint64 // the bits of the value
	over  uint64 // the bits that must be zero in memory
}

// store encodes the run at w. It reports whether the values are right.
func (t *moves) store(w, p mem.Ptr) bool {
	// Usually all constants are zero or all of them have been decoded.
	var some, diff uint64
	for i := range t.memory {
		c := &t.memory[i]
		v := mem.LoadNative64(p, c.off) & c.mask
		some |= v
		diff |= v ^ c.value
	}
	for i := range t.bytes {
		c := &t.bytes[i]
		v := uint64(mem.Load8(p, c.off))
		some |= v
		diff |= v ^ c.value
	}
	if some != 0 && diff != 0 {
		return false
	}
	for j := range t.fill {
		c := &t.fill[j]
		switch c.width {
		case 8:
			mem.StoreNative64(w, c.off, c.value)
		case 4:
			mem.StoreNative32(w, c.off, uint32(c.value))
		case 2:
			mem.StoreNative16(w, c.off, uint16(c.value))
		default:
			mem.Store8(w, c.off, byte(c.value))
		}
	}
	if t.gather.Exists() {
		t.gather.One(w, p.Add(t.from))
	} else {
		doMoves(t.encode, w, p)
	}
	return len(t.bits) == 0 || storeBits(t.bits, w, p)
}

// load decodes the run at w. It reports whether the constants are right.
func (t *moves) load(w, p mem.Ptr) bool {
	var diff uint64
	for i := range t.checks {
		c := &t.checks[i]
		diff |= mem.LoadNative64(w, c.off)&c.mask ^ c.value
	}
	for i := range t.single {
		c := &t.single[i]
		diff |= uint64(mem.Load8(w, c.off))&c.mask ^ c.value
	}
	if diff != 0 {
		return false
	}
	if t.scatter.Exists() {
		t.scatter.One(p.Add(t.to), w)
	} else {
		doMoves(t.decode, p, w)
	}
	if len(t.bits) > 0 {
		loadBits(t.bits, w, p)
	}
	return true
}

// doMoves copies the numbers and bytes of a run.
func doMoves(list []move, dst, src mem.Ptr) {
	for i := range list {
		m := &list[i]
		switch m.kind {
		case move1:
			mem.Store8(dst, m.to, mem.Load8(src, m.from))
		case move2:
			mem.StoreNative16(dst, m.to, mem.LoadNative16(src, m.from))
		case move4:
			mem.StoreNative32(dst, m.to, mem.LoadNative32(src, m.from))
		case move8:
			mem.StoreNative64(dst, m.to, mem.LoadNative64(src, m.from))
		case move16:
			mem.Copy16(dst, m.to, src, m.from)
		case reverse2:
			mem.StoreNative16(dst, m.to, bits.ReverseBytes16(mem.LoadNative16(src, m.from)))
		case reverse4:
			mem.StoreNative32(dst, m.to, bits.ReverseBytes32(mem.LoadNative32(src, m.from)))
		case reverse8:
			mem.StoreNative64(dst, m.to, bits.ReverseBytes64(mem.LoadNative64(src, m.from)))
		default:
			mem.Copy(dst.Add(uintptr(m.to)), src.Add(uintptr(m.from)), m.n)
		}
	}
}

// storeBits encodes runs of bit fields. It reports whether all values fit.
func storeBits(list []bitMoves, w, p mem.Ptr) bool {
	var over uint64
	for i := range list {
		m := &list[i]
		var run uint64
		for j := range m.fields[:m.upTo[0]] {
			f := &m.fields[j]
			v := uint64(mem.Load8(p, f.off))
			over |= v & f.over
			run |= v & f.low << (f.shift & 63)
		}
		for j := m.upTo[0]; j < m.upTo[1]; j++ {
			f := &m.fields[j]
			v := uint64(mem.LoadNative16(p, f.off))
			over |= v & f.over
			run |= v & f.low << (f.shift & 63)
		}
		for j := m.upTo[1]; j < m.upTo[2]; j++ {
			f := &m.fields[j]
			v := uint64(mem.LoadNative32(p, f.off))
			over |= v & f.over
			run |= v & f.low << (f.shift & 63)
		}
		for j := m.upTo[2]; j < len(m.fields); j++ {
			f := &m.fields[j]
			v := mem.LoadNative64(p, f.off)
			over |= v & f.over
			run |= v & f.low << (f.shift & 63)
		}
		if m.op.n == 1 {
			mem.Store8(w, m.wire, byte(run))
		} else {
			storeRun(w, m.wire, &m.op, run)
		}
	}
	return over == 0
}

// loadBits decodes runs of bit fields.
func loadBits(list []bitMoves, w, p mem.Ptr) {
	for i := range list {
		m := &list[i]
		var run uint64
		if m.op.n == 1 {
			run = uint64(mem.Load8(w, m.wire))
		} else {
			run = loadRun(w, m.wire, &m.op)
		}
		for j := range m.fields[:m.upTo[0]] {
			f := &m.fields[j]
			mem.Store8(p, f.off, byte(run>>(f.shift&63)&f.low))
		}
		for j := m.upTo[0]; j < m.upTo[1]; j++ {
			f := &m.fields[j]
			mem.StoreNative16(p, f.off, uint16(run>>(f.shift&63)&f.low))
		}
		for j := m.upTo[1]; j < m.upTo[2]; j++ {
			f := &m.fields[j]
			mem.StoreNative32(p, f.off, uint32(run>>(f.shift&63)&f.low))
		}
		for j := m.upTo[2]; j < len(m.fields); j++ {
			f := &m.fields[j]
			mem.StoreNative64(p, f.off, run>>(f.shift&63)&f.low)
		}
	}
}
