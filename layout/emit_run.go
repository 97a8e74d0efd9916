package layout

import (
	"reflect"
	"slices"
)

// grow adds n bytes of the field to the open run. A run is a number of fields whose sizes
// are fixed, so that one comparison makes sure of room for all of them. It notes where each
// ends, because an error is about the first field that does not fit.
func (e *emitter) grow(n int, path string) {
	if e.roomAt < 0 {
		e.roomAt = len(e.pending)
		e.pending = append(e.pending, op{code: opRoom, x: new(detail)})
	}
	r := &e.pending[e.roomAt]
	r.n += int32(n)
	r.x.fields = append(r.x.fields, runField{int(r.n), path})
}

// sized emits an operation of fixed size.
func (e *emitter) sized(o op) {
	e.grow(int(o.n), o.x.path)
	e.pending = append(e.pending, o)
}

// numbers emits numbers whose bytes are only moved, and perhaps reversed: one, or an array.
func (e *emitter) numbers(t reflect.Type, off uintptr, path string, o order) {
	e.sized(op{code: opBlock, off: off, n: int32(t.Size()), swap: o != native, x: &detail{path: path, typ: t}})
}

// number emits a number. One whose bytes are only moved, and on which nothing depends, is a
// block, and one that is blank a space; any other has an operation of its own.
func (e *emitter) number(n *node, off uintptr, path string, o order) {
	switch m := &n.num; {
	case n.blank && n.value == 0 && !n.isComputed() && !m.limited && len(m.constants) == 0 && (m.form == integerForm || m.form == floatForm):
		e.sized(op{code: opSpace, n: int32(m.width), x: e.numberDetail(n, path, o)})
	case n.num.isPlain() && n.value == 0:
		e.numbers(n.typ, off, path, o)
	case n.num.width == 0:
		e.emit(op{code: opVarint, off: off, x: e.numberDetail(n, path, o)})
	default:
		e.sized(op{code: opNumber, off: off, n: int32(n.num.width), x: e.numberDetail(n, path, o)})
		if n.bounds() {
			e.roomAt = -1 // the frame changes
		}
	}
}

// numberDetail returns the detail of a number, and finds out whether it can be computed
// early.
func (e *emitter) numberDetail(n *node, path string, o order) *detail {
	x := &detail{path: path, node: n, num: n.num, order: o}
	x.num.order = o
	for _, k := range n.links {
		if y := e.aheadOf(k); y != nil {
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

// bits emits a run of bit fields.
func (e *emitter) bits(run []*node, off uintptr, path string, o order) {
	x, size := &detail{order: o}, run[0].runLen
	for _, n := range run {
		e.before(n, join(path, n.name))
		x.bits = append(x.bits, bitField{detail: e.numberDetail(n, join(path, n.name), o), off: off + n.off, shift: n.shift(o)})
	}
	e.grow(size, join(path, run[0].name))
	e.pending = append(e.pending, op{code: opBits, n: int32(size), x: x})
	if e.observed {
		e.pending = append(e.pending, op{code: opShown, n: int32(size), x: &detail{bits: x.bits}})
	}
	for _, n := range run {
		if n.bounds() {
			e.roomAt = -1
		}
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

// bounds reports whether the number bounds a range that may have begun.
func (n *node) bounds() bool {
	return slices.ContainsFunc(n.links, func(l *link) bool { return l.bound != 0 })
}

// hasIgnored reports whether some of the bytes from low to high of a variable of type t
// are in a field that is not part of the message, or in an array with such fields. Another
// goroutine may use that field, so that not even its value may be read and written again.
func hasIgnored(t reflect.Type, low, high uintptr) bool {
	if low >= high {
		return false
	}
	switch t.Kind() {
	case reflect.Array:
		return hasIgnored(t.Elem(), 0, t.Elem().Size())
	case reflect.Struct:
		for f := range t.Fields() {
			end := f.Offset + f.Type.Size()
			if f.Offset >= high || end <= low {
				continue
			}
			if f.Tag.Get("layout") == "-" || hasIgnored(f.Type, max(low, f.Offset)-f.Offset, min(high, end)-f.Offset) {
				return true
			}
		}
	}
	return false
}

// leavesFields reports whether decoding a t leaves some of its fields as they are.
// Elements of a slice that is reused must be cleared if it does. No program can set a
// blank field, so that it is zero in any case.
func leavesFields(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Array:
		return leavesFields(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if f.Name != "_" && f.Type.Size() > 0 && (f.Tag.Get("layout") == "-" || leavesFields(f.Type)) {
				return true
			}
		}
	}
	return false
}
