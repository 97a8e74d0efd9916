package layout

import (
	"math"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
)

// This file has the elements of slices and arrays when encoding.

// sequence appends the elements of a slice or array. Elements that are only moved are one
// operation, which encodes all of them by a call. Of the others, those with a length that
// the loop cannot write begin at an exit; after that, they are encoded by the loop as well.
func (d toWire) sequence(e *emitter, o op) {
	x := o.x
	n, g := x.node, &x.node.tag
	items := x.plan != nil && !g.toZero
	next := op{code: opNext}
	switch {
	case items && (o.code == opArray || g.count == "varint"):
		if o.code = opItems; n.kind == sliceNode {
			o.n = -1 // always at the exit
		}
		o.mask = math.MaxInt
		e.roomy(o)
		return
	case o.code == opArray:
		o.code = opEach
	case g.toZero:
		x.list = e.list(new(flat), x.typ, func(in *emitter) { in.node(n.elem, 0, "", x.order) })
		x.zero, x.aligned = mem.New(x.typ), n.elem.hasAlign()
		b, ok := e.m.encoded(x.list, x.zero)
		if !ok {
			o.code, o.slot = opSeqZero, int32(e.slotFor())
			e.endings = append(e.endings, x)
			e.roomy(o)
			return
		}
		o.code, o.mask, o.n, x.end = opSeq, math.MaxInt, int32(n.amount), string(b)
		next.code, next.width = opNextSome, uint8(len(b))
	case g.count == "varint":
		o.code, o.imm = opSeq, math.MaxUint64 // always at the exit
	case g.fixed >= 0:
		o.code, o.imm, o.n = opSeq, uint64(g.fixed), int32(n.amount)
	default:
		o.code, o.mask, o.n = opSeq, math.MaxInt, int32(n.amount)
		if g.count != "" {
			o.width, o.swap, o.mask = x.num.width, x.num.order == big, min(math.MaxInt, ones(8*int(x.num.width)))
		}
	}
	o.mask = min(o.mask, g.limit)
	if items {
		o.code, o.slot, o.size = opItems, o.n, 1
		e.roomy(o)
		return
	}
	// An element that may have no bytes is an error, because a decoder would not know how
	// many there are. The operation at its end compares where it began.
	if n.kind == sliceNode && !g.toZero && x.least == 0 {
		next.code = opNextSome
	}
	if next.code != opNext {
		o.slot = int32(e.slotFor())
		next.slot = o.slot
	}
	e.elements(o, next)
	if g.toZero {
		e.room(int32(len(x.end)), nil)
		e.constant([]byte(x.end), &detail{outer: e.outer, node: n})
	}
}

// encoded returns the bytes of the zero variable at p, if they depend on nothing else in the message. So a
// slice with until=zero is an ordinary one, followed by the bytes of the zero element, which is
// encoded once instead of in every message. Fields that a number of the element says are absent do not matter.
func (m *message) encoded(f *flat, p mem.Ptr) (b []byte, ok bool) {
	noted := map[int32]uint64{}
	for i := 0; i < len(f.ops); i++ {
		o := &f.ops[i]
		v, known := noted[o.slot]
		switch n := o.x; {
		case o.code == opNote:
			noted[o.slot] = o.imm
		case o.code == opIf && known && !o.x.node.hasMore():
			if (v&o.mask == o.imm) == (o.width != 0) {
				i += int(o.to) - 1
			}
		case o.code == opNumber && len(n.node.links) == 0 && n.node.sum == nil && len(n.num.constants) == 0:
			noted[int32(n.node.value)] = 0
		case !o.isAlone():
			return nil, false
		}
	}
	e := encoder{message: m, slots: make([]int64, m.slots+1), rare: new(rareState)}
	err := e.run(p, f)
	return e.buf, err == nil && len(e.buf) <= math.MaxUint8
}

// checkEndings refuses slices with until=zero that can never be encoded, because their zero
// element cannot: it has, for example, a []byte with fixed=2, or the length of a field that has
// too few bytes. It finds them by encoding the zero element, unless something outside of the
// element or a method decides whether that is possible.
func (b *builder) checkEndings(m *message) error {
	for _, x := range b.endings {
		n := x.node
		if n.mayBeAbsent() || b.asksOutside(n.elem) {
			continue
		}
		e := encoder{message: m, slots: make([]int64, m.slots+1), rare: new(rareState), ending: true}
		if err := e.call(x.list, x.zero, 0, false); err != nil {
			path := errtext.Path(finish(n.lastName()+"[]", err).Path)
			return wrong(n.path(), "until=zero: the zero element at the end cannot be encoded: %s: %s; use count or prefix", path, err.Text)
		}
	}
	return nil
}

// mayBeAbsent reports whether there are messages without n.
func (n *node) mayBeAbsent() bool {
	for o := n; o != nil; o = o.around() {
		g := &o.tag
		switch {
		case len(o.conditions) > 0 || o != n && o.kind == unionNode:
			return true
		case o != n && o.kind == sliceNode && !g.toZero && g.fixed <= 0 || o.kind == arrayNode && o.typ.Len() == 0:
			return true
		}
	}
	return false
}

// asksOutside reports whether it depends on something outside of n, or on a method, whether n
// can be encoded. If a recursive struct around n is in n, nothing in that is outside.
func (b *builder) asksOutside(n *node) bool {
	for i := n.seq; i <= n.last; i++ {
		c := b.all[i]
		if c.loop && c.inner.owner.seq < n.seq {
			return b.asksOutside(c.inner.owner)
		}
		for _, k := range c.conditions {
			if k.more || k.node.seq < n.seq {
				return true
			}
		}
		if c.kind == userNode || c.orderOf != nil && c.orderOf.seq < n.seq {
			return true
		}
	}
	return false
}

// isAlone reports whether what an operation writes depends on nothing but its variable.
func (o *op) isAlone() bool {
	switch o.code {
	case opEnd, opRoom, opMagic, opSpace, opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8, opPair2, opPair4, opCopyN, opBlock,
		opWord, opDigits, opText, opBytes, opEnded, opFixed:
		return true
	}
	return false
}
