package layout

import (
	"slices"

	"github.com/octet-go/octet/internal/mem"
)

// This file joins numbers, bit fields and constants into words: up to 8 bytes on the
// wire, which the loop of the decoder reads as one number.

// A wirePart is a number in a word.
type wirePart struct {
	off   int32 // of the variable
	size  uint8 // of the variable in bytes
	shift uint8
	start uint8  // where the number begins, in bytes from the start of the word
	keep  uint64 // the bits of the value
	sign  uint64 // the sign bit, or 0 if the number is unsigned
	value int32  // slot of its value
	place int32  // slot of its place
}

// read adds the number of x, which has width bits on the wire, to a word that is decoded. It
// reports whether the number can be in a word: whether one comparison of bits, which the word
// makes for all of its numbers, finds out that a value is wrong. The mask of the word has the bits
// that must be those of imm: constants, and zeros where a value would be too large for its variable.
func (o *op) read(x *detail, off uintptr, shift uint8, width int) bool {
	m := &x.num
	if m.kind == floatKind || width > 64 || width == 0 || m.form != integerForm && m.form != bitsForm || off > 1<<30 {
		return false
	}
	if m.size == 0 && (m.limited || len(m.constants) > 1 || m.signed && x.node.value != 0) {
		return false // there is no variable in which opCheck finds the value
	}
	f := wordPart{off: off, size: m.size, shift: shift, keep: ones(width), slot: int32(x.node.value), place: int32(x.node.place)}
	over := uint64(0) // the bits of a value that is too large for its variable
	switch most := m.memBits(); {
	case m.size == 0:
	case m.signed && m.kind != intKind:
		over = ^ones(min(most, width-1))
	case m.signed && most < width:
		return false // the bits above depend on the sign
	case m.signed:
		f.value = 1 << (width - 1)
	case m.kind == intKind && most <= width:
		over = ^ones(most - 1)
	case most < width:
		over = ^ones(most)
	}
	o.mask |= over & f.keep << shift
	if len(m.constants) == 1 {
		o.mask |= f.keep << shift
		o.imm |= m.constants[0].value & f.keep << shift
	}
	o.x.words = append(o.x.words, f)
	return true
}

// finishWord makes of an opWord what the loop needs: an opWide if it is one unsigned number,
// or one constant, on which nothing else depends, which needs neither a list of parts nor
// shifts; otherwise the list of what it stores, then of what other fields need to know, with
// memory behind the last one so that the loop's pointer stays inside the list.
func (o *op) finishWord() {
	var stored, noted []wirePart
	for _, w := range o.x.words {
		f := wirePart{int32(w.off), w.size, w.shift, w.start, w.keep, w.value, w.slot, w.place}
		if f.size > 0 {
			stored = append(stored, f)
		}
		if f.value|f.place != 0 {
			noted = append(noted, f)
		}
	}
	if len(stored) == 1 && len(noted) == 0 {
		if f := &stored[0]; f.sign == 0 && f.shift == 0 && f.keep == ones(8*int(o.width)) {
			o.code, o.size, o.off = opWide, f.size, uintptr(f.off)
			return
		}
	}
	o.n, o.to = int32(len(stored)), int32(len(noted))
	o.data = mem.SliceStart(slices.Concat(stored, noted, make([]wirePart, 1)))
}
