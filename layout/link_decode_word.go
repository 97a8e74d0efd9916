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

// A word is an opWord that is being made. Its mask has the bits on the wire that must be
// those of imm: constants, and zeros where a value would be too large for its variable.
type word struct{ op }

// newWord returns a word of width bytes for o.
func newWord(order order, width int, o op) *word {
	if order == noOrder {
		order = big
	}
	return &word{op{code: opWord, width: uint8(width), x: &detail{order: order, joined: []op{o}, bounds: o.x.bounds}}}
}

// add adds the number of x, which has width bits on the wire. It reports whether the
// number can be in a word: whether one comparison of bits, which the word makes for all of its
// numbers, finds out that a value is wrong.
func (w *word) add(x *detail, off uintptr, shift uint8, width int) bool {
	m := &x.num
	if m.kind == floatKind || width > 64 || width == 0 || m.form != integerForm && m.form != bitsForm || off > 1<<30 {
		return false
	}
	if m.size == 0 && (m.limited || len(m.constants) > 1 || m.signed && x.node.value != 0) {
		return false // there is no variable in which opCheck finds the value
	}
	f := wirePart{off: int32(off), size: m.size, shift: shift, keep: ones(width)}
	if x.node.noted {
		f.value, f.place = int32(x.node.value), int32(x.node.place)
	}
	over := uint64(0) // the bits of a value that is too large for its variable
	switch most := m.memBits(); {
	case m.size == 0:
	case m.signed && m.kind != intKind:
		over = ^ones(min(most, width-1))
	case m.signed && most < width:
		return false // the bits above depend on the sign
	case m.signed:
		f.sign = 1 << (width - 1)
	case m.kind == intKind && most <= width:
		over = ^ones(most - 1)
	case most < width:
		over = ^ones(most)
	}
	w.mask |= over & f.keep << shift
	if len(m.constants) == 1 {
		w.mask |= f.keep << shift
		w.imm |= m.constants[0].value & f.keep << shift
	}
	if m.size > 0 {
		w.x.parts = append(w.x.parts, f)
	}
	if f.value|f.place != 0 {
		w.x.noted = append(w.x.noted, f)
	}
	return true
}

// append appends the word to the list. It joins it with one before, if both fit in 8
// bytes.
func (w *word) append(l *linker) {
	x := w.x
	x.outer = l.outer
	last, o, old, added := l.wordBefore(&w.op)
	if last == nil {
		w.swap = x.order == big && w.width > 1
		l.fixed(w.op)
		return
	}
	joined := &detail{order: o, joined: append(last.x.joined[:len(last.x.joined):len(last.x.joined)], x.joined...), outer: x.outer, bounds: x.bounds}
	joined.parts = append(moved(last.x.parts, old, 0), moved(x.parts, added, last.width)...)
	joined.noted = append(moved(last.x.noted, old, 0), moved(x.noted, added, last.width)...)
	last.mask, last.imm = last.mask<<old|w.mask<<added, last.imm<<old|w.imm<<added
	last.width += w.width
	last.x, last.swap = joined, o == big
}

// finishWord makes of an opWord what the loop needs: an opWide if it is one unsigned number,
// or one constant, on which nothing else depends, which needs neither a list of parts nor
// shifts; otherwise the list of its parts, with memory behind the last one so that the
// loop's pointer stays inside the list.
func (o *op) finishWord() {
	x := o.x
	if len(x.parts) == 1 && len(x.noted) == 0 {
		if f := &x.parts[0]; f.sign == 0 && f.shift == 0 && f.keep == ones(8*int(o.width)) {
			o.code, o.size, o.off = opWide, f.size, uintptr(f.off)
			return
		}
	}
	o.n, o.to = int32(len(x.parts)), int32(len(x.noted))
	o.data = mem.SliceStart(slices.Concat(x.parts, x.noted, make([]wirePart, 1)))
}

// moved returns parts that are shift bits further up, and n bytes further on.
func moved(parts []wirePart, shift, n uint8) []wirePart {
	list := make([]wirePart, 0, len(parts))
	for _, f := range parts {
		f.shift, f.start = f.shift+shift, f.start+n
		list = append(list, f)
	}
	return list
}
