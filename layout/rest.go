package layout

import (
	"math"
	"slices"
)

// takesRest reports whether n ends where its frame does, apart from later fields. A
// type with methods that do not say where a value ends does, too.
func (n *node) takesRest() bool {
	if n.kind == unknownNode {
		return true
	}
	return !n.isFramed() && n.countBefore() == nil && n.isOpen()
}

// isOpen reports whether n, in its frame, has nothing by itself that says where it ends.
func (n *node) isOpen() bool {
	g := &n.tag
	if g.count != "" || g.fixed >= 0 {
		return false
	}
	switch n.kind {
	case bytesNode:
		return !g.cstring && g.until < 0
	case sliceNode:
		return !g.toZero
	case userNode:
		return n.user.binary
	}
	return false
}

// countBefore returns the link of an earlier number that counts the elements of n,
// or nil.
func (n *node) countBefore() *link {
	for _, l := range n.counts {
		if l.num.seq < n.seq {
			return l
		}
	}
	return nil
}

// restOf returns the sizes of the fields between n and the end of its frame, which must
// be known when r is decoded. It goes outward from struct to struct up to the frame. In
// an element of a slice the number of elements that follow is not known, so a field
// there cannot take the rest. If until is not nil, n is a loop, and restOf goes no further
// than to the end of that.
func (b *builder) restOf(n, r *node, until *scope) (rest []size, err error) {
	known := r
	if until != nil {
		known = n // the numbers before n are read again each time the loop is entered
	}
	return b.restAround(n, r, known, until)
}

// taker returns the words for n, which takes what its frame leaves, in errors. A variant has the path of its union.
func (n *node) taker() string {
	if n.owner != nil && n.owner.kind == unionNode {
		return "the variant " + n.typ.String()
	}
	return "the field"
}

// restAround is restOf for a frame whose number comes before known.
func (b *builder) restAround(o, r, known *node, until *scope) (rest []size, err error) {
	for ; ; o = o.owner {
		if o.isFramed() || o.hasFrame() {
			return nil, nil
		}
		if o.owner == nil {
			break
		}
		if k := o.owner.kind; k == sliceNode || k == arrayNode {
			return nil, wrong(r.path(), "%s takes what its frame leaves, but it is in an element of %s; give it a prefix, link or terminator", r.taker(), o.owner.lastName())
		}
	}
	if o.scope == nil {
		return nil, nil
	}
	// The frame may be a range in the middle of the struct: the tightest one that an earlier number bounds.
	var frames []*link
	for _, l := range o.scope.links {
		if l.of.from <= o.index && o.index <= l.of.to && l.num.seq < known.seq {
			frames = append(frames, l)
		}
	}
	slices.SortStableFunc(frames, func(a, b *link) int { return a.of.to - b.of.to })
	return b.restIn(o.scope, o.index+1, frames, r, known, until)
}

// restIn returns the sizes of the fields of s from the given one to the end of the first
// of the frames whose number is present.
func (b *builder) restIn(s *scope, from int, frames []*link, r, known *node, until *scope) (rest []size, err error) {
	last := len(s.nodes) - 1
	if len(frames) > 0 {
		last = frames[0].of.to
	}
	rest, unknown := b.sizesOf(s, from, last, r)
	if unknown != nil {
		because, or := unknown.reasons(r)
		return nil, wrong(r.path(), "%s takes what its frame leaves, but the size of %s, which follows, is not known then%s; give one of them a prefix or link%s", r.taker(), unknown.name, because, or)
	}
	var more []size
	switch {
	case len(frames) > 0 && frames[0].isPresentWith(known):
		if until == nil {
			r.frame = frames[0]
		}
	case len(frames) > 0:
		if more, err = b.restIn(s, last+1, frames[1:], r, known, until); len(more) > 0 {
			more = []size{{absent: frames[0], inner: more}}
		}
		if e, ok := err.(*Error); ok {
			e.Text += ", or the conditions of " + frames[0].num.name + ", without which there is no frame"
		}
	case s == until || s.owner == nil:
	case s.recursive && until == nil:
		err = b.checkOpenLoop(s, r)
	default:
		more, err = b.restAround(s.owner, r, known, until)
	}
	return append(rest, more...), err
}

// reasons returns why the size of n, which follows r, is not known then, and what else there is to do, for errors.
func (n *node) reasons(r *node) (because, or string) {
	for _, f := range n.scope.nodes[n.index+1:] {
		if slices.ContainsFunc(f.links, func(l *link) bool { return l.of.scope == n.scope && l.of.from <= n.index && n.index <= l.of.to }) {
			because = ", because " + f.name + " comes later"
		}
	}
	for _, c := range n.conditions {
		if f := r.field(n.scope); !c.more && f != nil && slices.ContainsFunc(f.conditions, func(d condition) bool { return d.node == c.node && d != c }) {
			or = ", or make them variants of a union that switches on " + c.node.name
		}
	}
	return because, or
}

// lastName returns the name of n or of the field that it is inside of.
func (n *node) lastName() string {
	for o := n; o != nil; o = o.around() {
		if o.name != "" {
			return o.name
		}
	}
	return typeName(n.typ)
}

// checkOpenLoop verifies that the recursive type s, in which r takes what the frame
// around s leaves, is the last thing in that frame wherever it occurs. Its fields are
// compiled once for all places, so there is no one place whose later fields could be
// subtracted.
func (b *builder) checkOpenLoop(s *scope, r *node) error {
	places := []*node{s.owner}
	for _, l := range b.loops {
		if l.inner == s {
			places = append(places, l)
		}
	}
	for _, p := range places {
		until := (*scope)(nil)
		if p.field(s) != nil {
			until = s // the loop is inside of s: fields of s follow it
		}
		rest, err := b.restOf(p, r, until)
		switch {
		case err != nil && until == nil:
			return err
		case err != nil || len(rest) > 0:
			return wrong(r.path(), "%s takes what its frame leaves, but fields follow the recursive %s; give it a prefix or link", r.taker(), typeName(s.typ))
		}
	}
	return nil
}

// sizesOf returns the sizes of the fields from to last, which must be known when r is
// decoded. Otherwise it returns the first one that is not. A range that a number
// measures is one size, whatever is in it.
func (b *builder) sizesOf(s *scope, from, last int, r *node) (list []size, unknown *node) {
	for i := from; i <= last; i++ {
		n := s.nodes[i]
		if bound, to := s.boundFrom(i, last, r); bound != nil {
			list = append(list, bound...)
			i = to
			continue
		}
		more, ok := b.sizeOf(n, r)
		if !ok {
			return nil, n
		}
		list = append(list, more...)
	}
	return list, nil
}

// boundFrom returns the size of a range that begins at field i and does not go past the
// field last, and its last field, if numbers say how long it is. Otherwise it returns nil.
func (s *scope) boundFrom(i, last int, r *node) (list []size, to int) {
	byLink := func(l *link) size { return size{link: l} }
	if list, ok := sizeBy(s.nodes[i].lengths, r, byLink); ok {
		return list, i
	}
	for _, l := range s.links {
		if l.of.from != i || l.of.to > last {
			continue
		}
		var same []*link
		for _, m := range s.links {
			if m.of.from == i && m.of.to == l.of.to {
				same = append(same, m)
			}
		}
		// Where the number is absent, the range has no frame, but it can have bytes.
		always := func(n *node) bool {
			return slices.ContainsFunc(same, func(k *link) bool { return k.isPresentWith(n) })
		}
		alone := slices.ContainsFunc(s.nodes[i:l.of.to+1], func(n *node) bool { return !always(n) })
		if list, ok := sizeBy(same, r, byLink); ok && !alone {
			return list, l.of.to
		}
	}
	return nil, 0
}

// sizeBy returns the size that the first of the links whose number is present says, if
// all that can be the first are known when r is decoded.
func sizeBy(links []*link, r *node, by func(*link) size) (list []size, ok bool) {
	if len(links) == 0 || links[0].num.seq >= r.seq {
		return nil, false
	}
	s := by(links[0])
	if len(links) > 1 && links[0].isOptional() {
		if s.inner, ok = sizeBy(links[1:], r, by); !ok {
			return nil, false
		}
	}
	return []size{s}, true
}

// sizeOf returns the size of n, if it is known when r is decoded. A field with if=more
// has no known size, because its presence depends on the rest itself.
func (b *builder) sizeOf(n, r *node) (list []size, ok bool) {
	for _, c := range n.conditions {
		if c.more || c.node.seq >= r.seq {
			return nil, false
		}
	}
	list, ok = b.presentSize(n, r)
	if ok && len(n.conditions) > 0 {
		list = []size{{conditions: n.conditions, inner: list}}
	}
	return list, ok
}

// presentSize is sizeOf without the conditions. Sizes that depend on a number name it,
// and the decoder adds them up when it knows the number.
func (b *builder) presentSize(n, r *node) ([]size, bool) {
	g := &n.tag
	if g.prefix != "" {
		return nil, false
	}
	counted := func(each int) ([]size, bool) {
		var before []*link
		for _, l := range n.counts {
			if l.num.seq < n.seq {
				before = append(before, l)
			}
		}
		return sizeBy(before, r, func(l *link) size { return size{fixed: each, count: l} })
	}
	switch n.kind {
	case numberNode:
		if g.bits > 0 {
			return fixedSize(n.runLen, true)
		}
		return fixedSize(int(n.num.width), n.num.width > 0)
	case spaceNode:
		return fixedSize(g.space, true)
	case magicNode:
		return fixedSize(len(g.magic), true)
	case rawNode, emptyNode:
		return nil, true
	case bytesNode:
		if list, ok := counted(1); ok {
			return list, true
		}
		return fixedSize(g.fixed, g.fixed >= 0)
	case userNode:
		return fixedSize(g.fixed, g.fixed >= 0)
	case structNode:
		if n.loop || n.inner.recursive {
			return nil, false
		}
		list, unknown := b.sizesOf(n.inner, 0, len(n.inner.nodes)-1, r)
		return list, unknown == nil
	case pointerNode:
		return b.presentSize(n.elem, r)
	case arrayNode, sliceNode:
		one, ok := b.presentSize(n.elem, r)
		each, fixed := fixedSum(one)
		ok = ok && fixed
		switch {
		case n.kind == arrayNode:
			return fixedSize(each*n.typ.Len(), ok)
		case g.fixed >= 0:
			return fixedSize(each*g.fixed, ok)
		case ok:
			return counted(each)
		}
	}
	return nil, false
}

// fixedSize returns a size of n bytes if ok.
func fixedSize(n int, ok bool) ([]size, bool) {
	if !ok || n == 0 {
		return nil, ok
	}
	return []size{{fixed: n}}, true
}

// fixedSum returns the sum of sizes, and whether nothing in the message decides it.
func fixedSum(list []size) (n int, ok bool) {
	for _, s := range list {
		if s.link != nil || s.count != nil || s.absent != nil || s.conditions != nil {
			return 0, false
		}
		n += s.fixed
	}
	return n, n <= math.MaxInt32
}

// least returns the fewest bytes of n. Decoding compares counts with it. A recursive struct
// counts as empty inside of itself, which is never too much.
func (n *node) least() int {
	if n.loop {
		return leastOf(n.inner.nodes)
	}
	return n.leastInside()
}

// leastOf returns the fewest bytes of adjacent fields.
func leastOf(nodes []*node) (sum int) {
	for _, n := range nodes {
		if len(n.conditions) == 0 {
			sum += n.leastInside()
		}
	}
	return sum
}

// leastInside is least for a part of something.
func (n *node) leastInside() int {
	if n.isFramed() {
		return prefixMin(n.tag.prefix)
	}
	return n.leastContent()
}

// leastContent returns the fewest bytes of n in its frame.
func (n *node) leastContent() (sum int) {
	g := &n.tag
	switch {
	case n.kind == numberNode && g.bits > 0:
		return n.runLen // of the first field, and 0 for the others
	case n.kind == numberNode:
		return max(1, int(n.num.width))
	case n.kind == spaceNode:
		return g.space
	case n.kind == magicNode:
		return len(g.magic)
	case n.kind == bytesNode && (g.cstring || g.until >= 0):
		return 1 + b2i(g.utf16)
	case n.kind == bytesNode:
		return prefixMin(g.count) + max(0, g.fixed)
	case n.kind == structNode && !n.loop:
		return leastOf(n.inner.nodes)
	case n.kind == pointerNode:
		return n.elem.leastInside()
	case n.kind == arrayNode:
		return n.typ.Len() * n.elem.leastInside()
	case n.kind == sliceNode:
		if sum = prefixMin(g.count); g.toZero {
			sum += n.elem.leastInside()
		}
	case n.kind == userNode:
		return max(0, g.fixed)
	}
	return sum
}

// prefixMin returns the fewest bytes of a prefix.
func prefixMin(w string) int {
	if w == "" {
		return 0
	}
	return max(1, widths[w])
}
