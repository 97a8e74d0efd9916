package layout

import (
	"math"
	"reflect"
	"slices"

	"github.com/octet-go/octet/internal/errtext"
)

// resolve finds the fields that the tag of n names. It also asks for the slots in which
// the numbers are kept while a message is encoded or decoded. Fields that nobody names
// get none and cost nothing.
func (b *builder) resolve(n *node) (err error) {
	if n.inner != nil && !n.loop {
		if err := b.resolveOrder(n.inner, &n.inner.fields); err != nil {
			return err
		}
	}
	g := &n.tag
	if g.orderOf != "" {
		if n.orderOf, err = b.orderField(n, g.orderOf); err != nil {
			return err
		}
	}
	for _, c := range g.conditions {
		known := condition{conditionTag: c}
		if !c.more {
			if known.node, err = b.earlier(n, c.field, "if="+c.field); err != nil {
				return err
			}
			need(b, &known.node.value)
			known.node.read = true
		}
		n.conditions = append(n.conditions, known)
	}
	if n.kind == unionNode {
		if n.switchOn, err = b.earlier(n, g.union, "switch="+g.union); err != nil {
			return err
		}
		if n.switchOn.num.kind == floatKind {
			return wrong(n.path(), "switch=%s: %s is not an integer", g.union, g.union)
		}
		if n.switchOn.tag.sum.name != "" {
			return wrong(n.path(), "switch=%s: %s is a checksum, which cannot be the tag of a variant, too", g.union, g.union)
		}
		need(b, &n.switchOn.value)
		n.switchOn.unions = append(n.switchOn.unions, n)
		need(b, &n.switchOn.place)
		need(b, &n.switchOn.filled)
	}
	for _, l := range g.links {
		if err := b.resolveLink(n, l); err != nil {
			return err
		}
	}
	if g.sum.name != "" {
		return b.resolveSum(n)
	}
	if g.raw.from != "" {
		if n.raw, err = b.mustFindExtent(n, g.raw, "raw="+g.raw.text()); err != nil {
			return err
		}
		return b.resolveRaw(n)
	}
	return nil
}

// resolveRaw finds out when the bytes of a range are known. The field is set behind the
// last field of the range, so it must be in the same variable, and the same element, as
// that field.
func (b *builder) resolveRaw(n *node) error {
	of := n.raw
	b.use(of)
	switch {
	case n.crossesLoop(of.scope):
		return wrong(n.path(), "raw: the range is outside of a slice or a recursive type that this field is in")
	case of.scope != n.scope && of.to >= n.field(of.scope).index:
		return wrong(n.path(), "raw: the range has not ended here; put the field beside those of the range")
	case of.scope != n.scope:
		n.after = append(n.after, step{code: opRaw, node: n})
		return nil
	}
	last := n.scope.nodes[max(n.index, of.to)]
	if base, _ := last.locate(); !n.hasBase(base) {
		return wrong(n.path(), "raw: the range ends in another embedded pointer")
	}
	last.after = append(last.after, step{code: opRaw, node: n})
	return nil
}

// hasBase reports whether the offset of n refers to base. Fields with different bases
// are in different variables, such as those before and behind an embedded pointer, and
// an operation reaches only one of them.
func (n *node) hasBase(base any) bool {
	own, _ := n.locate()
	return own == base
}

// resolveOrder finds the fields that choose the order of structs, and of the structs that
// are embedded in them.
func (b *builder) resolveOrder(s *scope, g *group) (err error) {
	if g.tag.orderOf != "" && g.orderOf == nil && len(s.nodes) > 0 {
		first := g.firstNode()
		if first == nil {
			return nil
		}
		if g.orderOf, err = b.orderField(first, g.tag.orderOf); err != nil {
			return err
		}
	}
	for _, it := range g.items {
		if it.group != nil {
			if err := b.resolveOrder(s, it.group); err != nil {
				return err
			}
		}
	}
	return nil
}

// firstNode returns the first field, or nil. What a struct depends on must be known where
// that field stands.
func (g *group) firstNode() *node {
	for _, it := range g.items {
		if it.node != nil {
			return it.node
		}
		if n := it.group.firstNode(); n != nil {
			return n
		}
	}
	return nil
}

// orderField returns the field that chooses a byte order. The number is itself in the
// order that holds where it stands.
func (b *builder) orderField(n *node, name string) (*node, error) {
	f, err := b.earlier(n, name, "order="+name)
	if err != nil {
		return nil, err
	}
	if !slices.ContainsFunc(f.num.constants, func(c constant) bool { return c.order != noOrder }) {
		return nil, wrong(n.path(), "order=%s: %s has no constants that name an order, such as const=1|le,const=2|be", name, name)
	}
	need(b, &f.value)
	f.read = true
	return f, nil
}

// earlier returns a number that precedes n in the message. It may not be a float, whose
// equality is rarely what is meant.
func (b *builder) earlier(n *node, name, option string) (*node, error) {
	f, err := b.mustFind(n, name, option)
	switch {
	case err != nil:
		return nil, err
	case f.kind != numberNode:
		return nil, wrong(n.path(), "%s: %s is not a number", option, name)
	case f.num.kind == floatKind:
		return nil, wrong(n.path(), "%s: %s is a float, not an integer or bool", option, name)
	case f.seq >= n.seq:
		return nil, wrong(n.path(), "%s: %s is not known yet, because it comes later", option, name)
	}
	return f, nil
}

// crossesLoop reports whether between n and the fields of s there is an element of a
// slice, or the beginning of a recursive type. There may be many numbers for one field
// then, or many fields for one number.
func (n *node) crossesLoop(s *scope) bool {
	if n.inElement(s) {
		return true
	}
	for in := n.scope; in != nil && in != s; in = in.around() {
		if in.recursive {
			return true
		}
	}
	return false
}

// resolveLink finds what a number measures. There are three cases. A count is read by
// its slice. A length of a single later field is that field's frame. Any other length
// bounds a range, whose end is checked as soon as the number is known and compared
// where the range ends.
func (b *builder) resolveLink(n *node, g linkTag) error {
	of, err := b.mustFindExtent(n, g.span, g.text)
	if err != nil {
		return err
	}
	l := &link{linkTag: g, num: n, of: of}
	s := of.scope
	if n.crossesLoop(s) {
		return wrong(n.path(), "%s: a number in an element of a slice, or in a recursive type, cannot measure a field outside of it", g.text)
	}
	n.links = append(n.links, l)
	self := n.field(s)
	if l.elements {
		l.target = s.nodes[of.from]
		switch k := l.target.kind; {
		case k != sliceNode && k != bytesNode && k != rawNode:
			return wrong(n.path(), "%s: %s has no number of elements; a count is of a slice, []byte or string", g.text, g.from)
		case l.target.tag.utf16:
			return wrong(n.path(), "%s: %s is a UTF-16 string; use len=%s", g.text, g.from, g.from)
		}
		l.target.counts = append(l.target.counts, l)
		need(b, &l.target.amount)
	} else {
		b.use(of)
		t := s.nodes[of.from]
		exact := of.from == of.to && self.index < of.from && t.canBeSized()
		if exact {
			t.lengths = append(t.lengths, l)
		}
		if exact && t.sized == nil {
			t.sized = l
		} else if self.index <= of.to { // a number behind the range is only compared
			s.links = append(s.links, l)
			need(b, &l.bound)
			need(b, &s.end)
		}
	}
	need(b, &n.value)
	need(b, &n.place)
	if len(n.tag.links) > 1 {
		need(b, &n.filled)
	}
	if l.amount = n.value; l.isScaledCount() {
		l.amount = 0
		need(b, &l.amount)
	}
	for o := n.around(); !l.elements && o != nil && o != s.owner; o = o.around() {
		// A frame or struct between the number and the range remembers an end,
		// which the range may lower.
		need(b, &o.outer)
		l.lower = append(l.lower, o.outer)
		if o.inner != nil && !o.loop {
			need(b, &o.inner.end)
			l.lower = append(l.lower, o.inner.end)
		}
	}
	last := s.nodes[max(self.index, of.to)]
	last.after = append(last.after, step{code: opDerive, link: l})
	return nil
}

// isScaledCount reports whether the number of elements is not the number itself.
func (l *link) isScaledCount() bool { return l.elements && (l.factor != 1 || l.plus != 0) }

// canBeSized reports whether a length makes a frame around n or replaces its
// prefix. Other nodes determine their own end, and the length is only compared.
func (n *node) canBeSized() bool {
	switch n.kind {
	case bytesNode:
		return n.tag.prefix == "" && n.tag.count == "" && n.tag.fixed < 0 && !n.tag.cstring && n.tag.until < 0
	case structNode, pointerNode, sliceNode, unionNode, userNode:
		return n.tag.prefix == "" && (n.tag.fixed < 0 || n.kind == sliceNode) // fixed elements may have any length
	}
	return false
}

// need gives s a slot, unless it has one. Slots are numbered from 1, because slot 0
// takes what nobody asks for.
func need(b *builder, s *slot) {
	if *s == 0 {
		b.slots++
		*s = slot(b.slots)
	}
}

// use gives a range slots for its beginning and end. That of the beginning of the message is set before
// anything is encoded or decoded.
func (b *builder) use(of *extent) {
	if of.scope.owner == b.root && !of.scope.recursive && !slices.ContainsFunc(of.scope.nodes[:of.from], func(n *node) bool { return n.kind != emptyNode }) {
		need(b, &b.first)
		of.start = b.first
	}
	need(b, &of.start)
	need(b, &of.stop)
}

// resolveSum finds the range of a checksum. It is computed behind the last field of the
// range or behind the number, whichever comes later.
func (b *builder) resolveSum(n *node) error {
	g := n.tag.sum
	option := g.name + "=" + g.span.text()
	if g.named {
		option = "sum=" + g.name + ":" + g.span.text()
	}
	of, err := b.mustFindExtent(n, g.span, option)
	if err != nil {
		return err
	}
	c := &check{num: n, of: of, name: g.name, sum: sums[g.name].sum, around: sums[g.name].around}
	if g.named {
		c.around = nil
		if c.sum = b.options.Sums[g.name]; c.sum == nil {
			return wrong(n.path(), "%s: Options.Sums has no sum %q", option, g.name)
		}
	} else if bits := sums[g.name].bits; !fits(1<<bits-1, false, n.num.wireBits(), n.num.signed) || !fits(1<<bits-1, false, n.num.memBits(), n.num.kind == intKind) {
		return wrong(n.path(), "%s: the sum has %d bits, which do not fit; use a uint%d", g.name, bits, bits)
	} else if n.num.isDigits() && math.Pow(float64(n.num.base()), float64(n.num.width)) < float64(uint64(1)<<bits) {
		return wrong(n.path(), "%s: the sum has %d bits, which do not fit %s", g.name, bits, errtext.Counted(int(n.num.width), "digit"))
	}
	if n.crossesLoop(of.scope) {
		return wrong(n.path(), "%s: a checksum in an element of a slice, or in a recursive type, cannot be of fields outside of it", option)
	}
	if n.tag.bits > 0 {
		return wrong(n.path(), "%s: a checksum is a number of whole bytes, not a bit field", option)
	}
	if n.num.width == 0 {
		return wrong(n.path(), "%s: a checksum has a fixed width", option)
	}
	b.use(of)
	need(b, &n.value)
	need(b, &n.place)
	n.sum = c
	b.checks = append(b.checks, c)
	self := n.field(of.scope)
	last := of.scope.nodes[max(self.index, of.to)]
	last.after = append(last.after, step{code: opSum, sum: c})
	return nil
}

// userTypeOf returns the methods with which the type of n is encoded, or nil.
func (b *builder) userTypeOf(n *node) *userType {
	t := n.typ
	if t.Kind() == reflect.Interface || t.Kind() == reflect.Pointer {
		return nil
	}
	if isUserType(t) {
		return &userType{typ: t}
	}
	if u := binaryTypeOf(t); u != nil && b.hasLength(n) {
		return u
	}
	return nil
}

// hasLength reports whether n has a prefix or a fixed length, or a number in the struct
// measures it. It is needed before links are resolved, because it decides which kind of
// node a type with methods of package encoding becomes.
func (b *builder) hasLength(n *node) bool {
	if n.tag.prefix != "" || n.tag.fixed >= 0 {
		return true
	}
	if n.owner != nil {
		return n.owner.kind == pointerNode && b.hasLength(n.owner)
	}
	if n.scope == nil {
		return false
	}
	names, ok := b.measured[n.scope.typ]
	if !ok {
		names = map[string]bool{}
		addMeasured(names, n.scope.typ, map[reflect.Type]bool{})
		if b.measured == nil {
			b.measured = map[reflect.Type]map[string]bool{}
		}
		b.measured[n.scope.typ] = names
	}
	return names[n.name]
}

// addMeasured adds to names the single fields whose length is in a field of t or of a
// struct in it.
func addMeasured(names map[string]bool, t reflect.Type, seen map[reflect.Type]bool) {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct || seen[t] {
		return
	}
	seen[t] = true
	for f := range t.Fields() {
		if g, err := parseTag(f.Tag.Get("layout"), f.Type); err == nil {
			for _, l := range g.links {
				if !l.elements && l.from == l.to {
					names[l.from] = true
				}
			}
		}
		addMeasured(names, f.Type, seen)
	}
}
