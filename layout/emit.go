package layout

import "reflect"

// before emits the beginning of the ranges that begin at n.
func (e *emitter) before(n *node, path string) {
	s := n.scope
	for _, of := range s.extents {
		if of.from != n.index || of.start == 0 {
			continue
		}
		x := &detail{path: path, of: of, node: n}
		for _, l := range s.links {
			if l.of == of && l.num.field(s).index < of.from {
				x.links = append(x.links, l)
			}
		}
		if len(x.links) > 0 {
			e.close() // the frame changes
		}
		e.flush()
		e.p.ops = append(e.p.ops, beginning(x))
	}
}

// after emits the end of the ranges that end at n, and what can be computed then.
func (e *emitter) after(n *node, off uintptr, path string) {
	s := n.scope
	for _, of := range s.extents {
		if of.to != n.index || of.stop == 0 {
			continue
		}
		x := &detail{path: path, of: of, node: n}
		for _, l := range s.links {
			if l.of == of {
				x.links = append(x.links, l)
			}
		}
		e.flush()
		e.p.ops = append(e.p.ops, ending(x))
		if len(x.links) > 0 {
			e.close() // the frame changes
		}
	}
	for _, st := range n.after {
		e.flush()
		x := &detail{path: path, link: st.link, sum: st.sum, node: st.node}
		if st.link != nil {
			x.path, x.node = relative(path, n, st.link.num), st.link.num
			x.known = e.earlyOf(st.link) != nil
			x.exact = st.link.isExact()
			if x.known && x.exact && !st.link.isOptional() {
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
	}
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
	if n.orderOf != nil {
		return e.orders(n.orderOf, path, func(e *emitter, o order) error { return e.framed(n, off, path, o) })
	}
	if n.tag.order != noOrder {
		o = n.tag.order
	}
	return e.framed(n, off, path, o)
}

// framed emits n inside its frame, if it has one.
func (e *emitter) framed(n *node, off uintptr, path string, o order) error {
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
	switch n.kind {
	case bytesNode:
		return false
	case userNode:
		return n.isFramed() || n.tag.fixed >= 0
	}
	return n.isFramed()
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
	x := &detail{path: path, node: n, order: o}
	switch n.kind {
	case numberNode:
		e.number(n, off, path, o)
		return nil
	case emptyNode, rawNode:
		return nil
	case spaceNode:
		e.zeros(n.tag.space, path)
		return nil
	case magicNode:
		e.run(op{code: opMagic, off: off, n: int32(len(n.tag.magic)), x: x})
		return nil
	case alignNode:
		e.add(op{code: opAlign, n: int32(n.tag.align), x: x})
		return nil
	case bytesNode:
		w := n.tag.prefix
		if n.tag.count != "" {
			w = n.tag.count
		}
		x.num = prefixNumber(w, o)
		x.tail = n.rest
		e.add(op{code: opBytes, off: off, x: x})
		return nil
	case userNode:
		x.tail = n.rest
		e.add(op{code: opUser, off: off, x: x})
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
		e.flush()
		e.p.ops = append(e.p.ops, op{code: opEnter, x: &detail{path: path, links: s.links, reset: []slot{s.end}}})
	}
}

func (e *emitter) pointer(n *node, off uintptr, x *detail, o order) (err error) {
	in := n.elem
	if in.kind == structNode && in.inner.recursive {
		x.sub, err = e.recursive(in.inner, o)
	} else {
		x.sub, err = e.program(n.elem.typ, func(e *emitter) error { return e.node(in, 0, "", o) })
	}
	x.later, x.must = e.laterThan(n)
	e.add(op{code: opCall, off: off, x: x})
	return err
}

func (e *emitter) slice(n *node, off uintptr, x *detail, o order) (err error) {
	x.num = prefixNumber(n.tag.count, o)
	if err = e.elements(n, x, o); err != nil {
		return err
	}
	x.tail = n.rest
	x.clear = leavesFields(n.elem.typ, map[reflect.Type]bool{})
	x.later, x.must = e.laterThan(n)
	e.add(op{code: opSlice, off: off, x: x})
	return nil
}

// elements compiles the elements of a slice or array.
func (e *emitter) elements(n *node, x *detail, o order) (err error) {
	in := n.elem
	if in.kind == structNode && in.inner.recursive {
		x.sub, err = e.recursive(in.inner, o)
		return err
	}
	x.sub, err = e.program(in.typ, func(e *emitter) error { return e.node(in, 0, "", o) })
	if err == nil && len(x.sub.ops) == 3 && x.sub.ops[1].x != nil && x.sub.ops[1].x.plan != nil && x.sub.ops[1].off == 0 && x.sub.ops[1].x.plan.Mem == int(in.typ.Size()) {
		x.plan = x.sub.ops[1].x.plan
	}
	return err
}

func (e *emitter) array(n *node, off uintptr, x *detail, o order) error {
	if t := n.plainArray(); t != nil {
		e.addPlain(plainField{off: off, typ: t, swap: o != native}, path(x))
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

func path(x *detail) string { return x.path }

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

func (e *emitter) variants(n *node, off uintptr, x *detail, o order) error {
	x.later, x.must = e.laterThan(n)
	x.reset = nil
	for _, v := range n.variants {
		x.reset = append(x.reset, v.slots()...)
		p, err := e.variant(n, v, o)
		if err != nil {
			return err
		}
		x.subs = append(x.subs, p)
	}
	e.add(op{code: opUnion, off: off, x: x})
	return nil
}

func (e *emitter) variant(n, v *node, o order) (*program, error) {
	t := v.typ
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
		v = v.elem
	}
	if v.kind == structNode && v.inner.recursive {
		return e.recursive(v.inner, o)
	}
	return e.program(t, func(e *emitter) error {
		if v.kind == unknownNode {
			e.add(op{code: opUnknown, x: &detail{node: v, tail: v.rest}})
			return nil
		}
		return e.node(v, 0, "", o)
	})
}

// beginning returns the operation that begins a range.
func beginning(x *detail) op {
	if len(x.links) > 0 {
		return op{code: opBegin, n: int32(x.of.start), x: x}
	}
	return op{code: opStart, n: int32(x.of.start), x: x}
}

// ending returns the operation that ends a range.
func ending(x *detail) op {
	if len(x.links) > 0 {
		return op{code: opFinish, n: int32(x.of.stop), x: x}
	}
	return op{code: opStop, n: int32(x.of.stop), x: x}
}
