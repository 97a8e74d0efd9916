package octetgen

import (
	"bytes"
	"fmt"
	"reflect"

	"github.com/octet-go/octet/internal/outline"
)

// slice prints a slice.
func (m *messagePrinter) slice(n *outline.Node, x string) {
	if !m.encoding {
		m.getSlice(n, x)
		return
	}
	if n.Limited {
		m.printf("%s", m.leave(fmt.Sprintf("uint64(len(%s)) > %d", x, n.Limit)))
	}
	if n.Count >= 0 {
		m.prefix(n.Count, n.Little, "len("+x+")")
	} else if n.Fixed >= 0 {
		m.printf("%s", m.leave(fmt.Sprintf("len(%s) != %d", x, n.Fixed)))
	}
	m.flush()
	if isPlain(n.Elem) {
		m.piece("dst = %s.AppendSlice(dst, %s, %s)\n", m.use(binaryPath), m.order(n.Elem.Little), x)
		m.flush()
		return
	}
	m.elements(n, x)
}

// elements prints a loop over a slice or array.
func (m *messagePrinter) elements(n *outline.Node, x string) {
	i := m.variable("i")
	m.printf("for %s := range %s {\n", i, x)
	m.element(n.Elem, x+"["+i+"]")
	m.printf("}\n")
}

// element prints the element x in its loop.
func (m *messagePrinter) element(n *outline.Node, x string) {
	start, e := m.body.Len(), m.variable("e")
	if n.Kind == outline.StructNode {
		m.printf("%s := &%s\n", e, x)
		x = e
	}
	m.content(n, x)
	m.flush()
	if n.Kind == outline.StructNode && !bytes.Contains(m.body.Bytes()[start:], []byte(e+".")) {
		m.printf("_ = %s // all fields are blank\n", e)
	}
}

// array prints an array.
func (m *messagePrinter) array(n *outline.Node, x string) {
	size := n.Go.Len()
	switch {
	case size == 0:
	case n.Go.Elem() == reflect.TypeFor[byte]() && isPlain(n.Elem):
		array, at := m.grow(size)
		if m.encoding {
			m.piece("copy(%s[%d:%d], %s[:])\n", array, at, at+size, x)
		} else {
			m.piece("copy(%s[:], %s[%d:%d])\n", x, array, at, at+size)
		}
	case isPlain(n.Elem) && size <= maxUnrolledNumbers:
		for i := range size {
			m.number(n.Elem, fmt.Sprintf("%s[%d]", x, i))
		}
	case isPlain(n.Elem) && m.encoding:
		m.flush()
		m.piece("dst = %s.AppendSlice(dst, %s, %s[:])\n", m.use(binaryPath), m.order(n.Elem.Little), x)
		m.flush()
	case isPlain(n.Elem):
		m.flush()
		m.getNumbers(n.Elem, x+"[:]", fmt.Sprint(size*n.Elem.Width))
	default:
		m.flush()
		m.elements(n, x)
	}
}

func (m *messagePrinter) space(n *outline.Node) {
	if n.Space == 0 {
		return
	}
	array, at := m.grow(n.Space)
	if m.encoding {
		m.piece("clear(%s[%d:%d])\n", array, at, at+n.Space)
	}
}

func (m *messagePrinter) align(n *outline.Node) {
	m.flush()
	if m.encoding {
		m.printf("for (len(dst)-start)%%%d != 0 {\ndst = append(dst, 0)\n}\n", n.Space)
		return
	}
	m.printf("pos += (%d - pos%%%[1]d) %% %[1]d\n%[2]s", n.Space, m.leave("pos > "+m.end))
}

// maxUnrolledNumbers is the number of elements of an array of numbers that become single fields.
const maxUnrolledNumbers = 8
