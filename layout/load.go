package layout

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// run decodes a value into p and returns its end. It does the operations up to
// opStop itself.
func (d *decoder) run(g *program, pos int, p mem.Ptr) (int, *Error) {
	o := &g.ops[0]
	w, end := mem.Bytes(d.data), min(d.end, len(d.data))
	var l list // the slice whose elements are being decoded
	var after int
	for {
		switch o.code {
		case opEnd:
			if l.op == nil {
				return pos, nil
			}
			if l.all++; pos < d.end {
				p = d.nextElement(&l)
				o = l.first
				continue
			}
			setLen(l.outer.Add(l.op.off), l.all)
			o, p, d.end = l.op, l.outer, after
			end = min(d.end, len(d.data))
			l.op = nil
		case opRoom:
			if int(o.n) > end-pos {
				if err := d.room(o, pos); err != nil {
					return pos, d.failed(g, o, &l, err)
				}
				w, end = mem.Bytes(d.data), min(d.end, len(d.data))
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
		case opBlock:
			o.x.plan.DecodeOne(w.Add(uintptr(pos)), p.Add(o.off))
			pos += int(o.n)
		case opConst1:
			if mem.Load8(w, pos) != byte(o.n) {
				return pos, d.failed(g, o, &l, d.notConstant(o, pos))
			}
			mem.Store8(p, int(o.off), byte(o.imm))
			pos++
		case opConst2:
			if mem.LoadNative16(w, pos) != uint16(o.n) {
				return pos, d.failed(g, o, &l, d.notConstant(o, pos))
			}
			mem.StoreNative16(p, int(o.off), uint16(o.imm))
			pos += 2
		case opConst4:
			if mem.LoadNative32(w, pos) != uint32(o.n) {
				return pos, d.failed(g, o, &l, d.notConstant(o, pos))
			}
			mem.StoreNative32(p, int(o.off), uint32(o.imm))
			pos += 4
		case opLength:
			v := loadLength(w, pos, o)
			o.x.num.store(p.Add(o.off), v)
			d.slots[o.n] = int64(v)
			d.slots[o.imm>>32] = int64(pos+1) << 1
			pos += int(o.width)
		case opText, opPlain:
			var v uint64
			at := pos
			if o.width > 0 {
				if int(o.width) > end-pos {
					if err := d.need(pos, int(o.width)); err != nil {
						return at, d.failed(g, o, &l, err)
					}
					w, end = mem.Bytes(d.data), min(d.end, len(d.data))
				}
				v = loadLength(w, pos, o)
				pos += int(o.width)
			} else if v = uint64(d.slots[o.n]); d.slots[o.x.node.sized.num.place] == 0 {
				next, err := d.bytes(o, pos, p.Add(o.off))
				if err != nil {
					return at, d.failed(g, o, &l, err)
				}
				pos, w, end = next, mem.Bytes(d.data), min(d.end, len(d.data))
				break
			}
			if v > uint64(end-pos) {
				if v > uint64(d.end-pos) {
					return at, d.failed(g, o, &l, d.tooLong(pos, v))
				}
				if err := d.fill(pos, int(v)); err != nil {
					return at, d.failed(g, o, &l, err)
				}
				w, end = mem.Bytes(d.data), min(d.end, len(d.data))
			}
			if v > o.imm {
				return at, d.failed(g, o, &l, failure(pos, ErrLimit, "length %d exceeds the maximum %d", v, o.imm))
			}
			if l := int(v); d.alias && l > 0 && !o.x.text {
				h := mem.At[[]byte](p.Add(o.off))
				*h = d.data[pos : pos+l : pos+l]
			} else {
				d.setText(o.x.node, p.Add(o.off), d.data[pos:pos+l:pos+l])
			}
			pos += int(v)
		case opBitRun:
			scatter(o.x.bits, p, loadRun(w, pos, o))
			pos += int(o.n)
		case opStart, opStop:
			d.slots[o.n] = int64(pos)
		case opList:
			v := uint64(d.slots[o.n])
			if d.slots[o.imm] == 0 {
				v = 0
			}
			if l.op != nil || v == 0 {
				next, err := d.list(o, pos, p, v)
				if err != nil {
					return pos, d.failed(g, o, &l, err)
				}
				pos, w, end = next, mem.Bytes(d.data), min(d.end, len(d.data))
				break
			}
			if v > uint64(d.end-pos) {
				return pos, d.failed(g, o, &l, d.tooLong(pos, v))
			}
			if err := d.affordable(pos, pos+int(v)); err != nil {
				return pos, d.failed(g, o, &l, err)
			}
			l = list{op: o, outer: p, first: &o.x.sub.ops[0], size: o.x.sub.typ.Size()}
			after, d.end = d.end, pos+int(v)
			end = min(d.end, len(d.data))
			p = d.nextElement(&l)
			o = l.first
			continue
		default:
			next, skip, err := d.step(o, pos, p)
			if err != nil {
				return pos, d.failed(g, o, &l, err)
			}
			for range skip {
				o = mem.Next(o)
			}
			pos, w, end = next, mem.Bytes(d.data), min(d.end, len(d.data))
		}
		o = mem.Next(o)
	}
}

// failed completes the error of an operation, which may be in an element.
func (d *decoder) failed(g *program, o *op, l *list, err *Error) *Error {
	if o.x != nil {
		err = under(o.x.path, err)
	}
	if l.op != nil {
		err = inFrame(l.op.x.sub.inExtents(d, err), d.end, l.op.x.node.name)
		err = under(l.op.x.path, underIndex(l.all, err))
	}
	return g.inExtents(d, err)
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

// list decodes a slice that a number measures, whose elements need no call.
func (d *decoder) list(o *op, pos int, p mem.Ptr, v uint64) (int, *Error) {
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
