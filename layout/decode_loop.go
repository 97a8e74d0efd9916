package layout

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// This file has the loop that executes the operations of a flat list. What it cannot do
// by itself, and everything that is wrong, is an exit: decode_exit.go does the operation,
// and the loop goes on after it.

// run decodes a value into the variable at p and returns its end. Its loop calls nothing
// that is not inlined, because the compiler then keeps its variables in registers: o,
// the operation; w and pos, the data and how much of it is decoded; end, where the
// frame ends, or the data that has arrived; and p, the variable.
func (d *decoder) run(f *flat, pos int, p mem.Ptr) (int, *Error) {
	var textAt, textLen, textEnd int // of a text that needs memory, or of items
	o := &f.ops[0]
	if o.code == opRoom && d.source == nil && d.end-pos >= int(o.after) { // the usual beginning
		o = mem.Next(o) // without a jump
	}
again:
	w, end := mem.Bytes(d.data), min(d.end, len(d.data))
	goto first
next:
	o = mem.Next(o)
first:
	for {
		switch o.code {
		case opEnd: // listed so that the jump needs no subtraction
			goto exit
		case opRoom:
			if end-pos < int(o.after) {
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
			goto next
		case opCopy8:
			mem.StoreNative64(p, int(o.off), mem.LoadNative64(w, pos))
			pos += 8
		case opSwap2:
			mem.StoreNative16(p, int(o.off), bits.ReverseBytes16(mem.LoadNative16(w, pos)))
			pos += 2
			goto next
		case opSwap4:
			mem.StoreNative32(p, int(o.off), bits.ReverseBytes32(mem.LoadNative32(w, pos)))
			pos += 4
			goto next
		case opSwap8:
			mem.StoreNative64(p, int(o.off), bits.ReverseBytes64(mem.LoadNative64(w, pos)))
			pos += 8
		// Reversing the bytes of both numbers at once exchanges them. A rotation brings them back.
		case opPair2:
			mem.StoreNative32(p, int(o.off), bits.RotateLeft32(bits.ReverseBytes32(mem.LoadNative32(w, pos)), 16))
			pos += 4
			goto next
		case opPair4:
			mem.StoreNative64(p, int(o.off), bits.RotateLeft64(bits.ReverseBytes64(mem.LoadNative64(w, pos)), 32))
			pos += 8
			goto next
		case opCopyN:
			size := int(o.n)
			switch q := p.Add(o.off); {
			case size >= 8:
				for i := 0; i < size-8; i += 8 {
					mem.StoreNative64(q, i, mem.LoadNative64(w, pos+i))
				}
				mem.StoreNative64(q, size-8, mem.LoadNative64(w, pos+size-8))
			case size >= 4:
				mem.StoreNative32(q, 0, mem.LoadNative32(w, pos))
				mem.StoreNative32(q, size-4, mem.LoadNative32(w, pos+size-4))
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
			*d.slot(o.n), *d.slot(o.slot) = int64(v), int64(pos+1)<<1
			pos += int(o.width)
		case opWord, opWide:
			var run uint64
			if o.width < 4 {
				run = o.ordered(loadShort(w, pos, int(o.width)))
			} else {
				run = o.ordered(loadLong(w, pos, int(o.width)))
			}
			if run&o.mask != o.imm && (o.slot == 0 || run&o.mask != o.mask) {
				goto exit
			}
			if o.code == opWide {
				storeUint(p.Add(o.off), o.size, run)
				pos += int(o.width)
				goto next
			}
			f := mem.At[wirePart](mem.SliceStart(o.x.parts))
			if o.size != 0 { // all are single bytes
				for i := o.n; i > 0; i-- {
					mem.Store8(p, int(f.off), byte(run>>(f.shift&63))&byte(f.keep))
					f = mem.Next(f)
				}
			} else {
				for i := o.n; i > 0; i-- {
					storeUint(p.Add(uintptr(f.off)), f.size, (run>>(f.shift&63)&f.keep^f.sign)-f.sign)
					f = mem.Next(f)
				}
			}
			f = mem.At[wirePart](mem.SliceStart(o.x.noted))
			for i := o.to; i > 0; i-- {
				*d.slot(f.value) = int64((run>>(f.shift&63)&f.keep ^ f.sign) - f.sign)
				*d.slot(f.place) = int64(pos+int(f.start)+1) << 1
				f = mem.Next(f)
			}
			pos += int(o.width)
		case opVarint:
			var v uint64
			at := pos
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
				shift := uint(64-8*int(o.size)) & 63
				v = v>>1 ^ -(v & 1)
				over = uint64(int64(v<<shift)>>shift) != v
			}
			if over || end-at < int(o.after) {
				goto exit
			}
			storeUint(p.Add(o.off), o.size, v)
			*d.slot(o.n), *d.slot(o.slot) = int64(v), int64(pos+1)<<1
			pos = at
		case opDigits:
			var v uint64
			at, stop := pos, pos+int(o.width)
			for ; at < stop && mem.Load8(w, at) == ' '; at++ {
			}
			for ; at < stop && mem.Load8(w, at)&^' ' != 0; at++ { // neither NUL nor a space
				c := uint64(mem.Load8(w, at)) - '0'
				if v = v*o.imm + c; c >= o.imm {
					goto exit
				}
			}
			if v > o.mask {
				goto exit
			}
			storeUint(p.Add(o.off), o.size, v)
			*d.slot(o.n), *d.slot(o.slot) = int64(v), int64(pos+1)<<1
			pos = stop
		case opText, opRest:
			var v uint64
			at, after := pos, 0
			switch {
			case o.code == opRest && d.source == nil:
				v = uint64(end - pos - int(o.n)) // exceeds every limit if it is negative
			case o.width == 0 && o.code == opText && *d.slot(o.slot) != 0:
				if v = uint64(*d.slot(o.n)); v > maxLink {
					goto exit
				}
				v = v*o.imm + uint64(o.level) // exceeds every limit if it is negative
			case o.width == 0 || o.width == fixedWidth && end-pos < int(o.n) || o.width <= mostPrefix && end-pos < int(o.width):
				goto exit
			case o.width == varintWidth:
				if pos >= end || mem.Load8(w, pos) >= 0x80 {
					goto exit
				}
				v = uint64(mem.Load8(w, pos))
				at++
			case o.width == endWidth:
				last := min(end, pos+maxInline)
				for ; at < last && uint64(mem.Load8(w, at)) != o.imm; at++ {
				}
				if at == last {
					goto exit
				}
				v, at, after = uint64(at-pos), pos, 1
			case o.width == fixedWidth:
				v = uint64(o.n)
				for o.slot != 0 && v >= 8 && mem.LoadNative64(w, pos+int(v)-8) == o.imm {
					v -= 8
				}
				for o.slot != 0 && v > 0 && mem.Load8(w, pos+int(v)-1) == byte(o.imm) {
					v--
				}
				after = int(o.n) - int(v)
			default:
				v = o.ordered(loadPrefix(w.Add(uintptr(pos)), o.width))
				at += int(o.width)
			}
			if v > uint64(end-at) || v > o.mask || end-at-int(v)-after < int(o.after) {
				goto exit
			}
			size := int(v)
			data := mem.Nothing()
			if size > 0 {
				if at+size > d.chunkTo || !d.alias && size > maxShared {
					textAt, textLen, textEnd = at, size, at+size+after
					goto text
				}
				data = d.chunk.Add(uintptr(at - d.chunkFrom))
			}
			h := mem.At[mem.TextHeader](p.Add(o.off))
			if h.Data, h.Len = data, size; o.size == 0 {
				mem.At[mem.SliceHeader](p.Add(o.off)).Cap = size
			}
			*d.slot(o.to) = int64(size)
			pos = at + size + after
		case opIf:
			if o.size == 0 || o.width == ifMore && d.source != nil {
				goto exit
			}
			v := uint64(*d.slot(o.slot))
			if o.level != 0 {
				v = loadUint(p.Add(uintptr(o.level>>4)), uint8(o.level&15))
			}
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
					*d.slot(int32(s)) = 0
				}
			}
			o = mem.Skip(o, int(o.to))
			continue
		case opOrder:
			if v := uint64(*d.slot(o.slot)); o.n&1 != 0 && v == o.mask {
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
			*d.slot(o.slot) = int64(end)
			*d.slot(o.n), *d.slot(o.to) = int64(pos), int64(pos)
			for _, s := range o.x.others {
				*d.slot(s) = unbounded
			}
		case opBegin:
			v := uint64(*d.slot(o.level))
			if o.size == 0 || d.source != nil || *d.slot(int32(o.off)) == 0 || v > maxLink {
				goto exit
			}
			stop := int64(pos) + int64(v*o.imm+o.mask)
			if stop < int64(pos) || stop > *d.slot(o.slot) || min(end, int(stop))-pos < int(o.after) {
				goto exit
			}
			*d.slot(o.n), *d.slot(o.to) = int64(pos), stop
			end = min(end, int(stop))
		case opFinish:
			b, stop := *d.slot(o.to), *d.slot(o.slot)
			for _, s := range o.x.others {
				stop = min(stop, *d.slot(s))
			}
			if o.size == 0 || d.source != nil || b != unbounded && b != int64(pos) || int(stop)-pos < int(o.after) {
				goto exit
			}
			*d.slot(o.n), *d.slot(o.to) = int64(pos), unbounded
			end = int(stop)
		case opBound:
			v := uint64(*d.slot(o.n))
			if o.size == 0 || d.source != nil || v > maxLink || int64(v*o.imm+o.mask) < 0 {
				goto exit
			}
			if o.width != 0 {
				stop := *d.slot(int32(o.off)) + int64(v*o.imm+o.mask)
				if stop > *d.slot(o.level) || stop < int64(pos) || min(end, int(stop))-pos < int(o.after) {
					goto exit
				}
				*d.slot(o.to) = stop
				end = min(end, int(stop))
			}
		case opCheck:
			v, m := loadUint(p.Add(o.off), o.size), &o.x.num
			if o.swap {
				v = extend(v, 8*int(o.size))
			}
			known := b2i(len(m.constants) == 0)
			for i := range m.constants { // not ended early: the branch would often be mispredicted
				if m.constants[i].value == v {
					known = 1
				}
			}
			if known == 0 || m.limited && v > m.limit && (!o.swap || int64(v) >= 0) {
				goto exit
			}
		case opAlign:
			n := -pos & int(o.imm)
			if o.size == 0 || end-pos < n+int(o.after) {
				goto exit
			}
			pos += n
		case opStart, opStop:
			*d.slot(o.n), *d.slot(o.to) = int64(pos), int64(pos)
		case opDerive:
			got := *d.slot(o.to) // of a slice that the number counts
			if o.width == 0 {
				got -= *d.slot(o.n)
			}
			v := uint64(*d.slot(o.slot))
			if o.size == 0 || *d.slot(o.level) == 0 || v > maxLink || int64(v*o.imm+o.mask) != got {
				goto exit
			}
		case opOpen:
			at := pos
			var v uint64
			switch {
			case o.size == 0 || d.source != nil || o.width <= mostPrefix && end-pos < int(o.width):
				goto exit
			case o.width == 0 && *d.slot(o.to) == 0 || o.width == varintWidth && (pos >= end || mem.Load8(w, pos) >= 0x80):
				goto exit
			case o.width == 0:
				v = uint64(*d.slot(o.n))
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
			*d.slot(o.slot) = int64(end)
			end = pos + int(v)
			*d.slot(o.level) = int64(end)
		case opClose:
			if pos != end || d.source != nil || int(*d.slot(o.slot))-pos < int(o.after) {
				goto exit
			}
			end = int(*d.slot(o.slot))
		case opSeq, opItems:
			at, left, stop := pos, -1, unbounded
			h := mem.At[mem.SliceHeader](p.Add(o.off))
			if o.size == seqRest {
				if stop = end - int(o.n); stop < pos || d.source != nil {
					goto exit
				}
			} else if o.size != seqToZero {
				v := uint64(o.n)
				switch {
				case o.size == 0 || o.size == seqAmount && *d.slot(o.slot) == 0 || end-pos < int(o.width):
					goto exit
				case o.size == seqAmount:
					v = uint64(*d.slot(o.n))
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
				textAt, textLen, textEnd = at, left, at+left*size
				goto text
			}
			if left == 0 || stop == at {
				if h.Data.IsNil() {
					h.Data, h.Cap = mem.Nothing(), 0
				}
				h.Len = 0
				*d.slot(int32(o.x.node.amount)) = 0
				pos = at
				o = mem.Skip(o, int(o.to))
				continue
			}
			if h.Cap < max(1, min(left, firstElements)) || end-at < int(o.after) {
				goto exit
			}
			h.Len = 1
			s := d.level(o)
			s.left, s.start, s.outer = left, stop, p
			*d.slot(int32(o.x.begins)), *d.slot(int32(o.x.own)) = int64(pos), int64(at)
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
		case opAppend, opAppendRare:
			s := d.level(o)
			h := mem.At[mem.SliceHeader](s.outer.Add(o.off))
			n, last := h.Len, h.Len == s.left || s.left < 0 && pos == s.start
			if o.code == opAppendRare {
				if o.size == 0 || *d.slot(o.n) == int64(pos) {
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
				*d.slot(o.slot) = int64(n)
				p = s.outer
				break
			}
			if n >= h.Cap || end-pos < int(o.after) || s.left < 0 && pos > s.start {
				goto exit
			}
			*d.slot(o.n) = int64(pos)
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
		o = mem.Next(o)
	}
text:
	o, pos, p = d.copies(o, pos, p, textAt, textLen, textEnd, end)
	goto again
exit:
	if d.source == nil {
		d.end = end
	}
	var err *Error
	if o.code != opEnd {
		if o, pos, p, err = d.exit(o, pos, p); err == nil {
			goto again
		}
	}
	return pos, err
}
