package block

import (
	"github.com/octet-go/octet/internal/kernel"
	"github.com/octet-go/octet/internal/mem"
)

// The functions below do not check anything: the caller ensures that wire has
// room for the bytes of all values. They keep no pointers and do not call other
// packages' methods, so their arguments may be on the stack.

// EncodeOne stores one value.
func (p *Plan) EncodeOne(wire, value mem.Ptr) {
	if p.Encode.Exists() {
		p.Encode.One(wire, value)
		return
	}
	p.EncodeSteps(wire, value)
}

// DecodeOne loads one value.
func (p *Plan) DecodeOne(wire, value mem.Ptr) {
	if p.Decode.Exists() {
		p.Decode.One(value, wire)
		return
	}
	p.DecodeSteps(wire, value)
}

// EncodeAll stores n consecutive values.
func (p *Plan) EncodeAll(wire, values mem.Ptr, n int) {
	if n == 1 {
		p.EncodeOne(wire, values)
		return
	}
	if n == 0 || p.Size == 0 {
		return
	}
	if p.whole > 0 {
		Move(wire, values, p.whole, n*p.count)
		return
	}
	done := 0
	if p.encodeMany.Exists() {
		groups := n / p.group
		p.encodeMany.Many(wire, values, groups)
		done = groups * p.group
	}
	if done < n {
		p.encodeFew(wire.Add(uintptr(done*p.Size)), values.Add(uintptr(done*p.Mem)), n-done)
	}
}

// encodeFew stores n consecutive values: one after the other if there is a permutation
// for one, otherwise field by field.
func (p *Plan) encodeFew(wire, values mem.Ptr, n int) {
	if n > 1 && !p.Encode.Exists() {
		for ; n > maxColumn; n -= maxColumn {
			p.encodeColumns(wire, values, maxColumn)
			wire, values = wire.Add(uintptr(maxColumn*p.Size)), values.Add(uintptr(maxColumn*p.Mem))
		}
		p.encodeColumns(wire, values, n)
		return
	}
	for i := range n {
		p.EncodeOne(wire.Add(uintptr(i*p.Size)), values.Add(uintptr(i*p.Mem)))
	}
}

// decodeFew is the inverse of encodeFew.
func (p *Plan) decodeFew(wire, values mem.Ptr, n int) {
	if n > 1 && !p.Decode.Exists() {
		for ; n > maxColumn; n -= maxColumn {
			p.decodeColumns(wire, values, maxColumn)
			wire, values = wire.Add(uintptr(maxColumn*p.Size)), values.Add(uintptr(maxColumn*p.Mem))
		}
		p.decodeColumns(wire, values, n)
		return
	}
	for i := range n {
		p.DecodeOne(wire.Add(uintptr(i*p.Size)), values.Add(uintptr(i*p.Mem)))
	}
}

// maxColumn is how many values are processed field by field, so that they remain in the
// cache.
const maxColumn = 64

// encodeColumns stores n values, first one field of all values and then the next.
func (p *Plan) encodeColumns(wire, values mem.Ptr, n int) {
	for i := range p.steps {
		s := &p.steps[i]
		w, v := wire.Add(uintptr(s.wire)), values.Add(uintptr(s.mem))
		if s.op.isNumber() {
			moveColumn(s.op, w, p.Size, v, p.Mem, n)
			continue
		}
		for k := range n {
			s.encode(w.Add(uintptr(k*p.Size)), v.Add(uintptr(k*p.Mem)))
		}
	}
}

// decodeColumns is the inverse of encodeColumns.
func (p *Plan) decodeColumns(wire, values mem.Ptr, n int) {
	for i := range p.steps {
		s := &p.steps[i]
		w, v := wire.Add(uintptr(s.wire)), values.Add(uintptr(s.mem))
		if s.op.isNumber() {
			moveColumn(s.op, v, p.Mem, w, p.Size, n)
			continue
		}
		for k := range n {
			s.decode(w.Add(uintptr(k*p.Size)), v.Add(uintptr(k*p.Mem)))
		}
	}
}

// moveColumn copies one number of each of n values, whose bytes it swaps if o says so.
// The numbers are to bytes apart in dst and from bytes in src.
func moveColumn(o Op, dst mem.Ptr, to int, src mem.Ptr, from, n int) {
	d, s := 0, 0
	switch o {
	case opCopy1:
		for ; n > 0; n, d, s = n-1, d+to, s+from {
			mem.Store8(dst, d, mem.Load8(src, s))
		}
	case opCopy2:
		for ; n > 0; n, d, s = n-1, d+to, s+from {
			mem.Store16(dst, d, mem.Load16(src, s))
		}
	case opCopy4:
		for ; n > 0; n, d, s = n-1, d+to, s+from {
			mem.Store32(dst, d, mem.Load32(src, s))
		}
	case opCopy8:
		for ; n > 0; n, d, s = n-1, d+to, s+from {
			mem.Store64(dst, d, mem.Load64(src, s))
		}
	case opSwap2:
		for ; n > 0; n, d, s = n-1, d+to, s+from {
			mem.Store16(dst, d, mem.Load16BE(src, s))
		}
	case opSwap4:
		for ; n > 0; n, d, s = n-1, d+to, s+from {
			mem.Store32(dst, d, mem.Load32BE(src, s))
		}
	case opSwap8:
		for ; n > 0; n, d, s = n-1, d+to, s+from {
			mem.Store64(dst, d, mem.Load64BE(src, s))
		}
	}
}

// DecodeAll loads n consecutive values.
func (p *Plan) DecodeAll(wire, values mem.Ptr, n int) {
	if n == 1 {
		p.DecodeOne(wire, values)
		return
	}
	if n == 0 || p.Size == 0 {
		return
	}
	if p.whole > 0 && !p.bools {
		Move(values, wire, p.whole, n*p.count)
		return
	}
	done := 0
	if p.decodeMany.Exists() {
		groups := n / p.group
		p.decodeMany.Many(values, wire, groups)
		done = groups * p.group
	}
	if n -= done; n == 0 {
		return // the places after the last value must not be computed
	}
	wire, values = wire.Add(uintptr(done*p.Size)), values.Add(uintptr(done*p.Mem))
	if p.whole > 0 {
		normalize(values, wire, n*p.count)
	} else {
		p.decodeFew(wire, values, n)
	}
}

// Move copies n numbers and swaps the bytes of those larger than one byte.
func Move(dst, src mem.Ptr, width, n int) {
	switch width {
	case 2:
		kernel.Swap2(dst, src, n)
	case 4:
		kernel.Swap4(dst, src, n)
	case 8:
		kernel.Swap8(dst, src, n)
	default:
		mem.Copy(dst, src, n)
	}
}

// normalize copies n bools and stores every byte other than 0 as 1, because Go
// code may compare bools as bytes.
func normalize(dst, src mem.Ptr, n int) {
	const low = 0x0101010101010101
	i := 0
	for ; i+8 <= n; i += 8 {
		x := mem.Load64(src, i)
		mem.Store64(dst, i, (x&(low*0x7F)+low*0x7F|x)>>7&low)
	}
	for ; i < n; i++ {
		mem.Store8(dst, i, min(mem.Load8(src, i), 1))
	}
}

// EncodeSteps stores one value without a permutation.
func (p *Plan) EncodeSteps(wire, value mem.Ptr) {
	for i := range p.steps {
		if s := &p.steps[i]; s.op.isNumber() {
			MoveNumber(s.op, wire, s.wire, value, s.mem)
		} else {
			s.encode(wire.Add(uintptr(s.wire)), value.Add(uintptr(s.mem)))
		}
	}
}

// DecodeSteps loads one value without a permutation.
func (p *Plan) DecodeSteps(wire, value mem.Ptr) {
	for i := range p.steps {
		if s := &p.steps[i]; s.op.isNumber() {
			MoveNumber(s.op, value, s.mem, wire, s.wire)
		} else {
			s.decode(wire.Add(uintptr(s.wire)), value.Add(uintptr(s.mem)))
		}
	}
}

// isNumber reports whether o moves one number.
func (o Op) isNumber() bool { return o >= opCopy1 && o <= opSwap8 }

// encode stores the bytes of a step of one value that is not one number.
func (s *step) encode(wire, value mem.Ptr) {
	switch s.op {
	case opBlank:
		mem.Clear(wire, s.n)
	case opBool, opCopy:
		mem.Copy(wire, value, s.n)
	case opRepeat:
		s.elem.EncodeAll(wire, value, s.n)
	case opSwapMany2, opSwapMany4, opSwapMany8:
		s.numbers(wire, value)
	}
}

// decode loads the bytes of a step of one value that is not one number.
func (s *step) decode(wire, value mem.Ptr) {
	switch s.op {
	case opBool:
		normalize(value, wire, s.n)
	case opCopy:
		mem.Copy(value, wire, s.n)
	case opRepeat:
		s.elem.DecodeAll(wire, value, s.n)
	case opSwapMany2, opSwapMany4, opSwapMany8:
		s.numbers(value, wire)
	}
}

// MoveNumber copies one number from src to dst, at the offsets from and to, and swaps
// its bytes if o says so. Package binary also calls it for arguments that are single
// numbers.
func MoveNumber(o Op, dst mem.Ptr, to int, src mem.Ptr, from int) {
	switch o {
	case opCopy1:
		mem.Store8(dst, to, mem.Load8(src, from))
	case opCopy2:
		mem.Store16(dst, to, mem.Load16(src, from))
	case opCopy4:
		mem.Store32(dst, to, mem.Load32(src, from))
	case opCopy8:
		mem.Store64(dst, to, mem.Load64(src, from))
	case opSwap2:
		mem.Store16(dst, to, mem.Load16BE(src, from))
	case opSwap4:
		mem.Store32(dst, to, mem.Load32BE(src, from))
	case opSwap8:
		mem.Store64(dst, to, mem.Load64BE(src, from))
	}
}

// numbers swaps many numbers, in either direction.
func (s *step) numbers(dst, src mem.Ptr) {
	switch s.op {
	case opSwapMany2:
		kernel.Swap2(dst, src, s.n)
	case opSwapMany4:
		kernel.Swap4(dst, src, s.n)
	case opSwapMany8:
		kernel.Swap8(dst, src, s.n)
	}
}
