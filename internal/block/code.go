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
	for ; done < n; done++ {
		p.EncodeOne(wire.Add(uintptr(done*p.Size)), values.Add(uintptr(done*p.Mem)))
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
	for ; done < n; done++ {
		p.DecodeOne(wire.Add(uintptr(done*p.Size)), values.Add(uintptr(done*p.Mem)))
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
	for i := range n {
		mem.Store8(dst, i, min(mem.Load8(src, i), 1))
	}
}

// EncodeSteps stores one value without a permutation.
func (p *Plan) EncodeSteps(wire, value mem.Ptr) {
	for i := range p.steps {
		s := &p.steps[i]
		switch s.op {
		case opBlank:
			mem.Clear(wire.Add(uintptr(s.wire)), s.n)
		case opBool, opCopy:
			mem.Copy(wire.Add(uintptr(s.wire)), value.Add(uintptr(s.mem)), s.n)
		case opRepeat:
			s.elem.EncodeAll(wire.Add(uintptr(s.wire)), value.Add(uintptr(s.mem)), s.n)
		case opSwapMany2, opSwapMany4, opSwapMany8:
			s.numbers(wire.Add(uintptr(s.wire)), value.Add(uintptr(s.mem)))
		default:
			MoveNumber(s.op, wire, s.wire, value, s.mem)
		}
	}
}

// DecodeSteps loads one value without a permutation.
func (p *Plan) DecodeSteps(wire, value mem.Ptr) {
	for i := range p.steps {
		s := &p.steps[i]
		switch s.op {
		case opBlank:
		case opBool:
			normalize(value.Add(uintptr(s.mem)), wire.Add(uintptr(s.wire)), s.n)
		case opCopy:
			mem.Copy(value.Add(uintptr(s.mem)), wire.Add(uintptr(s.wire)), s.n)
		case opRepeat:
			s.elem.DecodeAll(wire.Add(uintptr(s.wire)), value.Add(uintptr(s.mem)), s.n)
		case opSwapMany2, opSwapMany4, opSwapMany8:
			s.numbers(value.Add(uintptr(s.mem)), wire.Add(uintptr(s.wire)))
		default:
			MoveNumber(s.op, value, s.mem, wire, s.wire)
		}
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
