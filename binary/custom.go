package binary

import (
	"sync"

	"github.com/octet-go/octet/internal/mem"
)

// numbers has the 8 bytes in which a user's byte order is given and gives every
// number. They are from the heap, for nobody knows what its methods do with
// them.
var numbers = sync.Pool{New: func() any { return new([8]byte) }}

// encodeCustom stores n values by the methods of a user's byte order. p is the
// plan for swapped order, since only that tells numbers of different widths
// apart.
func (p *plan) encodeCustom(wire, values mem.Ptr, n int, order ByteOrder) {
	tmp := numbers.Get().(*[8]byte)
	p.customAll(wire, values, n, order, tmp, true)
	numbers.Put(tmp)
}

// decodeCustom is the way back.
func (p *plan) decodeCustom(wire, values mem.Ptr, n int, order ByteOrder) {
	tmp := numbers.Get().(*[8]byte)
	p.customAll(wire, values, n, order, tmp, false)
	numbers.Put(tmp)
}

func (p *plan) customAll(wire, values mem.Ptr, n int, order ByteOrder, tmp *[8]byte, encode bool) {
	if p.size == 0 {
		return
	}
	for i := range n {
		w, v := wire.Add(uintptr(i*p.size)), values.Add(uintptr(i*p.mem))
		for j := range p.steps {
			p.steps[j].custom(w, v, order, tmp, encode)
		}
	}
}

func (s *step) custom(wire, value mem.Ptr, order ByteOrder, tmp *[8]byte, encode bool) {
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
			normalise(v, w, s.n)
		}
	default: // bytes have no order
		if encode {
			mem.Copy(w, v, s.n)
		} else {
			mem.Copy(v, w, s.n)
		}
	}
	for i := 0; width > 0 && i < s.n*width; i += width {
		if encode {
			putCustom(w, i, v, i, width, order, tmp)
		} else {
			getCustom(w, i, v, i, width, order, tmp)
		}
	}
}

func putCustom(wire mem.Ptr, to int, value mem.Ptr, from, width int, order ByteOrder, tmp *[8]byte) {
	switch width {
	case 2:
		order.PutUint16(tmp[:2], *mem.At[uint16](value.Add(uintptr(from))))
	case 4:
		order.PutUint32(tmp[:4], *mem.At[uint32](value.Add(uintptr(from))))
	case 8:
		order.PutUint64(tmp[:8], NativeEndian.Uint64(mem.Slice(value.Add(uintptr(from)), 8)))
	}
	copy(mem.Slice(wire.Add(uintptr(to)), width), tmp[:width])
}

func getCustom(wire mem.Ptr, from int, value mem.Ptr, to, width int, order ByteOrder, tmp *[8]byte) {
	copy(tmp[:width], mem.Slice(wire.Add(uintptr(from)), width))
	v := mem.Slice(value.Add(uintptr(to)), width)
	switch width {
	case 2:
		NativeEndian.PutUint16(v, order.Uint16(tmp[:2]))
	case 4:
		NativeEndian.PutUint32(v, order.Uint32(tmp[:4]))
	case 8:
		NativeEndian.PutUint64(v, order.Uint64(tmp[:8]))
	}
}
