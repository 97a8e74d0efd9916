package layout

import (
	"cmp"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/errtext"
)

// Describe draws the message: a line for each field with its offset, its size, its
// name, its form, and what it depends on. An offset such as Data+2 is counted from
// the end of a field of variable size. The fields inside elements, frames and
// variants are indented; their offsets are counted from the beginning of the
// element, frame or variant. Recursive types are drawn once. If the zero Typed cannot
// have a T, the result is the text of the error.
func (t Typed[T]) Describe() string {
	m, err := t.message()
	if err != nil {
		return err.Error() + "\n"
	}
	return m.describe()
}

// describe draws the message.
func (m *message) describe() string {
	d := &describer{order: m.options.order()}
	d.rows = append(d.rows, [5]string{"offset", "size", "field", "form", "meaning"})
	d.value(m.root, 0)
	title := plural(m.size)
	if m.size < 0 {
		title = "at least " + plural(m.least)
	}
	return m.name + ": " + title + "\n\n" + table(d.rows)
}

// table aligns the columns. The last one is not padded, so that no line ends in spaces.
func table(rows [][5]string) string {
	var width [5]int
	for _, r := range rows {
		for i, c := range r {
			width[i] = max(width[i], len([]rune(c)))
		}
	}
	var b strings.Builder
	for _, r := range rows {
		line := fmt.Sprintf("%*s  %*s  %-*s  %-*s  %s", width[0], r[0], width[1], r[1], width[2], r[2], width[3], r[3], r[4])
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	return b.String()
}

// A relOffset is an offset from the end of a field, or from the beginning.
type relOffset struct {
	after string
	n     int
}

// String returns the offset as it stands in the first column.
func (p relOffset) String() string {
	if p.after == "" {
		return strconv.Itoa(p.n)
	}
	return p.after + "+" + strconv.Itoa(p.n)
}

// A describer draws the fields of a type as rows of a table: offset, size, name, form and
// meaning. It walks the nodes, not the operations, because these no longer have the fields
// that take no part, and join others.
type describer struct {
	rows  [][5]string
	place relOffset
	order order
	by    string // the field that says the order
}

// row adds a line for n, and advances by its size.
func (d *describer) row(n *node, depth int, size, form string, fixed int) {
	name := n.name
	if name == "" {
		name = "element"
	}
	d.rows = append(d.rows, [5]string{d.place.String(), size, strings.Repeat("  ", depth) + name, form, strings.Join(n.meanings(), "; ")})
	if fixed >= 0 {
		d.place.n += fixed
	} else {
		d.place = relOffset{after: name}
	}
}

// inside describes something whose offsets are counted from its own beginning.
func (d *describer) inside(f func()) {
	outer := d.place
	d.place = relOffset{}
	f()
	d.place = outer
}

// fields describes the fields of a struct.
func (d *describer) fields(g *group, depth int) {
	defer d.setOrder(&g.tag)()
	for _, it := range g.items {
		if it.group != nil {
			d.fields(it.group, depth)
		} else {
			d.value(it.node, depth)
		}
	}
}

// setOrder notes the byte order that a tag states. It returns a function that goes back to the
// order around.
func (d *describer) setOrder(g *tag) (restore func()) {
	order, by := d.order, d.by
	switch {
	case g.orderOf != "":
		d.by = g.orderOf
	case g.order != noOrder:
		d.order, d.by = g.order, ""
	}
	return func() { d.order, d.by = order, by }
}

// value describes a field.
func (d *describer) value(n *node, depth int) {
	defer d.setOrder(&n.tag)()
	g := &n.tag
	switch n.kind {
	case numberNode:
		d.number(n, depth)
	case spaceNode:
		d.row(n, depth, strconv.Itoa(g.space), "zeros", d.sizeOf(n, g.space))
	case alignNode:
		d.row(n, depth, fmt.Sprintf("0–%d", g.align-1), "zeros", -1)
	case magicNode:
		d.row(n, depth, strconv.Itoa(len(g.magic)), "bytes", d.sizeOf(n, len(g.magic)))
	case rawNode:
		d.row(n, depth, "–", "bytes", 0)
	case bytesNode:
		form := "bytes"
		if n.typ.Kind() == reflect.String {
			form = "text"
		}
		if g.utf16 {
			form = "UTF-16" + d.orderText(2)
		}
		d.row(n, depth, d.sizeText(n), form, d.sizeOf(n, g.fixed))
	case userNode:
		d.row(n, depth, d.sizeText(n), n.typ.String(), d.sizeOf(n, g.fixed))
	case structNode:
		d.structure(n, n.inner, depth)
	case pointerNode:
		if n.elem.kind == userNode {
			d.row(n, depth, d.sizeText(n), n.elem.typ.String(), -1)
			return
		}
		d.structure(n, n.elem.inner, depth)
	case sliceNode, arrayNode:
		d.list(n, depth)
	case unionNode:
		d.row(n, depth, d.sizeText(n), "union", -1)
		d.variants(n, depth+1)
	}
}

// sizeOf returns the size if the field is always there, and otherwise -1: what follows is
// then at an offset from its end.
func (d *describer) sizeOf(n *node, size int) int {
	if len(n.conditions) > 0 {
		return -1
	}
	return size
}

// number draws a number.
func (d *describer) number(n *node, depth int) {
	m := &n.num
	if n.tag.bits > 0 {
		place := fmt.Sprintf("bit %d", n.shift(d.order))
		if d.by != "" && n.shift(big) != n.shift(little) {
			place = fmt.Sprintf("bit %d or %d", n.shift(big), n.shift(little))
		}
		fixed := 0
		if last := n.runBit + n.tag.bits; last == n.runFirst.runLen*8 {
			fixed = n.runFirst.runLen
		}
		form := place
		if n == n.runFirst {
			form += fmt.Sprintf(" of u%d%s", n.runLen*8, d.orderText(n.runLen))
		}
		bits := " bits"
		if n.tag.bits == 1 {
			bits = " bit"
		}
		d.row(n, depth, strconv.Itoa(n.tag.bits)+bits, form, fixed)
		return
	}
	form, size, fixed := m.describe(), strconv.Itoa(int(m.width)), d.sizeOf(n, int(m.width))
	if m.kind == boolKind {
		form = "bool"
	}
	if m.width == 0 {
		size, fixed = "1–10", -1
	} else if m.form == integerForm || m.form == floatForm {
		form += d.orderText(int(m.width))
	}
	d.row(n, depth, size, form, fixed)
}

// orderText returns the byte order, if it matters for so many bytes.
func (d *describer) orderText(size int) string {
	switch {
	case size < 2:
		return ""
	case d.by != "":
		return " by " + d.by
	case d.order == little:
		return " le"
	}
	return " be"
}

// sizeText returns the size of bytes or of what is in a frame.
func (d *describer) sizeText(n *node) string {
	g := &n.tag
	switch {
	case g.prefix != "":
		return g.prefix + "+n"
	case n.sized != nil:
		return n.sized.expression()
	case g.fixed >= 0:
		return strconv.Itoa(g.fixed)
	case g.count != "":
		return g.count + "+n"
	case n.countBefore() != nil:
		return n.countBefore().expression()
	case (g.cstring || g.until >= 0) && g.utf16:
		return "n+2"
	case g.cstring || g.until >= 0:
		return "n+1"
	case n.takesRest():
		return "rest"
	}
	return "n"
}

// expression returns the length in terms of its number.
func (l *link) expression() string {
	s := l.num.name
	if l.factor != 1 {
		s += "*" + strconv.FormatInt(l.factor, 10)
	}
	if l.plus != 0 {
		s += fmt.Sprintf("%+d", l.plus)
	}
	return s
}

// structure draws the fields of a struct.
func (d *describer) structure(n *node, s *scope, depth int) {
	name := structName(s.typ)
	switch {
	case n.name == "" && !n.isFramed() && !n.loop && n.owner == nil:
		d.fields(&s.fields, depth) // the root
		return
	case n.loop || n.elem != nil && n.elem.loop:
		d.row(n, depth, d.sizeText(n), name+", as above", -1)
		return
	case n.isFramed() || s.recursive || len(n.conditions) > 0:
		d.row(n, depth, d.sizeText(n), name, -1)
		d.inside(func() { d.fields(&s.fields, depth+1) })
		return
	}
	// A struct without a frame has no bytes of its own: the offsets of its fields go on from its own.
	start := d.place
	d.row(n, depth, "", name, 0)
	d.place = start
	d.fields(&s.fields, depth+1)
}

// structName returns the name of the struct t. One without a name is not spelled out: its fields
// follow.
func structName(t reflect.Type) string { return cmp.Or(t.Name(), "struct") }

// list draws a slice or array and its element.
func (d *describer) list(n *node, depth int) {
	form := "[]"
	if n.kind == arrayNode {
		form = fmt.Sprintf("[%d]", n.typ.Len())
	}
	in := n.elem
	simple := in.typ.String()
	switch in.kind {
	case numberNode:
		simple = in.num.describe() + d.orderText(int(in.num.width))
	case structNode:
		simple = structName(in.typ)
	}
	size, fixed, k := d.sizeText(n), -1, n.tag.fixed
	if n.kind == arrayNode {
		k = n.typ.Len()
	}
	// Elements of fixed size and number have an offset behind them that is known.
	each, ok := (&builder{}).presentSize(in, in)
	switch one, always := fixedSum(each); {
	case n.tag.prefix != "":
		// The size is that of the prefix and the elements, as sizeText says.
	case ok && always && k >= 0:
		size, fixed = strconv.Itoa(k*one), d.sizeOf(n, k*one)
	case k >= 0 || n.tag.toZero || n.countBefore() != nil && n.sized == nil:
		size = "n"
	}
	d.row(n, depth, size, form+simple, fixed)
	d.inside(func() { d.insideElement(in, depth) })
}

// insideElement describes the fields of an element that is a struct.
func (d *describer) insideElement(n *node, depth int) {
	switch n.kind {
	case structNode:
		if !n.loop {
			d.fields(&n.inner.fields, depth+1)
		}
	case pointerNode, arrayNode:
		d.insideElement(n.elem, depth)
	case unionNode:
		d.variants(n, depth+1)
	}
}

// variants draws the variants of a union.
func (d *describer) variants(n *node, depth int) {
	for i, v := range n.variants {
		tag := n.switchOn.num.text(n.union.variants[i].tag.value)
		if n.union.variants[i].unknown {
			tag = "other"
		}
		d.rows = append(d.rows, [5]string{"", "", strings.Repeat("  ", depth) + typeName(v.typ), "", n.switchOn.name + " " + tag})
		d.inside(func() {
			if v.kind == unknownNode {
				d.rows = append(d.rows, [5]string{"0", "rest", strings.Repeat("  ", depth+1) + "Data", "bytes", ""})
				return
			}
			d.insideElement(v, depth)
		})
	}
}

// meanings returns the texts of the last column for a field.
func (n *node) meanings() (list []string) {
	g := &n.tag
	add := func(format string, args ...any) { list = append(list, fmt.Sprintf(format, args...)) }
	for _, c := range n.conditions {
		add("%s", c.text())
	}
	if len(g.constants) > 0 {
		var values []string
		for _, c := range g.constants {
			v := c.text(n.num.kind == intKind)
			if c.order != noOrder {
				v += map[order]string{big: " (be)", little: " (le)"}[c.order]
			}
			values = append(values, v)
		}
		add("constant %s", strings.Join(values, " or "))
	}
	if g.magic != nil {
		add("constant %q", g.magic)
	}
	for _, l := range n.links {
		add("%s", l.meaning())
	}
	if n.sum != nil {
		add("%s of %s", n.sum.name, n.sum.of.text())
	}
	for _, u := range n.unions {
		add("says what %s is", u.lastName())
	}
	switch {
	case n.kind == unionNode:
		add("by %s", n.switchOn.name)
	case n.kind == rawNode:
		add("the bytes of %s", n.raw.text())
	case g.toZero:
		add("up to a zero element")
	case g.cstring:
		add("up to a NUL")
	case g.until >= 0:
		add("up to %#02x", g.until)
	case n.kind == alignNode:
		add("to a multiple of %d", g.align)
	case g.fillByte >= 0:
		add("filled with %#02x", g.fillByte)
	}
	if g.count != "" {
		add("count as %s", g.count)
	} else if l := n.countBefore(); l != nil {
		add("%s elements", l.expression())
	} else if g.fixed >= 0 && n.kind == sliceNode {
		add("%s", errtext.Counted(g.fixed, "element"))
	}
	if g.limited {
		add("at most %d", g.limit)
	}
	return list
}

// text returns the condition as the last column has it.
func (c *condition) text() string {
	switch {
	case c.more:
		return "if bytes are left"
	case c.op == '&':
		return fmt.Sprintf("if %s&%#x", c.field, c.value)
	case c.op == 0:
		return "if " + c.field
	}
	return fmt.Sprintf("if %s%c=%s", c.field, c.op, constant{value: c.value}.text(c.node.num.kind == intKind))
}

// text returns the range as the tag has it.
func (e *extent) text() string {
	return span{e.scope.nodes[e.from].name, e.scope.nodes[e.to].name}.text()
}

// meaning returns what the number measures.
func (l *link) meaning() string {
	s := "length of " + l.of.text()
	if l.elements {
		s = "count of " + l.target.name
	}
	if l.factor != 1 || l.plus != 0 {
		s += " is " + l.expression()
	}
	return s
}
