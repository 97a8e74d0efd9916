package block

import (
	"encoding/binary"
	"sync"

	"github.com/octet-go/octet/internal/mem"
)

// numbers contains the 8 bytes that hold a number for the methods of a custom
// byte order. They are on the heap because the methods may retain them.
var numbers = sync.Pool{New: func() any { return new([8]byte) }}

// EncodeCustom stores n values with the methods of a custom byte order. p must be
// the plan for swapped order, because only that plan distinguishes numbers of
// different widths.
func (p *Plan) EncodeCustom(wire, values mem.Ptr, n int, order binary.ByteOrder) {
	tmp := numbers.Get().(*[8]byte)
	p.customAll(wire, values, n, order, tmp, true)
	numbers.Put(tmp)
}

// DecodeCustom is the inverse of EncodeCustom.
func (p *Plan) DecodeCustom(wire, values mem.Ptr, n int, order binary.ByteOrder) {
	tmp := numbers.Get().(*[8]byte)
	p.customAll(wire, values, n, order, tmp, false)
	numbers.Put(tmp)
}

func (p *Plan) customAll(wire, values mem.Ptr, n int, order binary.ByteOrder, tmp *[8]byte, encode bool) {
	if p.Size == 0 {
		return
	}
	for i := range n {
		w, v := wire.Add(uintptr(i*p.Size)), values.Add(uintptr(i*p.Mem))
		for j := range p.steps {
			p.steps[j].custom(w, v, order, tmp, encode)
		}
	}
}

func (s *step) custom(wire, value mem.Ptr, order binary.ByteOrder, tmp *[8]byte, encode bool) {
	w, v := wire.Add(uintptr(s.wire)), value.Add(uintptr(s.mem))
	width := 0
	switch s.op {
	case opBlank:
		if encode {
			mem.Clear(w, s.n)
		}
	case opRepeat:
		s.elem.customAll(w, v, s.n, order, tmp, encode)
	case opSwap2, opSwapMany2:
		width = 2
	case opSwap4, opSwapMany4:
		width = 4
	case opSwap8, opSwapMany8:
		width = 8
	case opBool:
		if encode {
			mem.Copy(w, v, s.n)
		} else {
			normalize(v, w, s.n)
		}
	default: // single bytes have no order
		if encode {
			mem.Copy(w, v, s.n)
		} else {
			mem.Copy(v, w, s.n)
		}
	}
	for i := 0; width > 0 && i < s.n*width; i += width {
		if encode {
			putCustom(w.Add(uintptr(i)), v.Add(uintptr(i)), width, order, tmp)
		} else {
			getCustom(w.Add(uintptr(i)), v.Add(uintptr(i)), width, order, tmp)
		}
	}
}

func putCustom(wire, value mem.Ptr, width int, order binary.ByteOrder, tmp *[8]byte) {
	switch width {
	case 2:
		order.PutUint16(tmp[:2], *mem.At[uint16](value))
	case 4:
		order.PutUint32(tmp[:4], *mem.At[uint32](value))
	case 8:
		order.PutUint64(tmp[:8], *mem.At[uint64](value))
	}
	copy(mem.Slice(wire, width), tmp[:width])
}

func getCustom(wire, value mem.Ptr, width int, order binary.ByteOrder, tmp *[8]byte) {
	copy(tmp[:width], mem.Slice(wire, width))
	switch width {
	case 2:
		*mem.At[uint16](value) = order.Uint16(tmp[:2])
	case 4:
		*mem.At[uint32](value) = order.Uint32(tmp[:4])
	case 8:
		*mem.At[uint64](value) = order.Uint64(tmp[:8])
	}
}
