package layout

import (
	"math"
	"math/bits"
	"reflect"
	"slices"
)

// This file joins numbers, bit fields, constants and zeros into words: up to 8 bytes on
// the wire, which a loop writes or reads as one number.

// A wordPart is a number in a word. It has what the loop of the encoder needs for most numbers in
// less than a cache line. The decoder has a wirePart for it.
type wordPart struct {
	kind  partKind
	size  uint8 // bytes in memory
	shift uint8
	down  uint8 // by which a length is shifted; of a placePart, its byte order
	slot  int32 // of the value of a length, or of the place of a placePart; when decoding, of any number that others need
	off   uintptr
	keep  uint64 // the bits of the value
	value uint64 // what zero means, the maximum, the sign bit, or the bytes of an element; when decoding, the sign bit

	plus   int64    // of a length; of a signed number, the sum of the maximum and the sign bit
	place  int32    // slot of its place; of a placePart, one that is cleared
	start  uint8    // where the number begins, in bytes from the start of the word
	terms  []term   // of a length, without the first
	others []uint64 // constants
}

// add adds a number to a word that is encoded.
func (o *op) add(f wordPart) {
	if o.x.words = append(o.x.words, f); f.kind == onePart {
		o.imm |= f.value & f.keep << f.shift
	}
}

// A partKind says which numbers are correct.
type partKind uint8

const (
	plainPart  partKind = iota // those that have no other bits
	onePart                    // zero and the only constant
	signedPart                 // also negative ones
	constPart                  // zero and the constants, of which there are several
	limitPart                  // up to a maximum
	placePart                  // none: zero is written, and its place noted for what computes it later
	lengthPart                 // the length of what is at off, computed
	agreePart                  // none: another length for which the number of a lengthPart before it stands
)

// ones returns a number of n bits that are set.
func ones(n int) uint64 {
	if n >= 64 {
		return math.MaxUint64
	}
	return 1<<n - 1
}

// partOf returns a number as a part of a word, where it has so many bits.
func partOf(x *detail, off uintptr, shift uint8, width int) (f wordPart, ok bool) {
	n, m := x.node, &x.num
	f = wordPart{off: off, size: m.size, shift: shift, keep: ones(width)}
	switch {
	case m.form != integerForm && m.form != bitsForm || width > 64 || width == 0 || n.sum != nil || len(n.unions) > 0 || m.kind == floatKind:
		return f, m.kind == floatKind && n.blank
	case len(n.links) > 0:
		return f.length(x)
	case len(m.constants) > 0:
		f.kind = constPart
		for _, c := range m.constants {
			if c.negative && width > 8*int(m.size) || m.limited {
				return f, false // the variable has not all bits of the constant, or two things are compared
			}
			v := c.value & f.keep
			if m.size > 0 {
				v = c.value & ones(8*int(m.size))
			}
			f.others = append(f.others, v)
		}
		switch f.value = f.others[0]; {
		case len(f.others) == 1:
			f.kind = onePart
		case slicesHave(f.others, 0) != 0:
			f.value = 0
		}
	case m.size == 0:
	case m.signed != (m.kind == intKind):
		return f, false
	case m.signed:
		f.kind, f.value, f.plus = signedPart, 1<<(width-1), int64(f.keep)
		if m.limited { // negative numbers do not count
			f.plus = int64(f.value + min(m.limit, f.keep>>1))
		}
	case m.limited:
		f.kind, f.value = limitPart, m.limit
	}
	return f, true
}

// length makes f the length of a field that is known before it is written, with which
// others for the same number are compared. It reports whether that is possible.
// A length beyond a limit, or somewhat below it if the limit is not a number of bits that are
// set, is left to the exit.
func (f wordPart) length(x *detail) (wordPart, bool) {
	m := &x.num
	if len(x.early) == 0 || len(x.early) != len(x.node.links) {
		return f, false
	}
	for i := range x.early {
		y := &x.early[i]
		if !y.link.isPower() || y.link.isOptional() && (len(x.early) > 1 || x.node.filled != 0) || len(x.early) > 1 && len(y.terms) == 0 {
			return f, false
		}
	}
	y := &x.early[0]
	if len(y.terms) == 0 { // always the same
		v, err := y.link.number(uint64(y.fixed), 0)
		f.kind, f.off, f.size, f.value = onePart, 0, 0, v
		return f, err == nil && m.check(v, 0) == nil
	}
	shift, keep := f.shift, f.keep
	f = y.part(lengthPart, x.node)
	f.shift, f.keep = shift, keep
	if m.kind == intKind || m.signed {
		f.keep >>= 1 // a length is not negative
	}
	f.keep &= ones(8*int(m.size)) & y.link.most()
	if m.limited {
		f.keep &= ones(bits.Len64(m.limit+1) - 1)
	}
	return f, true
}

// part returns the computation of a length as a part of the word that has its number.
func (y *early) part(kind partKind, n *node) wordPart {
	t := y.terms[0]
	return wordPart{kind: kind, off: t.off, value: t.size, terms: y.terms[1:], plus: y.fixed - y.link.plus, down: y.link.shift(), slot: int32(n.value), place: int32(n.place)}
}

// isPower reports whether the factor is a power of two, by which the loop divides.
func (l *link) isPower() bool { return l.factor&(l.factor-1) == 0 }

// shift returns by how many bits a length is shifted to divide it by the factor.
func (l *link) shift() uint8 { return uint8(bits.TrailingZeros64(uint64(l.factor))) }

// most returns the largest number that the loop can find. A negative length, shifted as if it
// had no sign, is larger.
func (l *link) most() uint64 { return math.MaxInt64 >> l.shift() }

// placeOf returns a number as a part of a word that is filled in later. Its place has the byte order
// in the lowest bit, in the way of encoder.record.
func placeOf(n *node, o order) wordPart {
	return wordPart{kind: placePart, slot: int32(n.place), place: int32(n.filled), down: uint8(b2i(o == little))}
}

// isFilledLater reports whether a number of fixed width is computed only after it has
// been written.
func isFilledLater(x *detail) bool {
	n, m := x.node, &x.num
	if n.sum != nil {
		return m.form == integerForm && m.width <= 8
	}
	late := len(n.links) > 0 && len(n.unions) == 0 && len(x.early) == 0
	return (late || n.hasLoneTag()) && (m.form == bitsForm || m.form == integerForm && m.width <= 8)
}

// word appends numbers that are one number on the wire: a word, if each of them can be in one,
// and what notes their values.
func (toWire) word(e *emitter, o op, order order, list []bitField) {
	w := newWord(order, int(o.n), o)
	for i := range list {
		f := &list[i]
		if isFilledLater(f.detail) {
			w.add(placeOf(f.node, order))
			continue
		}
		part, ok := partOf(f.detail, f.off, f.shift, f.num.wireBits())
		if !ok {
			e.fixed(o)
			return
		}
		w.add(part)
		for i := 1; i < len(f.early); i++ { // all lengths for which one number stands must be the same
			w.add(f.early[i].part(agreePart, f.node))
		}
	}
	e.word(w)
	for i := range list {
		e.note(list[i].node, &op{off: list[i].off, x: list[i].detail})
	}
}

// magic appends constant bytes, which are a word if they have no variable.
func (toWire) magic(e *emitter, o op) {
	n, magic := o.x.node, o.x.node.tag.magic
	size := len(magic)
	switch {
	case n.blank:
		e.constant(magic, o.x)
	case n.typ.Kind() == reflect.Array && (size == 1 || size == 2 || size == 4 || size == 8):
		part := wordPart{kind: onePart, size: uint8(size), off: o.off, keep: ones(8 * size), value: getFixed(magic, native)}
		w := newWord(native, size, o)
		w.add(part)
		e.word(w)
	default:
		e.fixed(o)
	}
}

// constant appends bytes that have no variable, as words.
func (e *emitter) constant(b []byte, x *detail) {
	for len(b) > 0 {
		k := min(len(b), 8)
		o := op{code: opWord, width: uint8(k), imm: getFixed(b[:k], big), x: &detail{order: big, path: x.path, node: x.node}}
		w := newWord(big, k, o)
		w.imm, b = o.imm, b[k:]
		e.word(w)
	}
}

// newWord returns a word of width bytes that does what o does. Its numbers are added by the caller.
func newWord(order order, width int, o op) op {
	if order == noOrder {
		order = big
	}
	return op{code: opWord, width: uint8(width), x: &detail{order: order, joined: []op{o}, bounds: o.x.bounds}}
}

// word appends a word, in either direction. It is joined with one before, if both fit in 8 bytes.
func (e *emitter) word(w op) {
	if w.width == 0 {
		return
	}
	w.x.outer, w.swap = e.outer, w.x.order == big && w.width > 1
	if last := e.last(); last != nil && last.code == opWord {
		if both, ok := last.join(&w); ok {
			*last = both
			return
		}
	}
	e.fixed(w)
}

// join returns the word of two words that follow each other. Bytes have any order; longer
// numbers that are in different orders are not one number in any of them.
func (o *op) join(w *op) (both op, ok bool) {
	order := w.x.order
	if o.width+w.width > 8 || o.x.order != order && o.width > 1 && w.width > 1 {
		return both, false
	}
	if w.width == 1 {
		order = o.x.order
	}
	up, added := uint8(0), 8*o.width // by how many bits the numbers of each move up
	if order == big {
		up, added = 8*w.width, 0
	}
	both = op{code: opWord, width: o.width + w.width, swap: order == big, imm: o.imm<<up | w.imm<<added, mask: o.mask<<up | w.mask<<added}
	both.x = &detail{order: order, joined: slices.Concat(o.x.joined, w.x.joined), outer: w.x.outer, bounds: w.x.bounds}
	for _, f := range o.x.words {
		f.shift += up
		both.x.words = append(both.x.words, f)
	}
	for _, f := range w.x.words {
		f.shift, f.start = f.shift+added, f.start+o.width
		both.x.words = append(both.x.words, f)
	}
	return both, true
}
