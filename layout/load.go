package layout

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// run decodes a value into p and returns its end. load executes the usual operations,
// and run those at which load stops.
func (d *decoder) run(g *program, pos int, p mem.Ptr) (int, *Error) {
	if d.list.op != nil {
		outer := d.list
		d.list.op = nil
		pos, err := d.run(g, pos, p)
		d.list = outer
		return pos, err
	}
	o := &g.ops[0]
	for {
		o, pos, p = load(o, mem.Bytes(d.data), pos, min(d.end, len(d.data)), p, d)
		var err *Error
		switch o.code {
		case opEnd:
			if d.list.op == nil {
				return pos, nil
			}
			p = d.nextElement(&d.list)
			o = d.list.first
			continue
		case opRoom:
			err = d.room(o, pos)
		case opConst1, opConst2, opConst4:
			err = d.notConstant(o, pos)
		case opBlock:
			o.x.plan.DecodeOne(mem.Bytes(d.data).Add(uintptr(pos)), p.Add(o.off))
			pos += int(o.n)
		case opText, opPlain:
			pos, err = d.text(o, pos, p)
		case opList:
			v := uint64(d.slots[o.n])
			switch {
			case d.slots[o.imm] == 0 || v == 0:
				pos, err = d.listOf(o, pos, p, 0)
			case d.list.op != nil:
				pos, err = d.listOf(o, pos, p, v)
			case v > uint64(d.end-pos):
				err = d.tooLong(pos, v)
			case d.source != nil && int(v) > d.source.limit-pos:
				err = d.affordable(pos, pos+int(v))
			default:
				d.list = list{op: o, outer: p, first: &o.x.sub.ops[0], size: o.x.elemSize, outerEnd: d.end, end: pos + int(v)}
				d.end = d.list.end
				p = d.nextElement(&d.list)
				o = d.list.first
				continue
			}
		default:
			var skip int
			pos, skip, err = d.step(o, pos, p)
			for range skip {
				o = mem.Next(o)
			}
		}
		if err != nil {
			return pos, d.failed(g, o, err)
		}
		o = mem.Next(o)
	}
}

// load decodes the bytes from pos to end, which are after w, into the value at p. It
// begins at operation o and stops at the first one that it cannot do, as store does.
func load(o *op, w mem.Ptr, pos, end int, p mem.Ptr, d *decoder) (*op, int, mem.Ptr) {
	for {
		switch o.code {
		case opEnd:
			l := &d.list
			if l.op == nil {
				return o, pos, p
			}
			l.all++
			h := mem.At[mem.SliceHeader](l.outer.Add(l.op.off))
			if pos < d.end {
				if l.all >= h.Cap || l.op.x.clear {
					return o, pos, p
				}
				h.Len = l.all + 1
				p = h.Data.Add(uintptr(l.all) * l.size)
				o = l.first
				continue
			}
			h.Len = l.all
			d.end = l.outerEnd
			end = min(d.end, len(d.data))
			o, p = l.op, l.outer
			l.op = nil
		case opRoom:
			if int(o.n) > end-pos {
				return o, pos, p
			}
		case opCopy1:
			mem.Store8(p, int(o.off), mem.Load8(w, pos))
			pos++
		case opCopy2:
			mem.StoreNative16(p, int(o.off), mem.LoadNative16(w, pos))
			pos += 2
		case opCopy4:
			mem.StoreNative32(p, int(o.off), mem.LoadNative32(w, pos))
			pos += 4
		case opCopy8:
			mem.StoreNative64(p, int(o.off), mem.LoadNative64(w, pos))
			pos += 8
		case opSwap2:
			mem.StoreNative16(p, int(o.off), bits.ReverseBytes16(mem.LoadNative16(w, pos)))
			pos += 2
		case opSwap4:
			mem.StoreNative32(p, int(o.off), bits.ReverseBytes32(mem.LoadNative32(w, pos)))
			pos += 4
		case opSwap8:
			mem.StoreNative64(p, int(o.off), bits.ReverseBytes64(mem.LoadNative64(w, pos)))
			pos += 8
		case opConst1:
			if mem.Load8(w, pos) != byte(o.n) {
				return o, pos, p
			}
			mem.Store8(p, int(o.off), byte(o.imm))
			pos++
		case opConst2:
			if mem.LoadNative16(w, pos) != uint16(o.n) {
				return o, pos, p
			}
			mem.StoreNative16(p, int(o.off), uint16(o.imm))
			pos += 2
		case opConst4:
			if mem.LoadNative32(w, pos) != uint32(o.n) {
				return o, pos, p
			}
			mem.StoreNative32(p, int(o.off), uint32(o.imm))
			pos += 4
		case opLength, opPlace:
			if o.code == opPlace && !o.x.exact {
				return o, pos, p
			}
			var v uint64
			switch o.width {
			case 1:
				v = uint64(mem.Load8(w, pos))
				mem.Store8(p, int(o.off), byte(v))
			case 2:
				x := mem.LoadNative16(w, pos)
				if o.swap {
					x = bits.ReverseBytes16(x)
				}
				mem.StoreNative16(p, int(o.off), x)
				v = uint64(x)
			default:
				x := mem.LoadNative32(w, pos)
				if o.swap {
					x = bits.ReverseBytes32(x)
				}
				mem.StoreNative32(p, int(o.off), x)
				v = uint64(x)
			}
			if o.code == opLength {
				*d.slot(int(o.n)) = int64(v)
				*d.slot(int(o.imm >> 32)) = int64(pos+1) << 1
			} else {
				*d.slot(int(o.x.node.value)) = int64(v)
				*d.slot(int(o.n)) = int64(pos+1)<<1 | int64(o.imm&1)
			}
			pos += int(o.width)
		case opText:
			if !d.alias || o.x.text {
				return o, pos, p
			}
			v := *d.slot(int(o.n))
			if *d.slot(int(o.x.place)) == 0 || uint64(v) > min(o.imm, uint64(end-pos)) || v == 0 {
				return o, pos, p
			}
			h := mem.At[mem.SliceHeader](p.Add(o.off))
			h.Data, h.Len, h.Cap = w.Add(uintptr(pos)), int(v), int(v)
			pos += int(v)
		case opBitRun:
			run := loadRun(w, pos, o)
			for i := range o.x.bits {
				f := &o.x.bits[i]
				v := run >> (f.shift & 63) & f.keep
				storeUint(p.Add(f.off), f.size, v^f.sign-f.sign)
			}
			pos += int(o.n)
		case opStart, opStop:
			*d.slot(int(o.n)) = int64(pos)
		case opList:
			h := mem.At[mem.SliceHeader](p.Add(o.off))
			v := uint64(*d.slot(int(o.n)))
			if d.list.op != nil || d.source != nil || *d.slot(int(o.imm)) == 0 || v == 0 || v > uint64(d.end-pos) || h.Cap == 0 || o.x.clear {
				return o, pos, p
			}
			l := &d.list
			l.op, l.outer, l.first, l.size, l.outerEnd, l.all = o, p, o.x.elemFirst, o.x.elemSize, d.end, 0
			l.end = pos + int(v)
			d.end = l.end
			end = min(l.end, end)
			h.Len = 1
			p, o = h.Data, l.first
			continue
		default:
			return o, pos, p
		}
		o = mem.Next(o)
	}
}

// slot returns a slot.
func (d *decoder) slot(i int) *int64 { return mem.At[int64](d.firstSlot.Add(uintptr(i) * 8)) }

// text decodes a string or []byte whose length is in a slot or in a prefix.
func (d *decoder) text(o *op, pos int, p mem.Ptr) (int, *Error) {
	at := pos
	var v uint64
	if o.width > 0 {
		if err := d.need(pos, int(o.width)); err != nil {
			return at, err
		}
		v = loadLength(mem.Bytes(d.data), pos, o)
		pos += int(o.width)
	} else if v = uint64(d.slots[o.n]); d.slots[o.x.place] == 0 {
		return d.bytes(o, pos, p.Add(o.off))
	}
	if v > uint64(d.end-pos) {
		return at, d.tooLong(pos, v)
	}
	if err := d.need(pos, int(v)); err != nil {
		return at, err
	}
	if v > o.imm {
		return at, failure(pos, ErrLimit, "length %d exceeds the maximum %d", v, o.imm)
	}
	end := pos + int(v)
	d.setText(o.x.node, p.Add(o.off), d.data[pos:end:end])
	return end, nil
}

// failed completes the error of an operation, which may be in an element.
func (d *decoder) failed(g *program, o *op, err *Error) *Error {
	if o.x != nil {
		err = under(o.x.path, err)
	}
	if d.list.op != nil {
		err = d.failedIn(&d.list, err)
		d.list.op = nil
	}
	return g.inExtents(d, err)
}

// failedIn completes the error of an element of the list.
func (d *decoder) failedIn(l *list, err *Error) *Error {
	err = inFrame(l.op.x.sub.inExtents(d, err), l.end, l.op.x.node.name)
	return under(l.op.x.path, underIndex(l.all, err))
}

// nextElement returns the place for the next element of a list. The slice, which l
// refers to, grows as elements are decoded.
func (d *decoder) nextElement(l *list) mem.Ptr {
	x := l.op.x
	h := mem.At[mem.SliceHeader](l.outer.Add(l.op.off))
	if l.all >= h.Cap {
		d.growList(x, h, l.all)
	}
	h.Len = l.all + 1
	q := h.Data.Add(uintptr(l.all) * l.size)
	if x.clear {
		mem.Value(x.sub.typ, q).SetZero()
	}
	return q
}

func (d *decoder) growList(x *detail, h *mem.SliceHeader, n int) {
	v := mem.Value(x.node.typ, mem.PtrTo(h))
	h.Len = n
	v.Grow(max(1, min(n, firstElements)))
}

// listOf decodes a slice that a number measures, whose elements need no call.
func (d *decoder) listOf(o *op, pos int, p mem.Ptr, v uint64) (int, *Error) {
	if v > uint64(d.end-pos) {
		return pos, d.tooLong(pos, v)
	}
	end, outer := pos+int(v), d.end
	d.end = end
	next, err := d.toEnd(o.x, pos, p.Add(o.off))
	if err != nil {
		return pos, inFrame(err, end, o.x.node.name)
	}
	d.end = outer
	return next, nil
}

// loadLength returns a number of 1, 2 or 4 bytes.
func loadLength(w mem.Ptr, pos int, o *op) uint64 {
	switch {
	case o.width == 1:
		return uint64(mem.Load8(w, pos))
	case o.width == 2 && o.swap:
		return uint64(bits.ReverseBytes16(mem.LoadNative16(w, pos)))
	case o.width == 2:
		return uint64(mem.LoadNative16(w, pos))
	case o.swap:
		return uint64(bits.ReverseBytes32(mem.LoadNative32(w, pos)))
	}
	return uint64(mem.LoadNative32(w, pos))
}
