package octetgen

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

// A location is a place in an array or slice: a number, or a variable and a number.
type location struct {
	of, from string
	at       int
}

func (l location) index(i int) string {
	if l.from == "" {
		return fmt.Sprint(l.at + i)
	}
	if l.at+i == 0 {
		return l.from
	}
	return fmt.Sprintf("%s+%d", l.from, l.at+i)
}

// unsigned returns the unsigned type of at least so many bytes, and its bits.
func unsigned(width int) (name string, bits int) {
	switch {
	case width == 1:
		return "byte", 8
	case width == 2:
		return "uint16", 16
	case width <= 4:
		return "uint32", 32
	}
	return "uint64", 64
}

// parts splits a width into those of the numbers that package binary stores, from the highest bytes on.
func parts(width int) []int {
	switch width {
	case 3:
		return []int{1, 2}
	case 5:
		return []int{1, 4}
	case 6:
		return []int{2, 4}
	case 7:
		return []int{1, 2, 4}
	}
	return []int{width}
}

// put returns the statements that store a number of so many bytes. The expression of is an integer of the type t.
func (m *messagePrinter) put(l location, width int, little bool, x, t string) string {
	var s strings.Builder
	at, rest := 0, width
	for _, w := range parts(width) {
		rest -= w
		y, in := x, t
		if c, err := strconv.ParseUint(x, 10, 64); err == nil {
			name, _ := unsigned(w)
			y, in, t = fmt.Sprint(c>>(8*rest)&(1<<(8*w)-1)), name, name
			x = fmt.Sprint(c)
		} else if w < width {
			y, in = "uint64("+x+")", "uint64"
		}
		if rest > 0 && in == "uint64" && y != x {
			y = fmt.Sprintf("%s>>%d", y, 8*rest)
		}
		if name, _ := unsigned(w); in != name {
			y = name + "(" + y + ")"
		}
		place := at
		if little {
			place = width - at - w
		}
		if w == 1 {
			fmt.Fprintf(&s, "%s[%s] = %s\n", l.of, l.index(place), y)
		} else {
			fmt.Fprintf(&s, "%s.PutUint%d(%s[%s:], %s)\n", m.order(little), 8*w, l.of, l.index(place), y)
		}
		at += w
	}
	return s.String()
}

// store adds a number to the run.
func (m *messagePrinter) store(width int, little bool, x, t string) {
	array, at := m.grow(width)
	m.piece("%s", m.put(location{array, "", at}, width, little, x, t))
}

// number prints a number that is no bit field.
func (m *messagePrinter) number(n *outline.Node, x string) {
	if !m.encoding {
		m.getNumber(n, x)
		return
	}
	v, t := m.encoded(n, x)
	switch {
	case n.Varint:
		m.flush()
		if v == "" {
			m.places[n] = m.here()
			m.piece("dst = append(dst, 0)\n")
		} else if n.Zigzag {
			m.piece("dst = %s.AppendVarint(dst, int64(%s))\n", m.use("encoding/binary"), v)
		} else {
			m.piece("dst = %s.AppendUvarint(dst, uint64(%s))\n", m.use("encoding/binary"), v)
		}
		m.flush()
	case v == "":
		m.places[n] = m.here()
		m.store(n.Width, n.Little, "0", "")
	default:
		m.store(n.Width, n.Little, v, t)
	}
}

// encoded prints the checks of the number x, and returns the integer to write and its type. It is "" if the integer is
// not known yet.
func (m *messagePrinter) encoded(n *outline.Node, x string) (v, t string) {
	switch {
	case n.Sum != nil:
		return "", ""
	case len(n.Links) > 0:
		return m.derived(n), ""
	case isFloat(n):
		return m.encodedFloat(n, x), ""
	case n.Blank && len(n.Constants) == 0:
		return "0", ""
	case len(n.Constants) > 0:
		return m.constant(n, x)
	}
	m.checkFits(n, x)
	if n.Go.Kind() == reflect.Bool {
		return m.help("octetBit") + "(" + m.plain(n, "bool", x) + ")", "byte"
	}
	if n.Go == reflect.TypeFor[byte]() {
		return x, "byte"
	}
	return x, n.Go.String()
}

// plain returns x as a value of a predeclared type.
func (m *messagePrinter) plain(n *outline.Node, to, x string) string {
	if n.Go.PkgPath() == "" && n.Go.Name() == to {
		return x
	}
	return to + "(" + x + ")"
}

// checkFits prints the checks that x can be written and does not exceed the limit.
func (m *messagePrinter) checkFits(n *outline.Node, x string) {
	if n.Go.Kind() == reflect.Bool {
		if n.Limited && n.Limit == 0 {
			m.printf("%s", m.leave(x))
		}
		return
	}
	memory, wire, signed := memBits(n), wireBits(n), isSigned(n)
	if isWord(n) {
		x = map[bool]string{true: "int64(", false: "uint64("}[signed] + x + ")"
	}
	highest := uint64(math.MaxUint64)
	switch {
	case signed && n.Signed && memory > wire:
		m.printf("%s", m.leave(fmt.Sprintf("%s < -1<<%d || %[1]s > 1<<%[2]d-1", x, wire-1)))
	case signed && !n.Signed:
		m.printf("%s", m.leave(x+" < 0"))
		if memory-1 > wire {
			highest = 1<<wire - 1
		}
	case !signed && n.Signed && memory >= wire:
		highest = 1<<(wire-1) - 1
	case !signed && !n.Signed && memory > wire:
		highest = 1<<wire - 1
	}
	if n.Limited {
		highest = min(highest, n.Limit)
	}
	if signed {
		memory--
	}
	if highest < 1<<memory-1 {
		m.printf("%s", m.leave(fmt.Sprintf("%s > %d", x, highest)))
	}
}

func (m *messagePrinter) encodedFloat(n *outline.Node, x string) string {
	math, size := m.use("math"), int(n.Go.Size())
	if size == 8 && n.Width == 4 {
		f := m.plain(n, "float64", x)
		m.printf("%s", m.leave(fmt.Sprintf("float64(float32(%s)) != %[1]s && %[1]s == %[1]s", f)))
	}
	to := fmt.Sprintf("float%d", 8*n.Width)
	return fmt.Sprintf("%s.Float%dbits(%s)", math, 8*n.Width, m.plain(n, to, x))
}

// constant prints the comparison of x with the constants. The zero value stands for the first one.
func (m *messagePrinter) constant(n *outline.Node, x string) (v, t string) {
	mask := uint64(math.MaxUint64)
	if w := wireBits(n); w < 64 {
		mask = 1<<w - 1
	}
	first := n.Constants[0]
	if n.Blank {
		return fmt.Sprint(first & mask), ""
	}
	zero := false
	for _, c := range n.Constants {
		zero = zero || c == 0
	}
	if n.Go.Kind() == reflect.Bool {
		switch {
		case !zero:
			m.values[n] = "true"
			return "1", ""
		case len(n.Constants) == 1:
			m.printf("%s", m.leave(x))
			return "0", ""
		}
		return m.help("octetBit") + "(" + m.plain(n, "bool", x) + ")", "byte"
	}
	var others []string
	for _, c := range n.Constants {
		others = append(others, x+" != "+m.literal(n, c))
	}
	if !zero {
		others = append(others, x+" != 0")
	}
	m.printf("%s", m.leave(strings.Join(others, " && ")))
	if n.Limited {
		m.checkLimit(n, x)
	}
	if zero || len(n.Constants) > 1 || n.Asked {
		v = m.declared(n)
		m.printf("%s%s\n", v, x)
		v, _, _ = strings.Cut(v, " ")
		if !zero {
			m.printf("if %s == 0 {\n%[1]s = %s\n}\n", v, m.literal(n, first))
		}
		m.values[n] = v
		return v, n.Go.String()
	}
	return fmt.Sprint(first & mask), ""
}

// checkLimit prints the comparison of x with the limit.
func (m *messagePrinter) checkLimit(n *outline.Node, x string) {
	if isSigned(n) {
		m.printf("%s", m.leave(fmt.Sprintf("%s > 0 && uint64(%[1]s) > %d", x, n.Limit)))
	} else {
		m.printf("%s", m.leave(fmt.Sprintf("uint64(%s) > %d", x, n.Limit)))
	}
}

// literal returns a constant of the type of a number.
func (m *messagePrinter) literal(n *outline.Node, c uint64) string {
	if isSigned(n) {
		return fmt.Sprint(int64(c))
	}
	return fmt.Sprint(c)
}

// putBits prints a run of bit fields.
func (m *messagePrinter) putBits(list []*outline.Node) {
	first := list[0]
	t, _ := unsigned(first.Run)
	var parts []string
	at := ""
	for _, n := range list {
		x := m.name(n)
		v, _ := m.encoded(n, x)
		switch {
		case v == "":
			if at == "" {
				at = m.here()
			}
			m.places[n] = at
			continue
		case v == "0":
			continue
		case isSigned(n) && n.Width < 64:
			v = fmt.Sprintf("%s(%s)&%#x", t, v, uint64(1)<<n.Width-1)
		default:
			v = t + "(" + v + ")"
		}
		if n.Shift > 0 {
			v = fmt.Sprintf("%s<<%d", v, n.Shift)
		}
		parts = append(parts, v)
	}
	m.piece("// %s\n", strings.TrimPrefix(m.name(first), "v."))
	if len(parts) == 0 {
		parts = []string{"0"}
	}
	x := strings.Join(parts, " | ")
	if len(parts) > 1 && first.Run != 1 && first.Run != 2 && first.Run != 4 && first.Run != 8 {
		x = "(" + x + ")"
	}
	m.store(first.Run, first.Little, x, t)
}

// bits prints a run of bit fields.
func (m *messagePrinter) bits(list []*outline.Node) {
	for _, n := range list {
		m.before(n)
	}
	if m.encoding {
		m.putBits(list)
	} else {
		m.getBits(list)
	}
	for _, n := range list {
		m.after(n)
	}
}

// prefix prints a length before what it measures, for which the variable x is known.
func (m *messagePrinter) prefix(width int, little bool, x string) {
	if h := highest(width); h < math.MaxInt64 {
		m.printf("%s", m.leave(fmt.Sprintf("uint64(%s) > %d", x, h)))
	}
	if width == 0 {
		m.flush()
		m.piece("dst = %s.AppendUvarint(dst, uint64(%s))\n", m.use("encoding/binary"), x)
		return
	}
	m.store(width, little, x, "int")
}

// frame prints a value after its prefix.
func (m *messagePrinter) frame(n *outline.Node, x string) {
	if !m.encoding {
		m.getFrame(n, x)
		return
	}
	if size := elementSize(n); n.Prefix >= 0 && size > 0 {
		m.prefix(n.Prefix, n.Little, fmt.Sprintf("len(%s)*%d", x, size))
		m.inner(n, x)
		return
	}
	if n.Prefix < 0 {
		m.inner(n, x)
		return
	}
	if n.Prefix == 0 {
		m.flush()
		at := m.here()
		m.piece("dst = append(dst, 0)\n")
		m.flush()
		m.inner(n, x)
		m.flush()
		m.printf("dst = %s(dst, %s, uint64(len(dst)-%[2]s-1))\n", m.help("octetSetVarint"), at)
		return
	}
	at := m.here()
	m.grow(n.Prefix)
	m.inner(n, x)
	m.flush()
	length := m.variable("n")
	m.printf("%s := len(dst) - (%s) - %d\n", length, at, n.Prefix)
	if h := highest(n.Prefix); h < math.MaxInt64 {
		m.printf("%s", m.leave(fmt.Sprintf("uint64(%s) > %d", length, h)))
	}
	m.printf("%s", m.put(location{"dst", at, 0}, n.Prefix, n.Little, length, "int"))
}

// text prints a string or []byte.
func (m *messagePrinter) text(n *outline.Node, x string) {
	if !m.encoding {
		m.getText(n, x)
		return
	}
	if n.Limited {
		m.printf("%s", m.leave(fmt.Sprintf("uint64(len(%s)) > %d", x, n.Limit)))
	}
	switch {
	case n.Prefix >= 0 || n.Count >= 0:
		m.prefix(max(n.Prefix, n.Count), n.Little, "len("+x+")")
	case n.Fixed == 0:
		m.printf("%s", m.leave("len("+x+") > 0"))
		return
	case n.Fixed > 0:
		m.putFixed(n, x)
		return
	case n.Until >= 0:
		of := "bytes"
		if n.Go.Kind() == reflect.String {
			of, x = "strings", m.plain(n, "string", x)
		}
		m.printf("%s", m.leave(fmt.Sprintf("%s.IndexByte(%s, %d) >= 0", m.use(of), x, n.Until)))
		m.flush()
		m.piece("dst = append(append(dst, %s...), %d)\n", x, n.Until)
		m.flush()
		return
	}
	m.flush()
	m.piece("dst = append(dst, %s...)\n", x)
	m.flush()
}

// putFixed prints a text of a fixed length.
func (m *messagePrinter) putFixed(n *outline.Node, x string) {
	if n.Fill < 0 {
		m.printf("%s", m.leave(fmt.Sprintf("len(%s) != %d", x, n.Fixed)))
	} else {
		m.printf("%s", m.leave(fmt.Sprintf("len(%[1]s) > %[2]d || len(%[1]s) > 0 && %[1]s[len(%[1]s)-1] == %[3]d", x, n.Fixed, n.Fill)))
	}
	array, at := m.grow(n.Fixed)
	part := fmt.Sprintf("%s[%d:%d]", array, at, at+n.Fixed)
	switch {
	case n.Fill < 0:
		m.piece("copy(%s, %s)\n", part, x)
	case n.Fill == 0:
		m.piece("clear(%s[%d+copy(%s, %s):%d])\n", array, at, part, x, at+n.Fixed)
	default:
		i := m.variable("i")
		m.piece("for %[1]s := copy(%[2]s, %[3]s); %[1]s < %[4]d; %[1]s++ {\n%[5]s[%[6]d+%[1]s] = %[7]d\n}\n", i, part, x, n.Fixed, array, at, n.Fill)
	}
}

func (m *messagePrinter) magic(n *outline.Node, x string) {
	text := quote(n.Magic)
	if !m.encoding {
		m.getMagic(n, x, text)
		return
	}
	if !n.Blank {
		switch n.Go.Kind() {
		case reflect.String:
			m.printf("%s", m.leave(fmt.Sprintf(`%s != "" && %[1]s != %s`, x, text)))
		case reflect.Slice:
			m.printf("%s", m.leave(fmt.Sprintf("len(%s) > 0 && string(%[1]s) != %s", x, text)))
		default:
			m.printf("%s", m.leave(fmt.Sprintf("%[1]s != ([%[2]d]byte{}) && string(%[1]s[:]) != %[3]s", x, len(n.Magic), text)))
		}
	}
	array, at := m.grow(len(n.Magic))
	m.piece("copy(%s[%d:%d], %s)\n", array, at, at+len(n.Magic), text)
}
