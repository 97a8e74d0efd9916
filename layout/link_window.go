package layout

import "math"

// This file joins numbers and constants that are in 8 bytes of memory and in up to 8
// bytes on the wire. The loop of the encoder loads all of them at once, compares the
// constants at once, and moves the bits of each number to their place by a rotation. One
// of the numbers may be a length that is computed.

// A window is what an opWindow has besides its numbers.
type window struct {
	parts  []windowPart
	consts uint64        // the bits of constants in memory
	value  uint64        // the constants
	each   []windowConst // one by one, because some may be zero and others not
	length *windowLength
}

// A windowLength is a length in a window: size times the length at off, plus what is
// added, shifted down, and then up to its place.
type windowLength struct {
	term
	plus         int64
	most         uint64
	down, up     uint8
	value, place int32 // slots
}

// A windowPart is the bits of numbers that a rotation by turn moves to their place, where
// they are those of keep.
type windowPart struct {
	keep uint64
	turn uint64
}

// A windowConst is a number in memory with one constant.
type windowConst struct{ mask, value uint64 }

// A piece is a number that an operation writes: where it is in memory, and the bits of it
// that are on the wire from shift on.
type piece struct {
	off      uintptr
	size     uint8
	shift    uint8
	keep     uint64
	constant bool // zero or value, which imm of the operation has
	value    uint64
}

// pieces returns the numbers that an operation writes, a length among them, and their byte
// order. It reports whether a window may have them.
func (o *op) pieces() (list []piece, length *windowLength, in order, ok bool) {
	if in = little; o.swap {
		in = big
	}
	one := piece{off: o.off, size: o.size, keep: o.mask}
	switch o.code {
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8:
		if in = native; o.isSwap() {
			in = big + little - native
		}
		one.size, one.keep = o.width, ones(8*int(o.width))
	case opLength:
		return nil, &windowLength{term{o.off, o.imm}, int64(o.level), o.mask, o.size, 0, o.n, o.slot}, in, true
	case opWord:
		for _, f := range o.x.words {
			switch {
			case f.kind == lengthPart && length == nil && len(f.terms) == 0:
				length = &windowLength{term{f.off, f.value}, f.plus, min(f.keep, math.MaxInt64>>f.down), f.down, f.shift, f.slot, 0}
			case f.kind != plainPart && f.kind != onePart:
				return nil, nil, in, false
			case f.size > 0:
				list = append(list, piece{f.off, f.size, f.shift, f.keep, f.kind == onePart, f.value})
			}
		}
		return list, length, o.x.order, true
	default:
		return nil, nil, in, false
	}
	return []piece{one}, nil, in, true
}

// windows replaces operations of the open run by windows, where these take less time.
func (l *linker) windows() {
	var list []op
	run := l.ops[l.run+1:]
	for len(run) > 0 {
		w, n := l.window(run)
		if n == 0 {
			w, n = run[0], 1
		}
		list, run = append(list, w), run[n:]
	}
	l.ops = append(l.ops[:l.run+1], list...)
}

// window returns the window of the first n operations of a run, or n is 0.
func (l *linker) window(run []op) (w op, n int) {
	var all []piece
	var imm uint64
	var length *windowLength
	var outer *detail // not that of l: the operation that ends the run may have opened another level
	first := true
	in, width, low, high, others := noOrder, 0, ^uintptr(0), uintptr(0), 0
	for i := range run {
		o := &run[i]
		list, more, order, ok := o.pieces()
		k := int(o.width)
		if !ok || o.x != nil && !first && o.x.outer != outer || more != nil && length != nil || width+k > 8 || in != noOrder && k > 1 && order != in && width > 1 {
			break
		}
		from, to := low, high
		for _, f := range list {
			from, to = min(from, f.off), max(to, f.off+uintptr(f.size))
		}
		if to > from && to-from > 8 {
			break
		}
		low, high = from, to
		if o.x != nil {
			outer, first = o.x.outer, false
		}
		if in == noOrder || k > 1 {
			in = order
		}
		up, added := 0, 8*width
		if in == big {
			up, added = 8*k, 0
		}
		for j := range all {
			all[j].shift += uint8(up)
		}
		for _, f := range list {
			f.shift += uint8(added)
			all = append(all, f)
		}
		if length != nil {
			length.up += uint8(up)
		}
		if more != nil {
			more.up += uint8(added)
			length = more
		}
		imm = imm<<up | o.constantBits()<<added
		width += k
		if n++; o.moved() == 0 && o.code != opLength { // those are fast by themselves
			others++
		}
	}
	if len(all) == 0 || others == 0 || n == 1 && (run[0].code != opWord || len(all) < 2 && length == nil) {
		return w, 0
	}
	start, ok := l.windowAt(low, high)
	if !ok {
		return w, 0
	}
	x := &detail{outer: outer, joined: append([]op(nil), run[:n]...), window: windowOf(all, start)}
	w = op{code: opWindow, width: uint8(width), swap: in == big, n: int32(len(x.window.parts)), off: start, imm: imm, x: x}
	x.window.length = length
	for _, f := range all {
		if !f.constant {
			w.mask |= (ones(8*int(f.size)) &^ f.keep) << f.bit(start)
		}
	}
	return w, n
}

// constantBits returns the bits of constants that an operation writes.
func (o *op) constantBits() uint64 {
	if o.code == opWord {
		return o.imm
	}
	return 0
}

// windowAt returns where 8 bytes of the variable begin that contain those from low to high, and
// nothing that is not part of the message.
func (l *linker) windowAt(low, high uintptr) (start uintptr, ok bool) {
	if l.typ == nil || l.typ.Size() < 8 {
		return 0, false
	}
	start = min(low, l.typ.Size()-8)
	if hasIgnored(l.typ, start, start+8) && high >= 8 {
		start = high - 8
	}
	return start, !hasIgnored(l.typ, start, start+8)
}

// bit returns the place of a number in the bits of a window.
func (f *piece) bit(start uintptr) int {
	if native == little {
		return 8 * int(f.off-start)
	}
	return 64 - 8*int(f.off-start) - 8*int(f.size)
}

// windowOf returns a window of the numbers. Those that the same rotation moves are one part.
func windowOf(list []piece, start uintptr) *window {
	w := new(window)
	for _, f := range list {
		at := f.bit(start)
		if f.constant {
			c := windowConst{ones(8*int(f.size)) << at, f.value & ones(8*int(f.size)) << at}
			w.consts, w.value, w.each = w.consts|c.mask, w.value|c.value, append(w.each, c)
			continue
		}
		part := windowPart{f.keep & ones(8*int(f.size)) << f.shift, uint64(int(f.shift)-at) & 63}
		joined := false
		for i := range w.parts {
			if p := &w.parts[i]; p.turn == part.turn {
				p.keep, joined = p.keep|part.keep, true
			}
		}
		if !joined {
			w.parts = append(w.parts, part)
		}
	}
	w.parts = append(w.parts, windowPart{})[:len(w.parts)] // memory behind the last one, for the pointer of the loop
	return w
}

// allowed reports whether each constant in the bits of a window is zero or itself. It is
// for values in which some are zero and others are not.
func (w *window) allowed(v uint64) bool {
	wrong := uint64(0)
	for i := range w.each {
		c := &w.each[i]
		if v&c.mask != 0 {
			wrong |= v&c.mask ^ c.value
		}
	}
	return wrong == 0
}
