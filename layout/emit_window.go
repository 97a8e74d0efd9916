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

// asWord returns an operation as a word, and whether it can be one.
func (o *op) asWord() (w op, ok bool) {
	switch o.code {
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8:
		order := native
		if o.isSwap() {
			order = big + little - native
		}
		part := wordPart{off: o.off, size: o.width, keep: ones(8 * int(o.width))}
		return op{width: o.width, x: &detail{order: order, words: []wordPart{part}, joined: []op{*o}}}, true
	}
	return *o, o.code == opWord
}

// windows replaces operations of the open run by windows, where these take less time.
func (e *emitter) windows() {
	var list []op
	run := e.ops[e.run+1:]
	for len(run) > 0 {
		w, n := e.window(run)
		if n == 0 {
			w, n = run[0], 1
		}
		list, run = append(list, w), run[n:]
	}
	e.ops = append(e.ops[:e.run+1], list...)
}

// window returns the window of the first n operations of a run, or n is 0. Operations are
// added as long as all of their bytes on the wire are one number of up to 8 bytes, and the
// variables of those that are not special are within 8 bytes of memory.
func (e *emitter) window(run []op) (w op, n int) {
	var all op
	var outer *detail // not that of l: the operation that ends the run may have opened another level
	first := true
	low, high, others := ^uintptr(0), uintptr(0), 0
	for i := range run {
		o := &run[i]
		next, ok := o.asWord()
		if ok && n > 0 {
			next, ok = all.join(&next)
		}
		if !ok || o.x != nil && !first && o.x.outer != outer {
			break
		}
		// One load must reach all numbers that it takes.
		from, to := ^uintptr(0), uintptr(0)
		for _, f := range next.x.words {
			if f.isInWindow() {
				from, to = min(from, f.off), max(to, f.off+uintptr(f.size))
			}
		}
		if to > from && to-from > 8 {
			break
		}
		all, low, high = next, from, to
		if o.x != nil {
			outer, first = o.x.outer, false
		}
		if n++; o.moved() == 0 && !o.isLength() { // those are fast by themselves
			others++
		}
	}
	if n == 0 {
		return w, 0
	}
	// A window takes more time than moves that are fast by themselves, and than a word of one number.
	special := slices.DeleteFunc(slices.Clone(all.x.words), func(f wordPart) bool { return !f.isSpecial() })
	numbers := slices.DeleteFunc(slices.Clone(all.x.words), func(f wordPart) bool { return !f.isInWindow() })
	if len(numbers) == 0 || others == 0 || n == 1 && (run[0].code != opWord || len(numbers)+len(special) < 2) {
		return w, 0
	}
	start, ok := e.windowAt(low, high)
	if !ok {
		return w, 0
	}
	x, turns := windowOf(numbers, start)
	if turns > mostTurns {
		return w, 0
	}
	w = op{code: opWindow, width: all.width, swap: all.x.order == big, n: int32(turns), off: start, imm: all.imm, data: mem.PtrTo(x), x: &detail{outer: outer, joined: all.x.joined}}
	// The length has a place of its own in the window, without a loop for it.
	isLength := func(f wordPart) bool { return f.kind == lengthPart && len(f.terms) == 0 }
	if i := slices.IndexFunc(special, isLength); i >= 0 {
		x.length = special[i]
		special = slices.Delete(special, i, i+1)
	}
	w.size, x.special = uint8(len(special)), mem.At[wordPart](partsOf(special))
	// Bits above the width of a number on the wire would be lost.
	for _, f := range numbers {
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

// windowAt returns where 8 bytes of the variable begin that contain those from low to high, and
// nothing that is not part of the message.
func (e *emitter) windowAt(low, high uintptr) (start uintptr, ok bool) {
	if e.typ == nil || e.typ.Size() < 8 {
		return 0, false
	}
	start = min(low, e.typ.Size()-8)
	if hasIgnored(e.typ, start, start+8) && high >= 8 {
		start = high - 8
	}
	return start, !hasIgnored(e.typ, start, start+8)
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
