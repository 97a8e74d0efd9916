package layout

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// store encodes the value at p to n bytes after w. It begins at operation o and
// stops at the first one that it cannot do: one that needs a call or more than room
// bytes, or whose value is wrong. It calls nothing that is not inlined, because the
// compiler then keeps its variables in registers.
func store(o *op, w mem.Ptr, n, room int, p mem.Ptr, e *encoder) (*op, int, mem.Ptr) {
	for {
		switch o.code {
		case opEnd:
			l := &e.list
			if l.op == nil {
				return o, n, p
			}
			if l.left--; l.left > 0 {
				p = p.Add(l.size)
				o = l.first
				continue
			}
			o, p = l.op, l.outer
			l.op = nil
		case opRoom:
			if room-n < int(o.n) {
				return o, n, p
			}
		case opCopy1:
			mem.Store8(w, n, mem.Load8(p, int(o.off)))
			n++
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
		case opConst1:
			if v := mem.Load8(p, int(o.off)); v != 0 && v != byte(o.imm) {
				return o, n, p
			}
			mem.Store8(w, n, byte(o.n))
			n++
		case opConst2:
			if v := mem.LoadNative16(p, int(o.off)); v != 0 && v != uint16(o.imm) {
				return o, n, p
			}
			mem.StoreNative16(w, n, uint16(o.n))
			n += 2
		case opConst4:
			if v := mem.LoadNative32(p, int(o.off)); v != 0 && v != uint32(o.imm) {
				return o, n, p
			}
			mem.StoreNative32(w, n, uint32(o.n))
			n += 4
		case opTemplate:
			if v := mem.LoadNative64(p, int(o.off)) & o.x.mask; v != o.x.value && v != 0 {
				return o, n, p
			}
			v := o.imm
			if o.width&8 != 0 {
				mem.Store64(w, n, v)
				n += 8
			} else {
				if o.width&4 != 0 {
					mem.Store32(w, n, uint32(v))
					v >>= 32
					n += 4
				}
				if o.width&2 != 0 {
					mem.Store16(w, n, uint16(v))
					v >>= 16
					n += 2
				}
				if o.width&1 != 0 {
					mem.Store8(w, n, byte(v))
					n++
				}
			}
		case opLength:
			v := uint64(mem.At[mem.TextHeader](p.Add(uintptr(uint32(o.imm)))).Len) // a slice has its length in the same place
			if v>>(8*(o.width&7)) != 0 {
				return o, n, p
			}
			*e.slot(int(o.n)) = int64(v)
			*e.slot(int(o.imm >> 32)) = int64(n+1) << 1
			storeLength(w, n, o, v)
			n += int(o.width)
		case opText, opPlain, opMeasured:
			h := mem.At[mem.TextHeader](p.Add(o.off))
			size := h.Len
			if uint64(size) > min(o.imm, maxInline) || room-n < size+int(o.width)+int(o.n) {
				return o, n, p
			}
			switch o.width {
			case 1:
				mem.Store8(w, n, byte(size))
				n++
			case 2:
				v := uint16(size)
				if o.swap {
					v = bits.ReverseBytes16(v)
				}
				mem.StoreNative16(w, n, v)
				n += 2
			case 4:
				v := uint32(size)
				if o.swap {
					v = bits.ReverseBytes32(v)
				}
				mem.StoreNative32(w, n, v)
				n += 4
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
			default:
				for i := range size {
					mem.Store8(w, n+i, mem.Load8(src, i))
				}
			}
			n += size
		case opBitRun:
			var run, over uint64
			for i := range o.x.bits {
				f := &o.x.bits[i]
				v := loadUint(p.Add(f.off), f.size)
				over |= f.exceeded(v)
				run |= v & f.keep << (f.shift & 63)
			}
			if over != 0 {
				return o, n, p
			}
			storeRun(w, n, o, run)
			n += int(o.n)
		case opPlace:
			*e.slot(int(o.n)) = int64(n+1)<<1 | int64(o.imm&1)
			storeLength(w, n, o, 0)
			n += int(o.width)
			if start := int(o.imm >> 1); start != 0 {
				*e.slot(start) = int64(n)
			}
		case opStart, opStop, opBegin, opFinish:
			*e.slot(int(o.n)) = int64(n)
		case opPatch:
			size, place := uint64(n)-uint64(*e.slot(int(uint32(o.imm)))), *e.slot(int(o.imm >> 32))
			if place == 0 || size>>(8*(o.width&7)) != 0 {
				return o, n, p
			}
			*e.slot(int(o.n)) = int64(size)
			at := int(place>>1 - 1)
			if place&1 == 0 {
				size = bits.ReverseBytes64(size) >> (64 - 8*(o.width&7))
			}
			switch o.width {
			case 1:
				mem.Store8(w, at, byte(size))
			case 2:
				mem.Store16(w, at, uint16(size))
			default:
				mem.Store32(w, at, uint32(size))
			}
		case opList:
			first, left := mem.SliceAt(p.Add(o.off))
			if left == 0 {
				break
			}
			l := &e.list
			if l.op != nil {
				return o, n, p
			}
			l.op, l.outer, l.first, l.size, l.left, l.all = o, p, o.x.first, o.x.elemSize, left, left
			o, p = l.first, first
			continue
		default:
			return o, n, p
		}
		o = mem.Next(o)
	}
}

// maxInline is the longest text that is copied without a call.
const maxInline = 64

// slot returns a slot.
func (e *encoder) slot(i int) *int64 { return mem.At[int64](e.firstSlot.Add(uintptr(i) * 8)) }

// A list is the state of a slice whose elements run without a call.
type list struct {
	op    *op // nil if there is none
	first *op // of an element
	outer mem.Ptr
	size  uintptr // of an element in memory
	left  int     // when encoding: elements that are not done
	all   int     // elements; when decoding, those that are done

	end, outerEnd int // when decoding: of the frame of the slice, and of that around it
}

// failed completes the error of an operation, which may be in an element.
func (l *list) failed(o *op, err *Error) *Error {
	if o.x != nil {
		err = under(o.x.path, err)
	}
	if l.op != nil {
		err = under(l.op.x.path, underIndex(l.all-l.left, err))
	}
	return err
}

// storeLength stores a number of 1, 2 or 4 bytes.
func storeLength(w mem.Ptr, n int, o *op, v uint64) {
	if o.swap {
		v = bits.ReverseBytes64(v) >> (64 - 8*(o.width&7))
	}
	switch o.width {
	case 1:
		mem.Store8(w, n, byte(v))
	case 2:
		mem.StoreNative16(w, n, uint16(v))
	default:
		mem.StoreNative32(w, n, uint32(v))
	}
}
