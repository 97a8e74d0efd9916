package layout

import (
	"math"
	"math/bits"
	"reflect"
)

// specialize replaces operations by special ones that the interpreters do
// themselves. These are the usual cases: plain numbers, constants, lengths of what
// follows, and bytes.
func (g *program) specialize() {
	for i := range g.ops {
		o := &g.ops[i]
		switch o.code {
		case opBlock:
			o.single()
		case opNumber:
			o.specialNumber()
		case opBytes:
			o.specialBytes()
		case opBits:
			o.specialBits()
		case opDerive:
			o.specialDerive()
		case opFrame:
			o.specialFrame()
		}
	}
}

func (o *op) specialDerive() {
	l := o.x.link
	n := l.num
	m := &n.num
	if o.x.known || l.elements || l.factor != 1 || l.plus != 0 || n.filled != 0 || m.form != integerForm || m.kind != uintKind || m.signed || m.size != m.width ||
		m.limited || len(m.constants) > 0 || l.num.field(l.of.scope).index > l.of.to || m.width != 1 && m.width != 2 && m.width != 4 {
		return
	}
	o.code, o.width, o.n = opPatch, m.width, int32(n.value)
	o.imm = uint64(l.of.start) | uint64(n.place)<<32
}

// specialFrame finds slices that a number measures and whose elements need no call:
// they take at least one byte, and nothing else depends on them.
func (o *op) specialFrame() {
	if len(o.x.sub.ops) != 2 || o.x.sub.ops[0].code != opSlice {
		return
	}
	in := &o.x.sub.ops[0]
	x := in.x
	n, g := x.node, &x.node.tag
	if x.plan != nil || !x.sub.done || x.sub.min == 0 || x.sub.recursive || g.prefix != "" || g.count != "" || g.fixed >= 0 || g.toZero || g.limited ||
		n.amount != 0 || n.hasUnframedMore() || n.elem.typ.Size() == 0 || n.countBefore() != nil {
		return
	}
	if l := n.sized; l != nil && l.factor == 1 && l.plus == 0 && len(n.lengths) == 1 && n.outer == 0 {
		y := *x
		y.path, y.first, y.elemFirst, y.elemSize = o.x.path, &x.sub.out[0], &x.sub.ops[0], x.sub.typ.Size()
		*o = op{code: opList, n: int32(l.num.value), off: in.off, imm: uint64(l.num.place), x: &y}
	}
}

// single turns a block of one number into an operation of its own.
func (o *op) single() {
	width, swap, ok := o.x.plan.Single()
	if !ok {
		return
	}
	o.width = uint8(width)
	switch {
	case width == 1:
		o.code = opCopy1
	case width == 2 && !swap:
		o.code = opCopy2
	case width == 4 && !swap:
		o.code = opCopy4
	case width == 8 && !swap:
		o.code = opCopy8
	case width == 2:
		o.code = opSwap2
	case width == 4:
		o.code = opSwap4
	case width == 8:
		o.code = opSwap8
	}
}

func (o *op) specialNumber() {
	x := o.x
	n, m := x.node, &x.num
	o.width, o.swap = m.width, m.order != native && m.width > 1
	whole := m.form == integerForm && m.size == m.width && m.signed == (m.kind == intKind) && m.kind != boolKind
	powerOfTwo := m.width == 1 || m.width == 2 || m.width == 4
	switch {
	case !whole || !powerOfTwo || m.limited || n.sum != nil || len(n.unions) > 0:
	case len(m.constants) == 1 && n.value == 0 && n.place == 0:
		v := m.constants[0].value & (1<<(8*m.width) - 1)
		w := v
		if o.swap {
			w = bits.ReverseBytes64(v) >> (64 - 8*m.width)
		}
		o.imm, o.n = v, int32(uint32(w))
		o.code = map[uint8]opcode{1: opConst1, 2: opConst2, 4: opConst4}[m.width]
	case len(n.links) == 1 && len(x.early) == 1 && m.kind == uintKind:
		l := n.links[0]
		if l.factor == 1 && l.plus == 0 && x.early[0].size == 1 && (l.isExact() || l.elements && l.isBefore()) {
			o.code, o.imm, o.n = opLength, uint64(uint32(x.early[0].off))|uint64(n.place)<<32, int32(n.value)
		}
	case len(n.links) == 1 && n.filled == 0 && m.kind == uintKind && len(x.early) == 0 && len(m.constants) == 0:
		o.code, o.n, o.imm = opPlace, int32(n.place), uint64(b2i(m.order == little))
		o.x.exact = n.links[0].bound == 0 || n.field(n.links[0].of.scope).index < n.links[0].of.from
	}
}

// isBefore reports whether the number precedes what it counts, and nothing else
// says how many elements there are.
func (l *link) isBefore() bool {
	return l.target.countBefore() == l && l.target.tag.count == "" && l.target.tag.fixed < 0 && l.target.tag.prefix == "" && !l.target.tag.toZero &&
		!l.target.tag.cstring && l.target.tag.until < 0 && l.target.sized == nil
}

func (o *op) specialBytes() {
	n, g := o.x.node, &o.x.node.tag
	if n.blank || n.amount != 0 || g.utf16 || g.fixed >= 0 || g.cstring || g.until >= 0 || g.count != "" {
		return
	}
	o.imm = math.MaxInt
	if g.limited {
		o.imm = min(g.limit, math.MaxInt)
	}
	o.x.text = n.typ.Kind() == reflect.String
	switch {
	case g.prefix == "" && n.sized != nil && n.sized.factor == 1 && n.sized.plus == 0:
		o.code, o.n, o.x.place = opText, int32(n.sized.num.value), n.sized.num.place
	case g.prefix != "" && o.x.num.form == integerForm && o.x.num.width != 3 && o.x.num.width != 6 && o.x.num.width != 8:
		o.code, o.width, o.swap = opPlain, o.x.num.width, o.x.num.order != native && o.x.num.width > 1
	}
}

func (o *op) specialBits() {
	for i := range o.x.bits {
		f := &o.x.bits[i]
		n := f.node
		if n.isUsed() || len(f.num.constants) > 0 || f.num.limited || f.num.signed != (f.num.kind == intKind) || f.num.kind == boolKind && f.num.width > 1 ||
			int(f.num.width) > int(f.num.size)*8 && f.num.size > 0 {
			return
		}
		f.keep = 1<<f.num.width - 1
		if f.num.width == 64 {
			f.keep = math.MaxUint64
		}
		if f.size = f.num.size; f.num.signed {
			f.sign = 1 << (f.num.width - 1)
		}
	}
	o.code, o.width, o.swap, o.imm = opBitRun, uint8(o.n), o.x.order != native, uint64(64-8*o.n)
}
