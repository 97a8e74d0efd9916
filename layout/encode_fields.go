package layout

import (
	"reflect"
	"slices"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/octet-go/octet/internal/mem"
)

func (e *encoder) magic(o *op, p mem.Ptr) *Error {
	g := &o.x.node.tag
	b, blank := o.x.node.text(p.Add(o.off))
	if !blank && len(b) > 0 && string(b) != string(g.magic) && !allZero(b, o.x.node) {
		return failure(len(e.buf), ErrConst, "found %q, want %q", b, g.magic)
	}
	e.buf = append(e.buf, g.magic...)
	return nil
}

// allZero reports whether an array is the zero value.
func allZero(b []byte, n *node) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return n.typ.Kind() == reflect.Array
}

func (e *encoder) bytes(o *op, p mem.Ptr) *Error {
	x, g := o.x, &o.x.node.tag
	b, _ := x.node.text(p)
	at := len(e.buf)
	if g.limited && uint64(len(b)) > g.limit {
		return failure(at, ErrLimit, "length %d exceeds the maximum %d", len(b), g.limit)
	}
	if g.utf16 {
		if !utf8.Valid(b) {
			return failure(at, ErrUTF8, "the string is not valid UTF-8")
		}
		b = toUTF16(b, x.order)
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

// fixed writes bytes of a fixed length, filled up if that is allowed.
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

// trimFill removes the fill bytes at the end.
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

// terminator returns the index of the terminator in b, or -1.
func (x *detail) terminator(b []byte) int {
	end := x.ending()
	if len(end) == 1 {
		return slices.Index(b, end[0])
	}
	for i := 0; i+1 < len(b); i += 2 {
		if b[i] == end[0] && b[i+1] == end[1] {
			return i
		}
	}
	return -1
}

// text returns the bytes of a string, []byte or array without copying.
func (n *node) text(p mem.Ptr) (b []byte, blank bool) {
	switch k := n.typ.Kind(); {
	case n.blank:
		return nil, true
	case k == reflect.String:
		s := *mem.At[string](p)
		return mem.Slice(mem.StringBytes(s), len(s)), false
	case k == reflect.Array:
		return mem.Slice(p, n.typ.Len()), false
	}
	return *mem.At[[]byte](p), false
}

func toUTF16(b []byte, o order) []byte {
	units := utf16.Encode([]rune(string(b)))
	out := make([]byte, 2*len(units))
	for i, u := range units {
		putFixed(out[2*i:2*i+2], uint64(u), o)
	}
	return out
}

func fromUTF16(b []byte, o order) (string, bool) {
	units := make([]uint16, len(b)/2)
	for i := range units {
		units[i] = uint16(getFixed(b[2*i:2*i+2], o))
	}
	runes := utf16.Decode(units)
	valid := len(b)%2 == 0
	back := utf16.Encode(runes)
	return string(runes), valid && slices.Equal(back, units)
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

func (e *encoder) slice(o *op, p mem.Ptr) *Error {
	x, g := o.x, &o.x.node.tag
	first, n := mem.SliceAt(p)
	at := len(e.buf)
	if g.limited && uint64(n) > g.limit {
		return failure(at, ErrLimit, "%d elements exceed the maximum %d", n, g.limit)
	}
	if x.node.amount != 0 {
		e.slots[x.node.amount] = int64(n)
	}
	switch {
	case g.count != "":
		if !x.num.fitsWire(uint64(n)) {
			return failure(at, ErrLength, "%d elements do not fit %s", n, x.num.describe())
		}
		e.buf = x.num.appendTo(e.buf, uint64(n))
	case g.fixed >= 0 && n != g.fixed:
		return failure(at, ErrLength, "%d elements, want %d", n, g.fixed)
	}
	if g.toZero {
		return e.untilZero(x, first, n)
	}
	return e.elements(x, first, n)
}

// untilZero encodes elements and one that is zero. No other element may look like
// that one.
func (e *encoder) untilZero(x *detail, p mem.Ptr, n int) *Error {
	zero := reflect.New(x.sub.typ)
	if x.sub.typ.Kind() == reflect.Pointer {
		zero.Elem().Set(reflect.New(x.sub.typ.Elem()))
	}
	last, err := e.bytesOf(x.sub, mem.PtrOf(zero))
	if err != nil {
		return underIndex(n, err)
	}
	aligned := x.node.elem.hasAlign() // what the zero is depends on where it is
	for i := range n {
		at := len(e.buf)
		if aligned && i > 0 {
			if last, err = e.bytesOf(x.sub, mem.PtrOf(zero)); err != nil {
				return underIndex(n, err)
			}
		}
		if err := e.runSub(x.sub, p.Add(uintptr(i)*x.sub.typ.Size())); err != nil {
			return underIndex(i, err)
		}
		if string(e.buf[at:]) == last {
			return underIndex(i, failure(at, ErrRange, "the element is zero, which ends the slice"))
		}
	}
	if aligned {
		if err := e.runSub(x.sub, mem.PtrOf(zero)); err != nil {
			return underIndex(n, err)
		}
		return nil
	}
	e.buf = append(e.buf, last...)
	return nil
}

// bytesOf returns the bytes that a value has here, without writing them.
func (e *encoder) bytesOf(g *program, p mem.Ptr) (string, *Error) {
	at := len(e.buf)
	if err := e.runSub(g, p); err != nil {
		return "", err
	}
	b := string(e.buf[at:])
	e.buf = e.buf[:at]
	return b, nil
}

// elements encodes the elements of a slice or array.
func (e *encoder) elements(x *detail, p mem.Ptr, n int) *Error {
	if x.plan != nil {
		at := len(e.buf)
		e.buf = slices.Grow(e.buf, n*x.plan.Size)[:at+n*x.plan.Size]
		x.plan.EncodeAll(mem.Bytes(e.buf[at:]), p, n)
		return nil
	}
	size := x.sub.typ.Size()
	follows := e.follows
	outer := follows || x.must
	for i := range n {
		q := p
		if size > 0 {
			q = p.Add(uintptr(i) * size)
		}
		at := len(e.buf)
		e.follows = outer || i < n-1
		var err *Error
		switch {
		case x.plan == nil:
			err = e.runSub(x.sub, q)
		}
		if err == nil && len(e.buf) == at && x.node.kind == sliceNode && x.plan == nil {
			err = failure(at, ErrLength, "an element of a slice must take at least one byte")
		}
		if err != nil {
			return underIndex(i, err)
		}
	}
	e.follows = follows
	return nil
}

// call encodes what a pointer points to, or a recursive struct.
func (e *encoder) call(o *op, p mem.Ptr) *Error {
	if o.x.node.kind == pointerNode {
		if p = p.Deref(); p.IsNil() {
			return failure(len(e.buf), ErrRange, "nil pointer")
		}
	}
	follows := e.follows
	e.follows = follows || o.x.must
	err := e.runSub(o.x.sub, p)
	e.follows = follows
	return err
}

// frame encodes a value after its prefix, or a value that a number measures.
func (e *encoder) frame(o *op, p mem.Ptr) *Error {
	x, g := o.x, &o.x.node.tag
	follows, absent := e.follows, e.absent
	e.follows, e.absent = false, -1
	at := len(e.buf)
	width := 0
	if g.prefix != "" {
		width = max(1, widths[g.prefix])
	}
	sums := len(e.sums)
	for turn := 0; ; turn++ {
		e.buf = slices.Grow(e.buf, width)[:at+width]
		if err := e.run(x.sub, p); err != nil {
			return err
		}
		if e.absent >= 0 && len(e.buf) > e.absent {
			return failure(e.absent, ErrRange, "a field with if=more is zero and left out, but bytes follow it; give it a value")
		}
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
			e.buf, e.sums, e.absent, width = e.buf[:at], e.sums[:sums], -1, need
			continue
		}
		if need < width {
			return failure(at, ErrLength, "no prefix is correct, because the width of the prefix changes the length")
		}
		e.insert(at+width, need-width)
		x.num.appendVarint(e.buf[at:at], n)
		break
	}
	if g.fixed >= 0 && x.node.kind == userNode && len(e.buf)-at-width != g.fixed {
		return failure(at, ErrLength, "length %d is not the fixed length %d", len(e.buf)-at-width, g.fixed)
	}
	e.follows, e.absent = follows, absent
	return nil
}

// moved adds n to the places that are at or after the offset.
func (e *encoder) moved(at, n int) {
	for _, s := range e.message.offsets {
		if e.slots[s] >= int64(at) {
			e.slots[s] += int64(n)
		}
	}
	for _, s := range e.message.places {
		if e.slots[s]>>1-1 >= int64(at) {
			e.slots[s] += int64(n) << 1
		}
	}
	for i := range e.sums {
		s := &e.sums[i]
		for _, offset := range []*int{&s.from, &s.to, &s.place} {
			if *offset >= at {
				*offset += n
			}
		}
	}
	if e.absent >= at {
		e.absent += n
	}
}

func (e *encoder) union(o *op, p mem.Ptr) *Error {
	x := o.x
	u := x.node.union
	i, tag, v := u.find(p)
	at := len(e.buf)
	switch i {
	case -1:
		return failure(at, ErrVariant, "nil interface")
	case -2:
		return failure(at, ErrVariant, "%s is not a variant of the union", u.describe(p))
	}
	if u.typ.NumMethod() >= 0 && x.subs[i].typ != u.variants[i].typ && v.IsNil() {
		return failure(at, ErrRange, "nil pointer")
	}
	if i == u.unknown && u.isListed(tag) {
		return failure(at, ErrVariant, "the tag %d of an Unknown is that of a variant", tag)
	}
	num := x.node.switchOn
	if e.slots[num.place] != 0 {
		if err := e.fill(num, tag, nil); err != nil {
			return err
		}
	}
	for _, s := range x.reset {
		e.slots[s] = 0
	}
	follows := e.follows
	e.follows = follows || x.must
	err := e.runSub(x.subs[i], v)
	e.follows = follows
	return err
}

// runSub runs a program that may be recursive. Each level of the recursion has its
// own slots.
func (e *encoder) runSub(g *program, p mem.Ptr) *Error {
	if !g.recursive {
		return e.run(g, p)
	}
	if e.depth == 0 {
		return failure(len(e.buf), ErrDepth, "nested more than %d deep", maxDepth)
	}
	e.depth--
	saved := slices.Clone(e.slots)
	err := e.run(g, p)
	copy(e.slots, saved)
	e.depth++
	return err
}

func (e *encoder) user(o *op, p mem.Ptr) *Error {
	at := len(e.buf)
	b, err := o.x.node.user.encode(nil, p)
	if err != nil {
		return failedBy(at, err)
	}
	e.buf = append(e.buf, b...)
	return nil
}

// present reports whether a field with conditions is written.
func (e *encoder) present(o *op, p mem.Ptr) (bool, *Error) {
	x := o.x
	zero := x.node.blank || isZero(x.node.typ, p.Add(o.off))
	present, more := true, false
	for i := range x.node.conditions {
		c := &x.node.conditions[i]
		if c.more {
			more = true
			continue
		}
		present = present && c.holds(uint64(e.slots[c.node.value]))
	}
	if present && more {
		present = !zero || e.follows || x.must || e.later(x.later, p)
		if !present && e.absent < 0 {
			e.absent = len(e.buf)
		}
	}
	if present {
		return true, nil
	}
	if !zero {
		return false, failure(len(e.buf), ErrRange, "the field has a value, but %s says that it is absent", x.node.conditionText())
	}
	for _, s := range x.reset {
		e.slots[s] = 0
	}
	return false, nil
}

// later reports whether one of the variables is not zero.
func (e *encoder) later(list []place, p mem.Ptr) bool {
	for _, l := range list {
		if !p.IsNil() && !isZero(l.typ, p.Add(l.off)) {
			return true
		}
	}
	return false
}

func isZero(t reflect.Type, p mem.Ptr) bool { return mem.Value(t, p).IsZero() }

// addSum notes a checksum that is computed at the end.
func (e *encoder) addSum(c *check) {
	place := e.slots[c.num.place]
	if place == 0 {
		return
	}
	s := pendingSum{check: c, from: int(e.slots[c.of.start]), to: int(e.slots[c.of.stop]), place: int(place>>1 - 1), order: big}
	if place&1 == 1 {
		s.order = little
	}
	e.sums = append(e.sums, s)
}
