package octetgen

import (
	"fmt"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

// checksum returns the expression for a checksum of data.
func (m *messagePrinter) checksum(n *outline.Node, data string) string {
	from, to, own := m.starts[n.Sum.Of], m.stops[n.Sum.Of], "-1"
	part := fmt.Sprintf("%s[%s:%s]", data, from, to)
	if n.Sum.Inside && !m.encoding {
		own = fmt.Sprintf("%s-(%s)", m.places[n], from)
	}
	switch name := n.Sum.Name; name {
	case "crc32":
		if own == "-1" {
			return fmt.Sprintf("%s.ChecksumIEEE(%s)", m.use("hash/crc32"), part)
		}
		return fmt.Sprintf("%s(%s.IEEETable, %s, %s, %d)", m.help("octetCRC"), m.use("hash/crc32"), part, own, n.Width)
	case "crc32c":
		if own == "-1" {
			return fmt.Sprintf("%s.Checksum(%s, %s)", m.use("hash/crc32"), part, m.help("octetCastagnoli"))
		}
		return fmt.Sprintf("%s(%s, %s, %s, %d)", m.help("octetCRC"), m.help("octetCastagnoli"), part, own, n.Width)
	case "inet":
		return fmt.Sprintf("%s(%s, %s)", m.help("octetInet"), part, own)
	default:
		if own != "-1" {
			part = fmt.Sprintf("%s(%s, %s, %d)", m.help("octetZeroed"), part, own, n.Width)
		}
		if name == "adler32" {
			return fmt.Sprintf("%s.Checksum(%s)", m.use("hash/adler32"), part)
		}
		return fmt.Sprintf("%s(%s)", m.help("octet"+strings.ToUpper(name[:1])+name[1:]), part)
	}
}

// putSums prints what computes the checksums.
func (m *messagePrinter) putSums() {
	for _, n := range m.sums {
		m.mark(m.name(n))
		m.printf("%s", m.put(location{"dst", m.places[n], 0}, n.Width, n.Little, m.checksum(n, "dst"), ""))
	}
}

// checkSums prints what compares the checksums.
func (m *messagePrinter) checkSums() {
	for _, n := range m.sums {
		m.leave("uint64(%s) != uint64(%s)", m.name(n), m.checksum(n, "data"))
	}
}
