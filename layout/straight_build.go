package layout

import (
	"math"
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/internal/kernel"
)

// A straightener makes a straight program of a general one.
type straightener struct {
	s     *straight
	typ   reflect.Type
	alias bool

	outs, ins []kernel.Run
	general   bool // there is something that is not in them

	part   part
	before int // bytes of the parts before this one, without the texts

	wire   []byte // of the run
	write  []bool // which bytes of it are constant when they are encoded
	check  []byte // which bits of it are constant when they are decoded
	fields []move // all numbers of the run, in the direction of encoding
	encode []move // those that are encoded from memory
	bits   []bitMoves
	memory []memoryByte

	length         *op // the number that waits for its text
	starts, places map[slot]anchor
	pending        int // numbers that wait for the ends of their ranges
}

// A memoryByte is a byte of a constant in memory.
type memoryByte struct {
	off   int
	value byte
}

// An anchor is an offset in the run of a part. If there is a number, swap is its order.
type anchor struct {
	part, at int
	swap     bool
}

// straight returns the straight program, or nil if there is none.
func (g *program) straight(o *Options) *straight {
	b := &straightener{s: &straight{limit: math.MaxInt}, alias: o.AliasInput, typ: g.typ, starts: map[slot]anchor{}, places: map[slot]anchor{}}
	if o.MaxMessage > 0 {
		b.s.limit = o.MaxMessage
	}
	for i := range g.ops {
		if !b.add(&g.ops[i]) {
			return nil
		}
	}
	if b.pending > 0 || b.length != nil {
		return nil
	}
	b.close()
	b.s.parts[len(b.s.parts)-1].last = true
	b.s.least = b.before
	if !b.general {
		b.s.out, b.s.in = kernel.NewEncoder(b.outs), kernel.NewDecoder(b.ins)
	}
	return b.s
}

// maxRun is the most bytes of a run. A longer one would take much memory here, and
// little of its time is that of the general program.
const maxRun = 16 << 10

// add adds an operation and reports whether it is one that a straight program can
// do.
func (b *straightener) add(o *op) bool {
	at := len(b.wire)
	switch o.code {
	case opEnd, opEnter:
	case opRoom:
		return o.n <= maxRun
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8:
		b.number(o.off, int(o.width), o.code >= opSwap2, false)
	case opBlock:
		for _, f := range o.x.plain {
			if f.typ == nil {
				b.put(make([]byte, f.zeros), true, 0)
			} else if !b.plain(f.typ, f.off, f.swap) {
				return false
			}
		}
	case opConst1, opConst2, opConst4:
		b.constant(o)
	case opSpace:
		b.put(make([]byte, o.n), true, 0)
	case opMagic:
		if !o.x.node.blank {
			return false
		}
		b.put(o.x.node.tag.magic, true, 0xff)
	case opBitRun:
		b.bitRun(o)
	case opNumber:
		return b.bool(o)
	case opLength:
		if b.length != nil {
			return false
		}
		b.length = o
		b.part.text.lengthAt, b.part.text.width, b.part.text.swap = at, o.width, o.swap
		b.number(o.off, int(o.width), o.swap, true)
	case opPlace:
		b.places[slot(o.n)] = anchor{len(b.s.parts), at, o.swap}
		b.pending++
		b.number(o.off, int(o.width), o.swap, true)
	case opStart, opBegin:
		b.starts[slot(o.n)] = anchor{part: len(b.s.parts), at: at}
	case opStop, opFinish:
	case opPatch:
		return b.patch(o)
	case opPlain:
		if b.length != nil {
			return false
		}
		b.part.text.lengthAt, b.part.text.width, b.part.text.swap = at, o.width, o.swap
		b.put(make([]byte, o.width), false, 0)
		b.text(o)
	case opText:
		if b.length == nil || b.length.n != o.n || uintptr(uint32(b.length.imm)) != o.off {
			return false
		}
		b.length = nil
		b.text(o)
	default:
		return false
	}
	return true
}

// put adds bytes to the run. If write is set, they are written when the message is
// encoded. The bits of check are compared when it is decoded.
func (b *straightener) put(list []byte, write bool, check byte) {
	for _, c := range list {
		b.wire, b.write, b.check = append(b.wire, c), append(b.write, write), append(b.check, check)
	}
}

// number adds a number. Derived ones come from memory only when they are decoded.
func (b *straightener) number(off uintptr, width int, swap, derived bool) {
	m := move{kind: kindOfMove(width, swap), to: len(b.wire), from: int(off), n: width}
	b.fields = append(b.fields, m)
	if !derived {
		b.encode = append(b.encode, m)
	}
	b.put(make([]byte, width), false, 0)
}

// bool adds a bool of one byte, which is 0 or 1.
func (b *straightener) bool(o *op) bool {
	m := &o.x.num
	if m.kind != boolKind || m.form != integerForm || m.width != 1 || m.size != 1 || len(m.constants) > 0 || m.limited || o.x.node.isUsed() {
		return false
	}
	b.number(o.off, 1, false, false)
	b.check[len(b.check)-1] = 0xfe
	return true
}

func kindOfMove(width int, swap bool) moveKind {
	switch {
	case width == 1:
		return move1
	case width == 2 && swap:
		return reverse2
	case width == 2:
		return move2
	case width == 4 && swap:
		return reverse4
	case width == 4:
		return move4
	case swap:
		return reverse8
	}
	return move8
}

// plain adds a variable that consists of plain numbers.
func (b *straightener) plain(t reflect.Type, off uintptr, swap bool) bool {
	if t.Kind() != reflect.Array {
		b.number(off, int(t.Size()), swap, false)
		return true
	}
	for t.Elem().Kind() == reflect.Array {
		t = reflect.ArrayOf(t.Len()*t.Elem().Len(), t.Elem().Elem())
	}
	each := int(t.Elem().Size())
	if swap && each > 1 {
		if t.Len() > maxFields {
			return false
		}
		for i := range t.Len() {
			b.number(off+uintptr(i*each), each, swap, false)
		}
		return true
	}
	n, at := each*t.Len(), len(b.wire)
	if n > maxPieces {
		b.fields = append(b.fields, move{moveAny, at, int(off), n})
		b.encode = append(b.encode, move{moveAny, at, int(off), n})
	} else {
		for done := 0; done < n; {
			k := min(4, bits.Len(uint(n))-1)
			first := min(done, n-1<<k)
			m := move{moveKind(k), at + first, int(off) + first, 1 << k}
			b.fields, b.encode = append(b.fields, m), append(b.encode, m)
			done = first + 1<<k
		}
	}
	b.put(make([]byte, n), false, 0)
	return true
}

// maxPieces is the most bytes that are moved in pieces.
const maxPieces = 128

// maxFields is the most numbers of an array that are moved one by one.
const maxFields = 64

// constant adds a number with one constant.
func (b *straightener) constant(o *op) {
	n := int(o.width)
	b.fields = append(b.fields, move{kindOfMove(n, o.swap), len(b.wire), int(o.off), n})
	wire, memory := make([]byte, n), make([]byte, n)
	for i := range n {
		memory[i] = byte(o.imm >> (8 * i))
		if native == big {
			memory[i] = byte(o.imm >> (8 * (n - 1 - i)))
		}
	}
	for i := range n {
		wire[i] = memory[i]
		if o.swap {
			wire[i] = memory[n-1-i]
		}
		b.memory = append(b.memory, memoryByte{int(o.off) + i, memory[i]})
	}
	b.put(wire, true, 0xff)
}

// bitRun adds a run of bit fields.
func (b *straightener) bitRun(o *op) {
	m := bitMoves{op: *o, wire: len(b.wire)}
	for k, size := range [...]uint8{1, 2, 4, 8} {
		for i := range o.x.bits {
			f := &o.x.bits[i]
			if f.size != size {
				continue
			}
			field := bitMove{off: int(f.off), shift: f.shift & 63, size: size, width: f.num.width, low: f.keep, over: ^f.keep}
			if f.sign != 0 {
				field.over = 0
				b.part.signed = append(b.part.signed, signedBits{o, m.wire, field.off, size, field.shift, field.width})
			}
			m.fields = append(m.fields, field)
		}
		if k < 3 {
			m.upTo[k] = len(m.fields)
		}
	}
	b.bits = append(b.bits, m)
	b.put(make([]byte, o.n), false, 0)
}

// patch adds the length of a range that ends here.
func (b *straightener) patch(o *op) bool {
	place, ok := b.places[slot(o.imm>>32)]
	start, ok2 := b.starts[slot(uint32(o.imm))]
	delete(b.places, slot(o.imm>>32))
	if !ok || !ok2 {
		return false
	}
	b.pending--
	here, width := len(b.wire), int(o.width)
	if start.part == len(b.s.parts) && place.part == len(b.s.parts) {
		n := uint64(here - start.at)
		if n>>(8*width) != 0 {
			return false
		}
		putFixed(b.wire[place.at:place.at+width], n, place.order())
		for i := range width {
			b.write[place.at+i], b.check[place.at+i] = true, 0xff
		}
		return true
	}
	if start.part > 0 || place.part > 0 {
		return false
	}
	b.part.patches = append(b.part.patches, patch{here, start.at, place.at, o.width, place.swap})
	return true
}

func (s anchor) order() order {
	if s.swap == (native == big) {
		return little
	}
	return big
}

// text adds a text, which ends the part.
func (b *straightener) text(o *op) {
	t := &b.part.text
	t.off, t.most = o.off, min(o.imm, 1<<(8*t.width)-1)
	switch {
	case o.x.text && b.alias:
		t.kind = sharedString
	case o.x.text:
		t.kind = stringText
	case b.alias:
		t.kind = sharedSlice
	default:
		t.kind = sliceText
	}
	b.close()
}
