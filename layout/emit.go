package layout

import (
	"cmp"
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/block"
	"github.com/octet-go/octet/internal/mem"
)

// This file turns the nodes of a type into flat lists of operations: one for each direction
// and, of each direction, one more for each recursive struct. In a flat list the fields of
// nested structs, the elements of slices, the targets of pointers, the variants of unions
// and what is in frames stand in line, between an operation that begins them and one that
// ends them:
//
//	slice     opSeq    element … opNext
//	array     opEach   element … opNext
//	pointer   opDeref  target … opBack
//	frame     opOpen   contents … opClose
//	union     opUnion  variant … opBack  variant … opBack
//	order=F   opOrder  big-endian … opJump  little-endian …
//	if=F      opIf     field …
//
// Jumps count operations from the one that jumps. A flat list has a fixed number of
// levels: what a pair of operations needs to remember is at the same level whenever it
// runs. A recursive struct is a call, which runs a flat list of its own, unless it is the outermost
// one and has a variable of its own.

// A flat is a list of operations that one loop runs.
type flat struct {
	recursive bool // a call of it counts for the maximum depth
	levels    bool // it has levels
	ops       []op
	first     *op // the first one, apart from an opRoom
	room      int // the bytes for which that makes sure of room
}

// maxLevels is how many levels a flat list can have. What is nested more deeply becomes
// a list of its own.
const maxLevels = 5

// An emitter makes one flat list. It walks the nodes in the order of the message. What has a
// fixed size is collected first, because one operation makes sure of room for all of it and
// neighbors become one block; everything else, when it comes, makes the direction append the
// operations for what was collected.
type emitter struct {
	*shared
	base    reflect.Type // of the variable that the offsets refer to
	pending []op         // operations in their general form, for the direction
	roomAt  int          // index in pending of the opRoom that is open, or -1
	trial   bool         // pending gets all operations, and none is lowered: see blockOf

	ops    []op
	fence  int          // something jumps to here: the operations before it remain as they are
	run    int          // index of the operation that has room for the open run, or -1
	typ    reflect.Type // base when the run was emitted
	outer  *detail      // of the operation that opened the current level
	bounds *[]*link     // that the operations enter, without those of other variables and frames
	depth  int          // levels that are open
}

// A direction says how the general form of an operation becomes those of a list that encodes
// or decodes.
type direction interface {
	// lower appends the operations that do o, which contains no others.
	lower(e *emitter, o op)
	// few returns how many numbers of a block are moved one by one, rather than all at once.
	few(p *block.Plan) int
	// condition returns the operation for one of the conditions of a field.
	condition(o op, c *condition) op
	// frame appends the operations of a frame and its contents.
	frame(e *emitter, o op)
	// sequence appends the operations of o, a slice or array, and of its elements.
	sequence(e *emitter, o op)
	// endRun improves the operations of the open run, which ends.
	endRun(e *emitter)
}

// A shared is what the lists of one direction have in common.
type shared struct {
	direction
	*builder
	m      *message
	lists  map[listKey]*flat // of recursive structs
	inCall bool              // such a list is being made
	around int               // recursive structs around what is emitted that are not a list of their own
}

// A listKey identifies the list of a recursive struct.
type listKey struct {
	scope *scope
	order order
}

// emit returns the flat list of the message for one direction.
func (b *builder) emit(m *message, d direction) *flat {
	s := &shared{direction: d, builder: b, m: m, lists: map[listKey]*flat{}}
	return s.list(new(flat), b.root.typ, func(e *emitter) { e.node(b.root, 0, "", b.options.order()) })
}

// emitter returns an emitter for a variable of type t.
func (s *shared) emitter(t reflect.Type) *emitter {
	return &emitter{shared: s, base: t, roomAt: -1, run: -1, bounds: new([]*link)}
}

// list sets the operations of f to those that emit emits for a variable of type t. They end
// with opEnd, so that the loops need no test for the end of a list.
func (s *shared) list(f *flat, t reflect.Type, emit func(e *emitter)) *flat {
	e := s.emitter(t)
	emit(e)
	e.flush()
	e.add(op{code: opEnd})
	if f.ops, f.first = e.ops, &e.ops[0]; f.first.code == opRoom {
		f.first, f.room = &e.ops[1], int(e.ops[0].after)
	}
	for i := range f.ops {
		f.levels = f.levels || f.ops[i].x != nil && f.ops[i].x.opens != 0
	}
	return f
}

// recursive returns the list of a recursive struct, which is incomplete while it is made.
func (s *shared) recursive(of *scope, o order) *flat {
	key := listKey{of, o}
	if s.lists[key] == nil {
		s.lists[key] = &flat{recursive: true}
		inCall, around := s.inCall, s.around
		s.inCall, s.around = true, 0
		s.list(s.lists[key], of.typ, func(e *emitter) {
			e.enter(of, "")
			e.fields(&of.fields, 0, "", o)
		})
		s.inCall, s.around = inCall, around
	}
	return s.lists[key]
}

// add appends an operation and ends the open run. It returns the index of the operation.
func (e *emitter) add(o op) int {
	e.endRun()
	e.ops = append(e.ops, o)
	return len(e.ops) - 1
}

// fixed appends an operation of fixed size, which is part of the open run: the operation
// that began the run has made sure of room for it.
func (e *emitter) fixed(o op) { e.ops = append(e.ops, o) }

// roomy appends an operation that makes sure of room for the run that follows it.
func (e *emitter) roomy(o op) int {
	at := e.add(o)
	e.run = at
	return at
}

// room adds n bytes to the open run, or begins one. They are those of the fields, whose places
// errors need.
func (e *emitter) room(n int32, fields []runField) {
	if e.run < 0 {
		e.roomy(op{code: opRoom, x: &detail{outer: e.outer, bounds: e.bounds}})
	}
	o := &e.ops[e.run]
	for _, f := range fields {
		o.x.fields = append(o.x.fields, runField{int(o.after) + f.end, f.path})
	}
	o.after += n
}

// here returns the index of the next operation, to which another one jumps.
func (e *emitter) here() int {
	e.endRun()
	e.fence = len(e.ops)
	return e.fence
}

// endRun ends the open run.
func (e *emitter) endRun() {
	if e.run >= 0 {
		e.direction.endRun(e)
	}
	e.run = -1
}

// jump sets the jump of operation at to the next operation.
func (e *emitter) jump(at int) { e.ops[at].to = int32(e.here() - at) }

// last returns the last operation if nothing jumps behind it, otherwise nil.
func (e *emitter) last() *op {
	if len(e.ops) <= e.fence {
		return nil
	}
	return &e.ops[len(e.ops)-1]
}

// flush makes the direction append the operations for the fields that have been collected.
func (e *emitter) flush() {
	ops := e.pending
	e.pending, e.roomAt = nil, -1
	for i := 0; i < len(ops); i++ {
		o := ops[i]
		o.x.outer, o.x.bounds = e.outer, e.bounds
		switch o.code {
		case opRoom:
			e.typ = e.base
			e.room(o.n, o.x.fields)
		case opBlock:
			n := neighbors(ops[i:], e.typ)
			e.block(ops[i : i+n])
			i += n - 1
		default:
			e.lower(e, o)
		}
	}
}

// settle ends what has been collected, because o comes next, and tells o what is around it.
// It reports whether the caller goes on with o: in a trial, o is collected, too.
func (e *emitter) settle(o *op) bool {
	if e.trial {
		e.pending, e.roomAt = append(e.pending, *o), -1
		return false
	}
	e.flush()
	o.x.outer, o.x.bounds = e.outer, e.bounds
	return true
}

// emit emits an operation that contains no others and has no fixed size.
func (e *emitter) emit(o op) {
	if e.settle(&o) {
		e.lower(e, o)
	}
}

// nested emits an operation that contains others, by a function. If there are no more
// levels, it becomes a list of its own.
func (e *emitter) nested(o op, emit func(e *emitter, o op)) {
	if !e.settle(&o) {
		return
	}
	if e.depth < maxLevels {
		emit(e, o)
		return
	}
	list := e.list(new(flat), e.base, func(in *emitter) {
		in.bounds, o.x.outer = e.bounds, nil
		emit(in, o)
	})
	e.add(op{code: opCall, x: &detail{outer: e.outer, node: o.x.node, list: list}})
}

// inside emits what an operation contains: a part of the message with bounds of its own,
// in a variable of type t.
func (e *emitter) inside(t reflect.Type, emit func()) {
	base, bounds := e.base, e.bounds
	e.base, e.bounds = t, new([]*link)
	emit()
	e.flush()
	e.base, e.bounds = base, bounds
}

// open appends an operation that opens a level.
func (e *emitter) open(o op) int {
	o.level = int32(e.depth)
	o.x.opens, o.x.level, o.x.off = o.code, o.level, o.off
	e.outer = o.x
	e.depth++
	return e.roomy(o)
}

// close appends an operation that ends the level that x opened.
func (e *emitter) close(o op, x *detail) int {
	e.depth--
	o.level, o.x = int32(e.depth), x
	e.outer = x.outer
	return e.add(o)
}

// elements appends the elements of a slice or array, between the operation that begins them
// and the one that goes on to the next.
func (e *emitter) elements(begin, next op) {
	x, in := begin.x, begin.x.node.elem
	at := e.open(begin)
	e.fence = len(e.ops) // the run of begin goes on in the first element, but joins nothing before it
	e.inside(in.typ, func() { e.node(in, 0, "", x.order) })
	end := e.close(next, x)
	e.ops[end].to = int32(at + 1 - end)
	e.ops[end].after = e.ops[at].after // the other elements begin with the same run
	e.ops[end].imm = uint64(in.typ.Size())
	e.jump(at)
}

// deref emits a pointer and its target, which is of type t.
func (e *emitter) deref(o op, t reflect.Type, emit func(e *emitter)) {
	o.code, o.x.makers = opDeref, []maker{makerOf(t)}
	e.nested(o, func(e *emitter, o op) {
		e.open(o)
		e.inside(t, func() { emit(e) })
		end := e.close(op{code: opBack}, o.x)
		e.ops[end].to = 1
	})
}

// union appends a union and its variants. The operation at the end of each jumps behind the
// last.
func (e *emitter) union(o op) {
	x := o.x
	at := e.open(o)
	e.here()
	var ends []int
	for _, v := range x.node.variants {
		if v.typ.Kind() == reflect.Pointer {
			v = v.elem
		}
		x.makers = append(x.makers, makerOf(v.typ))
		x.starts = append(x.starts, int32(e.here()-at))
		e.inside(v.typ, func() { e.node(v, 0, "", x.order) })
		ends = append(ends, e.close(op{code: opBack}, x))
		e.outer, e.depth = x, e.depth+1
	}
	e.outer, e.depth = x.outer, e.depth-1
	for i := range x.cases {
		c := &x.cases[i]
		c.start = x.starts[c.index]
		if body := &e.ops[at+int(c.start)]; body.code == opRoom { // the union does it, too
			c.start, c.room = c.start+1, body.after
		}
	}
	e.ops[at].data = mem.SliceStart(append(x.cases, unionCase{}))
	for _, end := range ends {
		e.jump(end)
	}
}

// bothOrders says that imm and mask of opOrder are the numbers that name little-endian
// and big-endian order.
const bothOrders = 3

// ordered emits fields in their own byte order, or else in that of what is around them. If
// another field may choose it, they are emitted twice, once for each order, so that no number
// has to ask for its order.
func (e *emitter) ordered(by *node, own, around order, emit func(order)) {
	if by == nil {
		emit(cmp.Or(own, around))
		return
	}
	o := op{code: opOrder, slot: int32(by.value), x: &detail{node: by}}
	for _, c := range by.num.constants {
		switch {
		case c.order == big && o.n&1 == 0:
			o.mask, o.n = c.value, o.n|1
		case c.order == little && o.n&2 == 0:
			o.imm, o.n = c.value, o.n|2
		}
	}
	if !e.settle(&o) {
		return
	}
	at := e.add(o) // n is bothOrders if a constant names each
	e.here()
	emit(big)
	e.flush()
	end := e.add(op{code: opJump})
	e.jump(at)
	emit(little)
	e.flush()
	e.jump(end)
}

// compare sets what the loop compares for a condition on a number: the bits of its value that
// mask has, with imm. If width is not 0, the field is present if they are different.
func (o *op) compare(c *condition) {
	o.slot, o.mask, o.imm = int32(c.node.value), math.MaxUint64, c.value
	switch c.op {
	case '&':
		o.mask, o.imm, o.width = c.value, 0, 1
	case '!':
		o.width = 1
	case '=':
	default:
		o.imm, o.width = 0, 1
	}
}

// slotFor returns a new slot that holds an offset.
func (s *shared) slotFor() slot {
	s.m.slots++
	s.m.offsets = append(s.m.offsets, slot(s.m.slots))
	return slot(s.m.slots)
}
