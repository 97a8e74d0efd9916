package layout

import (
	"math"
	"math/bits"
	"reflect"
)

// A straightener makes a straight program of a general one.
type straightener struct {
	s      *straight
	typ    reflect.Type
	part   part
	before int // bytes of the parts before this one, without the texts

	wire   []byte // of the run
	fixed  []bool // which bytes of it are constant
	loose  []bool // which bytes of it are zero when they are encoded, and not compared
	fields []move // all numbers of the run, in the direction of encoding

	value, mask []byte // the constants in memory

	length         *op // the number that waits for its text
	starts, places map[slot]anchor
	pending        int // numbers that wait for the ends of their ranges
}

// An anchor is an offset in the run of a part. If there is a number, swap is its order.
type anchor struct {
	part, at int
	swap     bool
}

// straight returns the straight program, or nil if there is none.
func (g *program) straight(o *Options) *straight {
	b := &straightener{s: &straight{alias: o.AliasInput, limit: math.MaxInt}, typ: g.typ, starts: map[slot]anchor{}, places: map[slot]anchor{}}
	if o.MaxMessage > 0 {
		b.s.limit = o.MaxMessage
	}
	b.value, b.mask = make([]byte, g.typ.Size()), make([]byte, g.typ.Size())
	for i := range g.ops {
		if !b.add(&g.ops[i]) {
			return nil
		}
	}
	if b.pending > 0 || b.length != nil {
		return nil
	}
	b.close()
	b.s.memory, b.s.bytes = constantWords(b.value, b.mask)
	return b.s
}

// add adds an operation and reports whether it is one that a straight program can
// do.
func (b *straightener) add(o *op) bool {
	at := len(b.wire)
	switch o.code {
	case opEnd, opRoom, opEnter:
		return true
	case opCopy1, opCopy2, opCopy4, opCopy8, opSwap2, opSwap4, opSwap8:
		b.number(o.off, int(o.width), o.code >= opSwap2, false)
	case opBlock:
		for _, f := range o.x.plain {
			if f.typ == nil {
				b.put(make([]byte, f.zeros), false, true)
			} else if !b.plain(f.typ, f.off, f.swap) {
				return false
			}
		}
	case opConst1, opConst2, opConst4:
		b.constant(o)
	case opSpace:
		b.put(make([]byte, o.n), false, true)
	case opMagic:
		if !o.x.node.blank {
			return false
		}
		b.put(o.x.node.tag.magic, true, false)
	case opBitRun:
		return b.bits(o)
	case opLength:
		if b.length != nil {
			return false
		}
		b.length = o
		b.part.lengthAt, b.part.width, b.part.swap = at, o.width, o.swap
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
		b.part.lengthAt, b.part.width, b.part.swap = at, o.width, o.swap
		b.put(make([]byte, o.width), false, false)
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

// put adds bytes to the run.
func (b *straightener) put(list []byte, fixed, loose bool) {
	for _, c := range list {
		b.wire, b.fixed, b.loose = append(b.wire, c), append(b.fixed, fixed), append(b.loose, loose)
	}
}

// number adds a number. Derived ones come from memory only when they are decoded.
func (b *straightener) number(off uintptr, width int, swap, derived bool) {
	m := move{kind: kindOfMove(width, swap), to: len(b.wire), from: int(off), n: width}
	b.fields = append(b.fields, m)
	if !derived {
		b.part.encode = append(b.part.encode, m)
	}
	b.put(make([]byte, width), false, false)
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
		b.part.encode = append(b.part.encode, move{moveAny, at, int(off), n})
	} else {
		for done := 0; done < n; {
			k := min(4, bits.Len(uint(n))-1)
			first := min(done, n-1<<k)
			m := move{moveKind(k), at + first, int(off) + first, 1 << k}
			b.fields, b.part.encode = append(b.fields, m), append(b.part.encode, m)
			done = first + 1<<k
		}
	}
	b.put(make([]byte, n), false, false)
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
		b.value[int(o.off)+i], b.mask[int(o.off)+i] = memory[i], 0xff
	}
	b.put(wire, true, false)
}

// bits adds a run of bit fields.
func (b *straightener) bits(o *op) bool {
	size := int(b.typ.Size())
	if size < 8 || o.n == 0 {
		return false
	}
	m := bitMoves{op: *o, wire: len(b.wire)}
	for k, width := range [...]int{1, 2, 4, 8} {
		for i := range o.x.bits {
			f := &o.x.bits[i]
			if int(f.size) != width {
				continue
			}
			at := min(int(f.off), size-8)
			down := 8 * (int(f.off) - at)
			if native == big {
				down = 64 - 8*width - down
			}
			memory := uint64(1)<<(8*width) - 1
			if width == 8 {
				memory = math.MaxUint64
			}
			shift := f.shift & 63
			m.fields = append(m.fields, bitMove{
				at: at, over: (memory &^ f.keep) << down, keep: f.keep << shift, turn: int(shift) - down,
				off: int(f.off), shift: shift, low: f.keep,
			})
		}
		if k < 3 {
			m.upTo[k] = len(m.fields)
		}
	}
	b.part.bits = append(b.part.bits, m)
	b.put(make([]byte, o.n), false, false)
	return true
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
			b.fixed[place.at+i] = true
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
	b.part.text, b.part.off, b.part.most = sliceText, o.off, o.imm
	if o.x.text {
		b.part.text = stringText
	}
	b.close()
}
