package octetgen

import (
	"cmp"
	"fmt"
	"math"
	"math/bits"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

// plus returns the expression for a position n behind another, which is a number or an expression.
func plus(at string, n int) string {
	if i, err := strconv.Atoi(at); err == nil {
		return fmt.Sprint(i + n)
	}
	return strings.TrimSuffix(fmt.Sprintf("%s+%d", at, n), "+0")
}

// unsigned returns the unsigned type of at least so many bytes, and its bits.
func unsigned(width int) (name string, size int) {
	size = 8 << bits.Len(uint(width-1))
	return strings.Replace(fmt.Sprint("uint", size), "uint8", "byte", 1), size
}

// byteShift returns the operator that shifts byte i of a number, or "" for the lowest one.
func byteShift(operator string, i, width int, little bool) string {
	if !little {
		i = width - 1 - i
	}
	return strings.TrimSuffix(fmt.Sprint(operator, 8*i), operator+"0")
}

// shift returns the expression for the bits below a bit field in its run.
func (m *messagePrinter) shift(n *outline.Node) string {
	big, little := n.Shifts[0], n.Shifts[1]
	if n.By != nil && big != little {
		return fmt.Sprintf("%s(%s, %d, %d)", m.help("octetChoose"), m.orders[n.By], little, big)
	}
	return fmt.Sprint(either(n.Little, little, big))
}

// get returns the expression for the number of so many bytes at a position of an array or slice, in the byte order of o, and
// the bits of its type.
func (m *messagePrinter) get(of, at string, width int, o *outline.Node) (x string, size int) {
	name, size := unsigned(width)
	switch {
	case width == 1:
		return fmt.Sprintf("%s[%s]", of, at), size
	case 8*width == size:
		x = fmt.Sprintf("%s.Uint%d(%s[%s:])", fixedOrder(o), size, of, at)
	default:
		var list []string
		for i := range width {
			list = append(list, fmt.Sprintf("%s(%s[%s])%s", name, of, plus(at, i), byteShift("<<", i, width, isLittle(o))))
		}
		x = strings.Join(list, " | ")
	}
	if o.By != nil {
		return fmt.Sprintf("%s(%s, uint64(%s), %d)", m.help("octetOrder"), m.orders[o.By], x, width), 64
	}
	return x, size
}

// put returns the statements that store there the number x, an integer of the type t.
func (m *messagePrinter) put(of, at string, width int, o *outline.Node, x, t string) string {
	name, size := unsigned(width)
	if o.By != nil && width > 1 {
		x, t = fmt.Sprintf("%s(%s, uint64(%s), %d)", m.help("octetOrder"), m.orders[o.By], x, width), "uint64"
	}
	if _, err := strconv.ParseUint(x, 10, 64); (err != nil || 8*width < size) && t != name {
		x = name + "(" + x + ")"
	}
	switch {
	case width == 1:
		return fmt.Sprintf("%s[%s] = %s\n", of, at, x)
	case 8*width == size:
		return fmt.Sprintf("%s.PutUint%d(%s[%s:], %s)\n", fixedOrder(o), size, of, at, x)
	}
	v := m.variable("n")
	s := fmt.Sprintf("%s := %s\n", v, x)
	for i := range width {
		s += fmt.Sprintf("%s[%s] = byte(%s%s)\n", of, plus(at, i), v, byteShift(" >> ", i, width, isLittle(o)))
	}
	return s
}

// isLittle reports whether a number is loaded and stored in little-endian order. Another one can say that it must be swapped.
func isLittle(o *outline.Node) bool { return o.Little || o.By != nil }

// fixedOrder returns the expression for that order.
func fixedOrder(o *outline.Node) string {
	return either(isLittle(o), "$binary$.LittleEndian", "$binary$.BigEndian")
}

// load returns the expression for a number of the run, and the bits of its type.
func (m *messagePrinter) load(width int, o *outline.Node) (x string, size int) {
	array, at := m.grow(width)
	return m.get(array, fmt.Sprint(at), width, o)
}

// store adds a number to the run.
func (m *messagePrinter) store(width int, o *outline.Node, x, t string) {
	array, at := m.grow(width)
	m.piece("%s", m.put(array, fmt.Sprint(at), width, o, x, t))
}

// limits returns the lowest and the highest integer of so many bits.
func limits(size int, signed bool) (low int64, high uint64) {
	if signed {
		return -1 << (size - 1), 1<<(size-1) - 1
	}
	return 0, math.MaxUint64 >> (64 - size)
}

// outside returns the conditions on which x, an integer of so many bits, is lower than low or higher than high or the limit
// of the field.
func outside(n *outline.Node, x string, size int, signed bool, low int64, high uint64) (list []string) {
	least, most := limits(size, signed)
	high = min(high, n.Limit)
	if low > least {
		list = append(list, fmt.Sprintf("%s < %d", x, low))
	}
	if high < most {
		list = append(list, fmt.Sprintf("%s > %d", x, high))
	}
	return list
}

// atMost prints the check that a length or count, which is not negative, does not exceed a limit.
func (m *messagePrinter) atMost(limit uint64, length string) {
	if limit < math.MaxInt64 {
		m.leave("uint64(%s) > %d", length, limit)
	}
}

// checkValue prints the check that the variable x of a number is between low and high.
func (m *messagePrinter) checkValue(n *outline.Node, x string, low int64, high uint64) {
	if isWord(n) {
		x = fmt.Sprintf("%s64(%s)", n.Go.Kind(), x)
	}
	if list := outside(n, x, memBits(n), isSigned(n), low, high); list != nil {
		m.leave("%s", strings.Join(list, " || "))
	}
}

// number prints a number that is no bit field.
func (m *messagePrinter) number(n *outline.Node, x string) {
	v, t := m.encoded(n, x)
	if v == "" {
		m.places[n] = m.here()
	}
	switch {
	case !n.Varint:
		m.store(n.Width, n, cmp.Or(v, "0"), t)
	case v == "":
		m.printf("dst = append(dst, 0)\n")
	case n.Zigzag:
		m.printf("dst = $binary$.AppendVarint(dst, int64(%s))\n", v)
	default:
		m.printf("dst = $binary$.AppendUvarint(dst, uint64(%s))\n", v)
	}
}

func (m *messagePrinter) getNumber(n *outline.Node, x string) {
	if n.Sum != nil {
		m.places[n] = m.here()
	}
	y, size := "", 64
	switch {
	case n.Zigzag:
		y = m.getVarint("Varint")
	case n.Varint:
		y = m.getVarint("Uvarint")
	default:
		y, size = m.load(n.Width, n)
	}
	m.assign(n, x, y, size)
	m.measure(n, x)
}

// encoded prints the checks of the number x, and returns the integer to write and its type. It is "" if the integer is
// not known yet.
func (m *messagePrinter) encoded(n *outline.Node, x string) (v, t string) {
	switch {
	case n.Sum != nil:
		return "", ""
	case len(n.Links) > 0:
		return m.derived(n), ""
	case n.Union != nil:
		return m.selected(n), n.Go.String()
	case isFloat(n):
		if wireBits(n) < memBits(n) {
			m.leave("float64(float32(%s)) != %[1]s && %[1]s == %[1]s", convert(n.Go, "float64", x))
		}
		return fmt.Sprintf("$math$.Float%dbits(%s)", wireBits(n), convert(n.Go, fmt.Sprint("float", wireBits(n)), x)), ""
	case n.Blank:
		return first(n), ""
	}
	t = n.Go.String()
	if n.Go.Kind() == reflect.Bool {
		v, t = m.variable("bit"), "byte"
		m.printer.printf("%s := byte(0)\nif %s {\n%[1]s = 1\n}\n", v, x)
		x = v
	}
	if len(n.Constants) > 0 {
		return m.constant(n, x, t)
	}
	low, high := limits(wireBits(n), n.Signed)
	m.checkValue(n, x, low, high)
	return x, strings.Replace(t, "uint8", "byte", 1)
}

// first returns the first constant as it is on the wire, or "0" if there is none.
func first(n *outline.Node) string {
	if len(n.Constants) == 0 {
		return "0"
	}
	if n.Zigzag {
		return literal(n.Constants[0], true)
	}
	_, mask := limits(wireBits(n), false)
	return fmt.Sprint(n.Constants[0] & mask)
}

// constant prints the comparison of x with the constants. The zero value stands for the first one unless it is one itself.
func (m *messagePrinter) constant(n *outline.Node, x, t string) (v, _ string) {
	zero := slices.Contains(n.Constants, 0)
	others := different(x, n.Constants, isSigned(n))
	if !zero {
		others += " && " + x + " != 0"
	}
	m.leave("%s", others)
	m.checkValue(n, x, math.MinInt64, math.MaxUint64)
	if !zero && len(n.Constants) == 1 && !n.Asked {
		return first(n), ""
	}
	v = m.declared(n, x)
	if !zero {
		m.printer.printf("if %s == 0 {\n%[1]s = %s\n}\n", v, literal(n.Constants[0], isSigned(n)))
	}
	return v, t
}

// different returns the condition that x is none of the constants.
func different(x string, constants []uint64, signed bool) string {
	var list []string
	for _, c := range constants {
		list = append(list, x+" != "+literal(c, signed))
	}
	return strings.Join(list, " && ")
}

// literal returns a constant of a signed or unsigned type.
func literal(c uint64, signed bool) string {
	return either(signed, fmt.Sprint(int64(c)), fmt.Sprint(c))
}

// getVarint prints what reads a varint, and returns the variable that holds it.
func (m *messagePrinter) getVarint(verb string) (v string) {
	v, size := m.variable("n"), m.variable("size")
	m.printf("%s, %s := $binary$.%s(data[pos:%s])\n", v, size, verb, m.end)
	m.leave("%s <= 0", size)
	m.printf("pos += %s\n", size)
	return v
}

// assign adds to the run what checks the number y, an unsigned integer of so many bits, or a signed one of a zigzag, and
// sets the variable x.
func (m *messagePrinter) assign(n *outline.Node, x, y string, size int) {
	wire, own, v := wireBits(n), fmt.Sprint("uint", size), m.variable("n")
	var refused []string
	switch {
	case isFloat(n):
		if size != wire {
			y = fmt.Sprintf("uint%d(%s)", wire, y)
		}
		own, y = fmt.Sprint("float", wire), fmt.Sprintf("$math$.Float%dfrombits(%s)", wire, y)
		if wire > memBits(n) {
			refused = append(refused, fmt.Sprintf("float64(float32(%s)) != %[1]s && %[1]s == %[1]s", v))
		}
	case n.Zigzag:
		own = "int64"
	case n.Signed && wire == size:
		own = fmt.Sprint("int", size)
		y = own + "(" + y + ")"
	case n.Signed:
		own = "int64"
		y = fmt.Sprintf("int64(uint64(%s)<<%d)>>%[2]d", y, 64-wire)
	}
	if !isFloat(n) {
		low, high := limits(memBits(n), isSigned(n))
		refused = outside(n, v, wire, n.Signed, low, high)
	}
	if isWord(n) && wire > 31 {
		refused = append(refused, fmt.Sprintf("uint64(%s(%s)) != uint64(%[2]s)", n.Go.Kind(), v))
	}
	if len(n.Constants) > 0 {
		refused = append(refused, different(v, n.Constants, n.Signed))
	}
	if len(refused) > 0 {
		m.piece("%s := %s\n", v, y)
		m.leaveRun("%s", strings.Join(refused, " || "))
		y = v
	}
	switch t := m.typeName(n.Go); {
	case n.Blank:
	case n.Go.Kind() == reflect.Bool:
		m.piece("%s = %s != 0\n", x, y)
	case t == own:
		m.piece("%s = %s\n", x, y)
	default:
		m.piece("%s = %s(%s)\n", x, t, y)
	}
}

// measure adds to the run what computes the lengths that the number x says.
func (m *messagePrinter) measure(n *outline.Node, x string) {
	for _, l := range n.Links {
		if isSigned(n) || memBits(n) == 64 {
			m.leaveRun("uint64(%s) > %d", x, math.MaxInt64/4/l.Factor)
		}
		if isDirect(l) {
			m.lengths[l] = x
			continue
		}
		operator := "="
		if m.lengths[l] == "" {
			m.lengths[l], operator = m.variable("n"), ":="
		}
		scaled := strings.TrimSuffix(fmt.Sprintf("int64(%s)*%d", x, l.Factor), "*1")
		m.piece("%s %s %s\n", m.lengths[l], operator, strings.TrimSuffix(fmt.Sprintf("%s + %d", scaled, l.Plus), " + 0"))
		if l.Plus < 0 {
			m.leaveRun("%s < 0", m.lengths[l])
		}
	}
}

// bits prints a run of bit fields.
func (m *messagePrinter) bits(list []*outline.Node) {
	for _, n := range list {
		m.note(m.starts, n.Begins)
	}
	either(m.encoding, m.putBits, m.getBits)(list)
	for _, n := range list {
		m.after(n)
	}
}

func (m *messagePrinter) putBits(list []*outline.Node) {
	run := list[0]
	t, _ := unsigned(run.Run)
	var parts []string
	for _, n := range list {
		switch v, _ := m.encoded(n, m.name(n)); {
		case v == "":
			m.places[n] = m.here()
		case v == "0":
		case isSigned(n) && n.Width < 64:
			parts = append(parts, strings.TrimSuffix(fmt.Sprintf("%s(%s)&%#x<<%s", t, v, uint64(1)<<n.Width-1, m.shift(n)), "<<0"))
		default:
			parts = append(parts, strings.TrimSuffix(fmt.Sprintf("%s(%s)<<%s", t, v, m.shift(n)), "<<0"))
		}
	}
	m.mark(m.name(run))
	m.store(run.Run, run, cmp.Or(strings.Join(parts, " | "), "0"), t)
}

func (m *messagePrinter) getBits(list []*outline.Node) {
	first := list[0]
	y, size := m.load(first.Run, first)
	m.mark(m.name(first))
	v := m.variable("n")
	if slices.ContainsFunc(list, func(n *outline.Node) bool { return !n.Blank || len(n.Constants) > 0 || n.Limit < math.MaxUint64 }) {
		m.piece("%s := %s\n", v, y)
	}
	for _, n := range list {
		shift := m.shift(n)
		part := strings.TrimSuffix(v+">>"+shift, ">>0")
		if shift != fmt.Sprint(size-n.Width) {
			part = fmt.Sprintf("%s&%#x", part, uint64(1)<<n.Width-1)
		}
		m.assign(n, m.name(n), part, size)
	}
	for _, n := range list {
		m.measure(n, m.name(n))
	}
}

// isPlain reports whether the bytes of a number are those in memory, perhaps in reverse.
func isPlain(n *outline.Node) bool {
	return n.Kind == outline.NumberNode && n.Part == "" && !n.Bits && !n.Varint && !n.Blank && n.Width == int(n.Go.Size()) && n.Go.Kind() != reflect.Bool && !isWord(n) &&
		(isFloat(n) || n.Signed == isSigned(n)) && len(n.Constants) == 0 && n.Limit == math.MaxUint64
}

func isFloat(n *outline.Node) bool {
	return n.Go.Kind() == reflect.Float32 || n.Go.Kind() == reflect.Float64
}

func isSigned(n *outline.Node) bool {
	return n.Go.Kind() >= reflect.Int && n.Go.Kind() <= reflect.Int64
}

// isWord reports whether a number is an int or uint, whose size depends on the machine.
func isWord(n *outline.Node) bool { return n.Go.Kind() == reflect.Int || n.Go.Kind() == reflect.Uint }

// memBits returns the bits of the values that the variable of a number can hold.
func memBits(n *outline.Node) int {
	switch {
	case n.Go.Kind() == reflect.Bool:
		return 1
	case n.Blank || isWord(n):
		return 64
	}
	return int(n.Go.Size()) * 8
}

// wireBits returns the bits of the values that the wire can hold.
func wireBits(n *outline.Node) int {
	switch {
	case n.Varint || n.Part != "":
		return 64
	case n.Bits:
		return n.Width
	}
	return n.Width * 8
}
