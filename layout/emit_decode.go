package layout

import (
	"math"
	"math/bits"
	"reflect"
	"slices"

	"github.com/octet-go/octet/internal/mem"
)

// A fromWire is the direction in which bytes become values. Its methods turn
// general operations into those that the loop of the decoder executes itself, where
// they can. Each fast form says what it accepts; everything else stays as it is, and is
// done by the method of the operation.
type fromWire struct {
	plain bool // no fast forms: for tests, and for the list that Fields observes
}

// isImplied reports whether a range that is longer or shorter than the number says has
// been refused when it ends, or whether a slice has as many elements as the number says because
// nothing else says where it ends.
func (l *link) isImplied() bool {
	if t := l.target; t != nil {
		return l == t.countBefore() && t.isOpen() && (t.kind == sliceNode || !t.isFramed()) && len(t.conditions) == 0
	}
	return l.bound != 0 || l.isExact() && !l.mayMiss()
}

// lower appends the operations that decode o. Each method below takes the operations of one
// code, and leaves as it is what no faster form accepts.
func (d fromWire) lower(e *emitter, o op) {
	switch o.code {
	case opNumber:
		d.number(e, o)
	case opBits:
		d.word(e, o, o.x.order, o.x.bits)
	case opMagic:
		d.magic(e, o)
	case opVarint:
		d.varint(e, o)
	case opBytes:
		d.text(e, o)
	case opEnter:
		o.slot = int32(o.x.reset[0])
		o.x.others = boundSlots(o.x.links, nil)
		e.roomy(o)
	case opBegin:
		o.n, o.slot = int32(o.x.of.start), int32(o.x.of.scope.end)
		if k := o.x.links[0]; len(o.x.links) == 1 && k.isSmall() && k.lower == nil {
			o.size, o.to, o.level, o.off = 1, int32(k.bound), int32(k.num.value), uintptr(k.num.place)
			o.imm, o.mask = uint64(k.factor), uint64(k.plus)
		}
		e.roomy(o) // the frame changes
	case opFinish:
		o.n, o.slot = int32(o.x.of.stop), int32(o.x.of.scope.end)
		if k := o.x.links[0]; len(o.x.links) == 1 {
			o.size, o.to = 1, int32(k.bound)
			o.x.others = boundSlots(o.x.of.scope.links, k)
		}
		e.roomy(o) // the frame changes
	case opDerive:
		d.derive(e, o)
	case opEdge:
		needs := func(k *link) bool { return !k.elements && (k.bound != 0 || !k.isImplied()) }
		if d.plain || e.isNoted(o.x.of, needs) || slices.ContainsFunc(e.all, func(n *node) bool { return n.raw == o.x.of }) {
			e.fixed(o)
		}
	case opSpace, opSum, opRaw:
		e.fixed(o)
	default:
		e.roomy(o)
	}
}

// reframe ends the open run after numbers if one of them bounds ranges. What follows needs
// room in the new frame, which the operation that sets the frame makes sure of. An opBound
// does that at an exit, which it always is without a size, and when it sets the end of a
// range; one that only compares does not look at the room.
func (e *emitter) reframe(list []bitField) {
	if !slices.ContainsFunc(list, func(f bitField) bool { return f.node.bounds() }) {
		return
	}
	e.endRun()
	if last := e.last(); last != nil && last.code == opBound && (last.size == 0 || last.width != 0) {
		e.run = len(e.ops) - 1
	}
}

// boundSlots returns the slots of the bounds of the links other than k. When the range of k
// has ended, the tightest of them is the end of the frame again.
func boundSlots(links []*link, k *link) (list []int32) {
	for _, l := range links {
		if l != k {
			list = append(list, int32(l.bound))
		}
	}
	return list
}

// number appends a number of fixed width. One of the width and kind of its variable is an
// operation of its own, and so are digits, and a number with a sign that has fewer bytes in
// memory than on the wire. Others are words, which may be joined with their neighbors.
func (d fromWire) number(e *emitter, o op) {
	x := o.x
	n, m, list := x.node, &x.num, []bitField{{detail: x, off: o.off}}
	one := op{width: m.width, swap: m.order == big && m.width > 1, off: o.off, x: x}
	switch {
	case d.plain:
	case m.isDigits() && len(m.constants) == 0 && m.size > 0 && m.width <= mostDigits:
		one.code, one.size, one.imm, one.mask, one.n, one.slot = opDigits, m.size, m.base(), m.most(), int32(n.value), int32(n.place)
	case m.form != integerForm || m.size == 0:
	case m.signed && m.kind == intKind && m.size < m.width && n.value == 0 && len(m.constants) != 1:
		one.x = newWord(m.order, int(m.width), o).x
		one.code, one.size, one.slot, one.mask, one.x.outer = opWide, m.size, 1, ones(8*int(m.width))&^ones(8*int(m.size)-1), e.outer
	case m.kind == uintKind && !m.signed && m.size == m.width && len(m.constants) != 1:
		one.code, one.swap, one.n, one.slot = opValue, m.order != native && m.width > 1, int32(n.value), int32(n.place)
		if n.value == 0 {
			one.code = moveCode(int(m.width), one.swap)
		}
	}
	if one.code == 0 {
		d.word(e, o, m.order, list)
		return
	}
	e.fixed(one)
	d.follow(e, list, int(m.width))
}

// word appends numbers that are one number on the wire: a word, if each of them can be in
// one.
func (d fromWire) word(e *emitter, o op, order order, list []bitField) {
	w := newWord(order, int(o.n), o)
	ok := !d.plain
	for i := range list {
		f := &list[i]
		ok = ok && w.read(f.detail, f.off, f.shift, f.num.wireBits())
	}
	if ok {
		e.word(w)
		d.follow(e, list, int(o.n))
		return
	}
	e.fixed(o)
	e.reframe(list)
}

// follow appends what numbers must be and what depends on them, as operations after the one
// that decodes them from width bytes.
func (d fromWire) follow(e *emitter, list []bitField, width int) {
	for i := range list {
		d.check(e, list[i].detail, list[i].off, width)
	}
	for i := range list {
		d.bound(e, list[i].detail)
	}
	e.reframe(list)
}

// mostDigits is how many digits always fit in 64 bits.
const mostDigits = 19

// bound appends the operation that follows the links of a number, if a value can be out
// of their range or if one of them bounds a range that has begun.
func (fromWire) bound(e *emitter, x *detail) {
	n := x.node
	o := op{code: opBound, n: int32(n.value), slot: int32(n.place), x: &detail{path: x.path, node: n, outer: e.outer, bounds: e.bounds}}
	needed := false
	for _, k := range n.links {
		if k.elements && !k.isScaledCount() {
			continue
		}
		// Other numbers of up to 32 bits are never out of range; see link.length.
		needed = needed || k.elements || k.factor != 1 || k.plus < 0 || n.num.kind == intKind || min(n.num.wireBits(), n.num.memBits()) > 32
		if k.bound != 0 && n.field(k.of.scope).index >= k.of.from {
			o.x.links = append(o.x.links, k)
			needed = true
		}
	}
	if len(n.links) > 0 {
		k := n.links[0]
		o.imm, o.mask = uint64(k.factor), uint64(k.plus)
		if len(n.links) == 1 && k.isSmall() && k.lower == nil {
			o.size, o.width = 1, uint8(len(o.x.links))
			if o.to, o.level, o.off = int32(k.bound), int32(k.of.scope.end), uintptr(k.of.start); o.width == 0 {
				o.to = 0
				if k.isScaledCount() {
					o.to = int32(k.amount)
				}
			}
		}
	}
	if needed {
		e.fixed(o)
	}
}

// isSmall reports whether numbers up to maxLink do not overflow.
func (l *link) isSmall() bool { return l.factor <= 1<<16 && max(l.plus, -l.plus) <= 1<<40 }

// check appends the operation that compares a number with its constants, if there are
// several, and with its limit. A single constant takes no operation, because a word compares
// all of its constants at once, and neither does the limit of digits, which opDigits has. The
// detail is a copy, because bit fields share their levels with the run and have paths of their
// own.
func (fromWire) check(e *emitter, x *detail, off uintptr, back int) {
	m := &x.num
	if m.limited && !m.isDigits() || len(m.constants) > 1 {
		y := *x
		y.outer, y.bounds = e.outer, e.bounds
		o := op{code: opCheck, n: int32(back), size: m.size, swap: m.kind == intKind, to: int32(len(m.constants)), off: off, mask: m.limit, x: &y}
		var list []uint64
		for _, c := range m.constants {
			list = append(list, c.value)
		}
		o.data = mem.SliceStart(append(list, 0)) // with memory behind the last one, for the pointer of the loop
		e.fixed(o)
	}
}

// magic appends constant bytes, which are compared as a word. If they are in a variable
// that is not as large as a number, an operation goes back to them for it.
func (d fromWire) magic(e *emitter, o op) {
	n, g := o.x.node, &o.x.node.tag
	size := len(g.magic)
	if d.plain || size == 0 || size > 8 {
		e.fixed(o)
		return
	}
	w := newWord(native, size, o)
	w.mask, w.imm = ones(8*size), getFixed(g.magic, native)
	kind := n.typ.Kind()
	word := n.blank || kind == reflect.Array && bits.OnesCount(uint(size)) == 1
	if word && !n.blank {
		w.x.words = []wordPart{{off: o.off, size: uint8(size), keep: ones(8 * size)}}
	}
	e.word(w)
	if word {
		return
	}
	e.fixed(op{code: opSpace, n: int32(-size)})
	if kind == reflect.Array {
		e.fixed(copyOf(size, o.off))
		return
	}
	e.roomy(op{code: opFixed, n: int32(size), size: uint8(b2i(kind == reflect.String)), off: o.off, mask: math.MaxInt, x: o.x})
}

// varint appends a number of variable width. The largest one that the loop accepts is the
// limit or what the variable can hold; the exit tells which of them was exceeded.
func (d fromWire) varint(e *emitter, o op) {
	n, m := o.x.node, &o.x.num
	if o.size = 0; !d.plain && m.form != slebForm && !(m.limited && m.form == zigzagForm) && len(m.constants) == 0 && (m.kind == intKind || !m.signed) && !n.blank && m.kind != boolKind {
		o.size, o.swap, o.imm = m.size, m.form == zigzagForm, m.most()
		o.n, o.slot = int32(n.value), int32(n.place)
	}
	e.roomy(o)
	if o.size != 0 {
		d.bound(e, o.x)
	}
	e.reframe([]bitField{{detail: o.x}})
}

// derive appends the operation that compares a length. A field that cannot have
// another length needs none: its number was its frame, or has bounded its range.
func (d fromWire) derive(e *emitter, o op) {
	k := o.x.link
	if k.isImplied() {
		return
	}
	o.size = uint8(b2i(!d.plain && k.isSmall() && !k.elements))
	o.n, o.to, o.slot, o.level = int32(k.of.start), int32(k.of.stop), int32(k.num.value), int32(k.num.place)
	o.imm, o.mask = uint64(k.factor), uint64(k.plus)
	e.fixed(o)
}

// condition returns the operation for one of the conditions of a field. The loop compares the
// value of a number, and sets a variable without others inside to zero.
func (d fromWire) condition(o op, c *condition) op {
	x := o.x
	own := x.node.sized
	o.mask, o.imm, o.size, o.width = 0, 1, 0, 0 // an exit decides
	if d.plain || c.more && (x.node.countBefore() != nil || own != nil && (len(x.node.lengths) > 1 || own.factor != 1 || own.plus != 0)) {
		return o
	}
	switch o.n = int32(b2i(len(x.reset) > 0)); {
	case !c.more:
		o.compare(c)
	case own != nil: // its length is not 0
		o.compare(&condition{node: own.num})
	default:
		o.imm, o.width = 0, ifMore
	}
	t := x.node.typ
	switch k := t.Kind(); {
	case x.node.blank:
		o.size = noBytes
	case k == reflect.String:
		o.size = zeroString
	case k == reflect.Slice:
		o.size = zeroSlice
	case k == reflect.Pointer:
		o.size = zeroPointer
	case k != reflect.Struct && k != reflect.Array && k != reflect.Interface, x.node.kind == arrayNode && x.node.hasNumbers() && t.Size() <= 8 && bits.OnesCount(uint(t.Size())) == 1:
		o.size = uint8(t.Size())
	default:
		o.size = zeroOther
	}
	return o
}

// The width of an opIf whose condition is if=more.
const ifMore = 2

// How the loop sets a variable to zero that is not a number.
const (
	zeroString = noBytes + 1 + iota
	zeroSlice
	zeroPointer
	zeroOther // an exit does
)

// frame appends a frame and what is in it. The end of the frame around is in a slot, because
// what is inside may open further ones.
func (d fromWire) frame(e *emitter, o op) {
	x := o.x
	n, g := x.node, &x.node.tag
	x.opens, x.own = opFrame, e.slotFor()
	o.code, o.slot, o.level = opOpen, int32(n.outer), int32(x.own)
	if o.slot == 0 {
		o.slot = int32(e.slotFor())
	}
	switch {
	case d.plain:
	case g.prefix == "varint":
		o.size, o.width = 1, varintWidth
	case g.prefix != "" && x.num.width <= mostPrefix:
		o.size, o.width, o.swap = 1, x.num.width, x.num.order == big && x.num.width > 1
	case g.prefix == "" && n.sized != nil && len(n.lengths) == 1 && n.sized.factor == 1 && n.sized.plus == 0:
		o.size, o.n, o.to = 1, int32(n.sized.num.value), int32(n.sized.num.place)
	}
	e.outer = x
	e.roomy(o)
	e.inside(e.base, func() { e.content(n, o.off, "", x.order) })
	e.outer = x.outer
	y := *x // with fields of its own for the run that follows
	o.code, o.after, y.fields, o.x = opClose, 0, nil, &y
	e.roomy(o)
}

// endRun joins copies, and turns words that are one number into simpler operations. Only at
// the end of a run is it known which operations are neighbors.
func (d fromWire) endRun(e *emitter) {
	if d.plain {
		return
	}
	e.joinRun((*op).joinCopy)
	for i := e.run + 1; i < len(e.ops); i++ {
		if o := &e.ops[i]; o.code == opWord {
			o.finishWord()
		}
	}
	e.joinRun((*op).joinPair)
}
