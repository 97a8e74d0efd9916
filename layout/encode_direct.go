package layout

import (
	"bytes"
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// This file has what the loop of the encoder does by one call, because it takes a call
// of something else or a loop of its own: numbers in blocks, long texts, texts with a
// terminator or a fixed length, digits, checksums.

// leave executes the operation at which the loop stopped, and returns the operation, the
// variable and the length of the buffer with which the loop goes on. The loop passes all
// that it needs afterwards and gets it back, so that it keeps nothing on the stack. What
// fits into the room that there is and is correct is done here; everything else is an
// exit.
func (e *encoder) leave(o *op, p mem.Ptr, n int) (*op, mem.Ptr, int, *Error) {
	// A block has room, because it is part of a run, and cannot fail.
	if o.code == opBlock {
		o.x.plan.EncodeOne(mem.Bytes(e.buf).Add(uintptr(n)), p.Add(o.off))
		return mem.Next(o), p, n + int(o.n), nil
	}
	// An operation that breaks is done again by the exit, which writes over what is there.
	room := cap(e.buf) - n
	w := mem.Bytes(e.buf)
	switch o.code {
	case opCopyN:
		mem.Copy(w.Add(uintptr(n)), p.Add(o.off), int(o.n))
		return mem.Next(o), p, n + int(o.n), nil
	case opItems:
		plan, first, k := o.x.plan, p.Add(o.off), int(o.n)
		if o.size != 0 {
			first, k = mem.SliceAt(p.Add(o.off))
		}
		if free := room - int(o.width) - int(o.after); uint64(k)-o.imm > o.mask || free < 0 || free/max(1, plan.Size) < k {
			break
		}
		*slotAt(mem.SliceStart(e.slots), o.slot) = int64(k)
		n = storeCount(w, n, o, uint64(k))
		if k > 0 {
			plan.EncodeAll(w.Add(uintptr(n)), first, k)
		}
		return mem.Next(o), p, n + k*plan.Size, nil
	case opText:
		h := mem.At[mem.TextHeader](p.Add(o.off))
		if uint64(h.Len) > o.mask || room-int(o.width)-int(o.after) < h.Len {
			break
		}
		n = storeCount(w, n, o, uint64(h.Len))
		if h.Len > 0 {
			mem.Copy(w.Add(uintptr(n)), h.Data, h.Len)
		}
		return mem.Next(o), p, n + h.Len, nil
	case opEnded:
		h := mem.At[mem.TextHeader](p.Add(o.off))
		if uint64(h.Len) > o.mask || room-1-int(o.after) < h.Len {
			break
		}
		if h.Len > 0 {
			b := mem.Slice(w.Add(uintptr(n)), h.Len)
			copy(b, mem.Slice(h.Data, h.Len))
			if bytes.IndexByte(b, byte(o.imm)) >= 0 {
				break
			}
		}
		mem.Store8(w, n+h.Len, byte(o.imm))
		return mem.Next(o), p, n + h.Len + 1, nil
	case opFixed:
		b, size := *mem.At[mem.TextHeader](p.Add(o.off)), int(o.n)
		fill := byte(o.imm)
		if room-size-int(o.after) < 0 || uint64(b.Len) > o.mask || o.size == 0 && b.Len < size || o.size != 0 && b.Len > 0 && mem.Load8(b.Data, b.Len-1) == fill {
			break
		}
		dst := mem.Slice(w.Add(uintptr(n)), size)
		if b.Len > 0 {
			copy(dst, mem.Slice(b.Data, b.Len))
		}
		rest := dst[b.Len:]
		if clear(rest); fill != 0 {
			for i := range rest {
				rest[i] = fill
			}
		}
		return mem.Next(o), p, n + size, nil
	case opDigits:
		v := loadUint(p.Add(o.off), o.size)
		if v > o.mask || !putDigits(mem.Slice(w.Add(uintptr(n)), int(o.width)), v, o.imm) {
			break
		}
		return mem.Next(o), p, n + int(o.width), nil
	case opSum:
		e.addSum(o.x.sum)
		return mem.Next(o), p, n, nil
	case opNumber, opBits, opMagic, opSpace, opVarint, opBytes, opUnknown:
		if room < o.bound(p)+int(o.after) {
			break
		}
		// There is room for the general form, which therefore does not move the buffer.
		e.buf = e.buf[:n]
		if e.step(o, p) == nil && cap(e.buf)-n == room {
			return mem.Next(o), p, len(e.buf), nil
		}
		e.buf = e.buf[:n]
	}
	e.buf = e.buf[:n]
	o, p, err := e.exit(o, p)
	return o, p, len(e.buf), err
}

// bound returns the most bytes that an operation without a fast form appends. A run has
// room for those of fixed size.
func (o *op) bound(p mem.Ptr) int {
	n := o.x.node
	switch o.code {
	case opVarint:
		return maxVarint
	case opUnknown:
		return len(mem.At[Unknown](p.Add(o.off)).Data)
	case opBytes:
		b := n.text(p.Add(o.off))
		return maxVarint + 2*len(b) + max(n.tag.fixed, len(n.tag.prefix)) + 2
	}
	return 0
}

// storeCount stores the length before a text or elements, if there is one, and returns
// where it ends. The caller has compared the length with the largest one of the width.
func storeCount(w mem.Ptr, n int, o *op, v uint64) int {
	width := int(o.width)
	if o.swap && width > 0 {
		v = bits.ReverseBytes64(v) >> (uint(64-8*width) & 63)
	}
	switch {
	case width >= 4:
		storeLong(w, n, width, v)
	case width > 0:
		storeShort(w, n, width, v)
	}
	return n + width
}

// storeLong stores the low bytes of v as a little-endian number of 4 to 8 bytes.
func storeLong(w mem.Ptr, n, width int, v uint64) {
	mem.Store32(w, n, uint32(v))
	mem.Store32(w, n+width-4, uint32(v>>((8*width-32)&63)))
}

// storeShort stores the low bytes of v as a little-endian number of 1 to 3 bytes. It and
// storeLong are two functions because the compiler does not inline one for both.
func storeShort(w mem.Ptr, n, width int, v uint64) {
	mem.Store8(w, n, byte(v))
	if width > 1 {
		mem.Store16(w, n+width-2, uint16(v>>((8*width-16)&63)))
	}
}

// slicesHave returns 1 if v is in the list, which is short, otherwise 0. It does not stop
// early, because the branch would often be mispredicted.
func slicesHave(list []uint64, v uint64) (found int) {
	for _, w := range list {
		if w == v {
			found = 1
		}
	}
	return found
}

// maxInline is the longest text that is copied without a call.
const maxInline = 64

// slotAt returns slot i.
func slotAt(slots mem.Ptr, i int32) *int64 { return mem.At[int64](slots.Add(uintptr(i) * 8)) }

// levelAt returns level i.
func levelAt(levels mem.Ptr, i int32) *level { return mem.Skip(mem.At[level](levels), int(i)) }
