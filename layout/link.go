package layout

import (
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/block"
	"github.com/octet-go/octet/internal/mem"
)

// This file turns the tree of programs of a type into flat lists of operations: one for
// each direction and, of each direction, one more for each recursive struct. In a flat
// list the fields of nested structs, the elements of slices, the targets of pointers,
// the variants of unions and what is in frames stand in line, between an operation that
// begins them and one that ends them:
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
// runs. A recursive struct is a call, which runs a flat list of its own.

// A flat is a list of operations that one loop runs.
type flat struct {
	ops       []op
	first     *op  // the first one, apart from an opRoom
	room      int  // the bytes for which that makes sure of room
	recursive bool // a call of it counts for the maximum depth
	levels    bool // it has levels
}

// maxLevels is how many levels a flat list can have. What is nested more deeply becomes
// a list of its own.
const maxLevels = 4

// A linker makes one flat list.
type linker struct {
	direction
	*shared
	ops    []op
	fence  int          // something jumps to here: the operations before it remain as they are
	run    int          // index of the operation that has room for the open run, or -1
	outer  *detail      // of the operation that opened the current level
	bounds []*link      // that the operations of the program enter
	depth  int          // levels that are open
	typ    reflect.Type // of the variable of the run
}

// A direction says how the operations of a tree become those of a list that encodes or
// decodes.
type direction interface {
	// lower appends the operations that do o, which contains no others.
	lower(l *linker, o op)
	// few returns how many numbers of a block are moved one by one, rather than all at once.
	few(p *block.Plan) int
	// condition returns the operation for a field with conditions.
	condition(o op) op
	// frame appends the operations of a frame and its contents.
	frame(l *linker, o op)
	// sequence appends the operation that begins the elements of o, a slice or array.
	sequence(l *linker, o op)
	// endRun improves the operations of the open run, which ends.
	endRun(l *linker)
}

// A shared is what the lists of one direction have in common.
type shared struct {
	lists map[*program]*flat // of recursive structs
	m     *message
}

// link returns the flat list of p.
func (m *message) link(p *program, d direction) *flat {
	l := linker{direction: d, shared: &shared{lists: map[*program]*flat{}, m: m}}
	return l.list(p)
}

// list returns the flat list of p. A recursive program has only one.
func (s *linker) list(p *program) *flat {
	if f := s.lists[p]; f != nil {
		return f
	}
	f := &flat{recursive: p.recursive}
	if p.recursive {
		s.lists[p] = f
	}
	in := linker{direction: s.direction, shared: s.shared, run: -1}
	in.all(p.ops)
	in.add(op{code: opEnd})
	f.set(in.ops)
	for i := range f.ops {
		f.levels = f.levels || f.ops[i].x != nil && f.ops[i].x.opens != 0
	}
	return f
}

// set sets the operations.
func (f *flat) set(ops []op) {
	if f.ops, f.first = ops, &ops[0]; ops[0].code == opRoom {
		f.first, f.room = &ops[1], int(ops[0].after)
	}
}

// add appends an operation and ends the open run. It returns the index of the operation.
func (l *linker) add(o op) int {
	l.endRun()
	l.ops = append(l.ops, o)
	return len(l.ops) - 1
}

// roomy appends an operation that makes sure of room for the run that follows it.
func (l *linker) roomy(o op) int {
	at := l.add(o)
	l.run = at
	return at
}

// room adds n bytes to the open run, or begins one.
func (l *linker) room(n int32) {
	if l.run < 0 {
		l.roomy(op{code: opRoom})
	}
	l.ops[l.run].after += n
}

// here returns the index of the next operation, to which another one jumps.
func (l *linker) here() int {
	l.endRun()
	l.fence = len(l.ops)
	return l.fence
}

// endRun ends the open run.
func (l *linker) endRun() {
	if l.run >= 0 {
		l.direction.endRun(l)
	}
	l.run = -1
}

// jump sets the jump of operation at to the next operation.
func (l *linker) jump(at int) { l.ops[at].to = int32(l.here() - at) }

// last returns the last operation if nothing jumps behind it, otherwise nil.
func (l *linker) last() *op {
	if len(l.ops) <= l.fence {
		return nil
	}
	return &l.ops[len(l.ops)-1]
}

// all appends the operations of a tree.
func (l *linker) all(ops []op) {
	outer := l.bounds
	l.bounds = nil
	for i := range ops {
		if ops[i].code == opEnter {
			l.bounds = append(l.bounds, ops[i].x.links...)
		}
	}
	l.some(ops)
	l.bounds = outer
}

// some appends operations of a tree.
func (l *linker) some(ops []op) {
	for i := 0; i < len(ops); i++ {
		o := ops[i]
		if o.x != nil {
			o.x.outer, o.x.bounds = l.outer, l.bounds
		}
		switch o.code {
		case opEnd:
			return
		case opIf:
			at := l.roomy(l.condition(o))
			l.some(ops[i+1 : i+1+int(o.n)])
			l.jump(at)
			i += int(o.n)
		case opOrder:
			l.orders(o)
		case opSlice, opArray, opCall, opFrame, opUnion:
			l.nested(o)
		case opBlock:
			n := neighbors(ops[i:], l.typ)
			l.block(ops[i : i+n])
			i += n - 1
		default:
			l.lower(l, o)
		}
	}
}

// bothOrders says that imm and mask of opOrder are the numbers that name little-endian
// and big-endian order.
const bothOrders = 3

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

// orders appends the operations of both byte orders.
func (l *linker) orders(o op) {
	for _, c := range o.x.node.num.constants {
		switch {
		case c.order == big && o.n&1 == 0:
			o.mask, o.n = c.value, o.n|1
		case c.order == little && o.n&2 == 0:
			o.imm, o.n = c.value, o.n|2
		}
	}
	o.slot = int32(o.x.node.value)
	at := l.add(o) // n is bothOrders if a constant names each
	l.here()
	l.all(o.x.sub.ops)
	end := l.add(op{code: opJump})
	l.jump(at)
	l.all(o.x.alt.ops)
	l.jump(end)
}

// nested appends an operation that contains others. If there are no more levels, it
// becomes a list of its own.
func (l *linker) nested(o op) {
	if l.depth == maxLevels && o.code != opFrame {
		in := linker{direction: l.direction, shared: l.shared, run: -1}
		in.bounds = l.bounds
		in.some([]op{o})
		in.add(op{code: opEnd})
		list := new(flat)
		list.set(in.ops)
		l.add(op{code: opCall, x: &detail{outer: l.outer, node: o.x.node, list: list}})
		return
	}
	switch o.code {
	case opSlice, opArray:
		l.sequence(l, o)
	case opCall:
		l.call(o)
	case opFrame:
		l.frame(l, o)
	case opUnion:
		l.union(o)
	}
}

// open appends an operation that opens a level.
func (l *linker) open(o op) int {
	o.level = int32(l.depth)
	o.x.opens, o.x.level, o.x.off = o.code, o.level, o.off
	l.outer = o.x
	l.depth++
	return l.roomy(o)
}

// close appends an operation that ends the level that x opened.
func (l *linker) close(o op, x *detail) int {
	l.depth--
	o.level, o.x = int32(l.depth), x
	l.outer = x.outer
	return l.add(o)
}

// elements appends the operations of the elements after the one that begins them.
func (l *linker) elements(begin, next op) {
	x := begin.x
	at := l.open(begin)
	l.fence = len(l.ops)
	l.body(x.sub)
	end := l.close(next, x)
	l.ops[end].to = int32(at + 1 - end)
	l.ops[end].after = l.ops[at].after
	l.ops[end].imm = uint64(x.sub.typ.Size())
	l.jump(at)
}

// body appends the operations of a program in line, or a call if it is recursive.
func (l *linker) body(p *program) {
	if p.recursive {
		l.add(op{code: opCall, x: &detail{node: &node{kind: structNode}, outer: l.outer, sub: p, list: l.list(p)}})
		return
	}
	l.all(p.ops)
}

// call appends what a pointer points to, or a recursive struct.
func (l *linker) call(o op) {
	x := o.x
	if x.node.kind != pointerNode {
		x.list = l.list(x.sub)
		l.add(o)
		return
	}
	o.code, x.makers = opDeref, []maker{makerOf(x.sub.typ)}
	l.open(o)
	l.body(x.sub)
	l.close(op{code: opBack}, x)
	l.ops[len(l.ops)-1].to = 1
}

// union appends the variants. The operation at the end of each jumps behind the last.
func (l *linker) union(o op) {
	x := o.x
	at := l.open(o)
	l.here()
	x.starts = nil
	var ends []int
	x.union, x.makers = x.node.union, nil
	for _, p := range x.subs {
		x.makers = append(x.makers, makerOf(p.typ))
		x.starts = append(x.starts, int32(l.here()-at))
		l.body(p)
		ends = append(ends, l.close(op{code: opBack}, x))
		l.outer, l.depth = x, l.depth+1
	}
	l.outer, l.depth = x.outer, l.depth-1
	for i := range x.cases {
		x.cases[i].start = x.starts[x.cases[i].index]
	}
	l.ops[at].data = mem.SliceStart(append(x.cases, unionCase{}))
	for _, end := range ends {
		l.jump(end)
	}
}

// slotFor returns a new slot that holds an offset.
func (s *shared) slotFor() slot {
	s.m.slots++
	s.m.offsets = append(s.m.offsets, slot(s.m.slots))
	return slot(s.m.slots)
}

// moved returns how many bytes an operation moves, or 0 if it does something else.
func (o *op) moved() int {
	switch o.code {
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8:
		return int(o.width)
	case opCopyN:
		return int(o.n)
	}
	return 0
}

// joinCopies makes one operation of those that copy bytes which are side by side both in
// memory and on the wire.
func joinCopies(ops []op) []op {
	list := ops[:0]
	for _, o := range ops {
		if k := o.moved(); k > 0 && !o.isSwap() && len(list) > 0 {
			last := &list[len(list)-1]
			if n := last.moved(); n > 0 && !last.isSwap() && last.off+uintptr(n) == o.off {
				*last = copyOf(n+k, last.off)
				continue
			}
		}
		list = append(list, o)
	}
	return list
}

// joinPairs makes one operation of every two that reverse the bytes of numbers which are
// side by side both in memory and on the wire, since going on to the next operation takes
// longer than the operation itself.
func joinPairs(ops []op) []op {
	list := ops[:0]
	for _, o := range ops {
		if k := len(list) - 1; k >= 0 && (o.code == opSwap2 || o.code == opSwap4) && list[k].code == o.code && list[k].off+uintptr(o.width) == o.off {
			list[k].code += opPair2 - opSwap2
			continue
		}
		list = append(list, o)
	}
	return list
}

// copyOf returns the operation that copies n bytes.
func copyOf(n int, off uintptr) op {
	if n == 1 || n == 2 || n == 4 || n == 8 {
		return op{code: moveCode(n, false), width: uint8(n), off: off}
	}
	return op{code: opCopyN, width: 1, n: int32(n), off: off}
}

// isSwap reports whether an operation swaps bytes.
func (o *op) isSwap() bool { return o.code >= opSwap2 && o.code <= opSwap8 }

// endRun joins the operations of the run that ends here, and makes the lists of those that
// are words.
func (toWire) endRun(l *linker) {
	l.ops = l.ops[:l.run+1+len(joinCopies(l.ops[l.run+1:]))]
	l.windows()
	for i := l.run + 1; i < len(l.ops); i++ {
		if o := &l.ops[i]; o.code == opWord {
			o.setParts()
		}
	}
	l.ops = l.ops[:l.run+1+len(joinPairs(l.ops[l.run+1:]))]
}
