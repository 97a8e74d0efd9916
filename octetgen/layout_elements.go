package octetgen

import (
	"bytes"
	"fmt"
	"reflect"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

// slice prints a slice.
func (m *messagePrinter) slice(n *outline.Node, x string) {
	m.atMost(n.Limit, "len("+x+")")
	if n.Count >= 0 {
		m.prefix(n.Count, n, "len("+x+")")
	} else if n.Fixed >= 0 {
		m.leave("len(%s) != %d", x, n.Fixed)
	}
	m.elements(n, x)
}

func (m *messagePrinter) getSlice(n *outline.Node, x string) {
	length := m.getLength(n.Count, n, n.Counted)
	if n.Fixed >= 0 && n.Count < 0 {
		length = fmt.Sprint(n.Fixed)
	}
	if length == "" {
		stop := m.stop(n)
		if n.Elem.Size < 0 {
			m.append(n, x, "for pos < "+stop, "")
			m.leave("pos != %s", stop)
			m.atMost(n.Limit, "len("+x+")")
			return
		}
		length = m.variable("n")
		m.printf("%s := (%s - pos) / %d\n", length, stop, n.Elem.Size)
		m.leave("%s*%d != %s-pos", length, n.Elem.Size, stop)
	} else if length != "0" {
		room := strings.TrimSuffix(fmt.Sprintf("uint64(%s-pos)/%d", m.end, n.Elem.Least), "/1")
		m.leave("uint64(%s) > %s", length, room)
	}
	m.atMost(n.Limit, length)
	m.printf("%[1]s = %[2]s(%[1]s, int(%[3]s))\n", x, m.help("octetResize"), length)
	if n.Elem.Ignores {
		m.printf("clear(%s)\n", x)
	}
	m.elements(n, x)
}

// append prints a loop that decodes elements and appends them to x. It ends after an element that has not the property
// filled, which is then removed, unless that is empty.
func (m *messagePrinter) append(n *outline.Node, x, loop, filled string) {
	m.printf("%[1]s = %[2]s(%[1]s, 0)\n%[3]s {\n%[1]s = $slices$.Grow(%[1]s, 1)[:len(%[1]s)+1]\n", x, m.help("octetResize"), loop)
	if n.Elem.Ignores {
		m.printf("clear(%s[len(%[1]s)-1:])\n", x)
	}
	end := ""
	if filled != "" {
		end = fmt.Sprintf("if !(%s) {\n%s = %[2]s[:len(%[2]s)-1]\nbreak\n}\n", filled, x)
	}
	m.element(n.Elem, x+"[len("+x+")-1]", end)
}

// toZero prints a slice that ends with an element that is zero.
func (m *messagePrinter) toZero(n *outline.Node, x string) {
	if !m.encoding {
		m.append(n, x, "for", m.nonempty(n.Elem.Go, x+"[len("+x+")-1]"))
		m.atMost(n.Limit, "len("+x+")")
		return
	}
	i, start := m.variable("i"), m.variable("start")
	m.atMost(n.Limit, "len("+x+")")
	m.printf("for %s := range %s {\n%s := len(dst)\n", i, x, start)
	m.element(n.Elem, x+"["+i+"]", fmt.Sprintf("if string(dst[%s:]) == %s {\n%s\n}\n", start, quote(n.Zero), m.fail))
	m.printf("dst = append(dst, %s...)\n", quote(n.Zero))
}

// elements prints the elements of a slice or array: together if they are numbers whose bytes are only moved, or else in a loop.
func (m *messagePrinter) elements(n *outline.Node, x string) {
	list, size := x, fmt.Sprintf("len(%s)*%d", x, n.Elem.Width)
	if n.Go.Kind() == reflect.Array {
		list, size = x+"[:]", fmt.Sprint(n.Go.Len()*n.Elem.Width)
	}
	switch {
	case isPlain(n.Elem) && m.encoding:
		m.printf("dst = $octet$.AppendSlice(dst, %s, %s)\n", m.order(n.Elem), list)
	case isPlain(n.Elem):
		m.leave("%s-pos < %s", m.end, size)
		m.leave("_, err := $octet$.GetSlice(data[pos:], %s, %s); err != nil", m.order(n.Elem), list)
		m.printf("pos += %s\n", size)
	default:
		i := m.variable("i")
		m.printf("for %s := range %s {\n", i, x)
		m.element(n.Elem, x+"["+i+"]", "")
	}
}

// element prints the element x and what follows it in its loop, which it ends.
func (m *messagePrinter) element(n *outline.Node, x, end string) {
	start, e := m.body.Len(), m.variable("e")
	if n.Kind == outline.StructNode {
		m.printf("%s := &%s\n", e, x)
		x = e
	}
	m.content(n, x)
	m.endBlock(n)
	code := m.body.Bytes()[start:]
	if n.Kind == outline.StructNode && bytes.Count(code, []byte(e+".")) == bytes.Count(code, []byte("// "+e+".")) { // only comments
		m.printf("_ = %s // all fields are blank or computed\n", e)
	}
	m.printf("%s}\n", end)
}

// union prints one of several structs, or a pointer to it.
func (m *messagePrinter) union(n *outline.Node, x string) {
	e := m.variable("e")
	m.printf("switch %s {\n", either(m.encoding, e+" := "+x+".(type)", m.name(n.Switch)))
	for _, v := range n.Variants {
		of := m.typeName(v.Go)
		m.printf("case %s:\n", either(m.encoding, of, literal(v.Tag, isSigned(n.Switch))))
		if !m.encoding {
			m.printf("var %s %s\n", e, of)
		}
		m.content(v.Node, e)
		m.endBlock(v.Node)
		if !m.encoding {
			m.printf("%s = %s\n", x, e)
		}
	}
	m.printf("default:\n%s\n}\n", m.fail)
}

// array prints an array.
func (m *messagePrinter) array(n *outline.Node, x string) {
	size := n.Go.Len()
	switch {
	case size == 0:
	case n.Go.Elem() == reflect.TypeFor[byte]() && isPlain(n.Elem):
		array, at := m.grow(size)
		from, to := x+"[:]", fmt.Sprintf("%s[%d:%d]", array, at, at+size)
		if !m.encoding {
			from, to = to, from
		}
		m.piece("copy(%s, %s)\n", to, from)
	case isPlain(n.Elem) && size <= maxUnrolledNumbers:
		for i := range size {
			m.inner(n.Elem, fmt.Sprintf("%s[%d]", x, i))
		}
	default:
		m.elements(n, x)
	}
}

func (m *messagePrinter) space(n *outline.Node, _ string) {
	if array, at := m.grow(n.Space); m.encoding && n.Space > 0 {
		m.piece("clear(%s[%d:%d])\n", array, at, at+n.Space)
	}
}

func (m *messagePrinter) align(n *outline.Node, _ string) {
	if m.encoding {
		m.printf("for (len(dst)-start)%%%d != 0 {\ndst = append(dst, 0)\n}\n", n.Space)
		return
	}
	m.printf("pos += (%d - pos%%%[1]d) %% %[1]d\n", n.Space)
	m.leave("pos > %s", m.end)
}

// maxUnrolledNumbers is the number of elements of an array of numbers that become single fields.
const maxUnrolledNumbers = 8
