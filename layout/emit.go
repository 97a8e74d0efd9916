package layout

import (
	"reflect"
)

// before emits the beginning of the ranges that begin at n. A number that has been decoded
// by then bounds the range from its first byte on; others set the bound when they are
// decoded, inside of the range.
func (e *emitter) before(n *node, path string) {
	for _, of := range n.scope.extents {
		if of.from == n.index && of.start != 0 {
			e.edge(&detail{path: path, of: of, node: n}, of.start, opBegin, func(l *link) bool { return l.num.field(of.scope).index < of.from })
		}
	}
}

// edge emits the beginning or end of a range, whose place the slot has. The code is for one
// that numbers bound: those of the links that count there.
func (e *emitter) edge(x *detail, at slot, bounded opcode, counts func(*link) bool) {
	o := op{code: opEdge, n: int32(at), x: x}
	x.unread = !e.isMeasured(x.of)
	for _, l := range x.of.scope.links {
		if l.of == x.of && counts(l) {
			x.links, o.code = append(x.links, l), bounded
		}
	}
	if len(x.links) > 0 {
		e.close() // the frame changes
	}
	e.p.ops = append(e.p.ops, o)
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
		x := &detail{path: path, link: st.link, sum: st.sum, node: st.node}
		if st.link != nil {
			x.path, x.node = relative(path, n, st.link.num), st.link.num
			x.known = e.aheadOf(st.link) != nil
			if x.known && st.link.isExact() && !st.link.isOptional() {
				continue
			}
		}
		if st.sum != nil {
			x.path, x.node = relative(path, n, st.sum.num), st.sum.num
		}
		o := op{code: st.code, x: x}
		if st.node != nil {
			x.path, o.off = relative(path, n, st.node), off+st.node.off
		}
		e.p.ops = append(e.p.ops, o)
		if st.link != nil && st.link.num.num.width == 0 {
			e.close() // a longer number takes the room of what follows
		}
	}
}

// isMeasured reports whether encoding needs to know where a range begins and ends: for a
// checksum, or for a length that is not known before.
func (e *emitter) isMeasured(of *extent) bool {
	for _, c := range e.checks {
		if c.of == of {
			return true
		}
	}
	for _, n := range e.all {
		for _, l := range n.links {
			if l.of == of && (l.isOptional() || e.aheadOf(l) == nil) {
				return true
			}
		}
	}
	return false
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

// node emits what n is, at offset off.
func (e *emitter) node(n *node, off uintptr, path string, o order) error {
	return e.ordered(n.orderOf, n.tag.order, o, func(e *emitter, o order) error { return e.framed(n, off, path, o) })
}

// framed emits n inside its frame, if it has one. If the fields are observed, it is
// between operations that show it.
func (e *emitter) framed(n *node, off uintptr, path string, o order) error {
	if !e.observed || !n.isShown() {
		return e.frame(n, off, path, o)
	}
	x := detail{path: path, node: n, order: o}
	before, after := x, x
	e.add(op{code: opShow, off: off, x: &before})
	err := e.frame(n, off, path, o)
	e.add(op{code: opShown, off: off, x: &after})
	return err
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

// frame emits n inside its frame, if it has one.
func (e *emitter) frame(n *node, off uintptr, path string, o order) error {
	if !n.hasFrame() {
		return e.content(n, off, path, o)
	}
	x := &detail{path: path, node: n, order: o, num: prefixNumber(n.tag.prefix, o)}
	var err error
	x.sub, err = e.program(e.p.typ, func(in *emitter) error { return in.content(n, off, "", o) })
	x.aligned = n.hasAlign()
	e.add(op{code: opFrame, off: off, x: x})
	return err
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
func (e *emitter) content(n *node, off uintptr, path string, o order) error {
	x := &detail{path: path, node: n, order: o, tail: n.rest}
	switch n.kind {
	case numberNode:
		e.number(n, off, path, o)
		return nil
	case emptyNode, rawNode:
		return nil
	case spaceNode:
		if n.tag.space > 0 {
			e.run(op{code: opSpace, n: int32(n.tag.space), x: x})
		}
		return nil
	case magicNode:
		e.run(op{code: opMagic, off: off, n: int32(len(n.tag.magic)), x: x})
		return nil
	case alignNode:
		e.add(op{code: opAlign, n: int32(n.tag.align), size: uint8(b2i(n.tag.align&(n.tag.align-1) == 0)), imm: uint64(n.tag.align - 1), x: x})
		return nil
	case bytesNode:
		w := n.tag.prefix
		if n.tag.count != "" {
			w = n.tag.count
		}
		x.num = prefixNumber(w, o)
		e.add(op{code: opBytes, off: off, x: x})
		return nil
	case userNode:
		e.add(op{code: opUser, off: off, x: x})
		return nil
	case unknownNode:
		e.add(op{code: opUnknown, off: off, x: x})
		return nil
	case structNode:
		return e.structure(n, off, path, o)
	case pointerNode:
		return e.pointer(n, off, x, o)
	case sliceNode:
		return e.slice(n, off, x, o)
	case arrayNode:
		return e.array(n, off, x, o)
	}
	return e.variants(n, off, x, o)
}

// structure emits a struct: its fields, or a call if it is recursive.
func (e *emitter) structure(n *node, off uintptr, path string, o order) error {
	if !n.inner.recursive {
		e.enter(n.inner, path)
		return e.fields(&n.inner.fields, off, path, o)
	}
	p, err := e.recursive(n.inner, o)
	e.add(op{code: opCall, off: off, x: &detail{path: path, node: n, sub: p}})
	return err
}

// recursive returns the program of a recursive type, which may be incomplete.
func (c *compiler) recursive(s *scope, o order) (*program, error) {
	key := loopKey{s, o}
	if p := c.loops[key]; p != nil {
		return p, nil
	}
	p := &program{typ: s.typ, recursive: true}
	c.loops[key] = p
	return p, c.fill(p, func(e *emitter) error {
		e.enter(s, "")
		return e.fields(&s.fields, 0, "", o)
	})
}

// enter emits what precedes the fields of a struct.
func (e *emitter) enter(s *scope, path string) {
	if s.end != 0 {
		e.p.ops = append(e.p.ops, op{code: opEnter, x: &detail{path: path, links: s.links, reset: []slot{s.end}}})
	}
}

// pointer emits what a pointer points to.
func (e *emitter) pointer(n *node, off uintptr, x *detail, o order) (err error) {
	x.sub, err = e.inside(n.elem, o)
	x.later, x.must = e.laterThan(n)
	e.add(op{code: opCall, off: off, x: x})
	return err
}

// inside returns the program of an element, a target or a variant.
func (e *emitter) inside(n *node, o order) (*program, error) {
	if n.kind == structNode && n.inner.recursive {
		return e.recursive(n.inner, o)
	}
	return e.program(n.typ, func(e *emitter) error { return e.node(n, 0, "", o) })
}

// slice emits a slice.
func (e *emitter) slice(n *node, off uintptr, x *detail, o order) (err error) {
	x.num = prefixNumber(n.tag.count, o)
	if err = e.elements(n, x, o); err != nil {
		return err
	}
	x.clear = leavesFields(n.elem.typ)
	x.later, x.must = e.laterThan(n)
	e.add(op{code: opSlice, off: off, x: x})
	return nil
}

// elements compiles the elements of a slice or array.
func (e *emitter) elements(n *node, x *detail, o order) (err error) {
	in := n.elem
	x.least = in.least()
	if in.kind == structNode && in.inner.recursive && !e.observed {
		x.sub, err = e.recursive(in.inner, o)
		return err
	}
	x.sub, err = e.program(in.typ, func(e *emitter) error { return e.node(in, 0, "", o) })
	if err != nil || len(x.sub.ops) < 3 || hasIgnored(in.typ, 0, in.typ.Size()) {
		return err
	}
	// Elements that are one block, with the padding at its end, are encoded and decoded all at once.
	if list := x.sub.ops[1 : len(x.sub.ops)-1]; neighbors(list, in.typ) == len(list) {
		x.plan = planOf(list, 0, in.typ.Size())
	}
	return nil
}

// array emits an array: a block, if its elements are plain numbers.
func (e *emitter) array(n *node, off uintptr, x *detail, o order) error {
	if t := n.plainArray(); t != nil {
		e.block(t, off, x.path, o)
		return nil
	}
	if err := e.elements(n, x, o); err != nil {
		return err
	}
	if n.blank {
		return wrong(n.path(), "a blank array must consist of plain numbers; use skip=n on a field _ struct{}")
	}
	e.add(op{code: opArray, off: off, n: int32(n.typ.Len()), x: x})
	return nil
}

// plainArray returns the type of an array of plain numbers, or nil.
func (n *node) plainArray() reflect.Type {
	in := n.elem
	for in.kind == arrayNode && in.tag.order == noOrder {
		in = in.elem
	}
	if in.kind == numberNode && in.num.isPlain() {
		return n.typ
	}
	return nil
}

// variants emits a union, with the programs of its variants.
func (e *emitter) variants(n *node, off uintptr, x *detail, o order) error {
	x.later, x.must = e.laterThan(n)
	x.reset = nil
	for i, v := range n.variants {
		slots := v.slots()
		x.reset = append(x.reset, slots...)
		if t := &n.union.variants[i]; v.typ.Kind() == reflect.Pointer && n.switchOn.canHoldTag() {
			x.cases = append(x.cases, unionCase{word: n.union.firsts[i], tag: t.tag.value, index: int32(i), reset: slots})
		}
		if v.typ.Kind() == reflect.Pointer {
			v = v.elem
		}
		p, err := e.inside(v, o)
		if err != nil {
			return err
		}
		x.subs = append(x.subs, p)
	}
	u := op{code: opUnion, off: off, slot: int32(n.switchOn.place), n: int32(n.switchOn.value), width: n.switchOn.num.width, x: x}
	if n.switchOn.canHoldTag() && n.switchOn.num.form == bitsForm {
		u.size, u.imm, u.mask = 1, uint64(n.switchOn.shift(big)), uint64(n.switchOn.shift(little))
	}
	e.add(u)
	return nil
}
