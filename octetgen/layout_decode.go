package octetgen

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

// get returns the expression for the number of so many bytes at a place, and the bits of its type.
func (m *messagePrinter) get(l location, width int, little bool) (x string, bits int) {
	name, bits := unsigned(width)
	var list []string
	at, rest := 0, width
	for _, w := range parts(width) {
		rest -= w
		place := at
		if little {
			place = width - at - w
		}
		y := fmt.Sprintf("%s[%s]", l.of, l.index(place))
		if w > 1 {
			y = fmt.Sprintf("%s.Uint%d(%s[%s:])", m.order(little), 8*w, l.of, l.index(place))
		}
		if w < width {
			y = name + "(" + y + ")"
		}
		if rest > 0 {
			y = fmt.Sprintf("%s<<%d", y, 8*rest)
		}
		list = append(list, y)
		at += w
	}
	return strings.Join(list, " | "), bits
}

// load returns the expression for a number of the run.
func (m *messagePrinter) load(width int, little bool) (x string, bits int) {
	array, at := m.grow(width)
	return m.get(location{array, "", at}, width, little)
}

// getNumber prints a number that is no bit field.
func (m *messagePrinter) getNumber(n *outline.Node, x string) {
	if n.Varint {
		m.flush()
		v, size, verb := m.variable("n"), m.variable("size"), "Uvarint"
		if n.Zigzag {
			verb = "Varint"
		}
		m.printf("%s, %s := %s.%s(data[pos:%s])\n%s", v, size, m.use("encoding/binary"), verb, m.end, m.leave(size+" <= 0"))
		m.printf("pos += %s\n", size)
		m.assign(n, x, v, 64)
		m.measure(n, x)
		m.flush()
		return
	}
	if n.Sum != nil {
		m.places[n] = m.here()
	}
	y, bits := m.load(n.Width, n.Little)
	m.assign(n, x, y, bits)
	m.measure(n, x)
}

// assign adds to the run what checks the number y, an unsigned integer of so many bits, or a signed one of a zigzag, and
// sets the variable x.
func (m *messagePrinter) assign(n *outline.Node, x, y string, bits int) {
	if isFloat(n) {
		m.assignFloat(n, x, y)
		return
	}
	wire, unsigned := wireBits(n), fmt.Sprintf("uint%d", bits)
	if bits == 8 {
		unsigned = "byte"
	}
	own := unsigned
	switch {
	case n.Zigzag:
		own = "int64"
	case n.Signed && wire == bits:
		own = fmt.Sprintf("int%d", bits)
		y = own + "(" + y + ")"
	case n.Signed:
		own = "int64"
		y = fmt.Sprintf("int64(uint64(%s)<<%d)>>%[2]d", y, 64-wire)
	}
	v := m.variable("n")
	checks := m.checks(n, v, wire)
	if len(checks) > 0 {
		m.piece("%s := %s\n%s", v, y, m.leave(strings.Join(checks, " || ")))
		y = v
	}
	switch t := m.typeName(n.Go); {
	case n.Blank:
	case n.Go.Kind() == reflect.Bool:
		m.piece("%s = %s != 0\n", x, y)
	case t == own || own == "byte" && t == "uint8":
		m.piece("%s = %s\n", x, y)
	default:
		m.piece("%s = %s(%s)\n", x, t, y)
	}
}

// checks returns the conditions on which the number v, which has been read, is refused.
func (m *messagePrinter) checks(n *outline.Node, v string, wire int) (list []string) {
	memory, signed := memBits(n), isSigned(n)
	switch {
	case n.Go.Kind() == reflect.Bool:
		if wire > 1 || n.Signed {
			list = append(list, v+" > 1")
		}
		if n.Signed {
			list = append(list, v+" < 0")
		}
	case isWord(n) && wire > 31:
		wide := "uint64"
		if n.Signed {
			wide = "int64"
		}
		list = append(list, fmt.Sprintf("%s(%s(%s)) != %[1]s(%[3]s)", wide, n.Go.Kind(), v))
		if n.Signed != signed {
			list = append(list, fmt.Sprintf("int64(%s) < 0", v))
		}
	case !n.Signed && !signed && wire > memory:
		list = append(list, fmt.Sprintf("%s > 1<<%d-1", v, memory))
	case !n.Signed && signed && wire >= memory:
		list = append(list, fmt.Sprintf("%s > 1<<%d-1", v, memory-1))
	case n.Signed && !signed:
		list = append(list, v+" < 0")
		if wire-1 > memory {
			list = append(list, fmt.Sprintf("%s > 1<<%d-1", v, memory))
		}
	case n.Signed && signed && wire > memory:
		list = append(list, fmt.Sprintf("%s < -1<<%d || %[1]s > 1<<%[2]d-1", v, memory-1))
	}
	if len(n.Constants) > 0 {
		var others []string
		for _, c := range n.Constants {
			if n.Signed {
				others = append(others, fmt.Sprintf("%s != %d", v, int64(c)))
			} else {
				others = append(others, fmt.Sprintf("%s != %d", v, c))
			}
		}
		list = append(list, strings.Join(others, " && "))
	}
	if n.Signed {
		wire--
	}
	if n.Limited && n.Limit < 1<<wire-1 {
		list = append(list, fmt.Sprintf("%s > %d", v, n.Limit))
	}
	return list
}

func (m *messagePrinter) assignFloat(n *outline.Node, x, y string) {
	t, own := m.typeName(n.Go), fmt.Sprintf("float%d", 8*n.Width)
	y = fmt.Sprintf("%s.Float%dfrombits(%s)", m.use("math"), 8*n.Width, y)
	if n.Blank && int(n.Go.Size()) >= n.Width {
		return
	}
	if n.Width == 8 && n.Go.Size() == 4 {
		f := m.variable("f")
		m.piece("%s := %s\n%s", f, y, m.leave(fmt.Sprintf("float64(float32(%s)) != %[1]s && %[1]s == %[1]s", f)))
		y = f
	}
	switch {
	case n.Blank:
	case t != own:
		m.piece("%s = %s(%s)\n", x, t, y)
	default:
		m.piece("%s = %s\n", x, y)
	}
}

// measure adds to the run what computes the lengths that the number x says.
func (m *messagePrinter) measure(n *outline.Node, x string) {
	for _, l := range n.Links {
		if memory := memBits(n); isSigned(n) || memory == 64 {
			m.piece("%s", m.leave(fmt.Sprintf("uint64(%s) > %d", x, math.MaxInt64/4/l.Factor)))
		}
		if l.Factor == 1 && l.Plus == 0 {
			m.lengths[l] = "int64(" + x + ")"
			continue
		}
		v := m.lengths[l]
		if v == "" {
			v = m.variable("n")
			m.piece("%s := ", v)
		} else {
			m.piece("%s = ", v)
		}
		m.piece("int64(%s)", x)
		if l.Factor != 1 {
			m.piece("*%d", l.Factor)
		}
		if l.Plus != 0 {
			m.piece(" + %d", l.Plus)
		}
		m.piece("\n")
		if l.Plus < 0 {
			m.piece("%s", m.leave(v+" < 0"))
		}
		m.lengths[l] = v
	}
}

// compare adds to the run the comparison of a length with what it measures.
func (m *messagePrinter) compare(l *outline.Link) {
	switch {
	case l.Elements:
		m.piece("%s", m.leave(fmt.Sprintf("int64(len(%s)) != %s", m.name(l.Of.From), m.lengths[l])))
	case !l.Exact:
		m.piece("%s", m.leave(fmt.Sprintf("int64(%s-(%s)) != %s", m.stops[l.Of], m.starts[l.Of], m.lengths[l])))
	}
}

func (m *messagePrinter) getBits(list []*outline.Node) {
	first := list[0]
	y, bits := m.load(first.Run, first.Little)
	m.piece("// %s\n", strings.TrimPrefix(m.name(first), "v."))
	v := m.variable("n")
	if slices.ContainsFunc(list, func(n *outline.Node) bool { return !n.Blank || len(n.Constants) > 0 || n.Limited }) {
		m.piece("%s := %s\n", v, y)
	}
	for _, n := range list {
		part := v
		if n.Shift > 0 {
			part = fmt.Sprintf("%s>>%d", v, n.Shift)
		}
		if n.Shift+n.Width < bits {
			part = fmt.Sprintf("%s&%#x", part, uint64(1)<<n.Width-1)
		}
		m.assign(n, m.name(n), part, bits)
	}
	for _, n := range list {
		m.measure(n, m.name(n))
	}
}

// getPrefix prints a length or count, and returns the variable that holds it.
func (m *messagePrinter) getPrefix(width int, little bool) (v string) {
	if width == 0 {
		m.flush()
		v, size := m.variable("n"), m.variable("size")
		m.printf("%s, %s := %s.Uvarint(data[pos:%s])\n%s", v, size, m.use("encoding/binary"), m.end, m.leave(size+" <= 0"))
		m.printf("pos += %s\n", size)
		return v
	}
	v = m.variable("n")
	y, _ := m.load(width, little)
	m.piece("%s := %s\n", v, y)
	m.flush()
	return v
}

// within prints the check that there are so many bytes. The length is not negative.
func (m *messagePrinter) within(length string) {
	if strings.HasPrefix(length, "int64(") {
		m.printf("%s", m.leave(fmt.Sprintf("%s > int64(%s-pos)", length, m.end)))
	} else {
		m.printf("%s", m.leave(fmt.Sprintf("uint64(%s) > uint64(%s-pos)", length, m.end)))
	}
}

func (m *messagePrinter) getFrame(n *outline.Node, x string) {
	length := ""
	if n.Prefix >= 0 {
		length = m.getPrefix(n.Prefix, n.Little)
	} else {
		m.flush()
		length = m.lengths[n.Sized]
	}
	m.within(length)
	outer, end := m.end, m.variable("end")
	m.printf("%s := pos + int(%s)\n", end, length)
	m.end = end
	m.inner(n, x)
	m.flush()
	m.printf("%s", m.leave("pos != "+end))
	m.end = outer
}

// stop prints what computes where a field ends that takes the rest of its frame, and returns the variable.
func (m *messagePrinter) stop(n *outline.Node) string {
	if len(n.Rest) == 0 && n.Bound == nil {
		return m.end
	}
	v := m.variable("stop")
	if n.Bound == nil {
		m.printf("%s := %s\n", v, m.end)
	} else {
		start, length := m.starts[n.Bound.Of], m.lengths[n.Bound]
		m.printf("%s", m.leave(fmt.Sprintf("%s > int64(%s-(%s))", length, m.end, start)))
		m.printf("%s := %s + int(%s)\n", v, start, length)
	}
	fixed := 0
	for _, r := range n.Rest {
		if r.Link == nil && r.Count == nil && r.Conditions == nil {
			fixed += r.Fixed
		} else {
			m.subtract(r, v)
		}
	}
	if fixed > 0 {
		m.printf("%s -= %d\n", v, fixed)
	}
	m.printf("%s", m.leave(v+" < pos"))
	return v
}

// subtract prints what takes the size of a field off the variable stop.
func (m *messagePrinter) subtract(r outline.Rest, stop string) {
	switch {
	case r.Link != nil:
		m.within(m.lengths[r.Link])
		m.printf("%s -= int(%s)\n", stop, m.lengths[r.Link])
	case r.Count != nil:
		m.within(m.lengths[r.Count])
		m.printf("%s -= int(%s) * %d\n", stop, m.lengths[r.Count], r.Fixed)
	case r.Conditions != nil:
		m.printf("if %s {\n", m.condition(r.Conditions))
		for _, in := range r.Inner {
			m.subtract(in, stop)
		}
		m.printf("}\n")
	default:
		m.printf("%s -= %d\n", stop, r.Fixed)
	}
}

// set prints what sets a string or []byte to part of an array or slice.
func (m *messagePrinter) set(n *outline.Node, x, part string) string {
	if n.Go.Kind() == reflect.String {
		return fmt.Sprintf("%s = %s(%s)\n", x, m.typeName(n.Go), part)
	}
	return fmt.Sprintf("%s = append([]byte{}, %s...)\n", x, part)
}

func (m *messagePrinter) getText(n *outline.Node, x string) {
	limit := func(length string) {
		if n.Limited {
			m.printf("%s", m.leave(fmt.Sprintf("uint64(%s) > %d", length, n.Limit)))
		}
	}
	length, stop := "", ""
	switch {
	case n.Prefix >= 0 || n.Count >= 0:
		length = m.getPrefix(max(n.Prefix, n.Count), n.Little)
	case n.Sized != nil:
		m.flush()
		length = m.lengths[n.Sized]
	case n.Fixed >= 0:
		m.getFixed(n, x)
		return
	case n.Until >= 0:
		m.flush()
		length = m.variable("n")
		m.printf("%s := %s.IndexByte(data[pos:%s], %d)\n%s", length, m.use("bytes"), m.end, n.Until, m.leave(length+" < 0"))
		limit(length)
		m.printf("%s", m.set(n, x, "data[pos:pos+"+length+"]"))
		m.printf("pos += %s + 1\n", length)
		return
	case n.Counted != nil:
		m.flush()
		length = m.lengths[n.Counted]
	default:
		m.flush()
		stop = m.stop(n)
		length = stop + "-pos"
	}
	if stop == "" {
		m.within(length)
		stop = m.variable("stop")
		m.printf("%s := pos + int(%s)\n", stop, length)
	}
	limit(length)
	m.printf("%spos = %s\n", m.set(n, x, "data[pos:"+stop+"]"), stop)
}

func (m *messagePrinter) getFixed(n *outline.Node, x string) {
	if n.Fixed == 0 {
		m.piece("%s", m.set(n, x, `""`))
		return
	}
	array, at := m.grow(n.Fixed)
	length := fmt.Sprint(n.Fixed)
	if n.Fill >= 0 {
		length = m.variable("n")
		m.piece("%[1]s := %[2]d\nfor %[1]s > 0 && %[3]s[%[4]d+%[1]s] == %[5]d {\n%[1]s--\n}\n", length, n.Fixed, array, at-1, n.Fill)
	}
	if n.Limited {
		m.piece("%s", m.leave(fmt.Sprintf("uint64(%s) > %d", length, n.Limit)))
	}
	if n.Fill >= 0 {
		m.piece("%s", m.set(n, x, fmt.Sprintf("%s[%d:%[2]d+%s]", array, at, length)))
	} else {
		m.piece("%s", m.set(n, x, fmt.Sprintf("%s[%d:%d]", array, at, at+n.Fixed)))
	}
}

func (m *messagePrinter) getMagic(n *outline.Node, x, text string) {
	array, at := m.grow(len(n.Magic))
	part := fmt.Sprintf("%s[%d:%d]", array, at, at+len(n.Magic))
	m.piece("%s", m.leave(fmt.Sprintf("string(%s) != %s", part, text)))
	switch k := n.Go.Kind(); {
	case n.Blank:
	case k == reflect.String:
		m.piece("%s = %s\n", x, text)
	case k == reflect.Slice:
		m.piece("%s = append([]byte{}, %s...)\n", x, part)
	default:
		m.piece("copy(%s[:], %s)\n", x, part)
	}
}

// getNumbers prints what decodes numbers whose bytes are only moved into the slice x.
func (m *messagePrinter) getNumbers(n *outline.Node, x, size string) {
	m.printf("%s", m.leave(fmt.Sprintf("%s-pos < %s", m.end, size)))
	m.printf("%s", m.leave(fmt.Sprintf("_, err := %s.GetSlice(data[pos:], %s, %s); err != nil", m.use(binaryPath), m.order(n.Little), x)))
	m.printf("pos += %s\n", size)
}

func (m *messagePrinter) getSlice(n *outline.Node, x string) {
	length := ""
	switch {
	case n.Count >= 0:
		length = m.getPrefix(n.Count, n.Little)
	case n.Fixed >= 0:
		m.flush()
		length = fmt.Sprint(n.Fixed)
	case n.Counted != nil:
		m.flush()
		length = m.lengths[n.Counted]
	default:
		m.flush()
	}
	least, fixed := sizeOf(n.Elem)
	if length == "" {
		stop := m.stop(n)
		if !fixed {
			m.getRest(n, x, stop)
			return
		}
		length = m.variable("n")
		m.printf("%s := (%s - pos) / %d\n%s", length, stop, least, m.leave(fmt.Sprintf("%s*%d != %s-pos", length, least, stop)))
	} else if length != "0" {
		m.printf("%s", m.leave(fmt.Sprintf("uint64(%s) > uint64(%s-pos)/%d", length, m.end, least)))
	}
	if n.Limited {
		m.printf("%s", m.leave(fmt.Sprintf("uint64(%s) > %d", length, n.Limit)))
	}
	m.printf("%[1]s = %[2]s(%[1]s, int(%[3]s))\n", x, m.help("octetResize"), length)
	if isPlain(n.Elem) {
		m.getNumbers(n.Elem, x, fmt.Sprintf("len(%s)*%d", x, n.Elem.Width))
		return
	}
	if n.Elem.Ignores {
		m.printf("clear(%s)\n", x)
	}
	m.elements(n, x)
}

// getRest prints the elements up to a position.
func (m *messagePrinter) getRest(n *outline.Node, x, stop string) {
	next := m.help("octetNext")
	m.printf("%[1]s = %[2]s(%[1]s, 0)\nfor pos < %[3]s {\n%[1]s = %[4]s(%[1]s)\n", x, m.help("octetResize"), stop, next)
	if n.Elem.Ignores {
		m.printf("clear(%s[len(%[1]s)-1:])\n", x)
	}
	m.element(n.Elem, x+"[len("+x+")-1]")
	m.printf("}\n%s", m.leave("pos != "+stop))
	if n.Limited {
		m.printf("%s", m.leave(fmt.Sprintf("uint64(len(%s)) > %d", x, n.Limit)))
	}
}
