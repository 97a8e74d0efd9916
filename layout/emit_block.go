package layout

import (
	"reflect"

	"github.com/octet-go/octet/internal/block"
)

// This file joins numbers whose bytes are only moved, in either direction.

// How many numbers are moved one by one if a permutation could move all of them at once, and if
// none could.
const (
	fewMoves    = 5 // when encoding
	fewNumbers  = 10
	someNumbers = 24
)

// few implements direction.
func (toWire) few(p *block.Plan) int {
	if p.Encode.Exists() {
		return fewMoves
	}
	return someNumbers
}

// few implements direction.
func (d fromWire) few(p *block.Plan) int {
	switch {
	case d.plain:
		return 0
	case p.Decode.Exists():
		return fewNumbers
	}
	return someNumbers
}

// maxPadding is more than the bytes of memory between two numbers of a block, maxZeros is how
// many zeros there can be between them on the wire, and maxMoved is the largest array that is
// moved without a call.
const (
	maxPadding = 8
	maxZeros   = 64
	maxMoved   = 8 * someNumbers
)

// neighbors returns how many of the operations are one block: numbers that are side by side in
// a variable of type t, apart from padding, and zeros after them.
func neighbors(ops []op, t reflect.Type) (n int) {
	end := uintptr(0)
	for i := range ops {
		switch o := &ops[i]; {
		case o.code == opBlock && (n == 0 || o.off >= end && o.off-end < maxPadding && !hasIgnored(t, end, o.off)):
			end = o.off + o.x.typ.Size()
		case o.code == opSpace && n > 0 && o.n <= maxZeros:
		default:
			return n
		}
		n++
	}
	return n
}

// planOf returns the plan of neighbors in size bytes of memory from low on.
func planOf(ops []op, low, size uintptr) *block.Plan {
	var b block.Builder
	for i := range ops {
		if o := &ops[i]; o.code == opSpace {
			b.Blank(int(o.n))
		} else {
			b.At(int(o.off - low))
			b.Add(o.x.typ, o.swap)
		}
	}
	p := b.Plan(int(size))
	p.SetRooms()
	return p
}

// block appends neighbors: one by one if they are few, because that takes less time than a call.
func (e *emitter) block(ops []op) {
	low, end, long := ops[0].off, uintptr(0), false
	var list []op
	for _, o := range ops {
		if o.code == opSpace {
			list = append(list, o)
			continue
		}
		end = o.off + o.x.typ.Size()
		long = long || o.x.typ.Size() > maxMoved
		list = append(list, o.moves(someNumbers+1-len(list))...)
	}
	if plan := planOf(ops, low, end-low); long || len(list) > e.few(plan) {
		e.fixed(op{code: opBlock, off: low, n: int32(plan.Size), x: &detail{plan: plan, outer: e.outer}})
		return
	}
	for _, o := range list {
		if o.code == opSpace {
			e.lower(e, o)
		} else {
			e.fixed(o)
		}
	}
}

// moves returns the operations that move the numbers of a block, or the first most of them. Bytes
// that are the same in memory and on the wire are one operation, whatever their type.
func (o *op) moves(most int) (list []op) {
	t, size := o.x.typ, int(o.x.typ.Size())
	for t.Kind() == reflect.Array {
		t = t.Elem()
	}
	width := int(t.Size())
	if (width == 1 || !o.swap) && size > 1 && o.x.typ.Kind() == reflect.Array {
		return []op{copyOf(size, o.off)}
	}
	for i := 0; i < size && len(list) < most; i += width {
		list = append(list, op{code: moveCode(width, o.swap), width: uint8(width), off: o.off + uintptr(i)})
	}
	return list
}

// moved returns how many bytes an operation moves, or 0 if it does something else.
func (o *op) moved() int {
	switch o.code {
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8:
		return int(o.width)
	case opCopyN:
		return int(o.n)
	}
	return 0
}

// joinRun joins operations of the open run that follow each other, as long as join can.
func (e *emitter) joinRun(join func(o, next *op) (both op, ok bool)) {
	list := e.ops[:e.run+1]
	for _, next := range e.ops[e.run+1:] {
		list = append(list, next)
		for n := len(list); n > e.run+2; n-- {
			both, ok := join(&list[n-2], &list[n-1])
			if !ok {
				break
			}
			list = append(list[:n-2], both)
		}
	}
	e.ops = list
}

// joinCopy returns the copy of bytes that are side by side both in memory and on the wire.
func (o *op) joinCopy(next *op) (both op, ok bool) {
	n, k := o.moved(), next.moved()
	if n == 0 || k == 0 || o.isSwap() || next.isSwap() || o.off+uintptr(n) != next.off {
		return both, false
	}
	return copyOf(n+k, o.off), true
}

// joinPair returns the operation that reverses the bytes of two numbers which are side by side
// both in memory and on the wire, since going on to the next operation takes longer than the
// operation itself.
func (o *op) joinPair(next *op) (both op, ok bool) {
	if o.code != opSwap2 && o.code != opSwap4 || o.code != next.code || o.off+uintptr(o.width) != next.off {
		return both, false
	}
	both = *o
	both.code += opPair2 - opSwap2
	return both, true
}

// copyOf returns the operation that copies n bytes.
func copyOf(n int, off uintptr) op {
	if n == 1 || n == 2 || n == 4 || n == 8 {
		return op{code: moveCode(n, false), width: uint8(n), off: off}
	}
	return op{code: opCopyN, width: 1, n: int32(n), off: off}
}

// isSwap reports whether an operation swaps bytes.
func (o *op) isSwap() bool { return o.code >= opSwap2 && o.code <= opSwap8 }

// notesFirst moves what the open run only notes to its beginning, so that numbers on both sides of
// it can be joined. All other operations of a run have a fixed size, with which the place of
// an edge is known there.
func (e *emitter) notesFirst() {
	run, size := e.ops[e.run+1:], 0
	var notes, others []op
	for _, o := range run {
		switch o.code {
		case opNote:
			notes = append(notes, o)
		case opEdge:
			o.to = int32(size)
			notes = append(notes, o)
		default:
			size += o.fixedSize()
			others = append(others, o)
		}
	}
	copy(run, append(notes, others...))
}

// fixedSize returns how many bytes an operation of a run appends.
func (o *op) fixedSize() int {
	switch o.code {
	case opWord, opDigits, opOpen:
		return int(o.width)
	case opNumber, opBits, opMagic, opSpace, opBlock:
		return int(o.n)
	}
	return o.moved()
}

// endRun joins the operations of the run that ends here, and makes the lists of those that
// are words.
func (toWire) endRun(e *emitter) {
	e.notesFirst()
	e.joinRun((*op).joinCopy)
	e.joinRun((*op).joinMove)
	for i := e.run + 1; i < len(e.ops); i++ {
		if o := &e.ops[i]; o.code == opWord {
			e.setTurns(o)
		}
	}
	e.joinRun((*op).joinPair)
}
