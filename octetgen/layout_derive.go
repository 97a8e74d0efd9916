package octetgen

import (
	"fmt"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

// declare prints the variables for what other fields depend on, before the condition of a number.
func (m *messagePrinter) declare(n *outline.Node) {
	switch {
	case n.Kind != outline.NumberNode:
	case m.encoding && (len(n.Links) > 0 || len(n.Constants) > 0 && n.Asked):
		m.values[n] = m.variable("n")
		m.printf("var %s %s\n", m.values[n], either(len(n.Links) > 0, "int", m.typeName(n.Go)))
	case !m.encoding:
		for _, l := range n.Links {
			if !isDirect(l) {
				m.lengths[l] = m.variable("n")
				m.printf("var %s int64\n", m.lengths[l])
			}
		}
	}
}

// declared prints the assignment of x to the variable of a number, which it returns. It declares it unless that is done.
func (m *messagePrinter) declared(n *outline.Node, x string) (v string) {
	assign := "="
	if v = m.values[n]; v == "" {
		v, assign = m.variable("n"), ":="
		m.values[n] = v
	}
	m.printer.printf("%s %s %s\n", v, assign, x)
	return v
}

// derived prints what computes a number from what it measures, and returns it, or "" if that is not known yet.
func (m *messagePrinter) derived(n *outline.Node) (v string) {
	for _, l := range n.Links {
		if !known(l) {
			continue
		}
		length := "len(" + m.name(l.Of.From) + ")"
		if l.Size > 1 && !l.Elements {
			length += fmt.Sprintf("*%d", l.Size)
		}
		if v != "" {
			m.leave("%s != %s", m.fromLength(l, length), v)
			continue
		}
		v = m.declared(n, m.fromLength(l, length))
		m.checkDerived(n, v)
	}
	return v
}

// selected prints what finds the number of the variant that a union holds, and returns it.
func (m *messagePrinter) selected(n *outline.Node) (v string) {
	v = m.variable("n")
	m.values[n] = v
	m.printer.printf("var %s %s\nswitch %s.(type) {\n", v, m.typeName(n.Go), m.name(n.Union))
	for _, w := range n.Union.Variants {
		m.printer.printf("case %s:\n%s = %s\n", m.typeName(w.Go), v, literal(w.Tag, isSigned(n)))
	}
	m.printer.printf("default:\n%s\n}\n", m.fail)
	return v
}

// isDirect reports whether the number of a link is the length itself.
func isDirect(l *outline.Link) bool { return l.Factor == 1 && l.Plus == 0 }

// fromLength prints the checks of a length, and returns the number for it.
func (m *messagePrinter) fromLength(l *outline.Link, length string) string {
	if isDirect(l) {
		return length
	}
	n := m.variable("n")
	if l.Plus != 0 {
		length += fmt.Sprintf(" - %d", l.Plus)
	}
	m.printer.printf("%s := %s\n", n, length)
	if l.Factor == 1 {
		m.leave("%s < 0", n)
		return n
	}
	m.leave("%s < 0 || %[1]s%%%d != 0", n, l.Factor)
	return fmt.Sprintf("%s/%d", n, l.Factor)
}

// checkDerived prints the checks of a number that has been computed.
func (m *messagePrinter) checkDerived(n *outline.Node, v string) {
	memory := memBits(n)
	if isWord(n) {
		memory = 32
	}
	_, high := limits(memory, isSigned(n))
	_, most := limits(wireBits(n), n.Signed)
	m.atMost(min(n.Limit, high, most), v)
}

// derive prints what computes a number from the range or the slice that has just ended.
func (m *messagePrinter) derive(l *outline.Link) {
	if known(l) {
		return
	}
	m.flush()
	v := m.fromLength(l, fmt.Sprintf("%s - (%s)", m.stops[l.Of], m.starts[l.Of]))
	if old := m.values[l.Num]; old != "" {
		m.leave("%s != %s", v, old)
		return
	}
	v = m.declared(l.Num, v)
	m.checkDerived(l.Num, v)
	if l.Num.Varint && l.Inside {
		m.atMost(either[uint64](l.Num.Zigzag, 0x3f, 0x7f), v) // a longer varint would be part of what it measures
	}
	m.patch(l.Num, v)
}

// compare adds to the run the comparison of a length with what it measures.
func (m *messagePrinter) compare(l *outline.Link) {
	switch {
	case l.Elements:
		m.leaveRun("int64(len(%s)) != int64(%s)", m.name(l.Of.From), m.lengths[l])
	case !l.Exact:
		m.leaveRun("int64(%s-(%s)) != int64(%s)", m.stops[l.Of], m.starts[l.Of], m.lengths[l])
	}
}

// patch prints what writes a number over its place.
func (m *messagePrinter) patch(n *outline.Node, v string) {
	at := m.places[n]
	switch {
	case n.Varint:
		m.printf("dst = %s(dst, %s, uint64(%s)%s)\n", m.help("octetSetVarint"), at, v, either(n.Zigzag, "<<1", "")) // v is not negative
	case n.Bits:
		old, size := m.get("dst", at, n.Run, n)
		t, _ := unsigned(size / 8)
		m.printf("%s", m.put("dst", at, n.Run, n, fmt.Sprintf("(%s|%s(%s)<<%s)", old, t, v, m.shift(n)), t))
	default:
		m.printf("%s", m.put("dst", at, n.Width, n, v, ""))
	}
}

// checksum returns the expression for a checksum of data.
func (m *messagePrinter) checksum(n *outline.Node, data string) string {
	from, to, own := m.starts[n.Sum.Of], m.stops[n.Sum.Of], "-1"
	if n.Sum.Inside && !m.encoding {
		own = fmt.Sprintf("%s-(%s)", m.places[n], from)
	}
	name := "octet" + strings.ToUpper(n.Sum.Name[:1]) + n.Sum.Name[1:]
	m.helpers[name] = fmt.Sprintf("var %s = $layout$.Checksum(%q)\n", name, n.Sum.Name)
	return fmt.Sprintf("%s(%s[%s:%s], %s, %d)", name, data, from, to, own, n.Width)
}

// endBlock ends an optional field, an element, or, with nil, the message: it prints the checksums inside, when everything
// else is known, and the copies of fields.
func (m *messagePrinter) endBlock(block *outline.Node) {
	m.flush()
	for _, n := range m.sums {
		switch {
		case n.Block != block:
		case m.encoding:
			m.mark(m.name(n))
			m.patch(n, m.checksum(n, "dst"))
		default:
			m.leave("uint64(%s) != %s", m.name(n), m.checksum(n, "data"))
		}
	}
	for _, n := range m.copies {
		if n.Block == block {
			m.printf("%s = append([]byte{}, data[%s:%s]...)\n", m.name(n), m.starts[n.Raw], m.stops[n.Raw])
		}
	}
}
