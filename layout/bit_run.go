package layout

import (
	"math/bits"

	"github.com/octet-go/octet/internal/mem"
)

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

// tooWide returns the error for the first bit field whose value does not fit.
func (x *detail) tooWide(p mem.Ptr, n int) *Error {
	for i := range x.bits {
		f := &x.bits[i]
		if f.exceeded(loadUint(p.Add(f.off), f.size)) != 0 {
			return under(f.path, failure(n, ErrRange, "%s does not fit %s", f.num.text(f.num.load(p.Add(f.off))), f.num.describe()))
		}
	}
	return nil
}

// exceeded returns a number other than 0 if v, which has the size of the variable, does
// not fit.
func (f *bitField) exceeded(v uint64) uint64 {
	if f.sign != 0 {
		v = extend(v, int(8*f.size)) + f.sign
	}
	return v &^ f.keep
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
