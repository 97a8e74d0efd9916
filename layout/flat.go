package layout

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

// storeFlat encodes a value of a flat program, whose operations after opRoom begin
// at o, to n bytes after w, where there is room. It reports whether all values have
// a form; if not, the general way finds the error.
func storeFlat(o *op, w mem.Ptr, n int, p mem.Ptr) bool {
	for {
		switch o.code {
		case opEnd:
			return true
		case opCopy1:
			mem.Store8(w, n, mem.Load8(p, int(o.off)))
		case opCopy2:
			mem.StoreNative16(w, n, mem.LoadNative16(p, int(o.off)))
		case opCopy4:
			mem.StoreNative32(w, n, mem.LoadNative32(p, int(o.off)))
		case opCopy8:
			mem.StoreNative64(w, n, mem.LoadNative64(p, int(o.off)))
		case opSwap2:
			mem.StoreNative16(w, n, bits.ReverseBytes16(mem.LoadNative16(p, int(o.off))))
		case opSwap4:
			mem.StoreNative32(w, n, bits.ReverseBytes32(mem.LoadNative32(p, int(o.off))))
		case opSwap8:
			mem.StoreNative64(w, n, bits.ReverseBytes64(mem.LoadNative64(p, int(o.off))))
		case opBlock:
			o.x.plan.EncodeOne(w.Add(uintptr(n)), p.Add(o.off))
		case opConst1:
			if v := mem.Load8(p, int(o.off)); v != 0 && v != byte(o.imm) {
				return false
			}
			mem.Store8(w, n, byte(o.n))
		case opConst2:
			if v := mem.LoadNative16(p, int(o.off)); v != 0 && v != uint16(o.imm) {
				return false
			}
			mem.StoreNative16(w, n, uint16(o.n))
		case opConst4:
			if v := mem.LoadNative32(p, int(o.off)); v != 0 && v != uint32(o.imm) {
				return false
			}
			mem.StoreNative32(w, n, uint32(o.n))
		case opBitRun:
			run, ok := gather(o.x.bits, p)
			if !ok {
				return false
			}
			storeRun(w, n, o, run)
		}
		n += int(o.width)
		o = mem.Next(o)
	}
}

// gather returns the run of bit fields. ok is false if a value does not fit.
func gather(fields []bitField, p mem.Ptr) (run uint64, ok bool) {
	var over uint64
	for i := range fields {
		f := &fields[i]
		v := loadUint(p.Add(f.off), f.size)
		over |= v &^ f.keep
		run |= v << (f.shift & 63)
	}
	return run, over == 0
}

// storeRun stores a run of bits.
func storeRun(w mem.Ptr, n int, o *op, run uint64) {
	if o.swap {
		run = bits.ReverseBytes64(run) >> (o.imm & 63)
	}
	switch o.n {
	case 8:
		mem.StoreNative64(w, n, run)
	case 4:
		mem.StoreNative32(w, n, uint32(run))
	case 2:
		mem.StoreNative16(w, n, uint16(run))
	default:
		storeOdd(w, n, o, run)
	}
}

// storeOdd stores a run of bits of any size, after storeRun has swapped it.
func storeOdd(w mem.Ptr, n int, o *op, run uint64) {
	for i := range int(o.n) {
		if native == little {
			mem.Store8(w, n+i, byte(run>>(8*i)))
		} else {
			mem.Store8(w, n+i, byte(run>>(8*(int(o.n)-1-i))))
		}
	}
}

// loadRun is the inverse of storeRun.
func loadRun(w mem.Ptr, n int, o *op) (run uint64) {
	switch o.n {
	case 8:
		run = mem.LoadNative64(w, n)
	case 4:
		run = uint64(mem.LoadNative32(w, n))
	case 2:
		run = uint64(mem.LoadNative16(w, n))
	default:
		return getFixed(mem.Slice(w.Add(uintptr(n)), int(o.n)), o.x.order)
	}
	if o.swap {
		run = bits.ReverseBytes64(run) >> (o.imm & 63)
	}
	return run
}

// scatter stores the values of a run of bit fields.
func scatter(fields []bitField, p mem.Ptr, run uint64) {
	for i := range fields {
		f := &fields[i]
		storeUint(p.Add(f.off), f.size, run>>(f.shift&63)&f.keep)
	}
}

// loadFlat decodes a value of a flat program from the bytes at w, all of which are
// there. It reports whether all values are valid.
func loadFlat(o *op, w, p mem.Ptr) bool {
	n := 0
	for {
		switch o.code {
		case opEnd:
			return true
		case opCopy1:
			mem.Store8(p, int(o.off), mem.Load8(w, n))
		case opCopy2:
			mem.StoreNative16(p, int(o.off), mem.LoadNative16(w, n))
		case opCopy4:
			mem.StoreNative32(p, int(o.off), mem.LoadNative32(w, n))
		case opCopy8:
			mem.StoreNative64(p, int(o.off), mem.LoadNative64(w, n))
		case opSwap2:
			mem.StoreNative16(p, int(o.off), bits.ReverseBytes16(mem.LoadNative16(w, n)))
		case opSwap4:
			mem.StoreNative32(p, int(o.off), bits.ReverseBytes32(mem.LoadNative32(w, n)))
		case opSwap8:
			mem.StoreNative64(p, int(o.off), bits.ReverseBytes64(mem.LoadNative64(w, n)))
		case opBlock:
			o.x.plan.DecodeOne(w.Add(uintptr(n)), p.Add(o.off))
		case opConst1:
			if mem.Load8(w, n) != byte(o.n) {
				return false
			}
			mem.Store8(p, int(o.off), byte(o.imm))
		case opConst2:
			if mem.LoadNative16(w, n) != uint16(o.n) {
				return false
			}
			mem.StoreNative16(p, int(o.off), uint16(o.imm))
		case opConst4:
			if mem.LoadNative32(w, n) != uint32(o.n) {
				return false
			}
			mem.StoreNative32(p, int(o.off), uint32(o.imm))
		case opBitRun:
			scatter(o.x.bits, p, loadRun(w, n, o))
		}
		n += int(o.width)
		o = mem.Next(o)
	}
}

// tooWide returns the error for the first bit field whose value does not fit.
func (x *detail) tooWide(p mem.Ptr, n int) *Error {
	for i := range x.bits {
		f := &x.bits[i]
		if v := loadUint(p.Add(f.off), f.size); v&^f.keep != 0 {
			return under(f.path, failure(n, ErrRange, "%s does not fit %s", f.num.text(v), f.num.describe()))
		}
	}
	return nil
}

// loadUint returns the unsigned number of size bytes at p, or 0 if size is 0.
func loadUint(p mem.Ptr, size uint8) uint64 {
	switch size {
	case 1:
		return uint64(mem.Load8(p, 0))
	case 2:
		return uint64(mem.LoadNative16(p, 0))
	case 4:
		return uint64(mem.LoadNative32(p, 0))
	case 8:
		return mem.LoadNative64(p, 0)
	}
	return 0
}

// storeUint stores an unsigned number of size bytes, if size is not 0.
func storeUint(p mem.Ptr, size uint8, v uint64) {
	switch size {
	case 1:
		mem.Store8(p, 0, byte(v))
	case 2:
		mem.StoreNative16(p, 0, uint16(v))
	case 4:
		mem.StoreNative32(p, 0, uint32(v))
	case 8:
		mem.StoreNative64(p, 0, v)
	}
}
