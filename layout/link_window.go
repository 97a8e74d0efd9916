package layout

import (
	"slices"

	"github.com/octet-go/octet/internal/mem"
)

// This file joins numbers and constants that are in 8 bytes of memory and in up to 8
// bytes on the wire. The loop of the encoder loads all of them at once, compares the
// constants at once, and moves the bits of each number to their place by a rotation.
// Special numbers, such as lengths that are computed, are added one by one as in a word.

// A window is what the loop needs for an opWindow: all of it is in one piece of memory.
type window struct {
	consts  uint64                    // the bits of constants in memory
	value   uint64                    // the constants
	parts   [mostTurns + 1]windowPart // with memory behind the last one, for the pointer of the loop
	length  wordPart                  // one of the special numbers: most windows with any have a length
	special *wordPart                 // the first of the others
	each    []windowConst             // the constants one by one, because some may be zero and others not
}

// mostTurns is how many rotations a window can have.
const mostTurns = 8

// A windowPart is the bits of numbers that a rotation by turn moves to their place, where
// they are those of keep.
type windowPart struct {
	keep uint64
	turn uint64
}

// A windowConst is a number in memory with one constant.
type windowConst struct{ mask, value uint64 }

// numbers returns the numbers that an operation writes and their byte order. It reports
// whether a window may have them.
func (o *op) numbers() (list []wordPart, in order, ok bool) {
	switch o.code {
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8:
		if in = native; o.isSwap() {
			in = big + little - native
		}
		return []wordPart{{off: o.off, size: o.width, keep: ones(8 * int(o.width))}}, in, true
	case opWord:
		return o.x.words, o.x.order, true
	}
	return nil, noOrder, false
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

// window returns the window of the first n operations of a run, or n is 0. Operations are
// added as long as all of their bytes on the wire are one number of up to 8 bytes, and the
// variables of those that are not special are within 8 bytes of memory.
func (l *linker) window(run []op) (w op, n int) {
	var all []wordPart
	var imm uint64
	var outer *detail // not that of l: the operation that ends the run may have opened another level
	first := true
	in, width, low, high, others := noOrder, 0, ^uintptr(0), uintptr(0), 0
	for i := range run {
		o := &run[i]
		list, order, ok := o.numbers()
		k := int(o.width)
		if !ok || o.x != nil && !first && o.x.outer != outer || width+k > 8 || in != noOrder && k > 1 && order != in && width > 1 {
			break
		}
		from, to := low, high
		for _, f := range list {
			if f.isInWindow() {
				from, to = min(from, f.off), max(to, f.off+uintptr(f.size))
			}
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
		imm = imm<<up | o.constantBits()<<added
		width += k
		if n++; o.moved() == 0 && !o.isLength() { // those are fast by themselves
			others++
		}
	}
	special := slices.DeleteFunc(slices.Clone(all), func(f wordPart) bool { return !f.isSpecial() })
	all = slices.DeleteFunc(all, func(f wordPart) bool { return !f.isInWindow() })
	if len(all) == 0 || others == 0 || n == 1 && (run[0].code != opWord || len(all)+len(special) < 2) {
		return w, 0
	}
	start, ok := l.windowAt(low, high)
	if !ok {
		return w, 0
	}
	x, turns := windowOf(all, start)
	if turns > mostTurns {
		return w, 0
	}
	w = op{code: opWindow, width: uint8(width), swap: in == big, n: int32(turns), off: start, imm: imm, data: mem.PtrTo(x), x: &detail{outer: outer, joined: slices.Clone(run[:n])}}
	isLength := func(f wordPart) bool { return f.kind == lengthPart && len(f.terms) == 0 }
	if i := slices.IndexFunc(special, isLength); i >= 0 {
		x.length = special[i]
		special = slices.Delete(special, i, i+1)
	}
	w.size, x.special = uint8(len(special)), mem.At[wordPart](partsOf(special))
	for _, f := range all {
		if f.kind == plainPart {
			w.mask |= (ones(8*int(f.size)) &^ f.keep) << f.bit(start)
		}
	}
	return w, n
}

// isInWindow reports whether a number is one of those that are loaded at once: not one
// that is special, and not a constant without a variable.
func (f *wordPart) isInWindow() bool { return !f.isSpecial() && f.size > 0 }

// isLength reports whether an operation writes a length and nothing else.
func (o *op) isLength() bool {
	return o.code == opWord && len(o.x.words) == 1 && o.x.words[0].kind == lengthPart
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
func (f *wordPart) bit(start uintptr) int {
	if native == little {
		return 8 * int(f.off-start)
	}
	return 64 - 8*int(f.off-start) - 8*int(f.size)
}

// windowOf returns a window of the numbers, and how many parts it has: those that the same
// rotation moves are one part. The window is of no use if there are more than mostTurns.
func windowOf(list []wordPart, start uintptr) (w *window, n int) {
	w = new(window)
	for _, f := range list {
		at := f.bit(start)
		if f.kind == onePart {
			c := windowConst{ones(8*int(f.size)) << at, f.value & ones(8*int(f.size)) << at}
			w.consts, w.value, w.each = w.consts|c.mask, w.value|c.value, append(w.each, c)
			continue
		}
		turn, i := uint64(int(f.shift)-at)&63, 0
		for i < n && w.parts[i].turn != turn {
			i++
		}
		if i == mostTurns {
			return w, i + 1
		}
		n = max(n, i+1)
		w.parts[i].turn = turn
		w.parts[i].keep |= f.keep & ones(8*int(f.size)) << f.shift
	}
	return w, n
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
