package layout

import (
	"math"
	"math/bits"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// This file says how the decoder finds the end of a slice, a string or a []byte.

// sequence appends the elements of a slice or array. Elements that are only moved are one
// operation, because one call decodes all of them. Other elements are operations of this
// list, which end with one that goes back to the first; it also makes room for the next
// element, so that a slice grows only as far as the message goes.
func (d fromWire) sequence(e *emitter, o op) {
	x := o.x
	n, g := x.node, &x.node.tag
	x.word = mem.WordOf(reflect.PointerTo(n.typ))
	if g.limited { // the error for too many elements, found at the end, is at the beginning
		x.begins = e.slotFor()
	}
	if x.plan != nil && o.code == opSlice && !g.toZero {
		o.code, o.size, o.imm, o.mask = opItems, 0, uint64(max(1, x.plan.Size)), g.limit
		if !d.plain && x.plan.Size > 0 && n.elem.typ.Size() > 0 && (g.fixed < 0 || !g.limited) && !(g.limited && g.count == "" && n.countBefore() == nil) {
			d.length(n, &o)
		}
		e.roomy(o)
		return
	}
	// An array has all of its elements already, so that nothing grows.
	next := op{code: opNext}
	if o.code == opArray {
		o.code = opEach
		e.elements(o, next)
		return
	}
	next.code, next.off, next.slot, next.mask = opAppend, o.off, int32(n.amount), g.limit
	// The loop finds out by itself that an element is zero if the numbers in it say so.
	known := true
	if g.toZero {
		if x.zeros, known = zerosOf(n.elem.typ, 0, nil); !known {
			x.zeros = nil
		}
		next.width = 1
	}
	// More has to be verified at the end of an element that may be zero or may have no
	// bytes. The place where it begins is compared, as a slice of them would never end.
	if g.toZero || x.least == 0 || n.elem.kind == structNode && n.elem.inner.recursive || n.elem.typ.Size() == 0 || d.plain {
		next.code = opAppendRare
		next.size = uint8(b2i(known && n.elem.typ.Size() > 0 && !d.plain))
		x.own = e.slotFor()
		next.n = int32(x.own)
	}
	// Elements with fields that decoding leaves are cleared before they are used again, by an exit.
	o.code, o.size, o.imm, o.mask = opSeq, 0, uint64(max(1, x.least)), next.mask
	if !d.plain && !x.clear && n.elem.typ.Size() > 0 {
		d.length(n, &o)
	}
	e.elements(o, next)
}

// How an opSeq knows where the elements end.
const (
	seqToZero  = 1 + iota // an element is zero
	seqRest               // n bytes before the end of the frame
	seqCounted            // there are n elements
	seqAmount             // slot n has the number of elements
	seqCount              // width bytes have the number of elements
)

// length sets how an opSeq knows where the elements of n end, if the loop can do that. It
// cannot if several numbers could say so, because some of them may be absent, or if what
// follows has a size that the message decides.
func (d fromWire) length(n *node, o *op) {
	g := &n.tag
	switch {
	case g.count != "" && (g.count == "varint" || widths[g.count] > mostPrefix):
	case g.count != "":
		o.size, o.width, o.swap = seqCount, uint8(widths[g.count]), o.x.num.order == big
	case g.fixed >= 0:
		o.size, o.n = seqCounted, int32(g.fixed)
	case g.toZero:
		o.size = seqToZero
	case n.countBefore() != nil:
		if len(n.counts) == 1 {
			k := n.countBefore()
			o.size, o.n, o.slot = seqAmount, int32(k.amount), int32(k.num.place)
		}
	default:
		if after, ok := fixedSum(o.x.node.rest); ok {
			o.size, o.n = seqRest, int32(after)
		}
	}
}

// A zeroPart is a number in memory, which is the length of a string or slice.
type zeroPart struct {
	off  uintptr
	size uint8
}

// zerosOf appends the numbers that are 0 in an empty variable of type t at off. It reports
// whether these are all that matters: for a pointer or interface, what it holds would count,
// too. The loop combines the numbers without a branch for each.
func zerosOf(t reflect.Type, off uintptr, list []zeroPart) ([]zeroPart, bool) {
	ok := true
	switch k := t.Kind(); k {
	case reflect.String, reflect.Slice:
		const word = bits.UintSize / 8
		return append(list, zeroPart{off + word, word}), true
	case reflect.Struct:
		for f := range t.Fields() {
			if list, ok = zerosOf(f.Type, off+f.Offset, list); !ok {
				return nil, false
			}
		}
		return list, true
	case reflect.Array:
		for i := range uintptr(t.Len()) {
			if list, ok = zerosOf(t.Elem(), off+i*t.Elem().Size(), list); !ok || len(list) > someNumbers {
				return nil, false
			}
		}
		return list, true
	default:
		return append(list, zeroPart{off, uint8(t.Size())}), k >= reflect.Bool && k <= reflect.Float64
	}
}

// text appends a string or []byte. Its length is in a prefix or a slot, or is what the
// frame leaves, apart from a fixed number of bytes.
func (d fromWire) text(e *emitter, o op) {
	n, g := o.x.node, &o.x.node.tag
	o.mask = min(g.limit, math.MaxInt)
	o.size, o.to = uint8(b2i(n.typ.Kind() == reflect.String)), int32(n.amount)
	switch w := g.prefix + g.count; {
	case d.plain:
	case g.utf16:
		o.code = opUTF16
	case g.fixed >= 0:
		if w == "" {
			o.code, o.n, o.imm = opFixed, int32(g.fixed), 0
			if g.fillByte >= 0 || o.size != 0 {
				o.slot, o.imm = 1, uint64(max(0, g.fillByte))*0x0101010101010101
			}
		}
	case w == "" && (g.cstring || g.until >= 0):
		o.code, o.imm = opEnded, uint64(o.x.ending()[0])
	case w == "varint":
		o.code = opTextVarint
	case w != "" && widths[w] <= mostPrefix:
		o.code, o.width, o.swap = opText, uint8(widths[w]), o.x.num.order == big && widths[w] > 1
	case w != "":
	case n.sized != nil && len(n.lengths) == 1 && n.sized.isSmall() && n.sized.plus == int64(int32(n.sized.plus)):
		o.code, o.n, o.slot = opTextAmount, int32(n.sized.num.value), int32(n.sized.num.place)
		o.imm, o.level = uint64(n.sized.factor), int32(n.sized.plus)
	case n.sized == nil && n.countBefore() != nil && len(n.counts) == 1:
		k := n.countBefore()
		o.code, o.n, o.slot, o.imm = opTextAmount, int32(k.amount), int32(k.num.place), 1
	case n.sized == nil && n.countBefore() == nil:
		if after, ok := fixedSum(n.rest); ok {
			o.code, o.n = opRest, int32(after)
		}
	}
	e.roomy(o)
}

// varintWidth is the width of an opOpen whose prefix has variable width.
const varintWidth = 16
