package layout

import (
	"math"
	"math/bits"
	"slices"

	"github.com/octet-go/octet/internal/mem"
)

// A decoder is the state of decoding one message.
type decoder struct {
	data    []byte
	end     int // of the frame that is being decoded
	slots   []int64
	depth   int
	alias   bool
	source  *source // where more data comes from, or nil
	message *message
}

// unbounded is the end of a message whose length is not known.
const unbounded = math.MaxInt

// decode decodes the message at the start of data.
func (m *message) decode(data []byte, v mem.Ptr) (int, error) {
	if b := m.block; b != nil && len(data) >= b.DecodeRoom {
		b.Decode.One(v, mem.Bytes(data))
		return b.DecodeRoom, nil
	}
	if m.program.flat && m.limit == 0 && len(data) >= m.program.size {
		if loadFlat(&m.program.ops[1], mem.Bytes(data), v) {
			return m.program.size, nil
		}
	}
	d := decoder{data: data, end: len(data), depth: maxDepth, alias: m.alias, message: m}
	var few [fewSlots]int64
	if d.slots = mem.HideSlice(few[:]); m.slots >= fewSlots { // only the methods of d use them
		d.slots = make([]int64, m.slots+1)
	}
	n, err := d.all(v)
	if err != nil {
		return 0, err
	}
	return n, nil
}

// all decodes the whole message.
func (d *decoder) all(v mem.Ptr) (int, *Error) {
	m := d.message
	if m.limit > 0 && d.end > m.limit {
		d.end = m.limit
	}
	n, err := d.run(m.program, 0, v)
	if err == nil {
		return n, nil
	}
	if m.limit > 0 && err.frameEnd == m.limit && (len(d.data) > m.limit || d.source != nil) {
		err.Err, err.Text = ErrLimit, "the message exceeds the limit of "+itoa(m.limit)+" bytes"
	} else if err.frameEnd >= 0 {
		err.Text += " in the message"
	}
	return n, under(m.name, err)
}

// short returns the error for a field that needs more bytes than its frame has.
func (d *decoder) short(pos, n int) *Error {
	err := failure(pos, ErrTruncated, "%s, which exceeds the %s left", needed(n), plural(d.end-pos))
	err.frameEnd = d.end
	return err
}

// tooLong is like short for a length that the message states.
func (d *decoder) tooLong(pos int, n uint64) *Error {
	err := failure(pos, ErrTruncated, "length %d exceeds the %s left", n, plural(d.end-pos))
	err.frameEnd = d.end
	return err
}

// inFrame completes an error about the end of the frame that is called name.
func inFrame(err *Error, end int, name string) *Error {
	if err.frameEnd == end && end >= 0 {
		err.frameEnd = -1
		err.Text += " in " + name
		if err.Err == ErrTruncated {
			err.Err = ErrLength
		}
	}
	return err
}

// need makes sure that there are n bytes at pos.
func (d *decoder) need(pos, n int) *Error {
	switch {
	case n > d.end-pos:
		return d.short(pos, n)
	case n > len(d.data)-pos:
		return d.fill(pos, n)
	}
	return nil
}

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
				p = d.another4(&l)
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
			p = d.another4(&l)
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

// another4 returns the place for the next element of a list. The slice, which l
// refers to, grows as elements are decoded.
func (d *decoder) another4(l *list) mem.Ptr {
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

// notConstant returns the error for a number that is not its constant.
func (d *decoder) notConstant(o *op, pos int) *Error {
	v, err := o.x.num.read(d.data[pos : pos+int(o.width)])
	if err == nil {
		err = o.x.num.notConstant(v, pos)
	}
	return err
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

// step does an operation that run does not do itself. It returns where the value
// ends, and how many of the following operations to skip.
func (d *decoder) step(o *op, pos int, p mem.Ptr) (next, skip int, err *Error) {
	switch o.code {
	case opNumber, opPlace:
		pos, err = d.fixed(o, pos, p)
	case opBits:
		pos, err = d.bits(o, pos, p)
	case opMagic:
		err = d.magic(o, pos, p)
		pos += int(o.n)
	case opSpace:
		pos += int(o.n)
	case opVarint:
		pos, err = d.varint(o, pos, p)
	case opAlign:
		n := int(o.n)
		n = (n - pos%n) % n
		if err = d.need(pos, n); err == nil {
			pos += n
		}
	case opBytes:
		pos, err = d.bytes(o, pos, p.Add(o.off))
	case opSlice:
		pos, err = d.slice(o, pos, p.Add(o.off))
	case opArray:
		pos, err = d.elements(o.x, pos, p.Add(o.off), int(o.n))
	case opCall:
		pos, err = d.call(o, pos, p.Add(o.off))
	case opFrame:
		pos, err = d.frame(o, pos, p)
	case opUnion:
		pos, err = d.union(o, pos, p.Add(o.off))
	case opUnknown:
		pos, err = d.unknown(o, pos, p.Add(o.off))
	case opUser:
		pos, err = d.user(o, pos, p.Add(o.off))
	case opRaw:
		from, to := int(d.slots[o.x.node.raw.start]), int(d.slots[o.x.node.raw.stop])
		*mem.At[[]byte](p.Add(o.off)) = d.keep(d.data[from:to:to])
	case opIf:
		var present bool
		if present, err = d.present(o, pos, p); !present {
			skip = int(o.n)
		}
	case opOrder:
		pos, err = d.ordered(o, pos, p)
	case opEnter:
		d.slots[o.x.reset[0]] = int64(d.end)
		for _, l := range o.x.links {
			d.slots[l.bound] = unbounded
		}
	case opBegin:
		err = d.begin(o, pos)
	case opFinish:
		err = d.finish(o, pos)
	case opDerive, opPatch:
		err = d.compare(o, pos)
	case opSum:
		err = d.verify(o, pos)
	}
	return pos, skip, err
}

// ordered decodes fields in the byte order that an earlier one chose.
func (d *decoder) ordered(o *op, pos int, p mem.Ptr) (int, *Error) {
	switch o.x.node.orderOfValue(uint64(d.slots[o.x.node.value])) {
	case big:
		return d.run(o.x.sub, pos, p)
	case little:
		return d.run(o.x.alt, pos, p)
	}
	return pos, failure(pos, ErrConst, "%s names no byte order", o.x.node.name)
}

// fixed decodes a number of fixed width.
func (d *decoder) fixed(o *op, pos int, p mem.Ptr) (int, *Error) {
	x := o.x
	end := pos + int(x.num.width)
	v, err := x.num.read(d.data[pos:end])
	if err != nil {
		err.Offset = int64(pos)
		return pos, err
	}
	if err = d.number(x, pos, v); err != nil {
		return pos, err
	}
	x.num.store(p.Add(o.off), v)
	if len(x.node.links) > 0 {
		err = d.links(x.node, end, v)
	}
	return end, err
}

// inExtents completes an error about the end of a range of fields in this program.
func (g *program) inExtents(d *decoder, err *Error) *Error {
	if err.frameEnd < 0 {
		return err
	}
	for i := range g.ops {
		if o := &g.ops[i]; o.code == opEnter {
			for _, l := range o.x.links {
				if d.slots[l.bound] == int64(err.frameEnd) {
					err = inFrame(err, err.frameEnd, "the fields that "+l.num.name+" measures")
				}
			}
		}
	}
	return err
}

// room makes sure that the bytes of a run are there.
func (d *decoder) room(o *op, pos int) *Error {
	n := int(o.n)
	if n <= d.end-pos {
		err := d.fill(pos, n)
		if err == nil {
			return nil
		}
		return o.x.blame(err, pos, len(d.data))
	}
	if d.end > len(d.data) {
		if err := d.fill(pos, d.end-pos); err != nil {
			return o.x.blame(err, pos, len(d.data))
		}
	}
	return o.x.blame(d.short(pos, n), pos, d.end)
}

// blame gives an error the path and offset of the first field of the run that is
// not complete.
func (x *detail) blame(err *Error, pos, end int) *Error {
	from := pos
	for _, f := range x.fields {
		if to := pos + f.end; to > end {
			if err.frameEnd >= 0 {
				short := failure(from, err.Err, "%s, which exceeds the %s left", needed(to-from), plural(max(0, end-from)))
				short.frameEnd = err.frameEnd
				err = short
			}
			err.Offset = int64(from)
			return under(f.path, err)
		} else {
			from = to
		}
	}
	return err
}

// read returns the value of a number of fixed width.
func (n *number) read(b []byte) (uint64, *Error) {
	v, ok := n.get(b)
	if !ok {
		return 0, failure(0, ErrRange, "%q is not a number in digits", b)
	}
	if v, ok = n.fromWire(v); !ok {
		return 0, failure(0, ErrRange, "%s does not fit the Go type", n.wireText(v))
	}
	return v, nil
}

// number checks a number and notes what other fields need to know of it.
func (d *decoder) number(x *detail, pos int, v uint64) *Error {
	n := &x.num
	if len(n.constants) > 0 && !n.isConstant(v) {
		return n.notConstant(v, pos)
	}
	if n.limited && n.exceeds(v) {
		return failure(pos, ErrLimit, "%s exceeds the maximum %d", n.text(v), n.limit)
	}
	if x.node.value != 0 {
		d.slots[x.node.value] = int64(v)
	}
	if x.node.place != 0 {
		d.slots[x.node.place] = int64(pos+1)<<1 | int64(b2i(n.order == little))
	}
	return nil
}

func (d *decoder) varint(o *op, pos int, p mem.Ptr) (int, *Error) {
	x := o.x
	v, n, err := d.getVarint(&x.num, pos)
	if err != nil {
		return pos, err
	}
	v, ok := x.num.fromWire(v)
	if !ok {
		return pos, failure(pos, ErrRange, "%s does not fit the Go type", x.num.wireText(v))
	}
	if err := d.number(x, pos, v); err != nil {
		return pos, err
	}
	x.num.store(p.Add(o.off), v)
	pos += n
	if len(x.node.links) > 0 {
		err = d.links(x.node, pos, v)
	}
	return pos, err
}

// getVarint reads a number of variable length and returns its length.
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
		err := failure(pos, ErrTruncated, "the number goes on, which exceeds the %s left", plural(d.end-pos))
		err.frameEnd = d.end
		return 0, 0, err
	}
	return v, n, nil
}

// hasVarint reports whether all bytes of the number at pos have been read.
func (d *decoder) hasVarint(pos int) bool {
	for i := pos; i < len(d.data); i++ {
		if d.data[i] < 0x80 || i-pos >= maxVarint {
			return true
		}
	}
	return false
}

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
		w2, ok := f.num.fromWire(v)
		var err *Error
		if !ok {
			err = failure(pos, ErrRange, "%s does not fit the Go type", f.num.wireText(v))
		} else if err = d.number(f.detail, pos, w2); err == nil {
			f.num.store(p.Add(f.off), w2)
		}
		if err != nil {
			return pos, under(f.path, err)
		}
	}
	for i := range o.x.bits {
		f := &o.x.bits[i]
		if len(f.node.links) > 0 {
			if err := d.links(f.node, end, uint64(d.slots[f.node.value])); err != nil {
				return pos, under(f.path, err)
			}
		}
	}
	return end, nil
}

// links follows the links of a number that ends at pos: it bounds the ranges that
// have begun.
func (d *decoder) links(n *node, pos int, v uint64) *Error {
	for _, l := range n.links {
		if l.elements {
			continue
		}
		length, err := l.length(v, pos)
		if err != nil {
			return err
		}
		if l.bound == 0 {
			continue
		}
		s := l.of.scope
		if l.num.field(s).index < l.of.from {
			continue // opStart knows where it begins
		}
		if err := d.bound(l, int(d.slots[l.of.start]), length, pos); err != nil {
			return err
		}
	}
	return nil
}

// length returns the bytes or elements that the number says.
func (l *link) length(v uint64, pos int) (uint64, *Error) {
	const most = math.MaxInt64 / 4
	if v > uint64(most/l.factor) || int64(v)*l.factor+l.plus < 0 {
		return 0, failure(pos, ErrLength, "%d is not a possible number for %s", v, l.text)
	}
	return uint64(int64(v)*l.factor + l.plus), nil
}

// bound sets the end of a range that begins at start.
func (d *decoder) bound(l *link, start int, length uint64, pos int) *Error {
	outer := int(d.slots[l.of.scope.end])
	if length > uint64(outer-start) {
		err := failure(start, ErrTruncated, "length %d exceeds the %s left", length, plural(outer-start))
		err.frameEnd = outer
		return err
	}
	end := start + int(length)
	if end < pos {
		return failure(pos, ErrLength, "%s: length %d ends before this number does", l.text, length)
	}
	if err := d.affordable(start, end); err != nil {
		return err
	}
	d.slots[l.bound] = int64(end)
	for _, s := range l.lower {
		d.slots[s] = min(d.slots[s], int64(end))
	}
	d.end = min(d.end, end)
	return nil
}

// begin notes where a range begins, and bounds it if its length is known.
func (d *decoder) begin(o *op, pos int) *Error {
	d.slots[o.x.of.start] = int64(pos)
	for _, l := range o.x.links {
		if d.slots[l.num.place] == 0 {
			continue
		}
		length, err := l.length(uint64(d.slots[l.num.value]), pos)
		if err == nil {
			err = d.bound(l, pos, length, pos)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// finish notes where a range ends, and removes its bounds.
func (d *decoder) finish(o *op, pos int) *Error {
	d.slots[o.x.of.stop] = int64(pos)
	if len(o.x.links) == 0 {
		return nil
	}
	for _, l := range o.x.links {
		if end := d.slots[l.bound]; end != unbounded && end != int64(pos) {
			return failure(pos, ErrLength, "%d bytes are left over of those that %s measures", end-int64(pos), l.num.name)
		}
		d.slots[l.bound] = unbounded
	}
	s := o.x.of.scope
	end := d.slots[s.end]
	for _, l := range s.links {
		end = min(end, d.slots[l.bound])
	}
	d.end = int(end)
	return nil
}

// compare verifies a length or count against what it measures.
func (d *decoder) compare(o *op, pos int) *Error {
	l := o.x.link
	if o.x.exact || d.slots[l.num.place] == 0 {
		return nil
	}
	at := int(d.slots[l.num.place]>>1 - 1)
	v := uint64(d.slots[l.num.value])
	want, err := l.length(v, at)
	if err != nil {
		return err
	}
	unit, got := "bytes", uint64(d.slots[l.of.stop]-d.slots[l.of.start])
	if l.elements {
		unit, got = "elements", uint64(d.slots[l.target.amount])
	}
	if got != want {
		return failure(at, ErrLength, "%s says %d %s, but there are %d", l.text, want, unit, got)
	}
	return nil
}

// verify compares a checksum with the bytes.
func (d *decoder) verify(o *op, pos int) *Error {
	c := o.x.sum
	if d.slots[c.num.place] == 0 {
		return nil
	}
	at := int(d.slots[c.num.place]>>1 - 1)
	from, to := int(d.slots[c.of.start]), int(d.slots[c.of.stop])
	data, own, n := d.data[from:to:to], at-from, int(c.num.num.width)
	if own < 0 || at >= to {
		own = -1
	} else {
		data = slices.Clone(data)
		clear(data[own : own+n])
	}
	want, got := c.sum(data, own, n), uint64(d.slots[c.num.value])
	if want != got {
		return failure(at, ErrChecksum, "%s is %#x, but the bytes have %#x", c.name, got, want)
	}
	return nil
}
