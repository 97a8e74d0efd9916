package layout

import (
	"encoding/binary"

	"github.com/octet-go/octet/internal/mem"
)

// output makes the list of operations that encode from the general one: it leaves
// out what only decoding needs, and joins operations that often follow each other.
func (g *program) output() {
	targets := map[int]bool{}
	for i, o := range g.ops {
		if o.code == opIf {
			targets[i+1+int(o.n)] = true
		}
	}
	index := make([]int, len(g.ops)+1)
	for i := 0; i < len(g.ops); {
		o := g.ops[i]
		index[i] = len(g.out)
		k := 1
		next := func() *op {
			if i+k < len(g.ops) && !targets[i+k] {
				return &g.ops[i+k]
			}
			return &op{code: opEnd}
		}
		switch n := next(); {
		case o.code == opEnter || o.code == opRaw || (o.code == opStop || o.code == opFinish) && n.code == opPatch && n.x.link.of == o.x.of && o.x.of.users == 1:
			index[i+1] = len(g.out)
			i++
			continue
		case o.isConst():
			if k = g.template(i, targets); k > 1 {
				o = g.joined(g.ops[i : i+k])
			}
		case o.code == opPlace && (n.code == opStart || n.code == opBegin):
			o.imm |= uint64(n.n) << 1
			k++
		case o.code == opLength && n.code == opText && uint64(n.off) == uint64(uint32(o.imm)) && !o.x.node.asked && !o.x.node.links[0].isOptional():
			width, swap, of := o.width, o.swap, o.x
			o = *n
			o.code, o.width, o.swap, o.x = opMeasured, width, swap, &detail{path: of.path, num: of.num, node: of.node, text: n.x.text, sub: nil, order: of.order}
			o.x.name = n.x.path
			k++
			fallthrough
		case o.code == opText || o.code == opPlain:
			o.n = 0
			if n := next(); n.code == opRoom {
				o.n = n.n
				k++
			}
		}
		g.out = append(g.out, o)
		for j := 1; j <= k; j++ {
			index[i+j] = len(g.out)
		}
		i += k
	}
	for i, o := range g.ops {
		if o.code == opIf {
			g.out[index[i]].n = int32(index[i+1+int(o.n)] - index[i] - 1)
		}
	}
}

func (o *op) isConst() bool { return o.code == opConst1 || o.code == opConst2 || o.code == opConst4 }

// template returns how many constants from operation i on can be written at once:
// those in eight bytes of the wire and of memory.
func (g *program) template(i int, targets map[int]bool) int {
	first, n, k := g.ops[i].off, 0, 0
	if first+8 > g.typ.Size() {
		return 1
	}
	for ; i+k < len(g.ops); k++ {
		o := &g.ops[i+k]
		if !o.isConst() || k > 0 && targets[i+k] || o.off < first || o.off+uintptr(o.width) > first+8 || n+int(o.width) > 8 {
			break
		}
		n += int(o.width)
	}
	return k
}

// joined returns an operation that does what the constants do. Imm is the bytes on
// the wire as a little-endian number.
func (g *program) joined(list []op) op {
	var wire, value, mask [8]byte
	x := &detail{parts: list}
	n := 0
	for i := range list {
		o := &list[i]
		var b [8]byte
		binary.NativeEndian.PutUint64(b[:], o.imm)
		if native == big {
			binary.BigEndian.PutUint64(b[:], o.imm<<(64-8*o.width))
		}
		at := int(o.off - list[0].off)
		for j := range int(o.width) {
			value[at+j], mask[at+j] = b[j], 0xff
			wire[n+j] = b[j]
			if o.swap {
				wire[n+j] = b[int(o.width)-1-j]
			}
		}
		n += int(o.width)
	}
	x.value, x.mask = binary.NativeEndian.Uint64(value[:]), binary.NativeEndian.Uint64(mask[:])
	return op{code: opTemplate, width: uint8(n), n: int32(n), off: list[0].off, imm: binary.LittleEndian.Uint64(wire[:]), x: x}
}

// template writes constants, some of which are zero in memory.
func (e *encoder) template(o *op, p mem.Ptr) *Error {
	for i := range o.x.parts {
		part := &o.x.parts[i]
		n := &part.x.num
		if _, err := n.constant(n.load(p.Add(part.off)), len(e.buf)); err != nil {
			return under(part.x.path, err)
		}
	}
	var b [8]byte
	binary.LittleEndian.PutUint64(b[:], o.imm)
	e.buf = append(e.buf, b[:o.width]...)
	return nil
}
