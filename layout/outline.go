package layout

import (
	"fmt"
	"hash/fnv"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

// Outline returns what the compiled form of t is. It is for octet-gen, whose code must be that of the plan. The errors
// are those of [For].
func (c *Codec) Outline(t reflect.Type) (*outline.Message, error) {
	if _, err := c.of(t); err != nil {
		return nil, err
	}
	if c == nil {
		c = &defaults
	}
	b := &builder{options: &c.options, unions: c.unions}
	if err := b.build(t); err != nil {
		return nil, err
	}
	r := outliner{b, map[*node]*outline.Node{}, map[*extent]*outline.Extent{}, map[*link]*outline.Link{}}
	for _, n := range b.all {
		r.nodes[n] = &outline.Node{}
	}
	r.node(b.root, b.options.order(), nil)
	return &outline.Message{Fingerprint: b.fingerprint(), Root: r.nodes[b.root]}, nil
}

// fingerprint returns a number that changes with everything that the form of the message depends on.
func (b *builder) fingerprint() string {
	hash := fnv.New64a()
	fmt.Fprint(hash, b.options.order())
	for _, n := range b.all {
		fmt.Fprintf(hash, "%q %q %q %d %q %t %t", n.name, n.typ.PkgPath(), n.typ.String(), n.kind, n.tag.text, n.loop, leavesFields(n.typ))
		for g := n.group; g != nil; g = g.parent {
			fmt.Fprintf(hash, "%q %q", g.name, g.tag.text)
		}
		if n.union != nil {
			for _, v := range n.union.variants {
				fmt.Fprintf(hash, "%q %q %d %t", v.typ.PkgPath(), v.typ, v.tag.value, v.unknown)
			}
		}
	}
	return strconv.FormatUint(hash.Sum64(), 16)
}

// An outliner makes the outline of a tree.
type outliner struct {
	b       *builder
	nodes   map[*node]*outline.Node
	extents map[*extent]*outline.Extent
	links   map[*link]*outline.Link
}

// node sets the outline of n and of what is inside. The order is that of what is around, or the number that chooses it.
func (r *outliner) node(n *node, o order, by *node) {
	d, g := r.nodes[n], &n.tag
	o, by = chosen(g, n.orderOf, o, by)
	*d = outline.Node{
		Name: n.name, Selector: n.selector(), Go: n.typ, Kind: n.kind, Blank: n.blank, Seq: n.seq, Path: n.path(), Obstacle: n.obstacle(), Part: n.part(o), Little: o == little,
		Ignores: leavesFields(n.typ), Prefix: width(g.prefix), Count: width(g.count), Fixed: g.fixed, Until: g.until, Fill: g.fillByte,
		Limit: g.limit, Magic: g.magic, Space: max(g.space, g.align), Framed: n.isFramed(), TakesRest: n.takesRest(), ToZero: g.toZero,
	}
	if n.scope != nil {
		d.Scope = r.nodes[n.scope.owner]
	}
	if g.cstring {
		d.Until = 0
	}
	if n.kind == bytesNode && n.typ.Kind() == reflect.String {
		d.Fill = max(d.Fill, 0)
	}
	d.Conditions, d.Block = r.conditions(n.conditions), r.nodes[n.block()]
	if n.raw != nil {
		d.Raw = r.extent(n.raw)
	}
	d.Sized, d.Counted, d.Bound = r.link(n.sized), r.link(n.countBefore()), r.link(n.frame)
	d.Rest = r.rest(n.rest)
	for _, s := range n.after {
		if s.link != nil {
			d.After = append(d.After, r.link(s.link))
		}
	}
	switch n.kind {
	case numberNode:
		r.number(n, d)
	case unionNode:
		d.Switch = r.nodes[n.switchOn]
		for i, v := range n.variants {
			if d.Obstacle == "" && v.kind != unknownNode {
				r.node(v, o, by)
				d.Variants = append(d.Variants, outline.Variant{Tag: n.union.variants[i].tag.value, Node: r.nodes[v]})
			}
		}
	case structNode:
		if d.Obstacle == "" {
			r.fields(d, &n.inner.fields, o, by)
			for _, of := range n.inner.extents {
				if of.start != 0 {
					from, to := r.nodes[n.inner.nodes[of.from]], r.nodes[n.inner.nodes[of.to]]
					from.Begins, to.Ends = append(from.Begins, r.extent(of)), append(to.Ends, r.extent(of))
				}
			}
		}
	}
	if d.Part != "" || d.Bits || d.Width > 1 && (!n.blank || d.Constants != nil) || d.Prefix > 1 || d.Count > 1 {
		d.By = r.nodes[by]
	}
	if n.elem != nil && (n.kind != arrayNode || n.typ.Len() > 0) {
		r.node(n.elem, o, by)
		d.Elem = r.nodes[n.elem]
		if n.kind == sliceNode {
			d.Elem.Least, d.Elem.Size = n.elem.least(), r.b.alwaysSize(n.elem)
		}
	}
}

// fields adds the fields of a struct or of an embedded struct.
func (r *outliner) fields(d *outline.Node, g *group, o order, by *node) {
	o, by = chosen(&g.tag, g.orderOf, o, by)
	for _, it := range g.items {
		if it.group != nil {
			if it.group.target != nil {
				d.Targets = append(d.Targets, &outline.Node{Name: it.group.name, Selector: it.group.selector(), Go: reflect.PointerTo(it.group.target), Kind: outline.PointerNode, Path: d.Path + "." + it.group.name, Scope: d})
			}
			r.fields(d, it.group, o, by)
			continue
		}
		in, inBy := o, by
		if first := it.node.runFirst; first != nil {
			in, inBy = chosen(&first.tag, first.orderOf, o, by)
		}
		r.node(it.node, in, inBy)
		f := r.nodes[it.node]
		d.Fields = append(d.Fields, f)
		if f.Bits {
			f.Shifts = [2]int{int(it.node.shift(big)), int(it.node.shift(little))}
			f.First, f.Run = r.nodes[it.node.runFirst], it.node.runFirst.runLen
		}
	}
}

// chosen returns the byte order of a field, given that of what is around it.
func chosen(g *tag, orderOf *node, o order, by *node) (order, *node) {
	switch {
	case orderOf != nil:
		return o, orderOf
	case g.order != noOrder:
		return g.order, nil
	}
	return o, by
}

// number sets what only a number has.
func (r *outliner) number(n *node, d *outline.Node) {
	m := &n.num
	d.Width, d.Signed, d.Bits, d.Asked = int(m.width), m.signed, m.form == bitsForm, n.read
	d.Varint, d.Zigzag = m.form == varintForm || m.form == zigzagForm, m.form == zigzagForm
	for _, c := range m.constants {
		d.Constants = append(d.Constants, c.value)
		if c.order == little {
			d.LittleIf = append(d.LittleIf, c.value)
		}
	}
	for _, l := range n.links {
		d.Links = append(d.Links, r.link(l))
	}
	for _, u := range n.unions {
		d.Union = r.nodes[u]
	}
	if n.sum != nil {
		of, at := n.sum.of, n.field(n.sum.of.scope).index
		d.Sum = &outline.Sum{Name: n.sum.name, Of: r.extent(of), Inside: of.from <= at && at <= of.to, Rank: n.sum.rank}
	}
}

// extent returns the outline of a range.
func (r *outliner) extent(of *extent) *outline.Extent {
	if r.extents[of] == nil {
		r.extents[of] = &outline.Extent{From: r.nodes[of.scope.nodes[of.from]], To: r.nodes[of.scope.nodes[of.to]]}
	}
	return r.extents[of]
}

// link returns the outline of a link.
func (r *outliner) link(l *link) *outline.Link {
	if l == nil || r.links[l] != nil {
		return r.links[l]
	}
	d := &outline.Link{Num: r.nodes[l.num], Of: r.extent(l.of), Factor: l.factor, Plus: l.plus, Elements: l.elements, Exact: l.isExact() && !l.mayMiss()}
	at := l.num.field(l.of.scope).index
	d.Inside = l.of.from <= at && at <= l.of.to
	if y := r.b.earlyOf(l); y != nil {
		d.Early, d.Size = true, y.terms[0].size
	}
	r.links[l] = d
	return d
}

// conditions returns the outlines of conditions.
func (r *outliner) conditions(list []condition) (out []outline.Condition) {
	for _, c := range list {
		out = append(out, outline.Condition{Num: r.nodes[c.node], Op: c.op, Value: c.value})
	}
	return out
}

// rest returns the outlines of sizes.
func (r *outliner) rest(list []size) (out []outline.Rest) {
	for _, s := range list {
		rest := outline.Rest{Fixed: s.fixed, Link: r.link(s.count), Conditions: r.conditions(s.conditions), Inner: r.rest(s.inner)}
		if s.link != nil {
			rest.Fixed, rest.Link = 1, r.link(s.link)
		}
		out = append(out, rest)
	}
	return out
}

// width returns the bytes of a prefix, or -1 if there is none.
func width(name string) int {
	if name == "" {
		return -1
	}
	return widths[name]
}

// selector returns the selectors of a field from the struct around it.
func (n *node) selector() string {
	return strings.TrimPrefix(n.group.selector()+"."+n.name, ".")
}

// selector returns the selectors of an embedded struct, or "" for the struct around it.
func (g *group) selector() string {
	if g == nil || g.parent == nil {
		return ""
	}
	return strings.TrimPrefix(g.parent.selector()+"."+g.name, ".")
}

// isInRange reports whether n is in a range of fields that ends before the frame around them does.
func (n *node) isInRange() bool {
	for o := n; o != nil && (o == n || !o.isFramed()); o = o.around() {
		if o.owner == nil && o.scope != nil && slices.ContainsFunc(o.scope.links, func(l *link) bool { return l.of.from <= o.index && o.index <= l.of.to }) {
			return true
		}
	}
	return false
}

// block returns the element, variant or optional field that n is inside of, or nil.
func (n *node) block() *node {
	for o := n.around(); o != nil; o = o.around() {
		if len(o.conditions) > 0 || o.owner != nil && (o.owner.kind == sliceNode || o.owner.kind == arrayNode || o.owner.kind == unionNode) {
			return o
		}
	}
	return nil
}

// part returns the tag of n in a struct without other fields, which the plan encodes and decodes for generated code. It
// is "" if generated code needs no plan for n.
func (n *node) part(o order) string {
	in := n.innermost()
	if n.owner != nil || !n.tag.utf16 && !n.tag.toZero && in.kind != userNode && in.num.form != slebForm && !in.num.isDigits() {
		return ""
	}
	options := []string{map[order]string{big: "be", little: "le"}[o]}
	for option := range strings.SplitSeq(n.tag.text, ",") {
		name, _, _ := strings.Cut(option, "=")
		if name != "be" && name != "le" && name != "order" && name != "if" && name != "len" && name != "" && (name != "count" || n.kind != numberNode) {
			options = append(options, option)
		}
	}
	return strings.Join(options, ",")
}

// innermost returns the element or target of n that has none itself.
func (n *node) innermost() *node {
	for n.kind == sliceNode || n.kind == arrayNode || n.kind == pointerNode {
		n = n.elem
	}
	return n
}

// obstacle returns the option for which generated code does not exist, or "".
func (n *node) obstacle() string {
	g, of := &n.tag, n.raw
	if n.sum != nil {
		of = n.sum.of
	}
	// Generated code leaves these to the plan, because few messages have them and each would take
	// many lines of the generator.
	switch isPart := n.part(big) != ""; {
	case n.kind == unionNode && !n.isPlainUnion():
		return "this use of switch"
	case n.sum != nil && g.sum.named:
		return "sum=, because its function belongs to a Codec"
	case n.kind == bytesNode && g.fixed == 0:
		return "fixed=0"
	case n.loop || n.inner != nil && n.inner.recursive:
		return "a recursive type"
	case isPart && (n.blank || n.sum != nil || n.read && len(g.constants) > 0 || n.countBefore() != nil || n.hasAlign()):
		return "other options beside " + g.text
	case isPart && n.innermost().kind == userNode && n.innermost().user.binary && g.prefix == "" && g.fixed < 0:
		return "a type with UnmarshalBinary whose length another field has"
	case n.num.size == 0 && n.kind == numberNode && n.value != 0:
		return "a blank field that others depend on"
	case n.hasMore() && (n.blank || len(n.links) > 0 || n.sized != nil || n.isInRange()):
		return "if=more"
	case slices.ContainsFunc(n.links, func(l *link) bool { return l.isOptional() && !l.isPresentWithTarget() }):
		return "a length in a field that may be absent"
	case of != nil && (len(n.conditions) > 0 || n.block() != of.scope.nodes[of.from].block()):
		return "a checksum or raw bytes that may be absent where their range is not"
	}
	return ""
}

// isPlainUnion reports whether a union is in every message, selected by a number beside it that has nothing else to say,
// and whether its variants are structs or pointers to structs.
func (n *node) isPlainUnion() bool {
	s := n.switchOn
	return n.owner == nil && n.scope == s.scope && len(n.conditions) == 0 && len(s.conditions) == 0 && len(s.unions) == 1 && !s.blank &&
		len(s.links) == 0 && len(s.num.constants) == 0 && !s.tag.limited && s.part(big) == "" && s.typ.Kind() != reflect.Bool && s.num.signed == (s.num.kind == intKind) &&
		!slices.ContainsFunc(n.variants, func(v *node) bool { return v.kind != pointerNode && v.kind != structNode && v.kind != unknownNode })
}

// mayMiss reports whether the number can be in a message without the only field that it measures. Nothing
// but a comparison then finds that the number is not 0.
func (l *link) mayMiss() bool {
	t := l.of.scope.nodes[l.of.from]
	return len(t.conditions) > 0 && (t.hasMore() || !l.isPresentWithTarget())
}

// isPresentWithTarget reports whether the number is in the message if and only if the only field that it measures is.
func (l *link) isPresentWithTarget() bool {
	t := l.of.scope.nodes[l.of.from]
	return l.num.scope == t.scope && l.of.from == l.of.to && l.num.conditionText() == t.conditionText() && (l.isExact() || l.elements && l.num.seq < t.seq)
}
