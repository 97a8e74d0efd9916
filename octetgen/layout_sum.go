package octetgen

import (
	"fmt"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

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
			m.printf("%s", m.put(location{"dst", m.places[n], 0}, n.Width, n, m.checksum(n, "dst"), ""))
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
