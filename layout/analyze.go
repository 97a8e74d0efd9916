package layout

import (
	"math"
	"slices"
)

// analyze finds out when each number is known, and refuses types in which a number
// is needed before it is known.
func (b *builder) analyze() error {
	for _, n := range b.all {
		if n.takesRest() {
			rest, err := b.restOf(n, n, nil)
			if err != nil {
				return err
			}
			n.rest = rest
		}
		for _, check := range []func(*node) error{b.checkKnown, b.checkAlign, (*node).checkZero, b.checkLinks} {
			if err := check(n); err != nil {
				return err
			}
		}
	}
	if err := b.orderLinks(); err != nil {
		return err
	}
	if err := b.rankSums(); err != nil {
		return err
	}
	return b.checkTags()
}

// checkKnown verifies that the numbers that n depends on are known when n is encoded,
// although they may be computed from later fields. A condition on a length, for
// example, is known only if the length can be computed before the bytes are written.
func (b *builder) checkKnown(n *node) error {
	var on []*node
	for _, c := range n.conditions {
		if c.node != nil {
			on = append(on, c.node)
		}
	}
	if n.orderOf != nil {
		on = append(on, n.orderOf)
	}
	for _, f := range on {
		if f.sum != nil {
			return wrong(n.path(), "the field depends on %s, a checksum, which is computed last", f.name)
		}
		late := ""
		for _, l := range f.links {
			if b.earlyOf(l) != nil {
				late = ""
				break
			}
			if n.seq <= l.of.scope.nodes[max(f.field(l.of.scope).index, l.of.to)].last {
				late = l.of.scope.nodes[l.of.to].name
			}
		}
		for _, u := range f.unions {
			if b.earlyTag(f, u) == nil && n.seq < u.seq {
				late = u.lastName()
			}
		}
		if late != "" {
			text := ""
			if n.sized != nil && n.sized.num == f && n.orderOf != f {
				text = "; use if=more, which asks whether " + f.name + " is 0"
			}
			return wrong(n.path(), "the field depends on %s, which is computed from %s, and that has not been written then%s", f.name, late, text)
		}
	}
	return nil
}

// locate returns what the offset of n refers to when it is emitted, and the offset of n
// in it. Only variables with the same base are at a fixed distance from each other. An
// embedded pointer, an element, a variant and a recursive struct each begin a new one.
func (n *node) locate() (base any, off uintptr) {
	for o := n; ; {
		if o.owner != nil || o.scope == nil {
			return o, off
		}
		off += o.off
		for g := o.group; g != nil; g = g.parent {
			if g.target != nil {
				return g, off
			}
		}
		s := o.scope
		if s.recursive {
			return s, off
		}
		o = s.owner
	}
}

// earlyOf returns how to compute the value of a link before its target is written, or
// nil if the target must be written first. That saves writing the number twice, and
// allows conditions to depend on it.
func (b *builder) earlyOf(l *link) *early {
	t := l.target
	if t == nil {
		if l.of.from != l.of.to {
			return nil
		}
		t = l.of.scope.nodes[l.of.from]
	}
	g, each := &t.tag, 1
	base, off := t.locate()
	switch {
	case !l.num.hasBase(base) || t.kind != bytesNode && t.kind != sliceNode || g.fixed >= 0:
		return nil
	case l.elements:
	case g.prefix != "" || g.count != "" || g.cstring || g.until >= 0 || g.utf16 || g.toZero:
		return nil
	case t.kind == sliceNode:
		if each = b.alwaysSize(t.elem); each <= 0 {
			return nil
		}
	}
	return &early{link: l, terms: []term{{off, uint64(each)}}}
}

// alwaysSize returns the number of bytes of n if it is always the same, or -1.
func (b *builder) alwaysSize(n *node) int {
	list, ok := b.presentSize(n, n)
	sum, fixed := fixedSum(list)
	if !ok || !fixed || len(n.conditions) > 0 {
		return -1
	}
	return sum
}

// aheadOf is earlyOf for encoding only: it also finds the lengths of ranges of fields,
// and of fields with a prefix or terminator, if only the lengths of few texts and slices
// vary. Nothing else of the declaration may depend on that, because the decoder must
// know it, too.
func (b *builder) aheadOf(l *link) *early {
	if y := b.earlyOf(l); y != nil {
		return y
	}
	n := l.num
	x := &early{link: l}
	if l.target != nil || len(n.links) > 1 || len(n.unions) > 0 || n.num.width == 0 || n.read || l.isOptional() ||
		!b.addTerms(x, l.of.scope.nodes[l.of.from:l.of.to+1]) || len(x.terms) > mostTerms {
		return nil
	}
	return x
}

// mostTerms is of how many lengths the loop computes a number before what it measures.
const mostTerms = 4

// addTerms adds the sizes of the nodes to x. It reports whether that is possible.
func (b *builder) addTerms(x *early, nodes []*node) bool {
	for _, n := range nodes {
		g := &n.tag
		if size := b.alwaysSize(n); size >= 0 {
			x.fixed += int64(size)
			continue
		}
		// A field that may be absent, or whose prefix has no fixed width, has no size in numbers of its own.
		base, off := n.locate()
		if len(n.conditions) > 0 || g.prefix == "varint" || g.count == "varint" {
			return false
		}
		t := term{off, 1}
		x.fixed += int64(prefixMin(g.prefix) + prefixMin(g.count))
		switch n.kind {
		case structNode:
			if n.loop || n.inner.recursive || !b.addTerms(x, n.inner.nodes) {
				return false
			}
			continue
		case sliceNode:
			t.size = uint64(b.alwaysSize(n.elem))
		case bytesNode:
			if g.cstring || g.until >= 0 {
				x.fixed++
			}
		default:
			return false
		}
		if g.fixed >= 0 || g.utf16 || g.toZero || int64(t.size) <= 0 || !x.link.num.hasBase(base) {
			return false
		}
		x.terms = append(x.terms, t)
	}
	return true
}

// earlyTag returns how to compute the tag of a union before the union is written, or nil. It
// needs the interface only, so it must be in the same variable as the number.
func (b *builder) earlyTag(num, u *node) *early {
	base, off := u.locate()
	if u.owner != nil || !num.hasBase(base) {
		return nil
	}
	return &early{off: off, union: u.union}
}

// rankSums orders the checksums: each comes after those in its range. A checksum of
// bytes that include another checksum must see its final value. A circle has no
// solution that can be computed and is refused.
func (b *builder) rankSums() error {
	state := map[*check]int{} // 1: being ranked, 2: ranked
	var rank func(c *check) error
	rank = func(c *check) error {
		state[c] = 1
		for _, d := range b.checks {
			f := d.num.field(c.of.scope)
			if d == c || f == nil || f.index < c.of.from || f.index > c.of.to {
				continue
			}
			if state[d] == 1 {
				return wrong(c.num.path(), "the checksum is of %s, which is a checksum of this one", d.num.name)
			}
			if state[d] == 0 {
				if err := rank(d); err != nil {
					return err
				}
			}
			c.rank = max(c.rank, d.rank+1)
		}
		state[c] = 2
		return nil
	}
	for _, c := range b.checks {
		if state[c] == 0 {
			if err := rank(c); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkTags verifies that the numbers that unions switch on can hold the tags, both on the
// wire and in the variable. A variant with another tag could never be encoded.
func (b *builder) checkTags() error {
	for _, n := range b.all {
		if n.kind != unionNode {
			continue
		}
		m := &n.switchOn.num
		for _, v := range n.union.variants {
			_, ok := m.toWire(v.tag.value)
			if !v.unknown && (!ok || v.tag.negative && m.kind != intKind || !fits(v.tag.value, v.tag.negative, m.memBits(), m.kind == intKind)) {
				return wrong(n.path(), "the tag %s of variant %v does not fit %s", v.tag.text(v.tag.negative), v.typ, n.switchOn.name)
			}
		}
	}
	return nil
}

// noteLater notes in x what may follow n in its frame: the variables whose values decide,
// whether something follows in any case, and whether that is all there is in the frame. It is
// for fields with if=more, which are written if anything is written behind them.
func (e *emitter) noteLater(x *detail, n *node) {
	base, _ := n.locate()
	for o := n; o != nil && o.scope != nil; o = o.scope.owner {
		if o.owner != nil {
			return
		}
		last := len(o.scope.nodes) - 1
		for _, l := range o.scope.links {
			if l.of.from <= o.index && o.index <= l.of.to && l.num.seq < n.seq {
				last, x.closed = min(last, l.of.to), true
			}
		}
		for _, f := range o.scope.nodes[o.index+1 : last+1] {
			if len(f.conditions) == 0 && (f.leastInside() > 0 || f.leastContent() > 0) {
				x.later, x.must = nil, true
				return
			}
			if at, off := f.locate(); at == base && !f.blank && f.kind != rawNode && f.kind != emptyNode {
				x.later = append(x.later, place{off, f})
			}
		}
		if x.closed || o.scope.owner == nil || o.scope.owner.isFramed() {
			return
		}
	}
}

// noteOutside is noteLater for what is inside n. In a frame of its own, nothing follows.
func (e *emitter) noteOutside(x *detail, n *node) {
	if !n.isFramed() && n.hasUnframedMore() {
		e.noteLater(x, n)
	}
}

// hasUnframedMore reports whether n has a field with if=more whose frame is around n.
// Fields in a frame of their own do not count, because their frame says whether there
// is more. Recursive structs are followed, each once.
func (n *node) hasUnframedMore() bool {
	var followed []*scope
	var has func(n *node) bool
	has = func(n *node) (found bool) {
		visit := func(c *node) { found = found || c.asksAround() || !c.isFramed() && has(c) }
		n.children(visit)
		if n.loop && !slices.Contains(followed, n.inner) {
			followed = append(followed, n.inner)
			for _, f := range n.inner.nodes {
				visit(f)
			}
		}
		return found
	}
	return has(n)
}

// framesMore reports whether the range is the frame of a field with if=more: a number before the
// end of the range says how long that is.
func (of *extent) framesMore() bool {
	frames := slices.ContainsFunc(of.scope.links, func(l *link) bool { return l.of == of && l.num.seq < of.scope.nodes[of.to].seq })
	return frames && of.start != 0 && of.stop != 0 && slices.ContainsFunc(of.scope.nodes[of.from:of.to+1], func(n *node) bool {
		return n.asksAround() || !n.isFramed() && n.hasUnframedMore()
	})
}

// checkAlign verifies that there are no zeros for alignment between a number of
// variable width and the end of what it is computed from: they would depend on its
// width.
func (b *builder) checkAlign(n *node) error {
	if n.tag.prefix == "varint" && n.nests() {
		// Each level would be encoded again for each width of the prefixes around it.
		if zeros := n.align(); zeros != nil {
			return wrong(n.path(), "the prefix has a variable width, and the zeros of align=%d inside would depend on that in each recursive struct; use a fixed width such as u32", zeros.tag.align)
		}
	}
	if n.kind != numberNode || n.num.width > 0 {
		return nil
	}
	last := n.seq
	for _, l := range n.links {
		if b.earlyOf(l) == nil {
			last = max(last, l.of.scope.nodes[max(n.field(l.of.scope).index, l.of.to)].last)
		}
	}
	for _, u := range n.unions {
		if b.earlyTag(n, u) == nil {
			last = max(last, u.seq, u.lastBefore(n))
		}
	}
	for _, c := range b.all[n.seq:min(last+1, len(b.all))] {
		if c.kind != alignNode && !c.loop {
			continue
		}
		if zeros := c.align(); zeros != nil {
			return wrong(n.path(), "the number has a variable width, and the zeros of align=%d after it would depend on that; use a fixed width such as u32", zeros.tag.align)
		}
	}
	return nil
}

// checkLinks verifies that n can hold the length of fields that always have the same number of
// bytes, unless there are messages without n.
func (b *builder) checkLinks(n *node) error {
	if len(n.links) == 0 || n.mayBeAbsent() {
		return nil
	}
	for _, l := range n.links {
		sum, fixed := b.measuredSize(l)
		if !fixed {
			continue
		}
		v, err := l.number(sum, 0)
		if err == nil {
			err = n.num.check(v, 0)
		}
		if err != nil {
			return wrong(n.path(), "%s: the length is always %d: %s", l.text, sum, err.Text)
		}
	}
	return nil
}

// measuredSize returns the number of bytes that l measures, if it is always the same.
func (b *builder) measuredSize(l *link) (sum uint64, fixed bool) {
	if l.elements {
		return 0, false
	}
	for _, f := range l.of.scope.nodes[l.of.from : l.of.to+1] {
		size := b.alwaysSize(f)
		if size < 0 {
			return 0, false
		}
		sum += uint64(size)
	}
	return sum, true
}

// checkZero verifies that an element can be zero if that is what ends the slice. With a
// constant, a checksum or the length of something that always has bytes in it, it never is, and
// the decoder would read to the end of the message.
func (n *node) checkZero() error {
	if !n.tag.toZero {
		return nil
	}
	element := n.elem
	for element.kind == pointerNode {
		element = element.elem
	}
	if element.loop {
		element = element.inner.owner // has the fields
	}
	if c := element.neverZero(element); c != nil {
		return wrong(n.path(), "until=zero: an element is never zero, because of its field %s; use count or prefix", c.lastName())
	}
	return nil
}

// neverZero returns the first field in n, which is a part of the element, that a zero element
// has and that can be other than zero there, or nil. A zero element has no fields whose conditions depend
// on another one of its fields and do not hold for 0, and its slices have no elements.
func (n *node) neverZero(element *node) (never *node) {
	if n.isAbsentFrom(element) {
		return nil
	}
	constant := len(n.tag.constants) > 0 && !slices.ContainsFunc(n.tag.constants, func(c constant) bool { return c.value == 0 })
	if constant || n.kind == magicNode || n.kind == unionNode || n.kind == rawNode || n.sum != nil {
		return n
	}
	for _, l := range n.links {
		most := int64(0) // a zero slice has no elements
		if !l.elements {
			most = mostOfZero(l.of.scope.nodes[l.of.from:l.of.to+1], element)
		}
		if most > l.plus {
			return n // it counts bytes that a zero element has, or what is not there
		}
	}
	if n.kind == sliceNode {
		return nil
	}
	n.children(func(c *node) {
		if never == nil {
			never = c.neverZero(element)
		}
	})
	return never
}

// isAbsentFrom reports whether the element, of which n is a part, has no n if it is zero.
func (n *node) isAbsentFrom(element *node) bool {
	return n.hasMore() && n.sized != nil || slices.ContainsFunc(n.conditions, func(c condition) bool { return !c.more && c.node.seq >= element.seq && !c.holds(0) })
}

// mostOfZero returns the most bytes of fields in an element that is zero. What is outside of the element can decide whether it
// has some of them, and how many bytes they have.
func mostOfZero(nodes []*node, element *node) (sum int64) {
	for _, n := range nodes {
		if !n.isAbsentFrom(element) {
			sum = min(sum+n.mostOfZero(element), math.MaxInt32)
		}
	}
	return sum
}

// mostOfZero is the same for one field or a part of it.
func (n *node) mostOfZero(element *node) (sum int64) {
	switch {
	case n.loop || n.kind == userNode && n.tag.fixed < 0:
		return math.MaxInt32
	case n.kind == structNode:
		sum = mostOfZero(n.inner.nodes, element)
	case n.kind == pointerNode:
		sum = n.elem.mostOfZero(element)
	case n.kind == arrayNode:
		sum = min(int64(n.typ.Len())*n.elem.mostOfZero(element), math.MaxInt32)
	case n.kind == sliceNode && n.tag.toZero:
		sum = n.elem.mostOfZero(element)
	case n.kind == alignNode:
		sum = int64(n.tag.align - 1)
	default:
		sum = int64(n.leastContent())
	}
	if n.tag.prefix == "varint" {
		return sum + int64(varintLen(uint64(sum)))
	}
	return sum + int64(prefixMin(n.tag.prefix))
}

// hasOneText reports whether a message has one string or []byte at most, which is not in
// an element or a recursive type. Such a text has nothing to share a chunk with, and is
// copied into memory of its own size.
func (b *builder) hasOneText() bool {
	texts := 0
	for _, n := range b.all {
		if n.kind == bytesNode {
			texts += 1 + b2i(n.inElement(nil))
		}
	}
	return texts <= 1 && len(b.loops) == 0
}
