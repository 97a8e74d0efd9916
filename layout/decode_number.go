package layout

import "github.com/octet-go/octet/internal/mem"

// value decodes a number into its field at p and returns its end. It is the general form,
// which makes the errors of the faster ones. If the number measures other fields, it also sets
// their bounds.
func (d *decoder) value(o *op, pos int, p mem.Ptr) (int, *Error) {
	x := o.x
	v, size, err := d.read(&x.num, pos)
	if err == nil {
		err = d.number(x, pos, v)
	}
	if err != nil {
		return pos, err
	}
	storeUint(p.Add(o.off), x.num.size, v)
	if len(x.node.links) > 0 {
		err = d.links(x.node, pos, pos+size, v)
	}
	return pos + size, err
}

// read returns the value of a number and its size. The data has the bytes of one of fixed
// width, because the operation before made sure of them. The two errors are different for a
// caller: one is about bytes that are not a number, the other about a number that another type
// of the field could hold.
func (d *decoder) read(n *number, pos int) (v uint64, size int, err *Error) {
	ok := true
	if size = int(n.width); size == 0 {
		if v, size, err = d.getVarint(n, pos); err != nil {
			return 0, 0, err
		}
	} else if v, ok = n.get(d.data[pos : pos+size]); !ok {
		return 0, 0, failure(pos, ErrRange, "%q is not a number in %s", d.data[pos:pos+size], n.describe())
	}
	v, err = n.inMemory(v, pos)
	return v, size, err
}

// inMemory returns the value of a number that is v on the wire.
func (n *number) inMemory(v uint64, pos int) (uint64, *Error) {
	w, ok := n.fromWire(v)
	if !ok {
		return 0, failure(pos, ErrRange, "%s does not fit the Go type", n.wireText(v))
	}
	return w, nil
}

// checkValue compares a number with its constants and its limit. It does so before the
// number is used for anything, so that a length beyond its limit bounds nothing.
func (n *number) checkValue(v uint64, pos int) *Error {
	if len(n.constants) > 0 && !n.isConstant(v) {
		return n.notConstant(v, pos)
	}
	return n.checkLimit(v, pos)
}

// number checks a number and notes what other fields need to know of it: its value, for
// lengths, conditions, orders and tags, and its place, for errors and checksums. A place of 0
// says that the number is absent.
func (d *decoder) number(x *detail, pos int, v uint64) *Error {
	n := &x.num
	if err := n.checkValue(v, pos); err != nil {
		return err
	}
	if x.node.value != 0 {
		d.slots[x.node.value] = int64(v)
	}
	if x.node.place != 0 {
		d.slots[x.node.place] = int64(pos+1)<<1 | int64(b2i(n.order == little))
	}
	return nil
}

// getVarint reads a number of variable length and returns its length. From a stream it
// takes single bytes until the number ends: the next message may begin behind it.
func (d *decoder) getVarint(num *number, pos int) (v uint64, n int, err *Error) {
	for d.source != nil && !d.hasVarint(pos) {
		if err := d.need(pos, len(d.data)-pos+1); err != nil {
			return 0, 0, err
		}
	}
	v, n = num.getVarint(d.data[pos:max(pos, min(d.end, len(d.data), pos+maxVarint+1))])
	switch {
	case n < 0:
		return 0, 0, failure(pos, ErrRange, "the number has more than 64 bits")
	case n == 0:
		return 0, 0, d.truncated(pos, "the number continues after the %s left", plural(d.end-pos))
	}
	return v, n, nil
}

// hasVarint reports whether all bytes of the number at pos have been read.
func (d *decoder) hasVarint(pos int) bool {
	for i := pos; i < len(d.data); i++ {
		if d.data[i] < 0x80 || i-pos >= maxVarint-1 {
			return true
		}
	}
	return false
}

// bits decodes a run of bit fields into the struct at p and returns its end. The data has
// the bytes of the run, because the operation before it made sure of them. Links follow
// when all fields are stored, because they refer to the end of the run.
func (d *decoder) bits(o *op, pos int, p mem.Ptr) (int, *Error) {
	run := getFixed(d.data[pos:pos+int(o.n)], o.x.order)
	end := pos + int(o.n)
	for i := range o.x.bits {
		f := &o.x.bits[i]
		w := uint(f.num.width)
		v := run >> f.shift << (64 - w) >> (64 - w)
		if f.num.signed {
			v = extend(v, int(w))
		}
		v, err := f.num.inMemory(v, pos)
		if err == nil {
			err = d.number(f.detail, pos, v)
		}
		if err != nil {
			return pos, under(f.path, err)
		}
		storeUint(p.Add(f.off), f.num.size, v)
	}
	for i := range o.x.bits {
		f := &o.x.bits[i]
		if len(f.node.links) > 0 {
			if err := d.links(f.node, pos, end, uint64(d.slots[f.node.value])); err != nil {
				return pos, under(f.path, err)
			}
		}
	}
	return end, nil
}

// digits decodes a number of digits if it is correct, and returns where it ends, or otherwise -1.
func (d *decoder) digits(o *op, pos int, p mem.Ptr) int {
	if o.width == 0 || d.end-pos < int(o.width) || len(d.data)-pos < int(o.width) {
		return -1
	}
	b, v := d.data[pos:pos+int(o.width)], uint64(0)
	for len(b) > 0 && b[0] == ' ' {
		b = b[1:]
	}
	for len(b) > 0 && b[0]&^' ' != 0 { // neither NUL nor a space
		c := uint64(b[0]) - '0'
		if v = v*o.imm + c; c >= o.imm {
			return -1
		}
		b = b[1:]
	}
	if v > o.mask {
		return -1
	}
	storeUint(p.Add(o.off), o.size, v)
	*d.slot(o.n), *d.slot(o.slot) = int64(v), int64(pos+1)<<1
	return pos + int(o.width)
}
