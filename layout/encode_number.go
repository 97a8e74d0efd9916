package layout

import (
	"slices"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
)

// This file encodes numbers that the loop does not encode by itself, among them those that
// are computed: lengths, counts and tags.

// value returns the value of a number to write. If the number is computed from
// what follows, it is 0. A variable that is 0 stands for the first constant.
func (e *encoder) value(x *detail, p mem.Ptr, off uintptr) (v uint64, err *Error) {
	n := x.node
	if n.isComputed() {
		return e.derived(x, p, off)
	}
	v = x.num.load(p.Add(off))
	if v == 0 && len(x.num.constants) > 0 && !x.num.isConstant(0) {
		v = x.num.constants[0].value
	}
	return v, x.num.checkValue(v, len(e.buf))
}

// bits writes a run of bit fields.
func (e *encoder) bits(o *op, p mem.Ptr) *Error {
	at := len(e.buf)
	var run uint64
	for i := range o.x.bits {
		f := &o.x.bits[i]
		v, w, err := e.wire(f.detail, p, f.off)
		if err != nil {
			return under(f.path, err)
		}
		run |= w << (64 - f.num.width) >> (64 - f.num.width - f.shift)
		e.record(f.detail, v, at)
	}
	e.buf = e.buf[:at+int(o.n)]
	putFixed(e.buf[at:], run, o.x.order)
	return nil
}

// wire returns the value of a number that is written next, and its bits on the wire.
func (e *encoder) wire(x *detail, p mem.Ptr, off uintptr) (v, w uint64, err *Error) {
	if v, err = e.value(x, p, off); err != nil {
		return 0, 0, err
	}
	w, ok := x.num.toWire(v)
	if !ok {
		err = x.num.unfit(v, len(e.buf))
	}
	return v, w, err
}

// unfit returns the error for a value that has no form on the wire.
func (n *number) unfit(v uint64, pos int) *Error {
	return failure(pos, ErrRange, "%s does not fit %s", n.text(v), n.describe())
}

// isDigits reports whether the number is written in digits.
func (n *number) isDigits() bool { return n.form == octalForm || n.form == decimalForm }

// base returns the base of digits.
func (n *number) base() uint64 {
	if n.form == octalForm {
		return 8
	}
	return 10
}

// most returns the largest number that the variable can hold and that the limit allows.
func (n *number) most() uint64 {
	return min(n.limit, ones(n.memBits()-b2i(n.kind == intKind)))
}

// chosen returns the operation that follows opOrder: the first one of the fields in the
// byte order that v names, which is the value of the number in order=F.
func (o *op) chosen(v uint64, pos int) (*op, *Error) {
	for _, c := range o.x.node.num.constants {
		switch {
		case c.value != v:
		case c.order == big:
			return mem.Next(o), nil
		case c.order == little:
			return mem.Skip(o, int(o.to)), nil
		}
	}
	return nil, failure(pos, ErrConst, "%s does not name a byte order", o.x.node.name)
}

// derived computes a number as far as possible before what it depends on is written. If
// several fields determine the number, they must agree. A number that is not known yet
// is written as it is, and fill replaces it.
func (e *encoder) derived(x *detail, p mem.Ptr, off uintptr) (v uint64, err *Error) {
	n := x.node
	known := false
	for i := range x.early {
		y := &x.early[i]
		w, ok := uint64(0), true
		if y.union != nil {
			var k int
			k, w, _ = y.union.find(p.Add(y.off))
			ok = k >= 0
		} else if w, err = y.link.number(y.length(p), len(e.buf)); err != nil {
			return 0, err
		}
		if ok && known && v != w {
			return 0, failure(len(e.buf), ErrLength, "%s and another link require different numbers, %s and %s", y.what(), x.num.text(w), x.num.text(v))
		}
		if ok {
			v, known = w, true
		}
	}
	if !known && len(n.links) == 0 && n.sum == nil {
		v = x.num.load(p.Add(off)) // the unions are absent
	}
	if n.filled != 0 {
		e.slots[n.filled] = int64(b2i(known))
	}
	if known {
		err = x.num.check(v, len(e.buf))
	}
	return v, err
}

// what returns what the number is computed from, for errors about numbers that disagree.
func (y *early) what() string {
	if y.link != nil {
		return y.link.text
	}
	return "a union"
}

// length returns the length of what the number measures. For elements of fixed size
// that is their number times the size, which needs no look at the elements.
func (y *early) length(p mem.Ptr) uint64 {
	n := uint64(y.fixed)
	for _, t := range y.terms {
		n += uint64(mem.At[mem.TextHeader](p.Add(t.off)).Len) * t.size // a slice has its length in the same place
	}
	return n
}

// number returns the number that stands for a length or count. It fails if the length
// is not a number times the factor, rather than round: the decoder would find another
// length.
func (l *link) number(length uint64, pos int) (uint64, *Error) {
	n := int64(length) - l.plus
	if n < 0 || n%l.factor != 0 {
		return 0, failure(pos, ErrLength, "%s: %s cannot be expressed", l.text, l.counted(length))
	}
	return uint64(n / l.factor), nil
}

// counted returns n of what the number measures, for errors.
func (l *link) counted(n uint64) string {
	if l.elements {
		return errtext.Counted(n, "element")
	}
	return errtext.Counted(n, "byte")
}

// check verifies that a computed number can be written and read again. The caller's
// value of such a field is ignored, so the error is about the length, not about the
// field.
func (n *number) check(v uint64, pos int) *Error {
	signed := n.kind == intKind // the tag of a union may be negative
	if _, ok := n.toWire(v); !ok {
		return failure(pos, ErrLength, "%s does not fit %s", n.text(v), n.describe())
	}
	if !fits(v, signed, n.memBits(), signed) {
		return failure(pos, ErrLength, "%s does not fit the Go type", n.text(v))
	}
	return n.checkValue(v, pos)
}

// record notes what other fields need to know of a number. The place has the byte order
// in its lowest bit and is never 0, which stands for an absent field.
func (e *encoder) record(x *detail, v uint64, pos int) {
	n := x.node
	if n.value != 0 {
		e.slots[n.value] = int64(v)
	}
	if n.place != 0 {
		e.slots[n.place] = int64(pos+1)<<1 | int64(b2i(x.num.order == little))
	}
}

// number writes a number. The operation before one of fixed width has made room for it.
func (e *encoder) number(o *op, p mem.Ptr) *Error {
	x := o.x
	v, w, err := e.wire(x, p, o.off)
	if err != nil {
		return err
	}
	at := len(e.buf)
	if x.num.width == 0 {
		e.buf = x.num.appendVarint(e.buf, w)
	} else if e.buf = e.buf[:at+int(o.n)]; !x.num.put(e.buf[at:], w) {
		return x.num.unfit(v, at)
	}
	e.record(x, v, at)
	return nil
}

// patch writes a number into its place. The place has been written before, with the
// width of the number, so nothing moves.
func (e *encoder) patch(n *number, at int, v uint64) *Error {
	if err := n.check(v, at); err != nil {
		return err
	}
	w, _ := n.toWire(v)
	if !n.put(e.buf[at:at+int(n.width)], w) {
		return failure(at, ErrLength, "%d does not fit %s", v, n.describe())
	}
	return nil
}

// derive computes a length or count and writes it into its number. It runs where the
// range or the slice ends, or at the number if that comes later.
func (e *encoder) derive(o *op) *Error {
	l := o.x.link
	length := uint64(e.slots[l.of.stop] - e.slots[l.of.start])
	if l.elements {
		length = uint64(e.slots[l.target.amount])
	}
	if e.slots[l.num.place] == 0 {
		return e.unmeasured(l, length)
	}
	if o.x.known {
		return nil
	}
	at := int(e.slots[l.num.place]>>1 - 1)
	v, err := l.number(length, at)
	if err != nil {
		return err
	}
	return e.fill(l.num, v, l)
}

// unmeasured verifies that what an absent number measures is empty, unless another
// number measures it. The decoder would not know where the field ends.
func (e *encoder) unmeasured(l *link, length uint64) *Error {
	t := l.of.scope.nodes[l.of.from]
	list := t.lengths
	if l.elements {
		list = t.counts
	}
	before := false
	for _, other := range list {
		if e.slots[other.num.place] != 0 {
			return nil
		}
		before = before || other == l && l.num.seq < t.seq
	}
	if before && length > 0 {
		return failure(len(e.buf), ErrLength, "the number is absent, but %s has %s", t.name, l.counted(length))
	}
	return nil
}

// fill writes v into the number n, which may already have been computed in another way.
// The first derivation writes, the others compare. The node's number has no byte order
// of its own where order=F chooses it, so the order is the one that record noted. The link is
// the one that v is for, or nil if v is the tag of a union.
func (e *encoder) fill(n *node, v uint64, l *link) *Error {
	place := e.slots[n.place]
	at := int(place>>1 - 1)
	if n.filled != 0 && e.slots[n.filled] != 0 {
		if old := uint64(e.slots[n.value]); old != v {
			if l == nil {
				return failure(at, ErrVariant, "the unions that switch on %s require different tags, %s and %s", n.name, n.num.text(old), n.num.text(v))
			}
			return failure(at, ErrLength, "%s requires %s, but another link requires %s", l.text, n.num.text(v), n.num.text(old))
		}
		return nil
	}
	num := n.num
	num.order = big
	if place&1 == 1 {
		num.order = little
	}
	if err := num.check(v, at); err != nil {
		return err
	}
	e.know(n, v)
	switch {
	case num.form == bitsForm:
		run := e.buf[at : at+n.runFirst.runLen]
		shift := n.shift(num.order)
		mask := ones(int(num.width))
		putFixed(run, getFixed(run, num.order)&^(mask<<shift)|v&mask<<shift, num.order)
		return nil
	case num.width == 0:
		return e.fillVarint(n, &num, at, v, l)
	}
	return e.patch(&num, at, v)
}

// know notes the value of a number that has been computed, also for the calls around in which it is the same number.
func (e *encoder) know(n *node, v uint64) {
	e.slots[n.filled], e.slots[n.value] = 1, int64(v)
	for saved := e.around(); len(saved) > 0; saved = saved[e.message.slots+1:] {
		if saved[n.place] == e.slots[n.place] {
			saved[n.filled], saved[n.value] = 1, int64(v)
		}
	}
}

// around returns the slots of the calls around, one after the other, if what is encoded inside can change them.
func (e *encoder) around() []int64 {
	if !e.message.outward {
		return nil
	}
	return e.rare.saved
}

// fillVarint writes a number of variable length over the bytes that hold its place: one, or those of the
// value that the field has. What follows moves. If the number is in the range that it measures, the length
// grows with the number.
func (e *encoder) fillVarint(n *node, num *number, at int, v uint64, l *link) *Error {
	if _, size := num.getVarint(e.buf[at:]); size > 1 {
		e.buf = slices.Delete(e.buf, at+1, at+size)
		e.moved(at+1, 1-size)
	}
	for range maxVarint {
		grow := num.varintLen(v) - 1
		if l != nil && !l.elements && e.slots[l.of.start] <= int64(at) && int64(at) < e.slots[l.of.stop] {
			w, err := l.number(uint64(e.slots[l.of.stop]-e.slots[l.of.start])+uint64(grow), at)
			if err != nil {
				return err
			}
			if num.varintLen(w)-1 != grow {
				v = w
				continue
			}
			v = w
		}
		if err := num.check(v, at); err != nil {
			return err
		}
		e.insert(at+1, grow)
		num.appendVarint(e.buf[at:at], v)
		e.know(n, v)
		return nil
	}
	return failure(at, ErrLength, "%s: no number is correct, because the width of the number changes the length", l.text)
}

// insert makes room for n bytes before at. All that is remembered of the message at or
// after the offset moves with it.
func (e *encoder) insert(at, n int) {
	if n == 0 {
		return
	}
	end := len(e.buf)
	e.buf = slices.Grow(e.buf, n)[:end+n]
	copy(e.buf[at+n:], e.buf[at:end])
	e.moved(at, n)
}
