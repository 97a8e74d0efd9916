package layout

import (
	"bytes"
	"reflect"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/octet-go/octet/internal/mem"
)

// magic writes constant bytes, if the variable is zero or holds them. So a caller need
// not fill in what the declaration already says, and one who decodes, changes and
// encodes a value need not clear it.
func (e *encoder) magic(o *op, p mem.Ptr) *Error {
	g := &o.x.node.tag
	if n := o.x.node; !n.blank {
		b := n.text(p.Add(o.off))
		if len(b) > 0 && string(b) != string(g.magic) && (n.typ.Kind() != reflect.Array || len(bytes.Trim(b, "\x00")) > 0) {
			return failure(len(e.buf), ErrConst, "found %q, want %q", b, g.magic)
		}
	}
	e.buf = append(e.buf, g.magic...)
	return nil
}

// bytes writes a string or []byte, with what its tag adds. It refuses a text that the
// decoder would end elsewhere: one with its own terminator, or that ends in the bytes
// that fill it up.
func (e *encoder) bytes(o *op, p mem.Ptr) *Error {
	x, g := o.x, &o.x.node.tag
	b := x.node.text(p)
	at := len(e.buf)
	if g.limited && uint64(len(b)) > g.limit {
		return failure(at, ErrLimit, "length %d exceeds the maximum %d", len(b), g.limit)
	}
	if g.utf16 {
		if !utf8.Valid(b) {
			return failure(at, ErrUTF8, "the string is not valid UTF-8")
		}
		var short [2 * maxInline]byte
		b = appendUTF16(short[:0], b, x.order)
	}
	if x.node.amount != 0 {
		e.slots[x.node.amount] = int64(len(b))
	}
	switch {
	case g.prefix != "" || g.count != "":
		if !x.num.fitsWire(uint64(len(b))) {
			return failure(at, ErrLength, "length %d does not fit %s", len(b), x.num.describe())
		}
		e.buf = x.num.appendTo(e.buf, uint64(len(b)))
		e.buf = append(e.buf, b...)
	case g.fixed >= 0:
		return e.fixed(x, b)
	case g.cstring || g.until >= 0:
		if i := x.terminator(b); i >= 0 {
			return failure(at, ErrRange, "the text has its terminator at index %d", i)
		}
		e.buf = append(e.buf, b...)
		e.buf = append(e.buf, x.ending()...)
	default:
		e.buf = append(e.buf, b...)
	}
	return nil
}

// fixed writes bytes of a fixed length, filled up if that is allowed. Strings are
// filled with zeros unless the tag says otherwise; a []byte is not filled without
// fill=, because its zeros may be data.
func (e *encoder) fixed(x *detail, b []byte) *Error {
	g, at := &x.node.tag, len(e.buf)
	fills := g.fillByte >= 0 || x.node.typ.Kind() == reflect.String
	fill := byte(max(g.fillByte, 0))
	switch {
	case len(b) > g.fixed:
		return failure(at, ErrLength, "length %d exceeds the fixed length %d", len(b), g.fixed)
	case len(b) < g.fixed && !fills:
		return failure(at, ErrLength, "length %d is not the fixed length %d", len(b), g.fixed)
	case fills && len(trimFill(b, fill, x.unit())) < len(b):
		return failure(at, ErrRange, "the value ends in the fill byte %#02x", fill)
	}
	e.buf = append(e.buf, b...)
	for len(e.buf) < at+g.fixed {
		e.buf = append(e.buf, fill)
	}
	return nil
}

// unit returns the bytes of one code unit.
func (x *detail) unit() int {
	if x.node.tag.utf16 {
		return 2
	}
	return 1
}

// trimFill removes the fill bytes at the end. A unit is a code unit of the text: two
// bytes of UTF-16 are removed together or not at all.
func trimFill(b []byte, fill byte, unit int) []byte {
	for len(b) >= unit && b[len(b)-1] == fill && b[len(b)-unit] == fill {
		b = b[:len(b)-unit]
	}
	return b
}

// ending returns the bytes of the terminator.
func (x *detail) ending() []byte {
	end := byte(max(x.node.tag.until, 0))
	switch {
	case !x.node.tag.utf16:
		return []byte{end}
	case x.order == little:
		return []byte{end, 0}
	}
	return []byte{0, end}
}

// terminator returns the index of the terminator in b, or -1. In UTF-16 only whole code
// units count: the two bytes of a terminator may also be halves of two characters.
func (x *detail) terminator(b []byte) int {
	end := x.ending()
	if len(end) == 1 {
		return bytes.IndexByte(b, end[0])
	}
	for i := 0; i+1 < len(b); i += 2 {
		if b[i] == end[0] && b[i+1] == end[1] {
			return i
		}
	}
	return -1
}

// text returns the bytes of a string, []byte or array without copying. They are read before
// the caller returns, and never kept.
func (n *node) text(p mem.Ptr) []byte {
	switch n.typ.Kind() {
	case reflect.String:
		s := *mem.At[string](p)
		return mem.Slice(mem.StringBytes(s), len(s))
	case reflect.Array:
		return mem.Slice(p, n.typ.Len())
	}
	return *mem.At[[]byte](p)
}

// appendUTF16 appends valid UTF-8 as UTF-16. Text that is not valid has been refused, because
// it would not be decoded as it was.
func appendUTF16(dst, text []byte, o order) []byte {
	for len(text) > 0 {
		r, n := rune(text[0]), 1
		if r >= utf8.RuneSelf {
			r, n = utf8.DecodeRune(text)
		}
		if text = text[n:]; r >= 0x10000 {
			var high rune
			high, r = utf16.EncodeRune(r)
			dst = appendUnit(dst, high, o)
		}
		dst = appendUnit(dst, r, o)
	}
	return dst
}

// appendUnit appends a code unit of UTF-16.
func appendUnit(dst []byte, u rune, o order) []byte {
	if o == little {
		return append(dst, byte(u), byte(u>>8))
	}
	return append(dst, byte(u>>8), byte(u))
}

// fromUTF16 returns the text of b, and whether it is valid UTF-16. Unpaired surrogates
// are not valid: they would be replaced, and not be written again as they were.
func fromUTF16(b []byte, o order) (string, bool) {
	var short [maxInline]byte
	text := short[:0]
	low := int(b2i(o != little)) // the index of the low byte in a unit
	for ; len(b) >= 2; b = b[2:] {
		r := rune(b[low]) | rune(b[1-low])<<8
		if r < utf8.RuneSelf {
			text = append(text, byte(r))
			continue
		}
		if utf16.IsSurrogate(r) {
			if b = b[2:]; len(b) < 2 {
				return "", false
			}
			if r = utf16.DecodeRune(r, rune(b[low])|rune(b[1-low])<<8); r == utf8.RuneError {
				return "", false
			}
		}
		text = utf8.AppendRune(text, r)
	}
	return string(text), len(b) == 0
}

// appendTo appends a prefix or count that fits.
func (n *number) appendTo(b []byte, v uint64) []byte {
	if n.form == varintForm {
		return n.appendVarint(b, v)
	}
	at := len(b)
	b = append(b, "\x00\x00\x00\x00\x00\x00\x00\x00"[:n.width]...)
	putFixed(b[at:], v, n.order)
	return b
}

// frame encodes a value after its prefix, or a value that a number measures. A prefix
// of fixed width is written over the bytes left free for it. A varint is first taken to
// have one byte, and the contents move if it has more. If the contents have zeros for
// alignment, these depend on the width of the prefix, and the contents are encoded anew
// until the width is right.
func (e *encoder) frame(o *op, p mem.Ptr) *Error {
	x, g := o.x, &o.x.node.tag
	follows, absent := e.follows, e.absent
	e.follows, e.absent = false, 0 // nothing in the frame depends on what is around it
	at := len(e.buf)
	width := 0
	if g.prefix != "" {
		width = max(1, int(x.num.width)) // a varint has at least one byte
	}
	sums := len(e.pending())
	for turn := 0; ; turn++ {
		e.buf = slices.Grow(e.buf, width)[:at+width]
		e.slots[o.slot] = int64(at)
		if err := e.inner(x.list, p); err != nil {
			return err
		}
		if err := e.checkAbsent(); err != nil {
			return err
		}
		at = int(e.slots[o.slot]) // a number before the frame can have become longer or shorter
		n := uint64(len(e.buf) - at - width)
		if width == 0 {
			break
		}
		if !x.num.fitsWire(n) {
			return failure(at, ErrLength, "length %d does not fit %s", n, x.num.describe())
		}
		if x.num.form != varintForm {
			putFixed(e.buf[at:at+width], n, x.num.order)
			break
		}
		need := varintLen(n)
		if need != width && x.aligned && turn < maxVarint {
			// Zeros before aligned fields depend on where the value begins.
			e.buf, e.absent, width = e.buf[:at], 0, need
			if e.rare != nil {
				e.rare.sums = e.rare.sums[:sums]
			}
			continue
		}
		if need < width {
			return failure(at, ErrLength, "no prefix is correct, because the width of the prefix changes the length")
		}
		e.insert(at+width, need-width)
		x.num.appendVarint(e.buf[at:at], n)
		break
	}
	e.follows, e.absent = follows, absent
	return nil
}

// moved adds n to the places that are at or after the offset. It runs each time a
// varint before them turns out to be longer, or shorter, than expected.
func (e *encoder) moved(at, n int) {
	e.message.move(e.slots, at, n)
	for saved := e.around(); len(saved) > 0; saved = saved[e.message.slots+1:] {
		e.message.move(saved, at, n)
	}
	for i := range e.pending() {
		s := &e.rare.sums[i]
		for _, offset := range []*int{&s.from, &s.to, &s.place} {
			if *offset >= at {
				*offset += n
			}
		}
	}
	if e.absent > at {
		e.absent += n
	}
}

// move adds n to the places in slots that are at or after the offset.
func (m *message) move(slots []int64, at, n int) {
	for _, s := range m.offsets {
		if slots[s] >= int64(at) {
			slots[s] += int64(n)
		}
	}
	for _, s := range m.places {
		if slots[s]>>1-1 >= int64(at) {
			slots[s] += int64(n) << 1
		}
	}
}

// union writes the tag of the variant in an interface and begins the variant. The
// number that selects the variant comes earlier and is overwritten. A nil interface has
// no tag, and an Unknown with the tag of a variant would be decoded as that variant;
// both are errors.
func (e *encoder) union(o *op, p mem.Ptr) (next *op, q mem.Ptr, err *Error) {
	x := o.x
	u := x.node.union
	i, tag, v := u.find(p.Add(o.off))
	at := len(e.buf)
	switch i {
	case -1:
		return nil, p, failure(at, ErrVariant, "nil interface")
	case -2:
		return nil, p, failure(at, ErrVariant, "%T is not a variant of the union", mem.Value(u.typ, p.Add(o.off)).Interface())
	}
	if u.variants[i].typ.Kind() == reflect.Pointer && v.IsNil() {
		return nil, p, failure(at, ErrRange, "nil pointer")
	}
	if i == u.unknown && u.byTag(tag) != i {
		return nil, p, failure(at, ErrVariant, "the tag %s of an Unknown is that of a variant", x.node.switchOn.num.text(tag))
	}
	if num := x.node.switchOn; e.slots[num.place] != 0 {
		if err := e.fill(num, tag, nil); err != nil {
			return nil, p, err
		}
	} else if tag != 0 {
		return nil, p, failure(at, ErrVariant, "%s is absent, which means the tag 0, but the tag is %s", num.name, num.num.text(tag))
	}
	for _, s := range x.reset {
		e.slots[s] = 0
	}
	e.level(o).outer = p
	e.level(o).left = 0
	return mem.Skip(o, int(x.starts[i])), v, nil
}

// user writes a value of a type with methods. The method gets no buffer of the message,
// which it could keep.
func (e *encoder) user(o *op, p mem.Ptr) *Error {
	at := len(e.buf)
	n := o.x.node
	b, err := n.user.encode(nil, p)
	if err != nil {
		return failedBy(at, err)
	}
	if n.tag.fixed >= 0 && len(b) != n.tag.fixed {
		return failure(at, ErrLength, "length %d is not the fixed length %d", len(b), n.tag.fixed)
	}
	e.buf = append(e.buf, b...)
	return nil
}

// present reports whether a field with conditions is written. A field that its
// condition says is absent must be zero: a value that is silently lost would be found
// only by the receiver. With if=more, a zero field is left out only if all that follows
// in the frame is left out as well.
func (e *encoder) present(o *op, p mem.Ptr) (bool, *Error) {
	x := o.x
	zero := x.node.blank || isZero(mem.Value(x.node.typ, p.Add(o.off)))
	present := allHold(x.node.conditions, e.slots)
	if present && x.node.hasMore() {
		around := x.node.asksAround()
		present = !zero || around && (x.must || e.later(x.later, p) || e.isFollowed(x))
		if !present && around && e.absent == 0 {
			e.absent = len(e.buf) + 1
		}
	}
	if present {
		return true, nil
	}
	if !zero {
		err := failure(len(e.buf), ErrRange, "the field has a value, but %s says that it is absent", x.node.conditionText())
		return false, underSet(mem.Value(x.node.typ, p.Add(o.off)), err)
	}
	for _, s := range x.reset {
		e.slots[s] = 0
	}
	return false, nil
}

// underSet adds the path of the first field of v that has a value, if v is a struct. So
// the error names the value that is too much, not only the struct that has it.
func underSet(v reflect.Value, err *Error) *Error {
	if v.Kind() != reflect.Struct {
		return err
	}
	for i := range v.NumField() {
		if f := v.Field(i); !isZero(f) {
			return under(v.Type().Field(i).Name, underSet(f, err))
		}
	}
	return err
}

// later reports whether one of the variables is not zero, and takes bytes.
func (e *encoder) later(list []place, p mem.Ptr) bool {
	for _, l := range list {
		if !p.IsNil() && !isZero(mem.Value(l.node.typ, p.Add(l.off))) && l.node.takes(p.Add(l.off)) {
			return true
		}
	}
	return false
}

// takes reports whether the variable of n, at p, takes bytes. It may be wrong if that depends on other conditions
// than if=more, on alignment or on methods: then it reports true.
func (n *node) takes(p mem.Ptr) bool {
	switch {
	case n.leastInside() > 0 || n.loop || n.kind == userNode || n.kind == alignNode:
		return true
	case n.kind == bytesNode || n.kind == sliceNode || n.kind == arrayNode:
		return mem.Value(n.typ, p).Len() > 0
	case n.kind == unknownNode:
		return len(mem.At[Unknown](p).Data) > 0
	case n.kind == pointerNode:
		return !p.Deref().IsNil() && n.elem.takes(p.Deref())
	case n.kind == unionNode:
		i, _, q := n.union.find(p)
		if i >= 0 && n.variants[i].kind == pointerNode { // q is the pointer
			return !q.IsNil() && n.variants[i].elem.takes(q)
		}
		return i >= 0 && n.variants[i].takes(q)
	case n.kind == structNode:
		base, start := n.locate()
		return slices.ContainsFunc(n.inner.nodes, func(f *node) bool {
			at, off := f.locate()
			if at != base { // in an embedded pointer
				return true
			}
			q := p.Add(off - start)
			if len(f.conditions) > 0 {
				return !f.hasMore() || !isZero(mem.Value(f.typ, q))
			}
			return f.takes(q)
		})
	}
	return false
}

// addSum notes a checksum that is computed at the end. What is noted are offsets in the
// message, which moved keeps current until then.
func (e *encoder) addSum(c *check) {
	place := e.slots[c.num.place]
	if place == 0 {
		return
	}
	s := pendingSum{check: c, from: int(e.slots[c.of.start]), to: int(e.slots[c.of.stop]), place: int(place>>1 - 1), order: big}
	if place&1 == 1 {
		s.order = little
	}
	e.rare.sums = append(e.rare.sums, s)
}
