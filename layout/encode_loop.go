package layout

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// This file has the loop that executes the operations of a flat list. What the loop cannot do by itself,
// and everything that is wrong, is left to leave, and the loop goes on after it.

// run encodes the value at p. Its loop calls nothing that is not inlined, because the compiler then keeps its
// variables in registers: o, the operation; w and n, the buffer and how much of it is used; room, its size;
// slots; and p, the variable. Levels have no variable of their own, because there is no register for it. The
// order of the parameters matters: a third one would be in the register that counts the bits of a shift, and
// each shift would then move p to the stack and back.
func (e *encoder) run(p mem.Ptr, f *flat) *Error {
	o, n := mem.At[op](mem.SliceStart(f.ops)), len(e.buf)
	if cap(e.buf)-n >= f.room {
		o = f.first
	}
again:
	w, room := mem.Bytes(e.buf), cap(e.buf)
	slots := mem.SliceStart(e.slots)
	goto first
next:
	o = mem.Next(o)
first:
	for {
		var v uint64
		var at, width int
		var special *wordPart
		switch o.code {
		case opEnd:
			e.buf = e.buf[:n]
			return nil
		case opRoom:
			if uint(n)+uint(o.after) > uint(room) {
				goto exit
			}
		case opCopy1:
			mem.Store8(w, n, mem.Load8(p, int(o.off)))
			n++
			if o = mem.Next(o); o.code != opText {
				continue
			}
			fallthrough
		// Text often follows a byte, and ends an element. These operations follow each other
		// here, too, so that the loop goes on without a jump from its table.
		case opText:
			h := mem.At[mem.TextHeader](p.Add(o.off))
			size := h.Len
			if uint64(size) > o.mask || size > maxInline || room-n < size+int(o.width)+int(o.after) {
				goto exit
			}
			if width := int(o.width); width > 0 {
				v := uint64(size)
				if o.swap {
					v = bits.ReverseBytes64(v) >> (uint(64-8*width) & 63)
				}
				if width >= 4 {
					storeLong(w, n, width, v)
				} else {
					storeShort(w, n, width, v)
				}
				n += width
			}
			switch src := h.Data; {
			case size >= 16:
				mem.Copy16(w, n, src, 0)
				if size > 32 {
					mem.Copy16(w, n+16, src, 16)
					mem.Copy16(w, n+size-32, src, size-32)
				}
				mem.Copy16(w, n+size-16, src, size-16)
			case size >= 4:
				mem.CopyWords(w.Add(uintptr(n)), src, size)
			case size > 0:
				mem.Store8(w, n, mem.Load8(src, 0))
				mem.Store8(w, n+size>>1, mem.Load8(src, size>>1))
				mem.Store8(w, n+size-1, mem.Load8(src, size-1))
			}
			n += size
			if o = mem.Next(o); o.code != opNext {
				continue
			}
			fallthrough
		case opNext, opNextSome:
			if o.code == opNextSome {
				if int64(n)-*slotAt(slots, o.slot) == int64(o.width) || room-n < int(o.after) {
					goto exit
				}
				*slotAt(slots, o.slot) = int64(n)
			}
			s := e.level(o)
			if s.left == 1 {
				p = s.outer
				break
			}
			if room-n < int(o.after) {
				goto exit
			}
			s.left--
			p = p.Add(uintptr(o.imm))
			o = mem.Skip(o, int(o.to))
			continue
		case opCopy2:
			mem.StoreNative16(w, n, mem.LoadNative16(p, int(o.off)))
			n += 2
		case opCopy4:
			mem.StoreNative32(w, n, mem.LoadNative32(p, int(o.off)))
			n += 4
		case opCopy8:
			mem.StoreNative64(w, n, mem.LoadNative64(p, int(o.off)))
			n += 8
		case opSwap2:
			mem.StoreNative16(w, n, bits.ReverseBytes16(mem.LoadNative16(p, int(o.off))))
			n += 2
		case opSwap4:
			mem.StoreNative32(w, n, bits.ReverseBytes32(mem.LoadNative32(p, int(o.off))))
			n += 4
		case opSwap8:
			mem.StoreNative64(w, n, bits.ReverseBytes64(mem.LoadNative64(p, int(o.off))))
			n += 8
		// Reversing the bytes of both numbers at once exchanges them. A rotation brings them back.
		case opPair2:
			mem.StoreNative32(w, n, bits.RotateLeft32(bits.ReverseBytes32(mem.LoadNative32(p, int(o.off))), 16))
			n += 4
		case opPair4:
			mem.StoreNative64(w, n, bits.RotateLeft64(bits.ReverseBytes64(mem.LoadNative64(p, int(o.off))), 32))
			n += 8
		// The method leave copies many bytes, with a call.
		case opCopyN:
			k, off := int(o.n), int(o.off)
			if k > maxInline {
				goto exit
			}
			for ; k >= 16; n, off, k = n+16, off+16, k-16 {
				mem.Copy16(w, n, p, off)
			}
			if k >= 8 {
				mem.StoreNative64(w, n, mem.LoadNative64(p, off))
				n, off, k = n+8, off+8, k-8
			}
			if k >= 4 {
				mem.StoreNative32(w, n, mem.LoadNative32(p, off))
				n, off, k = n+4, off+4, k-4
			}
			for ; k > 0; k-- {
				mem.Store8(w, n, mem.Load8(p, off))
				n, off = n+1, off+1
			}
		// A part without a size uses what the one before it has loaded. Constants of one load are
		// compared together; if some of them are zero and others are not, the exit does it one by
		// one. The first special number is mostly the length of one text, which saves their loop.
		case opWord:
			v = o.imm
			f := mem.At[wordTurn](o.data)
			var x uint64
			for k := o.n; k > 0; k-- {
				if f.size != 0 {
					if f.size == 8 {
						x = mem.LoadNative64(p, int(f.off))
					} else {
						x = loadUint(p.Add(f.off), f.size)
					}
					if c := x & f.consts; x&f.over != 0 || c != 0 && c != f.value {
						goto exit
					}
				}
				v |= bits.RotateLeft64(x, int(f.turn)) & f.keep
				f = mem.Next(f)
			}
			if special = f.special; o.to != 0 {
				size := uint64(mem.At[mem.TextHeader](p.Add(special.off)).Len)*special.value + uint64(special.plus)
				down := special.down & 63
				if size>>down<<down != size || size>>down > special.keep { // also if it is negative
					goto exit
				}
				size >>= down
				v |= size << (special.shift & 63)
				*slotAt(slots, special.slot) = int64(size)
				*slotAt(slots, special.place) = int64(n+1) << 1
				special = mem.Next(special)
			}
			if o.size != 0 {
				goto specials
			}
			goto store
		// The value is for conditions and orders. A variable that is 0 stands for its constant.
		case opNote:
			v := loadUint(p.Add(o.off), o.size)
			if o.swap {
				v = extend(v, 8*int(o.size))
			}
			if v == 0 {
				v = o.imm
			}
			*slotAt(slots, o.slot) = int64(v)
		// The room is that for the longest number. The width says that it is computed: now, or later if imm is 0.
		case opVarint:
			if room-n < maxVarint+int(o.after) || o.size == 0 {
				goto exit
			}
			if o.width == 0 {
				if v = loadUint(p.Add(o.off), o.size); v&o.mask != 0 {
					goto exit
				}
				if o.swap { // zigzag
					v = extend(v, 8*int(o.size))
					v = v<<1 ^ uint64(int64(v)>>63)
				}
			} else { // a length, or 0 in its place
				if o.imm != 0 {
					v = uint64(mem.At[mem.TextHeader](p.Add(o.off)).Len)*o.imm + uint64(o.level)
				}
				if v > o.mask { // also if it is negative
					goto exit
				}
				*slotAt(slots, o.slot), *slotAt(slots, o.n) = int64(v), int64(n+1)<<1
			}
			for ; v >= 0x80; v >>= 7 {
				mem.Store8(w, n, byte(v)|0x80)
				n++
			}
			mem.Store8(w, n, byte(v))
			n++
		case opEdge:
			*slotAt(slots, o.n) = int64(n + int(o.to))
		// The place has the byte order in its lowest bit, because the same number may be in
		// either order if a field chooses it. Place 0 is that of an absent number.
		case opPatch:
			if o.swap {
				*slotAt(slots, int32(o.imm)) = int64(n)
			}
			size, place := uint64(*slotAt(slots, int32(o.imm))-*slotAt(slots, o.to)), *slotAt(slots, o.slot)
			if place == 0 {
				if size != 0 {
					goto exit
				}
				break
			}
			if o.level != 0 || o.size != 0 {
				down := o.size & 63
				if size -= uint64(o.level); size>>down<<down != size {
					goto exit
				}
				size >>= down
			}
			if size > o.mask {
				goto exit
			}
			*slotAt(slots, o.n) = int64(size)
			v, at, width = size, int(place>>1-1), int(o.width)
			if o.off != 0 {
				v <<= (o.off>>uint(8*place&8) - 1) & 63
			}
			if place&1 == 0 {
				v = reversed(v, width)
			}
			if o.off != 0 { // the rest of the run of bits has been written
				if width >= 4 {
					v |= loadLong(w, at, width)
				} else {
					v |= loadShort(w, at, width)
				}
			}
			goto patch
		// A length that is absent has nothing to measure, and one that was known early nothing to do.
		case opDerive:
			if *slotAt(slots, o.slot) != 0 {
				if o.width == 0 {
					goto exit
				}
			} else if o.size == 0 || *slotAt(slots, int32(o.imm)) != *slotAt(slots, o.to) {
				goto exit
			}
		// There is room for the prefix, which is written when the frame ends. The slot has the place behind
		// it, which moves with the frame if a varint before it becomes longer.
		case opOpen:
			n += int(o.width)
			*slotAt(slots, o.slot) = int64(n)
		case opClose:
			at, width = int(*slotAt(slots, o.slot)), int(o.width)
			v = uint64(n - at)
			if v > o.mask || room-n < int(o.after) {
				goto exit
			}
			if at -= width; o.swap {
				v = reversed(v, width)
			}
			goto patch
		// An absent field must be zero, and what depends on it must not see the value of an earlier element.
		case opIf:
			if v = uint64(*slotAt(slots, o.slot)); (v&o.mask == o.imm) != (o.width != 0) {
				if room-n < int(o.after) {
					goto exit
				}
				break
			}
			if o.size == 0 || loadUint(p.Add(uintptr(o.n)), o.size) != 0 {
				goto exit
			}
			for _, s := range o.x.reset {
				*slotAt(slots, int32(s)) = 0
			}
			o = mem.Skip(o, int(o.to))
			continue
		// A slice without elements has a count, too. The levels need not know of it.
		case opSeq:
			first, k := mem.SliceAt(p.Add(o.off))
			if uint64(k)-o.imm > o.mask || room-n < int(o.width)+int(o.after) {
				goto exit
			}
			*slotAt(slots, o.n) = int64(k)
			if width := int(o.width); width > 0 {
				v := uint64(k)
				if o.swap {
					v = bits.ReverseBytes64(v) >> (uint(64-8*width) & 63)
				}
				if width >= 4 {
					storeLong(w, n, width, v)
				} else {
					storeShort(w, n, width, v)
				}
				n += width
			}
			if k == 0 {
				o = mem.Skip(o, int(o.to))
				continue
			}
			s := e.level(o)
			s.left, s.outer = k, p
			*slotAt(slots, o.slot) = int64(n)
			p = first
		// The elements of an array are in the variable itself, and their number is known.
		case opEach:
			if o.n == 0 || room-n < int(o.after) {
				goto exit
			}
			s := e.level(o)
			s.left, s.outer = int(o.n), p
			*slotAt(slots, o.slot) = int64(n)
			p = p.Add(o.off)
		// A nil pointer has no bytes to write, and is an error of the exit.
		case opDeref:
			q := p.Add(o.off).Deref()
			if q.IsNil() || room-n < int(o.after) {
				goto exit
			}
			e.level(o).outer = p
			p = q
		case opBack:
			p = e.level(o).outer
			o = mem.Skip(o, int(o.to))
			continue
		case opOrder:
			switch v := uint64(*slotAt(slots, o.slot)); {
			case o.n != bothOrders:
				goto exit
			case v == o.imm:
				o = mem.Skip(o, int(o.to))
				continue
			case v != o.mask:
				goto exit
			}
		// The offset counts from the start of the message, not of the buffer.
		case opAlign:
			k := (e.start - n) & int(o.imm)
			if o.size == 0 || room-n < k+int(o.after) {
				goto exit
			}
			for ; k > 0; k-- {
				mem.Store8(w, n, 0)
				n++
			}
		case opJump:
			o = mem.Skip(o, int(o.to))
			continue
		// The type of the variant is found by its word. The tag goes to the place of the number, which is 0 so far.
		case opUnion:
			word, q := *mem.At[mem.TypeWord](p.Add(o.off)), p.Add(o.off+wordSize).Deref()
			place := *slotAt(slots, o.slot)
			if place == 0 || q.IsNil() {
				goto exit
			}
			c := mem.At[unionCase](o.data)
			for ; c.word != word; c = mem.Next(c) {
				if c.start == 0 { // behind the last one
					goto exit
				}
			}
			if room-n < int(c.room) {
				goto exit
			}
			for _, s := range c.reset {
				*slotAt(slots, int32(s)) = 0
			}
			*slotAt(slots, o.n) = int64(c.tag)
			e.level(o).outer = p
			at, width, p = int(place>>1-1), int(o.width), q
			if v = c.tag; o.size != 0 { // the number is in a run of bits in one byte
				shift := o.imm
				if place&1 == 1 {
					shift = o.mask
				}
				mem.Store8(w, at, mem.Load8(w, at)|byte(v&(1<<(width&63)-1)<<(shift&63)))
				o = mem.Skip(o, int(c.start))
				continue
			}
			if place&1 == 0 {
				v = reversed(v, width)
			}
			o = mem.Skip(o, int(c.start)-1) // patch goes on after it
			goto patch
		default:
			goto exit
		}
		goto next
	specials: // size numbers, which are computed or compared, become part of v; few words have any
		for k := o.size; ; {
			var x uint64
			if special.kind >= lengthPart {
				x = uint64(mem.At[mem.TextHeader](p.Add(special.off)).Len)*special.value + uint64(special.plus)
				for _, t := range special.terms {
					x += uint64(mem.At[mem.TextHeader](p.Add(t.off)).Len) * t.size
				}
				down := special.down & 63
				if x>>down<<down != x {
					goto exit
				}
				if x >>= down; special.kind == agreePart {
					if x != uint64(*slotAt(slots, special.slot)) {
						goto exit
					}
					x = 0
				} else {
					*slotAt(slots, special.slot) = int64(x)
					*slotAt(slots, special.place) = int64(n+1) << 1
				}
			} else if special.kind == placePart { // opPatch, a union, a checksum or an exit writes the number
				*slotAt(slots, special.place) = 0
				*slotAt(slots, special.slot) = int64(n+int(special.start)+1)<<1 | int64(special.down)
			} else {
				x = loadUint(p.Add(special.off), special.size)
				switch special.kind {
				case signedPart:
					x = extend(x, 8*int(special.size))
					if above := x + special.value; above&^special.keep != 0 || above > uint64(special.plus) { // the second is enough, but moves the loop: TestLoopCallsNothing
						goto exit
					}
					x &= special.keep
				case constPart:
					if x == 0 {
						x = special.value
					}
					if slicesHave(special.others, x) == 0 {
						goto exit
					}
				case limitPart:
					if x > special.value {
						goto exit
					}
				}
			}
			if x&^special.keep != 0 { // also a length that is negative
				goto exit
			}
			v |= x << (special.shift & 63)
			if k--; k == 0 {
				break
			}
			special = mem.Next(special)
		}
	store: // v, in the order of the operation
		if o.swap {
			v = bits.ReverseBytes64(v) >> (uint(64-8*int(o.width)) & 63)
		}
		if width := int(o.width); width >= 4 {
			storeLong(w, n, width, v)
		} else {
			storeShort(w, n, width, v)
		}
		n += int(o.width)
		goto next
	patch: // v, of width bytes, at at
		if width >= 4 {
			storeLong(w, at, width, v)
		} else {
			storeShort(w, at, width, v)
		}
		goto next
	}
exit:
	var err *Error
	if o, p, n, err = e.leave(o, p, n); err == nil {
		goto again
	}
	return err
}
