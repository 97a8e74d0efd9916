package octetgen

import (
	"cmp"
	"fmt"
	"math"
	"reflect"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

// prefix prints a length before what it measures, for which the variable x is known.
func (m *messagePrinter) prefix(width int, o *outline.Node, x string) {
	m.atMost(math.MaxUint64>>(64-8*cmp.Or(width, 8)), x)
	if width == 0 {
		m.printf("dst = $binary$.AppendUvarint(dst, uint64(%s))\n", x)
		return
	}
	m.store(width, o, x, "int")
}

// getLength returns a length or count: the variable for its prefix, which it prints, or what another number says, or "".
func (m *messagePrinter) getLength(width int, o *outline.Node, link *outline.Link) (v string) {
	switch {
	case width < 0:
		return m.lengths[link]
	case width == 0:
		return m.getVarint("Uvarint")
	}
	v = m.variable("n")
	y, _ := m.load(width, o)
	m.piece("%s := %s\n", v, y)
	return v
}

// frame prints a value after its prefix.
func (m *messagePrinter) frame(n *outline.Node, x string) {
	at := ""
	if size := elementSize(n); n.Prefix >= 0 && size > 0 {
		m.prefix(n.Prefix, n, fmt.Sprintf("len(%s)*%d", x, size))
	} else if n.Prefix >= 0 {
		at = m.here()
		if m.grow(n.Prefix); n.Prefix == 0 {
			m.printf("dst = append(dst, 0)\n")
		}
	}
	m.inner(n, x)
	m.flush()
	switch {
	case at != "" && n.Prefix == 0:
		m.printf("dst = %s(dst, %s, uint64(len(dst)-(%[2]s)-1))\n", m.help("octetSetVarint"), at)
	case at != "":
		length := m.variable("n")
		m.printf("%s := len(dst) - (%s) - %d\n", length, at, n.Prefix)
		m.atMost(math.MaxUint64>>(64-8*n.Prefix), length)
		m.printf("%s", m.put("dst", at, n.Prefix, n, length, "int"))
	}
}

func (m *messagePrinter) getFrame(n *outline.Node, x string) {
	length := m.getLength(n.Prefix, n, n.Sized)
	m.within(length)
	outer, end := m.end, m.variable("end")
	m.printf("%s := pos + int(%s)\n", end, length)
	m.end = end
	m.inner(n, x)
	m.leave("pos != %s", end)
	m.end = outer
}

// within prints the check that there are so many bytes. The length is not negative.
func (m *messagePrinter) within(length string) { m.leave("uint64(%s) > uint64(%s-pos)", length, m.end) }

// stop prints what computes where a field ends that takes the rest of its frame, and returns the variable.
func (m *messagePrinter) stop(n *outline.Node) string {
	if len(n.Rest) == 0 && n.Bound == nil {
		m.flush()
		return m.end
	}
	v, end := m.variable("stop"), m.end
	if n.Bound != nil {
		start, length := m.starts[n.Bound.Of], m.lengths[n.Bound]
		m.leave("int64(%s) > int64(%s-(%s))", length, m.end, start)
		end = fmt.Sprintf("%s + int(%s)", start, length)
	}
	m.printf("%s := %s\n", v, end)
	m.subtract(n.Rest, v)
	m.leave("%s < pos", v)
	return v
}

// subtract prints what takes the sizes of fields off the variable stop.
func (m *messagePrinter) subtract(list []outline.Rest, stop string) {
	for _, r := range list {
		switch {
		case r.Link != nil:
			m.within(m.lengths[r.Link])
			m.printf("%s\n", strings.TrimSuffix(fmt.Sprintf("%s -= int(%s) * %d", stop, m.lengths[r.Link], r.Fixed), " * 1"))
		case r.Conditions != nil:
			m.printf("if %s {\n", m.condition(r.Conditions, nil))
			m.subtract(r.Inner, stop)
			m.printf("}\n")
		default:
			m.printf("%s -= %d\n", stop, r.Fixed)
		}
	}
}

// text prints a string or []byte.
func (m *messagePrinter) text(n *outline.Node, x string) {
	m.atMost(n.Limit, "len("+x+")")
	end := ""
	if width := max(n.Prefix, n.Count); width >= 0 {
		m.prefix(width, n, "len("+x+")")
	} else if n.Until >= 0 {
		of := "bytes"
		if n.Go.Kind() == reflect.String {
			of, x = "strings", convert(n.Go, "string", x)
		}
		m.leave("$%s$.IndexByte(%s, %d) >= 0", of, x, n.Until)
		end = fmt.Sprintf("dst = append(dst, %d)\n", n.Until)
	}
	m.printf("dst = append(dst, %s...)\n%s", x, end)
}

func (m *messagePrinter) getText(n *outline.Node, x string) {
	length, stop, after := "", "", ""
	if n.Until >= 0 {
		length, after = m.variable("n"), " + 1"
		m.printf("%s := $bytes$.IndexByte(data[pos:%s], %d)\n", length, m.end, n.Until)
		m.leave("%s < 0", length)
		stop = "pos+" + length
	} else if length = m.getLength(max(n.Prefix, n.Count), n, cmp.Or(n.Sized, n.Counted)); length == "" {
		stop = m.stop(n)
		length = stop + "-pos"
	} else {
		m.within(length)
		stop = m.variable("stop")
		m.printf("%s := pos + int(%s)\n", stop, length)
	}
	m.atMost(n.Limit, length)
	m.printf("%spos = %s%s\n", m.set(n, x, "data[pos:"+stop+"]"), stop, after)
}

// set returns what sets a string or []byte to part of an array or slice.
func (m *messagePrinter) set(n *outline.Node, x, part string) string {
	if n.Go.Kind() == reflect.String {
		return fmt.Sprintf("%s = %s(%s)\n", x, m.typeName(n.Go), part)
	}
	return fmt.Sprintf("%s = append([]byte{}, %s...)\n", x, part)
}

// fixed prints a text of a fixed length.
func (m *messagePrinter) fixed(n *outline.Node, x string) {
	array, at := m.grow(n.Fixed)
	part := fmt.Sprintf("%s[%d:%d]", array, at, at+n.Fixed)
	if !m.encoding {
		if n.Fill >= 0 {
			part = fmt.Sprintf("%s(%s, %d)", m.help("octetTrim"), part, n.Fill)
		}
		m.piece("%s", m.set(n, x, part))
		if n.Limit < uint64(n.Fixed) {
			m.leaveRun("len(%s) > %d", x, n.Limit)
		}
		return
	}
	m.atMost(n.Limit, "len("+x+")")
	if n.Fill < 0 {
		m.leave("len(%s) != %d", x, n.Fixed)
		m.piece("copy(%s, %s)\n", part, x)
	} else {
		m.leave("len(%[1]s) > %[2]d || len(%[1]s) > 0 && %[1]s[len(%[1]s)-1] == %[3]d", x, n.Fixed, n.Fill)
		m.piece("%s(%s, %s, %d)\n", m.help("octetFill"), part, x, n.Fill)
	}
}

// magic prints constant bytes. The zero value stands for them.
func (m *messagePrinter) magic(n *outline.Node, x string) {
	text, size := quote(n.Magic), len(n.Magic)
	array, at := m.grow(size)
	part, value := fmt.Sprintf("%s[%d:%d]", array, at, at+size), x
	if n.Go.Kind() == reflect.Array {
		value += "[:]"
	}
	if m.encoding {
		if !n.Blank {
			m.leave("%s && string(%s) != %s", m.nonempty(n.Go, x), value, text)
		}
		m.piece("copy(%s, %s)\n", part, text)
		return
	}
	m.leaveRun("string(%s) != %s", part, text)
	switch {
	case n.Blank:
	case n.Go.Kind() == reflect.Array:
		m.piece("copy(%s, %s)\n", value, part)
	case n.Go.Kind() == reflect.String: // a constant needs no memory
		m.piece("%s = %s\n", x, text)
	default:
		m.piece("%s", m.set(n, x, part))
	}
}
