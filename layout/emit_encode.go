package layout

import (
	"math"
	"math/bits"
	"reflect"
)

// A toWire is the direction in which values become bytes. Its methods turn
// general operations into those that the loop of the encoder executes itself, where
// they can. Each fast form says what it accepts; everything else stays as it is, and is
// done by the method of the operation.
type toWire struct{}

// lower appends the operations that encode o. Bounds of ranges and the bytes of ranges are
// for decoding only: encoding computes lengths from what it has written.
func (d toWire) lower(e *emitter, o op) {
	switch o.code {
	case opEnter, opRaw:
	case opNumber:
		d.number(e, o)
	case opBits:
		d.word(e, o, o.x.order, o.x.bits)
	case opMagic:
		d.magic(e, o)
	case opSpace:
		if o.n > 64 {
			e.fixed(o)
			return
		}
		for n := o.n; n > 0; n -= 8 {
			o.n = min(n, 8)
			e.word(newWord(noOrder, int(o.n), o))
		}
	case opVarint:
		d.varint(e, o)
	case opBytes:
		d.text(e, o)
	case opEdge, opBegin, opFinish:
		switch of := o.x.of; {
		case of.framesMore():
			if o.code != opFinish {
				o.code = opBegin
			}
			if of.absent == 0 {
				of.absent = e.slotFor()
			}
			o.slot = int32(of.absent)
			e.fixed(o)
		case e.isNoted(of, func(k *link) bool { return k.isOptional() || e.aheadOf(k) == nil }):
			o.code = opEdge
			e.fixed(o)
		}
	case opDerive:
		d.derive(e, o)
	case opSum:
		e.fixed(o)
	default:
		e.roomy(o)
	}
}

// moveCode returns the operation that moves a number, whose bytes are swapped or not. Each
// width has a code of its own, because a branch on the width would cost as much as the move.
func moveCode(width int, swap bool) opcode {
	code := map[int]opcode{1: opCopy1, 2: opCopy2, 4: opCopy4, 8: opCopy8}[width]
	if swap && width > 1 {
		code += opSwap2 - opCopy2
	}
	return code
}

// number appends a number of fixed width. How it is encoded depends on when its value is
// known: before it is written, later in the message, or when the message is complete. The
// first form that fits is taken; what none of them accepts is left to the general one.
func (d toWire) number(e *emitter, o op) {
	x := o.x
	n, m := x.node, &x.num
	swap := m.order != native && m.width > 1
	switch {
	case !n.isComputed() && len(m.constants) == 0 && !m.limited && m.size == m.width && (m.form == floatForm || m.form == integerForm && (m.kind == boolKind || m.signed == (m.kind == intKind))):
		e.fixed(op{code: moveCode(int(m.width), swap), width: m.width, off: o.off, x: x})
		e.note(n, &o)
	case m.isDigits() && !n.isComputed() && len(m.constants) == 0 && n.value == 0: // nothing is noted of them
		o.code, o.width, o.size, o.imm, o.mask = opDigits, m.width, m.size, m.base(), m.most()
		e.fixed(o)
	default:
		d.word(e, o, m.order, []bitField{{detail: x, off: o.off}})
	}
}

// isComputed reports whether the number is computed from other fields.
func (n *node) isComputed() bool { return len(n.links) > 0 || len(n.unions) > 0 || n.sum != nil }

// isLength reports whether every number of the width that is not negative can be written, so that the
// loop only compares a length with the longest one.
func (n *number) isLength() bool {
	return !n.limited && n.form == integerForm && n.signed == (n.kind == intKind) && n.kind != boolKind && n.size >= n.width && n.width <= 8 && len(n.constants) == 0
}

// longest returns the largest length that the number can hold.
func (n *number) longest() uint64 { return ones(n.wireBits() - b2i(n.signed)) }

// hasLoneTag reports whether the number is the tag of one union, which is always
// present and writes it, and nothing else depends on the number before.
func (n *node) hasLoneTag() bool {
	if len(n.unions) != 1 || len(n.links) > 0 || n.read || n.num.limited || len(n.num.constants) > 0 || len(n.conditions) > 0 || n.blank {
		return false
	}
	u := n.unions[0]
	return u.scope == n.scope && u.owner == nil && len(u.conditions) == 0 && (n.num.form == bitsForm || n.num.form == integerForm && n.num.width <= 8)
}

// canHoldTag reports whether the number is the tag of one union, and a whole number of
// bytes or in a run of bits of one byte.
func (n *node) canHoldTag() bool {
	return n.hasLoneTag() && (n.num.form == integerForm || n.runFirst.runLen == 1)
}

// note appends an operation that notes the value of a number for conditions, if one depends
// on it. It is the value that is written: that of a constant, if the variable is zero.
func (e *emitter) note(n *node, o *op) {
	if n.value == 0 || n.isComputed() {
		return
	}
	m := &o.x.num
	note := op{code: opNote, size: m.size, swap: m.kind == intKind, off: o.off, slot: int32(n.value), x: o.x}
	if len(m.constants) > 0 && !m.isConstant(0) {
		note.imm = m.constants[0].value
	}
	e.fixed(note)
}

// varint appends a number of variable width. It makes sure of room for the longest one, and
// for the run that follows. A number that is computed later may move what follows, which is
// done at an exit; the loop writes one byte for it.
func (toWire) varint(e *emitter, o op) {
	n, m := o.x.node, &o.x.num
	switch {
	case m.form == slebForm || len(m.constants) > 0 || n.blank || n.filled != 0 || len(n.unions) > 0 || n.sum != nil:
	case !n.isComputed() && !m.limited && (!m.signed || m.kind == intKind):
		o.size, o.swap = m.size, m.form == zigzagForm
		if m.kind == intKind && !m.signed { // must not be negative
			o.mask = 1 << (8*m.size - 1)
		}
	case m.form != varintForm || len(n.links) != 1:
	case len(o.x.early) == 0:
		o.size, o.width = m.size, 1
	case len(o.x.early[0].terms) == 1:
		y := &o.x.early[0]
		if plus := y.fixed - y.link.plus; y.link.factor == 1 && plus == int64(int32(plus)) {
			o.size, o.width, o.level, o.off, o.imm = m.size, 1, int32(plus), y.terms[0].off, y.terms[0].size
			o.mask = min(y.link.most(), m.most())
		}
	}
	if o.width != 0 {
		o.n, o.slot = int32(n.place), int32(n.value)
	}
	e.roomy(o)
	if o.size != 0 {
		e.note(n, &o)
	}
}

// text appends a string or []byte, with its prefix.
func (toWire) text(e *emitter, o op) {
	n, g := o.x.node, &o.x.node.tag
	o.mask = min(g.limit, math.MaxInt)
	prefix := g.prefix + g.count
	if n.amount != 0 && !g.utf16 {
		e.fixed(op{code: opNote, size: wordSize, off: o.off + wordSize, slot: int32(n.amount), x: o.x})
	}
	switch {
	case g.utf16:
	case prefix == "varint": // of one byte; others are rarer
		o.code, o.width, o.mask = opText, 1, min(o.mask, 1<<7-1)
	case prefix == "" && g.fixed >= 0:
		o.code, o.n, o.imm = opFixed, int32(g.fixed), uint64(max(g.fillByte, 0))
		o.size = uint8(b2i(g.fillByte >= 0 || n.typ.Kind() == reflect.String))
		o.mask = min(o.mask, uint64(g.fixed))
	case prefix == "" && (g.cstring || g.until >= 0):
		o.code, o.imm = opEnded, uint64(max(g.until, 0))
	default:
		if o.code = opText; prefix != "" {
			o.width, o.swap = o.x.num.width, o.x.num.order == big
			o.mask = min(o.mask, ones(8*int(o.width)))
		}
	}
	e.roomy(o)
}

// derive appends the operation that computes a length. A length that was written early
// needs none, unless the number may be absent.
func (toWire) derive(e *emitter, o op) {
	k := o.x.link
	m := &k.num.num
	if o.x.known && !k.isOptional() {
		return
	}
	add := e.fixed
	if m.width == 0 {
		add = func(o op) { e.add(o) } // a longer number takes the room of what follows
	}
	bits := m.form == bitsForm && m.kind == uintKind && !m.limited && len(m.constants) == 0
	varint := m.form == varintForm && len(m.constants) == 0
	// The loop knows no counts, numbers with other derivations, divisions, and summands of more
	// than 32 bits.
	if o.x.known || k.elements || k.num.filled != 0 || !m.isLength() && !bits && !varint || k.plus != int64(int32(k.plus)) || !k.isPower() || k.num.field(k.of.scope).index > k.of.to && k.isOptional() {
		o.slot, o.width = int32(k.num.place), uint8(b2i(o.x.known))
		o.to, o.imm, o.size = int32(k.of.start), uint64(k.of.stop), uint8(1-b2i(k.elements))
		add(o)
		return
	}
	// The length of the range less plus, divided by the factor, is the number.
	o.level, o.size = int32(k.plus), k.shift()
	o.code, o.width, o.mask = opPatch, m.width, min(k.most(), m.longest())
	switch {
	case bits:
		o.width, o.off = uint8(k.num.runFirst.runLen), uintptr(1+k.num.shift(big))|uintptr(1+k.num.shift(little))<<8
	case varint: // a byte has been written, which is enough for most
		o.width, o.mask = 1, min(m.limit, 1<<7-1)
	}
	o.n, o.slot, o.to = int32(k.num.value), int32(k.num.place), int32(k.of.start)
	o.imm = uint64(k.of.stop)
	if last := e.last(); last != nil && last.code == opEdge && last.n == int32(k.of.stop) {
		o.swap = true
		e.ops = e.ops[:len(e.ops)-1]
	}
	add(o)
}

// condition returns the operation for one of the conditions of a field, which compares the
// value of a number. The loop also verifies that a field that is absent is zero, if its
// first bytes say so.
func (toWire) condition(o op, c *condition) op {
	x := o.x
	o.mask, o.imm, o.size = 0, 1, 0 // an exit decides
	if c.more {
		return o
	}
	o.compare(c)
	o.n, o.size = int32(o.off), firstBytes(x.node)
	if x.node.typ.Kind() == reflect.String {
		o.n += wordSize // the length
	}
	return o
}

// wordSize is the number of bytes of a pointer.
const wordSize = bits.UintSize / 8

// noBytes is the size of a variable that is always zero.
const noBytes = 16

// firstBytes returns how many bytes of a variable say whether it is zero, or 0 if these
// are not its first 1, 2, 4 or 8 bytes.
func firstBytes(n *node) uint8 {
	if n.blank {
		return noBytes
	}
	switch n.typ.Kind() {
	case reflect.Slice, reflect.String, reflect.Pointer, reflect.Interface:
		return wordSize
	case reflect.Array:
		if size := n.typ.Size(); n.typ.Elem().Kind() <= reflect.Uintptr && (size == 1 || size == 2 || size == 4 || size == 8) {
			return uint8(size)
		}
		return 0
	case reflect.Struct:
		return 0
	}
	return uint8(n.typ.Size())
}

// frame appends a frame and what is in it. A frame without a prefix has no bytes of its
// own. One whose contents may depend on the frame is a list of its own, which an exit runs
// until its prefix is right.
func (d toWire) frame(e *emitter, o op) {
	x := o.x
	n, g := x.node, &x.node.tag
	varint := x.num.form == varintForm
	if n.hasUnframedMore() || varint && x.aligned {
		o.slot = int32(e.slotFor())
		x.list = e.list(new(flat), e.base, func(in *emitter) { in.content(n, o.off, "", x.order) })
		e.roomy(o)
		return
	}
	e.outer = x
	x.opens = opFrame
	if g.prefix == "" {
		e.inside(e.base, func() { e.content(n, o.off, "", x.order) })
		e.outer = x.outer
		return
	}
	o.code, o.width, o.swap, o.mask = opOpen, x.num.width, x.num.order == big, ones(8*int(x.num.width))
	if varint { // of one byte, until the length is known
		o.width, o.mask = 1, 1<<7-1
	}
	o.slot = int32(e.slotFor())
	e.room(int32(o.width), nil)
	e.fixed(o)
	e.inside(e.base, func() { e.content(n, o.off, "", x.order) })
	if o.code, o.x = opClose, x; varint {
		e.roomy(o)
	} else {
		e.fixed(o)
	}
	e.outer = x.outer
}
