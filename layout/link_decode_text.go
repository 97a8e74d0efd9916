package layout

import (
	"math"
	"reflect"
)

// This file says how the decoder finds the end of a string or []byte.

// text appends a string or []byte. Its length is in a prefix or a slot, or is what the
// frame leaves, apart from a fixed number of bytes.
func (d fromWire) text(l *linker, o op) {
	n, g := o.x.node, &o.x.node.tag
	if d.plain || n.blank || g.utf16 {
		if g.utf16 && !d.plain {
			o.code = opUTF16
		}
		l.roomy(o)
		return
	}
	o.mask = math.MaxInt
	if g.limited {
		o.mask = min(g.limit, math.MaxInt)
	}
	o.size, o.to = uint8(b2i(n.typ.Kind() == reflect.String)), int32(n.amount)
	switch w := g.prefix + g.count; {
	case g.fixed >= 0:
		if w == "" {
			o.code, o.width, o.n, o.imm = opText, fixedWidth, int32(g.fixed), 0
			if g.fillByte >= 0 || o.size != 0 {
				o.slot, o.imm = 1, uint64(max(0, g.fillByte))*0x0101010101010101
			}
		}
	case w == "" && (g.cstring || g.until >= 0):
		o.code, o.width, o.imm = opText, endWidth, uint64(o.x.ending()[0])
	case w == "varint":
		o.code, o.width = opText, varintWidth
	case w != "" && widths[w] <= mostPrefix:
		o.code, o.width, o.swap = opText, uint8(widths[w]), o.x.num.order == big && widths[w] > 1
	case w != "":
	case n.sized != nil && len(n.lengths) == 1 && n.sized.isSmall() && n.sized.plus == int64(int32(n.sized.plus)):
		o.code, o.n, o.slot = opText, int32(n.sized.num.value), int32(n.sized.num.place)
		o.imm, o.level = uint64(n.sized.factor), int32(n.sized.plus)
	case n.sized == nil && n.countBefore() != nil && len(n.counts) == 1:
		k := n.countBefore().num
		o.code, o.n, o.slot, o.imm = opText, int32(k.value), int32(k.place), 1
	case n.sized == nil && n.countBefore() == nil:
		if after, ok := fixedTail(n.rest); ok {
			o.code, o.n = opRest, int32(after)
		}
	}
	l.roomy(o)
}

// The width of an opText or opOpen whose prefix has variable width, and of an opText up to
// a terminator or of a fixed number of bytes.
const (
	varintWidth = 16 + iota
	endWidth
	fixedWidth
)

// fixedTail returns the number of bytes that follow a field which takes the rest, if
// nothing in the message decides it.
func fixedTail(list []size) (n int, ok bool) {
	for _, s := range list {
		if s.link != nil || s.count != nil || s.conditions != nil {
			return 0, false
		}
		n += s.fixed
	}
	return n, n <= math.MaxInt32
}
