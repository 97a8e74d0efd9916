package layout

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// This file has the loop that executes the operations of a flat list. What it cannot do by itself, and
// everything that is wrong, is an exit: decode_exit.go does the operation, and the loop goes on after it.

// run decodes a value into the variable at p and returns its end. Its loop calls nothing
// that is not inlined, because the compiler then keeps its variables in registers: o,
// the operation; w and pos, the data and how much of it is decoded; end, where the
// frame ends, or the data that has arrived; and p, the variable.
func (d *decoder) run(f *flat, pos int, p mem.Ptr) (int, *Error) {
	o := &f.ops[0]
	if d.source == nil && d.end-pos >= f.room { // the opRoom at the beginning, if there is one, has nothing to do
		o = f.first
	}
	goto again
reframe: // not a variable of the loop, as each operation would then have to keep it
	o = mem.Next(o)
again:
	end := min(d.end, len(d.data))
	w := mem.Bytes(d.data)
	slots := mem.SliceStart(d.slots)
	goto first
next:
	o = mem.Next(o)
first:
	for {
		var v uint64
		var at, after int
		switch o.code {
		case opEnd:
			return pos, nil
		case opRoom:
			if uint(pos)+uint(o.after) > uint(end) {
				goto exit
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
		// Reversing the bytes of both numbers at once exchanges them. A rotation brings them back.
		case opPair2:
			mem.StoreNative32(p, int(o.off), bits.RotateLeft32(bits.ReverseBytes32(mem.LoadNative32(w, pos)), 16))
			pos += 4
		case opPair4:
			mem.StoreNative64(p, int(o.off), bits.RotateLeft64(bits.ReverseBytes64(mem.LoadNative64(w, pos)), 32))
			pos += 8
		case opCopyN:
			size := int(o.n)
			switch q := p.Add(o.off); {
			case size > 16:
				for i := 0; i < size-8; i += 8 {
					mem.StoreNative64(q, i, mem.LoadNative64(w, pos+i))
				}
				mem.StoreNative64(q, size-8, mem.LoadNative64(w, pos+size-8))
			case size >= 4:
				mem.CopyWords(q, w.Add(uintptr(pos)), size)
			default:
				for i := range size {
					mem.Store8(q, i, mem.Load8(w, pos+i))
				}
			}
			pos += size
		case opSpace:
			pos += int(o.n)
		case opValue:
			v := o.ordered(loadUint(w.Add(uintptr(pos)), o.width))
			storeUint(p.Add(o.off), o.width, v)
			*slotAt(slots, o.n), *slotAt(slots, o.slot) = int64(v), int64(pos+1)<<1
			pos += int(o.width)
			if o = mem.Next(o); o.code != opBound {
				continue
			}
			fallthrough
		// Most numbers that others need are lengths, whose bounds follow without a jump from the table.
		case opBound:
			stop := int64(uint64(*slotAt(slots, o.n))*o.imm + o.mask)
			if o.size == 0 || d.source != nil || uint64(*slotAt(slots, o.n)) > maxLink || stop < 0 {
				goto exit
			}
			if o.width != 0 {
				if stop += *slotAt(slots, int32(o.off)); stop > *slotAt(slots, o.level) || stop < int64(pos) || min(end, int(stop))-pos < int(o.after) {
					goto exit
				}
				*slotAt(slots, o.to) = stop
				d.end = min(end, int(stop))
				goto reframe
			}
			*slotAt(slots, o.to) = stop // the number of elements, if the number counts them
		case opWord, opWide:
			if o.width < 4 {
				v = o.ordered(loadShort(w, pos, int(o.width)))
			} else {
				v = o.ordered(loadLong(w, pos, int(o.width)))
			}
			if v&o.mask != o.imm && (o.slot == 0 || v&o.mask != o.mask) {
				goto exit
			}
			if o.code == opWide {
				storeUint(p.Add(o.off), o.size, v)
				pos += int(o.width)
				break
			}
			f := mem.At[wirePart](o.data)
			for i := o.n; i > 0; i-- {
				storeUint(p.Add(uintptr(f.off)), f.size, (v>>(f.shift&63)&f.keep^f.sign)-f.sign)
				f = mem.Next(f)
			}
			for i := o.to; i > 0; i-- {
				*slotAt(slots, f.value) = int64((v>>(f.shift&63)&f.keep ^ f.sign) - f.sign)
				*slotAt(slots, f.place) = int64(pos+int(f.start)+1) << 1
				f = mem.Next(f)
			}
			pos += int(o.width)
		case opVarint:
			v, at = 0, pos
			for shift := uint(0); ; shift += 7 {
				if at >= end || shift > 56 || o.size == 0 {
					goto exit
				}
				c := mem.Load8(w, at)
				at++
				v |= uint64(c&0x7f) << (shift & 63)
				if c < 0x80 {
					break
				}
			}
			over := v > o.imm
			if o.swap { // zigzag
				v = v>>1 ^ -(v & 1)
				over = extend(v, 8*int(o.size)) != v
			}
			if over || end-at < int(o.after) {
				goto exit
			}
			storeUint(p.Add(o.off), o.size, v)
			*slotAt(slots, o.n), *slotAt(slots, o.slot) = int64(v), int64(pos+1)<<1
			pos = at
		// How a text finds its end has a code of its own for each way, because a branch for each
		// costs more than the jump to the operation. What follows is the same for all.
		case opText:
			if end-pos < int(o.width) {
				goto exit
			}
			v, at, after = o.ordered(loadPrefix(w.Add(uintptr(pos)), o.width)), pos+int(o.width), 0
			goto content
		case opTextVarint:
			if pos >= end || mem.Load8(w, pos) >= 0x80 {
				goto exit
			}
			v, at, after = uint64(mem.Load8(w, pos)), pos+1, 0
			goto content
		case opTextAmount:
			if v = uint64(*slotAt(slots, o.n)); v > maxLink || *slotAt(slots, o.slot) == 0 {
				goto exit
			}
			v, at, after = v*o.imm+uint64(o.level), pos, 0 // exceeds every limit if it is negative
			goto content
		case opRest:
			if d.source != nil {
				goto exit
			}
			v, at, after = uint64(end-pos-int(o.n)), pos, 0 // exceeds every limit if it is negative
			goto content
		case opEnded:
			last := min(end, pos+maxInline)
			for at = pos; at < last && uint64(mem.Load8(w, at)) != o.imm; at++ {
			}
			if at == last {
				goto exit
			}
			v, at, after = uint64(at-pos), pos, 1
			goto content
		case opFixed:
			if end-pos < int(o.n) {
				goto exit
			}
			v = uint64(o.n)
			for o.slot != 0 && v >= 8 && mem.LoadNative64(w, pos+int(v)-8) == o.imm {
				v -= 8
			}
			for o.slot != 0 && v > 0 && mem.Load8(w, pos+int(v)-1) == byte(o.imm) {
				v--
			}
			at, after = pos, int(o.n)-int(v)
			goto content
		case opIf:
			if o.size == 0 || o.width == ifMore && d.source != nil {
				goto exit
			}
			v = uint64(*slotAt(slots, o.slot))
			if o.width == ifMore && pos < end || (v&o.mask == o.imm) != (o.width != 0) {
				if end-pos < int(o.after) {
					goto exit
				}
				break
			}
			switch q := p.Add(o.off); o.size {
			case noBytes:
			case zeroString:
				*mem.At[string](q) = ""
			case zeroSlice:
				*mem.At[[]byte](q) = nil
			case zeroPointer:
				q.SetPtr(mem.Ptr{})
			case zeroOther:
				goto exit
			default:
				storeUint(q, o.size, 0)
			}
			if o.n != 0 {
				for _, s := range o.x.reset {
					*slotAt(slots, int32(s)) = 0
				}
			}
			o = mem.Skip(o, int(o.to))
			continue
		case opOrder:
			if v := uint64(*slotAt(slots, o.slot)); o.n&1 != 0 && v == o.mask {
				break
			} else if o.n&2 == 0 || v != o.imm {
				goto exit
			}
			o = mem.Skip(o, int(o.to))
			continue
		case opEnter:
			if d.source != nil || end-pos < int(o.after) {
				goto exit
			}
			*slotAt(slots, o.slot) = int64(end)
			for _, s := range o.x.others {
				*slotAt(slots, s) = unbounded
			}
			if o = mem.Next(o); o.code != opEdge {
				continue
			}
			fallthrough
		case opEdge:
			*slotAt(slots, o.n) = int64(pos)
		// The end of the frame changes, so that the variables of the loop are set anew.
		case opBegin:
			v := uint64(*slotAt(slots, o.level))
			if o.size == 0 || d.source != nil || *slotAt(slots, int32(o.off)) == 0 || v > maxLink {
				goto exit
			}
			stop := int64(pos) + int64(v*o.imm+o.mask)
			if stop < int64(pos) || stop > *slotAt(slots, o.slot) || min(end, int(stop))-pos < int(o.after) {
				goto exit
			}
			*slotAt(slots, o.n), *slotAt(slots, o.to) = int64(pos), stop
			d.end = min(end, int(stop))
			goto reframe
		case opFinish:
			b, stop := *slotAt(slots, o.to), *slotAt(slots, o.slot)
			for _, s := range o.x.others {
				stop = min(stop, *slotAt(slots, s))
			}
			if o.size == 0 || d.source != nil || b != unbounded && b != int64(pos) || int(stop)-pos < int(o.after) {
				goto exit
			}
			*slotAt(slots, o.n), *slotAt(slots, o.to) = int64(pos), unbounded
			d.end = int(stop)
			goto reframe
		// The variable is compared, since a word has stored it, and other fields do not need its value.
		case opCheck:
			v = loadUint(p.Add(o.off), o.size)
			if o.swap {
				v = extend(v, 8*int(o.size))
			}
			known, c := b2i(o.to == 0), mem.At[uint64](o.data)
			for k := o.to; k > 0; k-- { // not ended early: the branch would often be mispredicted
				if *c == v {
					known = 1
				}
				c = mem.Next(c)
			}
			if known == 0 || v > o.mask && (!o.swap || int64(v) >= 0) {
				goto exit
			}
		case opAlign:
			n := -pos & int(o.imm)
			if o.size == 0 || end-pos < n+int(o.after) {
				goto exit
			}
			pos += n
		case opDerive:
			v, got := uint64(*slotAt(slots, o.slot)), *slotAt(slots, o.to)-*slotAt(slots, o.n)
			if o.size == 0 || *slotAt(slots, o.level) == 0 || v > maxLink || int64(v*o.imm+o.mask) != got {
				goto exit
			}
		case opOpen:
			at = pos
			switch {
			case o.size == 0 || d.source != nil || o.width <= mostPrefix && end-pos < int(o.width):
				goto exit
			case o.width == 0 && *slotAt(slots, o.to) == 0 || o.width == varintWidth && (pos >= end || mem.Load8(w, pos) >= 0x80):
				goto exit
			case o.width == 0:
				v = uint64(*slotAt(slots, o.n))
			case o.width == varintWidth:
				v = uint64(mem.Load8(w, pos))
				at++
			default:
				v = o.ordered(loadPrefix(w.Add(uintptr(pos)), o.width))
				at += int(o.width)
			}
			if v > uint64(end-at) || int(v) < int(o.after) {
				goto exit
			}
			pos = at
			*slotAt(slots, o.slot) = int64(end)
			d.end = pos + int(v)
			*slotAt(slots, o.level) = int64(d.end)
			goto reframe
		case opClose:
			if pos != int(*slotAt(slots, o.level)) || d.source != nil || int(*slotAt(slots, o.slot))-pos < int(o.after) {
				goto exit
			}
			d.end = int(*slotAt(slots, o.slot))
			goto reframe
		// If left is -1, the elements go up to stop, or to a zero one. An empty slice is not nil.
		case opSeq, opItems:
			left, stop := -1, unbounded
			at = pos
			h := mem.At[mem.SliceHeader](p.Add(o.off))
			if o.size == seqRest {
				if stop = end - int(o.n); stop < pos || d.source != nil {
					goto exit
				}
			} else if o.size != seqToZero {
				v = uint64(o.n)
				switch {
				case o.size == 0 || o.size == seqAmount && *slotAt(slots, o.slot) == 0 || end-pos < int(o.width):
					goto exit
				case o.size == seqAmount:
					v = uint64(*slotAt(slots, o.n))
				case o.size == seqCount:
					v = o.ordered(loadPrefix(w.Add(uintptr(pos)), o.width))
					at += int(o.width)
				}
				if v > uint64(end-at) || v*o.imm > uint64(end-at) || v > o.mask {
					goto exit
				}
				left = int(v)
			}
			if o.code == opItems {
				size := int(o.imm)
				if left < 0 {
					left = (stop - at) / size
					stop -= at + left*size
				} else {
					stop = 0
				}
				if stop != 0 || h.Cap < left || h.Data.IsNil() || end-at-left*size < int(o.after) {
					goto exit
				}
				v = uint64(left)
				goto copies
			}
			if left == 0 || stop == at {
				if h.Data.IsNil() {
					h.Data, h.Cap = mem.Nothing(), 0
				}
				h.Len = 0
				*slotAt(slots, int32(o.x.node.amount)) = 0
				pos = at
				o = mem.Skip(o, int(o.to))
				continue
			}
			if h.Cap < max(1, min(left, firstElements)) || end-at < int(o.after) {
				goto exit
			}
			h.Len = 1
			s := d.level(o)
			s.left, s.stop, s.outer = left, stop, p
			*slotAt(slots, int32(o.x.begins)), *slotAt(slots, int32(o.x.own)) = int64(pos), int64(at)
			pos, p = at, h.Data
		case opEach:
			if o.n == 0 || end-pos < int(o.after) {
				goto exit
			}
			s := d.level(o)
			s.left, s.outer = int(o.n), p
			p = p.Add(o.off)
		case opNext:
			s := d.level(o)
			if s.left == 1 {
				p = s.outer
				break
			}
			if end-pos < int(o.after) {
				goto exit
			}
			s.left--
			p = p.Add(uintptr(o.imm))
			o = mem.Skip(o, int(o.to))
			continue
		// The length counts the element that ends here, unless it is zero and ends the slice, too.
		case opAppend, opAppendRare:
			s := d.level(o)
			h := mem.At[mem.SliceHeader](s.outer.Add(o.off))
			n, last := h.Len, h.Len == s.left || s.left < 0 && pos == s.stop
			if o.code == opAppendRare {
				if o.size == 0 || *slotAt(slots, o.n) == int64(pos) {
					goto exit
				}
				if o.width != 0 {
					some := uint64(0)
					for _, z := range o.x.zeros {
						some |= loadUint(p.Add(uintptr(z.off)), z.size)
					}
					if some == 0 {
						n, last = n-1, true
					}
				}
			}
			if last {
				if uint64(n) > o.mask {
					goto exit
				}
				h.Len = n
				*slotAt(slots, o.slot) = int64(n)
				p = s.outer
				break
			}
			if n >= h.Cap || end-pos < int(o.after) || s.left < 0 && pos > s.stop {
				goto exit
			}
			*slotAt(slots, o.n) = int64(pos)
			p = h.Data.Add(uintptr(n) * uintptr(o.imm))
			h.Len++
			o = mem.Skip(o, int(o.to))
			continue
		case opBack:
			p = d.level(o).outer
			fallthrough
		case opJump:
			o = mem.Skip(o, int(o.to))
			continue
		default:
			goto exit
		}
		goto next
	content: // v bytes at at, and then others
		if v > uint64(end-at) || v > o.mask || end-at-int(v)-after < int(o.after) {
			goto exit
		}
		if size, data := int(v), mem.Nothing(); size == 0 || at+size <= d.chunkTo && (d.alias || size <= maxShared) {
			if size > 0 {
				data = d.chunk.Add(uintptr(at - d.chunkFrom))
			}
			h := mem.At[mem.TextHeader](p.Add(o.off))
			if h.Data, h.Len = data, size; o.size == 0 {
				mem.At[mem.SliceHeader](p.Add(o.off)).Cap = size
			}
			*slotAt(slots, o.to) = int64(size)
			pos = at + size + after
			goto next
		}
	copies: // v bytes or elements at at
		o, pos, p = d.copies(o, pos, p, at, int(v), after)
		goto again
	}
exit:
	var err *Error
	if o, pos, p, err = d.exit(o, pos, p); err == nil {
		goto again
	}
	return pos, err
}
