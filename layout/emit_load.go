package layout

import (
	"slices"

	"github.com/octet-go/octet/internal/mem"
)

// This file says how the loop of the encoder takes the numbers of a word from memory. One
// load takes those that are within 8 bytes, and one rotation moves all of them to their
// places that have the same distance to these.

// A wordTurn is a rotation of what has been loaded from memory, and what of it becomes part of
// a word. The first one of a load also has the load.
type wordTurn struct {
	off     uintptr
	size    uint8     // 0 for a rotation of the load before
	turn    uint8     // by which numbers move to their places
	keep    uint64    // their bits there
	over    uint64    // the bits in memory that must be zero, as they would be lost
	consts  uint64    // the bits of constants in memory
	value   uint64    // what these are, if they are not zero
	special *wordPart // behind the last one: the special numbers
}

// setTurns gives a word what the loop does for its numbers: n rotations, and behind them the
// list of those that are special. The first special number is not among the size ones if to is
// not 0: it is a length of one text. The loop has a pointer to the one after the last, so there
// is memory for it.
func (e *emitter) setTurns(o *op) {
	var turns []wordTurn
	var special, list []wordPart
	for _, f := range o.x.words {
		if f.kind == lengthPart && len(f.terms) == 0 && o.to == 0 {
			special, o.to = slices.Insert(special, 0, f), 1
		} else if f.kind > onePart { // the loop does more than to copy its bits or to compare one constant
			special = append(special, f)
		} else if f.size > 0 { // imm has a constant without a variable
			list = append(list, f)
		}
	}
	for len(list) > 0 {
		n, start, size := e.reach(list)
		turns = append(turns, turnsOf(list[:n], start, size)...)
		list = list[n:]
	}
	o.n, o.size = int32(len(turns)), uint8(len(special)-int(o.to))
	o.data = mem.SliceStart(append(turns, wordTurn{special: mem.At[wordPart](mem.SliceStart(append(special, wordPart{})))}))
}

// reach returns how many of the numbers one load takes, and from where. It takes more than
// one number only where it takes nothing that is not part of the message.
func (e *emitter) reach(list []wordPart) (n int, start uintptr, size uint8) {
	low, high := list[0].off, list[0].off+uintptr(list[0].size)
	start, size = low, list[0].size
	for n = 1; n < len(list); n++ {
		low, high = min(low, list[n].off), max(high, list[n].off+uintptr(list[n].size))
		if high-low > 8 || e.typ.Size() < 8 {
			break
		}
		at := min(low, e.typ.Size()-8)
		if hasIgnored(e.typ, at, at+8) && high >= 8 {
			at = high - 8
		}
		if hasIgnored(e.typ, at, at+8) {
			break
		}
		start, size = at, 8
	}
	return n, start, size
}

// turnsOf returns the rotations for numbers that are in size bytes of memory from start on. The
// first one also has what is compared of all of them.
func turnsOf(list []wordPart, start uintptr, size uint8) (turns []wordTurn) {
	for _, f := range list {
		at := 8 * int(f.off-start)
		if native == big {
			at = 8*int(size-f.size) - at
		}
		bits := ones(8 * int(f.size))
		turn := uint8(int(f.shift)-at) & 63
		i := slices.IndexFunc(turns, func(t wordTurn) bool { return t.turn == turn || t.keep == 0 || f.kind == onePart })
		if i < 0 {
			i, turns = len(turns), append(turns, wordTurn{})
		}
		first := &turns[0]
		if first.off, first.size = start, size; f.kind == onePart {
			first.consts |= bits << at
			first.value |= f.value & bits << at
			continue
		}
		first.over |= bits &^ f.keep << at
		turns[i].turn = turn
		turns[i].keep |= f.keep & bits << f.shift
	}
	return turns
}

// joinMove returns the word of a word and a number beside it that is only moved, because going
// on to the next operation takes longer than a load. Words that only have a length are as fast.
func (o *op) joinMove(next *op) (both op, ok bool) {
	v, isWord := o.asWord()
	w, areWords := next.asWord()
	if !isWord || !areWords || !o.isSlow() && !next.isSlow() || o.x != nil && next.x != nil && o.x.outer != next.x.outer {
		return both, false
	}
	if both, ok = v.join(&w); ok && next.x == nil {
		both.x.outer = o.x.outer
	}
	return both, ok
}

// isSlow reports whether an operation is a word that does more than to write a length.
func (o *op) isSlow() bool {
	return o.code == opWord && (len(o.x.words) != 1 || o.x.words[0].kind != lengthPart)
}

// asWord returns an operation as a word, and whether it can be one.
func (o *op) asWord() (w op, ok bool) {
	switch o.code {
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8:
		order := native
		if o.isSwap() {
			order = big + little - native
		}
		part := wordPart{off: o.off, size: o.width, keep: ones(8 * int(o.width))}
		w = op{width: o.width, x: &detail{order: order, words: []wordPart{part}, joined: []op{*o}}}
		if o.x != nil {
			w.x.outer = o.x.outer
		}
		return w, true
	}
	return *o, o.code == opWord
}
