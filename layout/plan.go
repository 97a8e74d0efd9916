package layout

import (
	"cmp"
	"reflect"
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
}

// compile returns the program of the tree.
func (b *builder) compile() (*program, error) {
	c := &compiler{builder: b, loops: map[loopKey]*program{}}
	o := b.options.order()
	return c.program(b.root.typ, func(e *emitter) error { return e.node(b.root, 0, "", o) })
}

// program compiles what emit emits, for variables of type t. It ends with opEnd, which
// every list has, so that the loops need no test for the end of a list.
func (c *compiler) program(t reflect.Type, emit func(*emitter) error) (*program, error) {
	p := &program{typ: t}
	return p, c.fill(p, emit)
}

// fill compiles what emit emits into p.
func (c *compiler) fill(p *program, emit func(*emitter) error) error {
	e := &emitter{compiler: c, p: p, room: -1}
	if err := emit(e); err != nil {
		return err
	}
	e.close()
	p.ops = append(p.ops, op{code: opEnd})
	return nil
}

// fields emits the fields of a struct or of an embedded struct.
func (e *emitter) fields(g *group, off uintptr, path string, o order) error {
	return e.ordered(g.orderOf, g.tag.order, o, func(e *emitter, o order) error { return e.items(g, off, path, o) })
}

// items emits the fields of a struct in a byte order. Bit fields are emitted together,
// because they are one number on the wire.
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
			err = e.bitRun(run, off, path, o)
		default:
			err = e.field(it.node, off, join(path, it.node.name), o)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// join returns the path of a field of the struct at path.
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
	e.add(op{code: opCall, off: off + g.off, x: &detail{path: path, node: &node{kind: pointerNode, typ: reflect.PointerTo(g.target), embedded: g.name}, sub: p}})
	return nil
}

// ordered emits fields in their own byte order, or else in that of what is around them. If
// another field may choose it, they are emitted twice, once for each order. Both are complete
// programs, so that no number has to ask for its order.
func (e *emitter) ordered(by *node, own, around order, emit func(*emitter, order) error) (err error) {
	if by == nil {
		return emit(e, cmp.Or(own, around))
	}
	x := &detail{node: by}
	if x.sub, err = e.program(e.p.typ, func(in *emitter) error { return emit(in, big) }); err != nil {
		return err
	}
	if x.alt, err = e.program(e.p.typ, func(in *emitter) error { return emit(in, little) }); err != nil {
		return err
	}
	e.add(op{code: opOrder, x: x})
	return nil
}

// field emits a field of a struct, with what happens before and after it. The offsets
// of the struct begin at off. For a field with conditions, opIf jumps over what emits
// the field, but not over what happens after it: ranges end whether or not their last
// field is present.
func (e *emitter) field(n *node, off uintptr, path string, o order) error {
	e.before(n, path)
	if len(n.conditions) == 0 {
		if err := e.node(n, off+n.off, path, o); err != nil {
			return err
		}
		e.after(n, off, path)
		return nil
	}
	at := e.add(op{code: opIf, off: off + n.off, level: n.flagPlace(), x: &detail{path: path, node: n, reset: n.slots()}})
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

// hasAlign reports whether zeros in n depend on where n begins.
func (n *node) hasAlign() (found bool) {
	n.walk(func(c *node) { found = found || c.kind == alignNode })
	return found
}

// leavesFields reports whether decoding a t leaves some of its fields as they are.
// Elements of a slice that is reused must be cleared if it does.
func leavesFields(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return leavesFields(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if f.Type.Size() > 0 && (f.Tag.Get("layout") == "-" || f.Name == "_" || leavesFields(f.Type)) {
				return true
			}
		}
	}
	return false
}

// collectSlots records in the message what its slots hold.
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
