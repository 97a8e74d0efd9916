package layout

import "github.com/octet-go/octet/internal/mem"

// This file encodes numbers that the loop does not encode by itself.

// orderOfValue returns the order that a constant of the number names.
func (n *node) orderOfValue(v uint64) order {
	for _, c := range n.num.constants {
		if c.value == v {
			return c.order
		}
	}
	return noOrder
}

// value returns the value of a number to write. If the number is computed from
// what follows, it is 0.
func (e *encoder) value(x *detail, p mem.Ptr, off uintptr) (v uint64, err *Error) {
	n := x.node
	if len(n.links) > 0 || n.sum != nil || len(n.unions) > 0 {
		return e.derived(x, p, off)
	}
	v = x.num.load(p.Add(off))
	if c := x.num.constants; len(c) > 0 {
		if v, err = x.num.constant(v, len(e.buf)); err != nil {
			return 0, err
		}
	}
	if x.num.limited && x.num.exceeds(v) {
		return 0, failure(len(e.buf), ErrLimit, "%s exceeds the maximum %d", x.num.text(v), x.num.limit)
	}
	return v, nil
}

// constant returns the constant that v is, or the first one if v is 0.
func (n *number) constant(v uint64, pos int) (uint64, *Error) {
	for _, c := range n.constants {
		if c.value == v {
			return v, nil
		}
	}
	if v == 0 {
		return n.constants[0].value, nil
	}
	return 0, n.notConstant(v, pos)
}

// varint writes a number of variable width.
func (e *encoder) varint(o *op, p mem.Ptr) *Error {
	x := o.x
	v, err := e.value(x, p, o.off)
	if err != nil {
		return err
	}
	at := len(e.buf)
	w, ok := x.num.toWire(v)
	if !ok {
		return failure(at, ErrRange, "%s does not fit %s", x.num.text(v), x.num.describe())
	}
	e.buf = x.num.appendVarint(e.buf, w)
	e.record(x, v, at)
	return nil
}

// bits writes a run of bit fields.
func (e *encoder) bits(o *op, p mem.Ptr) *Error {
	at := len(e.buf)
	e.buf = e.buf[:at+int(o.n)]
	var run uint64
	for i := range o.x.bits {
		f := &o.x.bits[i]
		v, err := e.value(f.detail, p, f.off)
		if err == nil {
			if w, ok := f.num.toWire(v); ok {
				run |= w << (64 - f.num.width) >> (64 - f.num.width - f.shift)
			} else {
				err = failure(at, ErrRange, "%s does not fit %s", f.num.text(v), f.num.describe())
			}
		}
		if err != nil {
			return under(f.path, err)
		}
		e.record(f.detail, v, at)
	}
	putFixed(e.buf[at:], run, o.x.order)
	return nil
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

// mostDigits returns the largest number in digits that the variable can hold and that the
// limit allows.
func (n *number) mostDigits() uint64 {
	most := ones(n.memBits() - int(b2i(n.kind == intKind)))
	if n.limited {
		most = min(most, n.limit)
	}
	return most
}

// chosen returns the operation that follows opOrder: the first one of the fields in the
// byte order that v names, which is the value of the number in order=F.
func (o *op) chosen(v uint64, pos int) (*op, *Error) {
	switch o.x.node.orderOfValue(v) {
	case big:
		return mem.Next(o), nil
	case little:
		return mem.Skip(o, int(o.to)), nil
	}
	return nil, failure(pos, ErrConst, "%s does not name a byte order", o.x.node.name)
}
