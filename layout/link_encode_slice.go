package layout

import (
	"math"
	"slices"
)

// This file has the elements of slices and arrays when encoding.

// sequence appends the elements of a slice or array. Elements that are only moved are one
// operation, which encodes all of them by a call. Of the others, those with a length that
// the loop cannot write begin at an exit; after that, they are encoded by the loop as well.
func (d toWire) sequence(l *linker, o op) {
	x := o.x
	n, g := x.node, &x.node.tag
	items := x.plan != nil && !g.toZero
	next := op{code: opNext}
	switch {
	case items && (o.code == opArray || g.fixed >= 0 || g.count == "varint"):
		if o.code = opItems; n.kind == sliceNode {
			o.n = -1 // always at the exit
		}
		o.mask = math.MaxInt
		l.roomy(o)
		return
	case o.code == opArray:
		o.code = opEach
	case g.toZero:
		o.code, next.code = opSeqZero, opNextZero
		x.zero = x.zeroElement()
	case g.fixed >= 0 || g.count == "varint":
		o.code = opSeqRare
	default:
		o.code, o.mask, o.n = opSeq, math.MaxInt, int32(n.amount)
		if g.count != "" {
			o.width, o.swap, o.mask = x.num.width, x.num.order == big, min(math.MaxInt, ones(8*int(x.num.width)))
		}
		if g.limited {
			o.mask = min(o.mask, g.limit)
		}
	}
	if items {
		o.code, o.slot, o.size = opItems, o.n, 1
		l.roomy(o)
		return
	}
	// An element that may have no bytes is an error, because a decoder would not know how
	// many there are. The operation at its end compares where it began.
	if n.kind == sliceNode && !g.toZero && x.sub.min == 0 {
		next.code = opNextSome
	}
	if next.code != opNext {
		o.slot = int32(l.slotFor())
		next.slot = o.slot
	}
	x.aligned = n.elem.hasAlign()
	at, end := l.elements(o, next)
	if g.toZero {
		d.endsWithZero(l, at, end)
	}
}

// endsWithZero makes the slice with until=zero whose operations are those from at to end
// an ordinary one, followed by the bytes of the zero element, if these are known. They are,
// if they depend on nothing else in the message: the zero element is encoded here, once,
// instead of in every message.
func (toWire) endsWithZero(l *linker, at, end int) {
	begin, next := &l.ops[at], &l.ops[end]
	x := begin.x
	for i := at + 1; i < end; i++ {
		if !l.ops[i].isAlone() {
			return
		}
	}
	e := encoder{message: l.m, slots: make([]int64, l.m.slots+1)}
	body := slices.Concat([]op{{code: opRoom, after: begin.after}}, l.ops[at+1:end], []op{{code: opEnd}})
	if err := e.run(x.zero, &flat{ops: body}); err != nil || len(e.buf) > math.MaxUint8 {
		return
	}
	begin.code, begin.mask, x.opens, x.end = opSeq, math.MaxInt, opSeq, string(e.buf)
	if t := &x.node.tag; t.limited {
		begin.mask = min(begin.mask, t.limit)
	}
	next.code, next.width = opNextSome, uint8(len(x.end))
	l.room(int32(len(x.end)))
	l.constant(e.buf, &detail{outer: l.outer, node: x.node})
}

// isAlone reports whether what an operation writes depends on nothing but its variable.
func (o *op) isAlone() bool {
	switch o.code {
	case opRoom, opMagic, opSpace, opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8, opPair2, opPair4, opCopyN, opBlock,
		opWord, opWindow, opDigits, opText, opBytes, opEnded, opFixed:
		return true
	}
	return false
}
