package layout

import (
	"reflect"

	"github.com/octet-go/octet/internal/block"
)

// A compiler turns the tree of nodes into programs.
type compiler struct {
	*builder
	loops map[loopKey]*program
}

// A loopKey identifies the program of a recursive type.
type loopKey struct {
	scope *scope
	order order
}

// An emitter collects the operations of one program.
type emitter struct {
	*compiler
	p    *program
	room int // index of the open opRoom, or -1

	// Numbers that are waiting to become a block.
	plain    []plainField
	low, end uintptr
}

type plainField struct {
	off   uintptr
	typ   reflect.Type // nil for zeros
	swap  bool
	zeros int
}

// compile returns the program of the tree.
func (b *builder) compile() (*program, error) {
	c := &compiler{builder: b, loops: map[loopKey]*program{}}
	o := b.options.order()
	return c.program(b.root.typ, func(e *emitter) error { return e.node(b.root, 0, "", o) })
}

// program compiles what emit emits, for variables of type t.
func (c *compiler) program(t reflect.Type, emit func(*emitter) error) (*program, error) {
	p := &program{typ: t}
	return p, c.fill(p, emit)
}

func (c *compiler) fill(p *program, emit func(*emitter) error) error {
	e := &emitter{compiler: c, p: p, room: -1}
	if err := emit(e); err != nil {
		return err
	}
	e.close()
	p.min, p.size = sizes(p.ops)
	p.done = true
	return nil
}

// sizes returns the fewest bytes that the operations need, and the number of bytes
// if it is always the same, or else -1.
func sizes(ops []op) (least, always int) {
	fixed := true
	for i := 0; i < len(ops); i++ {
		o := &ops[i]
		switch o.code {
		case opRoom:
			least += int(o.n)
		case opVarint:
			least++
			fixed = false
		case opCall:
			if !o.x.sub.done || o.x.sub.size < 0 {
				fixed = false
			}
			if o.x.sub.done {
				least += o.x.sub.min
			}
		case opOrder:
			least += min(o.x.sub.min, o.x.alt.min)
			fixed = fixed && o.x.sub.size >= 0
		case opArray:
			least += int(o.n) * o.x.sub.min
			fixed = fixed && o.x.sub.size >= 0
		case opBytes:
			least += o.x.leastBytes()
			fixed = fixed && o.x.node.tag.fixed >= 0 && o.x.node.tag.prefix == ""
		case opFrame:
			least += prefixMin(o.x.node.tag.prefix)
			fixed = false
		case opIf:
			i += int(o.n)
			fixed = false
		case opAlign, opSlice, opUnion, opUnknown, opUser:
			fixed = false
			if o.code == opSlice && o.x.node.tag.count != "" {
				least += prefixMin(o.x.node.tag.count)
			}
			if o.code == opSlice && o.x.node.tag.toZero && o.x.sub.done {
				least += o.x.sub.min
			}
		}
	}
	if !fixed {
		return least, -1
	}
	return least, least
}

func prefixMin(w string) int {
	if w == "" {
		return 0
	}
	return max(1, widths[w])
}

func (x *detail) leastBytes() int {
	g := &x.node.tag
	switch {
	case g.prefix != "":
		return prefixMin(g.prefix)
	case g.count != "":
		return prefixMin(g.count)
	case g.fixed >= 0:
		return g.fixed
	case (g.cstring || g.until >= 0) && g.utf16:
		return 2
	case g.cstring || g.until >= 0:
		return 1
	}
	return 0
}

// fields emits the fields of a struct or of an embedded struct.
func (e *emitter) fields(g *group, off uintptr, path string, o order) error {
	if g.orderOf != nil {
		return e.orders(g.orderOf, path, func(e *emitter, o order) error { return e.items(g, off, path, o) })
	}
	if g.tag.order != noOrder {
		o = g.tag.order
	}
	return e.items(g, off, path, o)
}

func (e *emitter) items(g *group, off uintptr, path string, o order) error {
	for i := 0; i < len(g.items); i++ {
		it := g.items[i]
		var err error
		switch {
		case it.group != nil && it.group.target != nil:
			err = e.embedded(it.group, off, path, o)
		case it.group != nil:
			err = e.fields(it.group, off, path, o)
		case it.node.tag.bits > 0:
			run := g.run(i)
			i += len(run) - 1
			e.bitRun(run, off, path, o)
		default:
			err = e.field(it.node, off, join(path, it.node.name), o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// embedded emits an embedded pointer to a struct.
func (e *emitter) embedded(g *group, off uintptr, path string, o order) error {
	p, err := e.program(g.target, func(in *emitter) error { return in.fields(g, 0, "", o) })
	if err != nil {
		return err
	}
	e.add(op{code: opCall, off: off + g.off, x: &detail{path: path, node: &node{kind: pointerNode, typ: reflect.PointerTo(g.target)}, sub: p}})
	return nil
}

// orders emits the fields twice, once for each byte order that the field n may
// choose.
func (e *emitter) orders(n *node, path string, emit func(*emitter, order) error) (err error) {
	x := &detail{node: n}
	if x.sub, err = e.program(e.p.typ, func(in *emitter) error { return emit(in, big) }); err != nil {
		return err
	}
	if x.alt, err = e.program(e.p.typ, func(in *emitter) error { return emit(in, little) }); err != nil {
		return err
	}
	e.add(op{code: opOrder, x: x})
	return nil
}

// field emits a field of a struct, with what happens before and after it. The
// offsets of the struct begin at off.
func (e *emitter) field(n *node, off uintptr, path string, o order) error {
	e.before(n, path)
	if len(n.conditions) == 0 {
		if err := e.node(n, off+n.off, path, o); err != nil {
			return err
		}
		e.after(n, off, path)
		return nil
	}
	at := e.add(op{code: opIf, off: off + n.off, x: &detail{path: path, node: n, reset: n.slots()}})
	x := e.p.ops[at].x
	x.later, x.must = e.laterThan(n)
	if err := e.node(n, off+n.off, path, o); err != nil {
		return err
	}
	e.close()
	e.p.ops[at].n = int32(len(e.p.ops) - at - 1)
	e.after(n, off, path)
	return nil
}

// slots returns the slots of the fields in n.
func (n *node) slots() (list []slot) {
	n.walk(func(c *node) {
		for _, s := range []slot{c.value, c.place, c.filled, c.amount} {
			if s != 0 {
				list = append(list, s)
			}
		}
	})
	return list
}

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
		e.flush()
		e.p.ops = append(e.p.ops, op{code: opStart, x: x})
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
		e.p.ops = append(e.p.ops, op{code: opStop, x: x})
	}
	for _, st := range n.after {
		e.flush()
		x := &detail{path: path, link: st.link, sum: st.sum, node: st.node}
		if st.link != nil {
			x.path, x.node = relative(path, n, st.link.num), st.link.num
			x.known = e.earlyOf(st.link) != nil
			x.exact = st.link.isExact()
			if x.known && x.exact {
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

// hasFrame reports whether n is emitted inside an opFrame. Bytes see to their
// lengths themselves.
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

// recursive returns the program of a recursive type, which may still be in the
// making.
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
	if err == nil && len(x.sub.ops) == 2 && x.sub.ops[1].code == opBlock && x.sub.ops[1].off == 0 && x.sub.ops[1].x.plan.Mem == int(in.typ.Size()) {
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

// add ends the open run and appends an operation. It returns its index.
func (e *emitter) add(o op) int {
	e.close()
	e.p.ops = append(e.p.ops, o)
	return len(e.p.ops) - 1
}

// close ends the open run.
func (e *emitter) close() {
	e.flush()
	e.room = -1
}

// grow adds n bytes of the field to the open run.
func (e *emitter) grow(n int, path string) {
	if e.room < 0 {
		e.room = len(e.p.ops)
		e.p.ops = append(e.p.ops, op{code: opRoom, x: &detail{}})
	}
	r := &e.p.ops[e.room]
	r.n += int32(n)
	r.x.fields = append(r.x.fields, runField{int(r.n), path})
}

// run appends an operation of fixed size to the open run.
func (e *emitter) run(o op) {
	e.flush()
	e.grow(int(o.n), o.x.path)
	e.p.ops = append(e.p.ops, o)
}

func (e *emitter) zeros(n int, path string) {
	if n == 0 {
		return
	}
	if n > 64 || len(e.plain) == 0 {
		e.run(op{code: opSpace, n: int32(n), x: &detail{path: path}})
		return
	}
	e.grow(n, path)
	e.plain = append(e.plain, plainField{zeros: n})
}

// addPlain adds numbers whose bytes are only moved to the open run.
func (e *emitter) addPlain(f plainField, path string) {
	if len(e.plain) > 0 && (f.off < e.end || f.off-e.end >= 8) {
		e.flush()
	}
	if len(e.plain) == 0 {
		e.low = f.off
	}
	var one block.Builder
	one.Add(f.typ, f.swap)
	e.grow(one.Len(), path)
	e.end = f.off + f.typ.Size()
	e.plain = append(e.plain, f)
}

// flush turns the numbers that are waiting into a block.
func (e *emitter) flush() {
	if len(e.plain) == 0 {
		return
	}
	var b block.Builder
	for _, f := range e.plain {
		if f.typ == nil {
			b.Blank(f.zeros)
			continue
		}
		b.At(int(f.off - e.low))
		b.Add(f.typ, f.swap)
	}
	plan := b.Plan(int(e.end - e.low))
	plan.SetRooms()
	e.p.ops = append(e.p.ops, op{code: opBlock, off: e.low, n: int32(b.Len()), x: &detail{plan: plan}})
	e.plain = nil
}

// number emits a number.
func (e *emitter) number(n *node, off uintptr, path string, o order) {
	if n.num.isPlain() && !n.isUsed() {
		e.addPlain(plainField{off: off, typ: n.typ, swap: o != native}, path)
		return
	}
	x := e.numberDetail(n, path, o)
	if n.num.width > 0 {
		e.run(op{code: opNumber, off: off, n: int32(n.num.width), x: x})
		return
	}
	e.add(op{code: opVarint, off: off, x: x})
}

// isUsed reports whether other fields depend on the number, or it on them.
func (n *node) isUsed() bool {
	return n.value != 0 || n.place != 0 || len(n.links) > 0 || n.sum != nil || len(n.unions) > 0
}

func (e *emitter) numberDetail(n *node, path string, o order) *detail {
	x := &detail{path: path, node: n, num: n.num, order: o}
	x.num.order = o
	for _, l := range n.links {
		if y := e.earlyOf(l); y != nil {
			x.early = append(x.early, *y)
		}
	}
	for _, u := range n.unions {
		if y := e.earlyTag(n, u); y != nil {
			x.early = append(x.early, *y)
		}
	}
	return x
}

// bitRun emits a run of bit fields.
func (e *emitter) bitRun(run []*node, off uintptr, path string, o order) {
	first := run[0]
	if first.tag.order != noOrder {
		o = first.tag.order
	}
	x := &detail{order: o}
	for _, n := range run {
		e.before(n, join(path, n.name))
		y := e.numberDetail(n, join(path, n.name), o)
		x.bits = append(x.bits, bitField{y, off + n.off, n.shift(o)})
	}
	e.flush()
	e.grow(first.runLen, join(path, first.name))
	e.p.ops = append(e.p.ops, op{code: opBits, n: int32(first.runLen), x: x})
	for _, n := range run {
		e.after(n, off, join(path, n.name))
	}
}

// shift returns the lowest bit of a bit field in its run, in a byte order.
func (n *node) shift(o order) uint8 {
	fill := n.runFirst.tag.fill
	if fill == msb || fill == byOrder && o == big {
		return uint8(n.runFirst.runLen*8 - n.runBit - n.tag.bits)
	}
	return uint8(n.runBit)
}

// isExact reports whether a field that is longer or shorter than the number says
// is refused before the two are compared.
func (l *link) isExact() bool { return l.target == nil && l.of.scope.nodes[l.of.from].sized == l }

// hasAlign reports whether zeros in n depend on where n begins.
func (n *node) hasAlign() (found bool) {
	n.walk(func(c *node) { found = found || c.kind == alignNode })
	return found
}

// leavesFields reports whether decoding a t leaves some of its fields as they are.
func leavesFields(t reflect.Type, seen map[reflect.Type]bool) bool {
	if seen[t] {
		return false
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Array:
		return leavesFields(t.Elem(), seen)
	case reflect.Struct:
		for f := range t.Fields() {
			if f.Tag.Get("layout") == "-" || f.Name == "_" || leavesFields(f.Type, seen) {
				return true
			}
		}
	}
	return false
}

// collectSlots tells the message what its slots hold.
func (b *builder) collectSlots(m *message) {
	m.slots = b.slots
	for _, n := range b.all {
		if n.place != 0 {
			m.places = append(m.places, n.place)
		}
		if n.inner != nil && !n.loop {
			for _, of := range n.inner.extents {
				if of.start != 0 {
					m.offsets = append(m.offsets, of.start, of.stop)
				}
			}
		}
	}
}
