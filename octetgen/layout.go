package octetgen

import (
	"cmp"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

// A messagePrinter prints the two functions of a type for package layout. Fields of fixed
// size that follow each other are a run, whose bytes are one array.
type messagePrinter struct {
	*printer
	end     string // variable with the end of the frame
	run     run
	used    map[*outline.Extent]bool   // ranges whose place is needed
	bases   map[*outline.Node]string   // the expression of a struct
	values  map[*outline.Node]string   // of a number that other fields depend on, if it is not its field
	places  map[*outline.Node]string   // where a number is
	starts  map[*outline.Extent]string // where a range begins
	stops   map[*outline.Extent]string // where it ends
	lengths map[*outline.Link]string   // what a number says: a variable that is not negative
	orders  map[*outline.Node]string   // whether the byte order that a number names is little-endian
	sums    []*outline.Node            // numbers with checksums
	copies  []*outline.Node            // fields with copies of others
}

// A run is the bytes of fields of fixed size.
type run struct {
	array, at string // variables: the bytes, and where they begin, which is empty if nothing needs it
	size      int
	code      strings.Builder // what follows the check that there are so many bytes
}

// message prints the method and the functions of a type for package layout, and writes the fingerprint to hash.
func (p *printer) message(t reflect.Type, hash io.Writer) error {
	d, err := p.codecs[t].Outline(t)
	if err != nil {
		return err
	}
	p.findZeros(d.Root)
	if err := refused(t, p.refuse(d)); err != nil {
		return err
	}
	io.WriteString(hash, d.Fingerprint)
	name := p.unique("Message" + title(t.Name()))
	p.printf(`// OctetLayout returns the functions with which package layout encodes and decodes %[1]s.
func (*%[1]s) OctetLayout() $layout$.Generated[%[1]s] {
	return $layout$.Generated[%[1]s]{Fingerprint: %[3]q, Append: octetAppend%[2]s, Decode: octetDecode%[2]s}
}

// octetAppend%[2]s appends *v to dst. It reports false for what the plan of %[1]s must encode.
func octetAppend%[2]s(dst []byte, v *%[1]s) (_ []byte, ok bool) {
`, t.Name(), name, d.Fingerprint)
	m := p.direction(d, true)
	if slices.ContainsFunc(all(d.Root), func(n *outline.Node) bool { return n.Kind == outline.AlignNode }) {
		p.printf("start := len(dst)\n")
	}
	m.structure(d.Root, "v")
	m.endBlock(nil)
	p.printf(`return dst, true
}

// octetDecode%[2]s decodes the message at the start of data into *v and returns its length. It returns -1 for what the
// plan of %[1]s must decode.
func octetDecode%[2]s(data []byte, v *%[1]s) int {
	pos, end := 0, len(data)
`, t.Name(), name)
	m = p.direction(d, false)
	m.structure(d.Root, "v")
	m.endBlock(nil)
	p.printf("return pos\n}\n\n")
	return nil
}

func (p *printer) direction(d *outline.Message, encoding bool) *messagePrinter {
	m := &messagePrinter{
		printer: p, end: "end", used: map[*outline.Extent]bool{}, bases: map[*outline.Node]string{}, values: map[*outline.Node]string{},
		places: map[*outline.Node]string{}, starts: map[*outline.Extent]string{}, stops: map[*outline.Extent]string{},
		lengths: map[*outline.Link]string{}, orders: map[*outline.Node]string{},
	}
	p.begin(encoding)
	for _, n := range all(d.Root) {
		for _, l := range n.Links {
			m.used[l.Of] = m.used[l.Of] || encoding && !known(l) || !encoding && !l.Exact && !l.Elements
		}
		if n.By != nil && (!n.Bits || n.First.Run > 1 || n.Shifts[0] != n.Shifts[1]) { // not one field in one byte
			m.orders[n.By] = "" // chosen behind it
		}
		if n.Sum != nil {
			m.used[n.Sum.Of] = true
			m.sums = append(m.sums, n)
		}
		if n.Raw != nil && !encoding && !n.Blank {
			m.used[n.Raw] = true
			m.copies = append(m.copies, n)
		}
	}
	slices.SortStableFunc(m.sums, func(a, b *outline.Node) int { return cmp.Compare(a.Sum.Rank, b.Sum.Rank) })
	return m
}

// piece prints what belongs to the run.
func (m *messagePrinter) piece(format string, a ...any) { fmt.Fprintf(&m.run.code, format, a...) }

// printf prints code that follows the run.
func (m *messagePrinter) printf(format string, a ...any) {
	m.flush()
	m.printer.printf(format, a...)
}

// leave prints a condition on which the plan must do it. When encoding, it precedes the run.
func (m *messagePrinter) leave(format string, a ...any) {
	if !m.encoding {
		m.flush()
	}
	m.printer.leave(format, a...)
}

// leaveRun adds such a condition to the run.
func (m *messagePrinter) leaveRun(format string, a ...any) {
	m.piece("if "+format+" {\n"+m.fail+"\n}\n", a...)
}

// mark adds the name of a field to the run, as a comment.
func (m *messagePrinter) mark(x string) { m.piece("// %s\n", strings.TrimPrefix(x, "v.")) }

// grow adds n bytes to the run and returns the expression for them.
func (m *messagePrinter) grow(n int) (bytes string, at int) {
	if m.run.array == "" {
		m.run.array = m.variable("b")
	}
	m.run.size += n
	return m.run.array, m.run.size - n
}

// here returns the expression for the position.
func (m *messagePrinter) here() string {
	if m.run.at == "" {
		m.run.at = m.variable("at")
	}
	return plus(m.run.at, m.run.size)
}

// flush prints the run.
func (m *messagePrinter) flush() {
	r, p := m.run, m.printer
	m.run = run{}
	code, of, position := r.code.String(), "data", "pos"
	if m.encoding {
		of, position = "dst", "len(dst)"
	} else if r.size > 0 {
		p.printf("if %s-pos < %d {\nreturn -1\n}\n", m.end, r.size)
	}
	if r.at != "" {
		p.printf("%s := %s\n", r.at, position)
	}
	if r.size > 0 && m.encoding {
		p.printf("dst = $slices$.Grow(dst, %d)[:len(dst)+%[1]d]\n", r.size)
		position = fmt.Sprintf("len(dst)-%d", r.size)
	}
	if r.size > 0 && strings.Contains(code, r.array+"[") {
		p.printf("%s := (*[%d]byte)(%s[%s:])\n", r.array, r.size, of, position)
	}
	if r.size > 0 && !m.encoding {
		p.advance(r.size)
	}
	p.body.WriteString(code)
}

// order returns the expression for the byte order of a field.
func (m *messagePrinter) order(n *outline.Node) string {
	if n.By != nil {
		return fmt.Sprintf("%s[$binary$.ByteOrder](%s, $binary$.LittleEndian, $binary$.BigEndian)", m.help("octetChoose"), m.orders[n.By])
	}
	return fixedOrder(n)
}

// chooseOrder prints the variable that says whether a constant names the little-endian order. When encoding, it precedes the
// run.
func (m *messagePrinter) chooseOrder(n *outline.Node) {
	var little []string
	for _, c := range n.LittleIf {
		little = append(little, m.value(n)+" == "+literal(c, isSigned(n)))
	}
	m.orders[n] = m.variable("little")
	add := either(m.encoding, m.printer.printf, m.piece)
	add("%s := %s\n", m.orders[n], cmp.Or(strings.Join(little, " || "), "false"))
}

// note notes in a map where those ranges are that begin or end here, as the list says.
func (m *messagePrinter) note(places map[*outline.Extent]string, list []*outline.Extent) {
	for _, of := range list {
		if m.used[of] {
			places[of] = m.here()
		}
	}
}

// structure prints the fields of the struct x.
func (m *messagePrinter) structure(n *outline.Node, x string) {
	m.bases[n] = x
	for _, f := range n.Targets {
		m.pointer(f, m.name(f))
	}
	for _, f := range n.Fields {
		switch {
		case !f.Bits:
			m.field(f)
		case f.First == f:
			m.bits(slices.DeleteFunc(slices.Clone(n.Fields), func(o *outline.Node) bool { return o.First != f }))
		}
	}
}

// name returns the expression for a field.
func (m *messagePrinter) name(n *outline.Node) string { return m.bases[n.Scope] + "." + n.Selector }

// after notes where the ranges end that end at a field, and prints what is known then.
func (m *messagePrinter) after(n *outline.Node) {
	m.note(m.stops, n.Ends)
	if _, ok := m.orders[n]; ok {
		m.chooseOrder(n)
	}
	for _, l := range n.After {
		either(m.encoding, m.derive, m.compare)(l)
	}
}

// field prints a field, with its condition.
func (m *messagePrinter) field(n *outline.Node) {
	m.note(m.starts, n.Begins)
	x := m.name(n)
	if len(n.Conditions) == 0 {
		m.content(n, x)
		m.after(n)
		return
	}
	m.flush()
	m.declare(n)
	m.printf("if %s {\n", m.condition(n.Conditions, n))
	m.content(n, x)
	m.endBlock(n)
	set := m.nonzero(n.Go, x)
	switch {
	case n.Blank:
	case !m.encoding:
		m.printf("} else {\n%s = %s\n", x, m.zero(n.Go))
	case set == "" || asksMore(n): // nothing may follow a field that has been left out
		m.printf("} else {\n%s\n", m.fail)
	default:
		m.printf("} else if %s {\n%s\n", set, m.fail)
	}
	m.printf("}\n")
	m.after(n)
}

// zero returns the zero value of a type.
func (m *messagePrinter) zero(t reflect.Type) string {
	switch t.Kind() {
	case reflect.Bool:
		return "false"
	case reflect.String:
		return `""`
	case reflect.Array, reflect.Struct:
		return m.typeName(t) + "{}"
	case reflect.Slice, reflect.Pointer, reflect.Interface, reflect.Map, reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return "nil"
	}
	return "0"
}

// asksMore reports whether a field is absent if the frame has no bytes left.
func asksMore(n *outline.Node) bool {
	return slices.ContainsFunc(n.Conditions, func(c outline.Condition) bool { return c.Num == nil })
}

// value returns the expression for a number that other fields depend on.
func (m *messagePrinter) value(n *outline.Node) string { return cmp.Or(m.values[n], m.name(n)) }

// condition returns the expression for conditions of the field n.
func (m *messagePrinter) condition(list []outline.Condition, n *outline.Node) string {
	var out []string
	for _, c := range list {
		switch {
		case c.Num == nil && m.encoding:
			out = append(out, "("+m.nonzero(n.Go, m.name(n))+")")
		case c.Num == nil:
			out = append(out, "pos < "+m.end)
		case c.Num.Go.Kind() == reflect.Bool && m.values[c.Num] == "":
			holds := func(v uint64) bool {
				return c.Op == '&' && v&c.Value != 0 || c.Op == '=' && v == c.Value || c.Op == '!' && v != c.Value || c.Op == 0 && v != 0
			}
			text := map[[2]bool]string{{false, true}: m.name(c.Num), {true, false}: "!" + m.name(c.Num), {true, true}: "true", {false, false}: "false"}
			out = append(out, text[[2]bool{holds(0), holds(1)}])
		default:
			format := map[byte]string{0: "%[1]s != 0", '&': "uint64(%s)&%#x != 0", '=': "uint64(%s) == %d", '!': "uint64(%s) != %d"}[c.Op]
			out = append(out, fmt.Sprintf(format, m.value(c.Num), c.Value))
		}
	}
	return strings.Join(out, " && ")
}

// content prints a field without its condition, as the variable x.
func (m *messagePrinter) content(n *outline.Node, x string) {
	if n.Name != "" && !n.Blank && n.Kind != outline.StructNode {
		m.mark(x)
	}
	if n.Framed && (n.Prefix < 0 || n.Part == "") && (n.Kind != outline.BytesNode || n.Part != "") {
		either(m.encoding, m.frame, m.getFrame)(n, x)
		return
	}
	m.inner(n, x)
}

// part prints a field that the plan encodes and decodes, as the only field of a struct.
func (m *messagePrinter) part(n *outline.Node, x string) {
	part, size, end, value, t := m.variable("part"), m.variable("n"), m.end, x, m.typeName(n.Go)
	if m.encoding && len(n.Links) > 0 {
		value = t + "(" + m.derived(n) + ")"
	}
	if !m.encoding && n.TakesRest {
		end = m.stop(n)
	}
	m.printf("%s := struct {\nV %s `layout:%q`\n}{%s}\n", part, t, n.Part, value)
	if m.encoding {
		m.printf("%s, err := $layout$.MarshalAppend(dst, &%s)\n", size, part)
		m.leave("err != nil")
		m.printf("dst = %s\n", size)
		return
	}
	m.printf("%s, err := $layout$.UnmarshalPrefix(data[pos:%s], &%s)\n", size, end, part)
	m.leave("err != nil")
	m.printf("%s = %s.V\npos += %s\n", x, part, size)
	if n.TakesRest {
		m.leave("pos != %s", end)
	}
	m.measure(n, x)
}

// inner prints a field without its frame.
func (m *messagePrinter) inner(n *outline.Node, x string) {
	content := map[outline.NodeKind]func(n *outline.Node, x string){
		outline.NumberNode: either(m.encoding, m.number, m.getNumber), outline.BytesNode: either(m.encoding, m.text, m.getText),
		outline.SliceNode: either(m.encoding, m.slice, m.getSlice), outline.ArrayNode: m.array, outline.MagicNode: m.magic, outline.SpaceNode: m.space,
		outline.AlignNode: m.align, outline.StructNode: m.structure, outline.PointerNode: m.target, outline.UnionNode: m.union,
	}[n.Kind]
	isFixed := n.Kind == outline.BytesNode && n.Fixed >= 0 && n.Prefix < 0 && n.Count < 0
	switch {
	case n.Part != "":
		m.part(n, x)
	case isFixed && (m.encoding || n.Sized == nil):
		m.fixed(n, x)
	case n.Zero != nil:
		m.toZero(n, x)
	case content != nil: // or else it is no part of the message
		content(n, x)
	}
}

// target prints the pointer x and its target.
func (m *messagePrinter) target(n *outline.Node, x string) {
	m.pointer(n, x)
	m.content(n.Elem, x)
}

// pointer prints what comes before the target of the pointer x.
func (m *messagePrinter) pointer(n *outline.Node, x string) {
	if m.encoding {
		m.leave("%s == nil", x)
	} else {
		m.piece("%s = new(%s)\n", x, m.typeName(n.Go.Elem()))
	}
}
