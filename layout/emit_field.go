package layout

import (
	"reflect"
	"slices"

	"github.com/octet-go/octet/internal/block"
)

// fields emits the fields of a struct or of an embedded struct. Bit fields are emitted
// together, because they are one number on the wire.
func (e *emitter) fields(g *group, off uintptr, path string, o order) {
	e.ordered(g.orderOf, g.tag.order, o, func(o order) {
		for i := 0; i < len(g.items); i++ {
			switch it := g.items[i]; {
			case it.group != nil && it.group.target != nil:
				e.embedded(it.group, off, path, o)
			case it.group != nil:
				e.fields(it.group, off, path, o)
			case it.node.tag.bits > 0:
				run := g.run(i)
				i += len(run) - 1
				e.ordered(run[0].orderOf, run[0].tag.order, o, func(o order) { e.bits(run, off, path, o) })
			default:
				e.field(it.node, off, join(path, it.node.name), o)
			}
		}
	})
}

// join returns the path of a field of the struct at path.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// embedded emits an embedded pointer to a struct.
func (e *emitter) embedded(g *group, off uintptr, path string, o order) {
	n := &node{kind: pointerNode, typ: reflect.PointerTo(g.target), embedded: g.name}
	e.deref(op{off: off + g.off, x: &detail{path: path, node: n}}, g.target, func(e *emitter) { e.fields(g, 0, "", o) })
}

// field emits a field of a struct, with what happens before and after it. The offsets
// of the struct begin at off. For a field with conditions, an opIf for each jumps over what
// emits the field, but not over what happens after it: ranges end whether or not their last
// field is present.
func (e *emitter) field(n *node, off uintptr, path string, o order) {
	e.before(n, path)
	if len(n.conditions) == 0 {
		e.node(n, off+n.off, path, o)
	} else {
		x := &detail{path: path, node: n, reset: n.slots()}
		if n.asksAround() {
			e.noteLater(x, n)
		}
		var jumps []int
		for i := range n.conditions {
			c := op{code: opIf, off: off + n.off, x: x}
			if !e.settle(&c) {
				return
			}
			jumps = append(jumps, e.roomy(e.condition(c, &n.conditions[i])))
		}
		e.node(n, off+n.off, path, o)
		e.flush()
		for _, at := range jumps {
			e.jump(at)
		}
	}
	e.after(n, off, path)
}

// slots returns the slots of the fields in n.
func (n *node) slots() (list []slot) {
	n.walk(func(c *node) {
		for _, s := range []slot{c.value, c.place, c.filled, c.amount} {
			if s != 0 {
				list = append(list, s)
			}
		}
		for _, l := range c.links {
			if l.isScaledCount() {
				list = append(list, l.amount)
			}
		}
	})
	return list
}

// hasAlign reports whether zeros in n depend on where n begins.
func (n *node) hasAlign() bool { return n.align() != nil }

// align returns the first of these zeros, or nil. A recursive struct around n that is also in n can have them.
func (n *node) align() (zeros *node) {
	outermost := n
	n.walk(func(c *node) {
		if zeros == nil && c.kind == alignNode {
			zeros = c
		}
		if c.loop && c.inner.owner.seq < outermost.seq {
			outermost = c.inner.owner
		}
	})
	if zeros == nil && outermost != n {
		return outermost.align()
	}
	return zeros
}

// nests reports whether n is in itself, because a recursive struct around it is in it.
func (n *node) nests() (found bool) {
	n.walk(func(c *node) { found = found || c.loop && c.inner.owner.seq <= n.seq })
	return found
}

// before emits the beginning of the ranges that begin at n. A number that has been decoded
// by then bounds the range from its first byte on; others set the bound when they are
// decoded, inside of the range. The place where the message begins is known.
func (e *emitter) before(n *node, path string) {
	for _, of := range n.scope.extents {
		if of.from == n.index && of.start != 0 && (of.start != e.first || of.framesMore()) {
			e.edge(&detail{path: path, of: of, node: n}, of.start, opBegin, func(k *link) bool { return k.num.field(of.scope).index < of.from })
		}
	}
}

// edge emits the beginning or end of a range, whose place the slot has. The code is for one
// that numbers bound: those of the links that count there.
func (e *emitter) edge(x *detail, at slot, bounded opcode, counts func(*link) bool) {
	o := op{code: opEdge, n: int32(at), x: x}
	for _, k := range x.of.scope.links {
		if k.of == x.of && counts(k) {
			x.links, o.code = append(x.links, k), bounded
		}
	}
	if len(x.links) > 0 {
		e.roomAt = -1 // the frame changes
	}
	e.pending = append(e.pending, o)
}

// after emits the end of the ranges that end at n, and what can be computed then: lengths
// and counts, checksums and the bytes of ranges. What was computed before the field was
// written, and could not have changed since, is left out.
func (e *emitter) after(n *node, off uintptr, path string) {
	for _, of := range n.scope.extents {
		if of.to == n.index && of.stop != 0 {
			e.edge(&detail{path: path, of: of, node: n}, of.stop, opFinish, func(*link) bool { return true })
		}
	}
	for _, st := range n.after {
		o := op{code: st.code, x: &detail{link: st.link, sum: st.sum, node: st.node}}
		switch x := o.x; {
		case st.link != nil:
			x.node = st.link.num
			x.known = e.aheadOf(st.link) != nil
			if x.known && st.link.isExact() && !st.link.isOptional() && !st.link.mayMiss() {
				continue
			}
		case st.sum != nil:
			x.node = st.sum.num
		default:
			o.off = off + st.node.off
		}
		if o.code != opDerive {
			o.n = int32(e.around)
		}
		o.x.path = relative(path, n, o.x.node)
		e.pending = append(e.pending, o)
		if st.link != nil && st.link.num.num.width == 0 {
			e.roomAt = -1 // a longer number takes the room of what follows
		}
	}
}

// isNoted reports whether the place of a range is needed: for a checksum, or for one of the links
// that measure it.
func (b *builder) isNoted(of *extent, needs func(*link) bool) bool {
	return slices.ContainsFunc(b.checks, func(c *check) bool { return c.of == of }) || slices.ContainsFunc(b.all, func(n *node) bool {
		return slices.ContainsFunc(n.links, func(k *link) bool { return k.of == of && needs(k) })
	})
}

// relative returns the path of the number, given the path of n, in the same or an
// outer struct.
func relative(path string, n, num *node) string {
	tail := num.name
	for o := num; o.scope != n.scope || o.owner != nil; {
		o = o.around()
		if o.name != "" {
			tail = o.name + "." + tail
		}
		if o.scope == n.scope && o.owner == nil {
			break
		}
	}
	return path[:len(path)-len(n.name)] + tail
}

// node emits what n is, at offset off, inside its frame, if it has one. If the fields are
// observed, it is between operations that show it.
func (e *emitter) node(n *node, off uintptr, path string, o order) {
	e.ordered(n.orderOf, n.tag.order, o, func(o order) {
		if !e.observed || !n.isShown() {
			e.framed(n, off, path, o)
			return
		}
		e.emit(op{code: opShow, off: off, x: &detail{path: path, node: n, order: o}})
		e.framed(n, off, path, o)
		e.emit(op{code: opShown, off: off, x: &detail{path: path, node: n, order: o}})
	})
}

// isShown reports whether Fields lists n: it is a field or an element, but not one of
// those that are listed together, and it has bytes.
func (n *node) isShown() bool {
	if n.kind == emptyNode || n.kind == rawNode {
		return false
	}
	o := n.owner
	return o == nil || (o.kind == sliceNode || o.kind == arrayNode) && !o.hasNumbers()
}

// framed emits n inside its frame, if it has one.
func (e *emitter) framed(n *node, off uintptr, path string, o order) {
	if !n.hasFrame() {
		e.content(n, off, path, o)
		return
	}
	f := op{code: opFrame, off: off, x: &detail{path: path, node: n, order: o, num: prefixNumber(n.tag.prefix, o), aligned: n.hasAlign()}}
	if e.settle(&f) {
		e.frame(e, f)
	}
}

// hasFrame reports whether n is emitted inside an opFrame. The operations for
// bytes handle lengths themselves.
func (n *node) hasFrame() bool {
	return n.kind != bytesNode && (n.isFramed() || n.kind == userNode && n.tag.fixed >= 0)
}

// prefixNumber returns the number that a prefix or count is.
func prefixNumber(w string, o order) number {
	n := number{kind: uintKind, size: 8, form: integerForm, width: uint8(widths[w]), order: o}
	if w == "varint" {
		n.form = varintForm
	}
	return n
}

// content emits n without its frame.
func (e *emitter) content(n *node, off uintptr, path string, o order) {
	x := &detail{path: path, node: n, order: o}
	switch g := &n.tag; n.kind {
	case numberNode:
		e.number(n, off, path, o)
	case spaceNode:
		if g.space > 0 {
			e.sized(op{code: opSpace, n: int32(g.space), x: x})
		}
	case magicNode:
		e.sized(op{code: opMagic, off: off, n: int32(len(g.magic)), x: x})
	case alignNode:
		e.emit(op{code: opAlign, n: int32(g.align), size: uint8(b2i(g.align&(g.align-1) == 0)), imm: uint64(g.align - 1), x: x})
	case bytesNode:
		x.num = prefixNumber(g.prefix+g.count, o)
		e.emit(op{code: opBytes, off: off, x: x})
	case userNode:
		e.emit(op{code: opUser, off: off, x: x})
	case unknownNode:
		e.emit(op{code: opUnknown, off: off, x: x})
	case structNode:
		e.structure(n, off, path, o)
	case pointerNode:
		e.noteOutside(x, n)
		e.deref(op{off: off, x: x}, n.elem.typ, func(e *emitter) { e.node(n.elem, 0, "", o) })
	case sliceNode:
		e.noteOutside(x, n)
		x.num, x.clear = prefixNumber(g.count, o), leavesFields(n.elem.typ)
		e.items(op{code: opSlice, off: off, x: x})
	case arrayNode:
		if n.isPlainArray() {
			e.numbers(n.typ, off, path, o)
			return
		}
		e.noteOutside(x, n)
		e.items(op{code: opArray, off: off, n: int32(n.typ.Len()), x: x})
	case unionNode:
		e.noteOutside(x, n)
		e.variants(n, off, x)
	}
}

// structure emits a struct: its fields, or a call if it is recursive. The outermost struct of a
// recursive type needs no call if it has a variable of its own, as the list has.
func (e *emitter) structure(n *node, off uintptr, path string, o order) {
	outermost := !n.loop && !e.inCall && (n.owner != nil || n.scope == nil)
	if !n.inner.recursive || outermost {
		level := b2i(n.inner.recursive)
		e.around += level
		e.enter(n.inner, path)
		e.fields(&n.inner.fields, off, path, o)
		e.around -= level
		return
	}
	c := op{code: opCall, off: off, n: int32(e.around), x: &detail{path: path, node: n}}
	if e.settle(&c) {
		c.x.list = e.recursive(n.inner, o)
		e.add(c)
	}
}

// enter emits what precedes the fields of a struct.
func (e *emitter) enter(s *scope, path string) {
	if s.end != 0 {
		*e.bounds = append(*e.bounds, s.links...)
		e.pending = append(e.pending, op{code: opEnter, x: &detail{path: path, links: s.links, reset: []slot{s.end}}})
	}
}

// items emits a slice, or an array that is not a block.
func (e *emitter) items(o op) {
	e.nested(o, func(e *emitter, o op) {
		in := o.x.node.elem
		o.x.typ, o.x.least, o.x.plan = in.typ, in.least(), e.blockOf(in, o.x.order)
		e.sequence(e, o)
	})
}

// blockOf returns the plan of an element that is one block, with the padding at its end, or
// nil. Such elements are encoded and decoded all at once.
func (s *shared) blockOf(n *node, o order) *block.Plan {
	e := s.emitter(n.typ)
	e.trial = true
	e.node(n, 0, "", o)
	// The first operation is the opRoom of the others, if they are a block.
	if len(e.pending) < 2 || hasIgnored(n.typ, 0, n.typ.Size()) || neighbors(e.pending[1:], n.typ) < len(e.pending)-1 {
		return nil
	}
	if p := planOf(e.pending[1:], 0, n.typ.Size()); p.Size > 0 {
		return p
	}
	return nil // an element without bytes, which is an error if there is one
}

// isPlainArray reports whether n is an array of plain numbers.
func (n *node) isPlainArray() bool {
	for n.kind == arrayNode {
		n = n.elem
	}
	return n.kind == numberNode && n.num.isPlain()
}

// variants emits a union.
func (e *emitter) variants(n *node, off uintptr, x *detail) {
	for i, v := range n.variants {
		slots := v.slots()
		x.reset = append(x.reset, slots...)
		if v.kind != unknownNode && n.switchOn.canHoldTag() {
			x.cases = append(x.cases, unionCase{word: n.union.firsts[i], tag: n.union.variants[i].tag.value, index: int32(i), reset: slots})
		}
	}
	u := op{code: opUnion, off: off, slot: int32(n.switchOn.place), n: int32(n.switchOn.value), width: n.switchOn.num.width, x: x}
	if n.switchOn.canHoldTag() && n.switchOn.num.form == bitsForm {
		u.size, u.imm, u.mask = 1, uint64(n.switchOn.shift(big)), uint64(n.switchOn.shift(little))
	}
	e.nested(u, (*emitter).union)
}
