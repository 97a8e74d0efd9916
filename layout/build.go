package layout

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/octet-go/octet/internal/block"
)

// A builder makes the tree of nodes of a type and finds what the names in its tags
// denote.
type builder struct {
	options *Options
	unions  map[reflect.Type]*unionType
	root    *node
	loops   []*node // the nodes where a recursive type begins anew
	all     []*node // in the order of the message
	checks  []*check
	slots   int
	depth   int
}

// maxNodes limits the fields of a type, counting each use of an inner type. Types
// that refer to each other in many ways have very many uses.
const maxNodes = 1 << 16

func (b *builder) build(t reflect.Type) (err error) {
	b.root = &node{typ: t, tag: plainTag}
	if err = b.shape(b.root); err != nil {
		return err
	}
	b.number(b.root)
	for _, n := range b.all {
		if err = b.resolve(n); err != nil {
			return err
		}
	}
	if err = b.checkLoops(); err != nil {
		return err
	}
	return b.analyze()
}

// number gives each node its place in the order of the message.
func (b *builder) number(n *node) {
	n.seq = len(b.all)
	b.all = append(b.all, n)
	n.children(b.number)
	n.last = len(b.all) - 1
}

var plainTag = tag{fixed: -1, fillByte: -1, until: -1, space: -1}

// shape finds out what n is, from its type and tag, and makes the nodes inside.
func (b *builder) shape(n *node) error {
	if b.depth++; b.depth > maxNodes {
		return wrong(b.root.path(), "the type has more than %d fields, counting each use of an inner type", maxNodes)
	}
	n.blank = n.blank || n.name == "_"
	if n.blank {
		done, err := b.shapeBlank(n)
		if done || err != nil {
			return err
		}
	}
	t := n.typ
	u, err := b.userTypeOf(n)
	switch {
	case err != nil:
		return err
	case u != nil:
		n.kind, n.user = userNode, u
	case n.tag.raw.from != "":
		n.kind = rawNode
		if !isBytes(t) {
			return wrong(n.path(), "raw stands on a []byte, not on %v", t)
		}
	case n.tag.magic != nil:
		n.kind = magicNode
		if err := shapeMagic(n); err != nil {
			return err
		}
	case t.Kind() == reflect.String || isBytes(t):
		n.kind = bytesNode
	case t.Kind() == reflect.Interface:
		n.kind = unionNode
	case t.Kind() == reflect.Pointer:
		n.kind = pointerNode
		if t.Elem().Kind() != reflect.Struct {
			return wrong(n.path(), "%v is not supported; a pointer must point to a struct", t)
		}
	case t.Kind() == reflect.Struct:
		n.kind = structNode
	case t.Kind() == reflect.Slice:
		n.kind = sliceNode
	case t.Kind() == reflect.Array:
		n.kind = arrayNode
	default:
		if err := shapeNumber(n); err != nil {
			return err
		}
	}
	if err := n.checkOptions(); err != nil {
		return err
	}
	switch n.kind {
	case structNode:
		return b.shapeStruct(n)
	case pointerNode:
		return b.shapeElem(n, t.Elem(), tag{})
	case sliceNode, arrayNode:
		return b.shapeElem(n, t.Elem(), n.tag.ofElement())
	case unionNode:
		return b.shapeUnion(n)
	}
	return nil
}

// shapeElem makes the node of an element or target. An element gets some options
// of its slice.
func (b *builder) shapeElem(n *node, t reflect.Type, g tag) error {
	if n.kind != sliceNode && n.kind != arrayNode {
		g = plainTag
		g.element = true
	}
	n.elem = &node{typ: t, tag: g, scope: n.scope, owner: n, index: n.index, blank: n.blank}
	if n.elem.kind = 0; t.Kind() == reflect.String || isBytes(t) && n.kind == sliceNode {
		return wrong(n.path(), "the elements of %v have no length; put the %v into a struct with a prefix or cstring", n.typ, t)
	}
	return b.shape(n.elem)
}

// shapeBlank handles blank fields that are not numbers.
func (b *builder) shapeBlank(n *node) (done bool, err error) {
	g := &n.tag
	if n.typ.Kind() == reflect.Struct && n.typ.NumField() == 0 {
		switch {
		case g.space >= 0:
			n.kind = spaceNode
		case g.align > 0:
			n.kind = alignNode
		case g.magic != nil:
			n.kind = magicNode
		case g.order != noOrder || g.orderOf != "":
			return true, wrong(n.path(), "a byte order on a field _ struct{} stands on the first field of a struct")
		default:
			n.kind = emptyNode
		}
		return true, n.checkOptions()
	}
	if _, ok := kindOf(n.typ.Kind()); ok || g.magic != nil || n.owner != nil {
		return false, nil
	}
	if !isFixed(n.typ) {
		return true, wrong(n.path(), "a blank field of type %v has no fixed size; use skip=n on a field _ struct{}", n.typ)
	}
	var size block.Builder
	size.Add(n.typ, false)
	n.kind = spaceNode
	err = n.checkOptions()
	g.space = size.Len()
	return true, err
}

// isFixed reports whether t consists of numbers whose widths are those of Go.
func isFixed(t reflect.Type) bool {
	switch k := t.Kind(); k {
	case reflect.Array:
		return isFixed(t.Elem())
	case reflect.Struct:
		for f := range t.Fields() {
			if f.Tag.Get("layout") != "" || !isFixed(f.Type) {
				return false
			}
		}
		return true
	default:
		_, ok := kindOf(k)
		return ok && k != reflect.Int && k != reflect.Uint
	}
}

func shapeMagic(n *node) error {
	switch t := n.typ; {
	case t.Kind() == reflect.String || isBytes(t):
	case t.Kind() == reflect.Array && t.Elem().Kind() == reflect.Uint8 && t.Len() == len(n.tag.magic):
	default:
		return wrong(n.path(), "magic stands on _ struct{}, a string, a []byte or a [%d]byte, not on %v", len(n.tag.magic), t)
	}
	return nil
}

func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8
}

// shapeNumber sets the form of a number.
func shapeNumber(n *node) error {
	t, g := n.typ, &n.tag
	kind, ok := kindOf(t.Kind())
	if !ok {
		return wrong(n.path(), "type %v is not supported", t)
	}
	n.kind = numberNode
	size := uint8(t.Size())
	if n.blank {
		size = 0
	}
	n.num = number{
		kind: kind, size: size, form: integerForm, width: uint8(t.Size()), signed: kind == intKind,
		constants: g.constants, limit: g.limit, limited: g.limited,
	}
	m := &n.num
	switch {
	case g.bits > 0:
		m.form, m.width = bitsForm, uint8(g.bits)
		if g.form != noForm {
			return wrong(n.path(), "a bit field has no other form; remove %s", g.formName())
		}
		if kind == floatKind {
			return wrong(n.path(), "bits stands on an integer or bool, not on %v", t)
		}
		if g.bits > int(t.Size())*8 {
			return wrong(n.path(), "%d bits do not fit %v", g.bits, t)
		}
	case g.form != noForm:
		m.form, m.width, m.signed = g.form, uint8(g.width), g.signed
		if (g.form == floatForm) != (kind == floatKind) {
			return wrong(n.path(), "form %s does not suit %v", g.formName(), t)
		}
	case kind == floatKind:
		m.form = floatForm
	case t.Kind() == reflect.Int || t.Kind() == reflect.Uint:
		return wrong(n.path(), "type %v has no width of its own; add a form such as u32 or varint", t)
	}
	for _, c := range g.constants {
		if kind == floatKind {
			return wrong(n.path(), "const stands on an integer or bool, not on %v", t)
		}
		_, ok := m.toWire(c.value)
		bits := int(t.Size()) * 8
		if kind == boolKind {
			bits = 1
		}
		if !ok || c.negative && kind != intKind || !fits(c.value, c.negative, bits, kind == intKind) {
			return wrong(n.path(), "const=%s does not fit", c.text(c.negative))
		}
	}
	return nil
}

func (c constant) text(signed bool) string {
	if signed {
		return fmt.Sprint(int64(c.value))
	}
	return fmt.Sprint(c.value)
}

// formName returns the form of a number as the tag has it.
func (g *tag) formName() string {
	for option := range strings.SplitSeq(g.text, ",") {
		name, _, _ := strings.Cut(option, "=")
		if name == "oct" || name == "dec" || (&tag{}).parseForm(name) == nil {
			return option
		}
	}
	return "the form"
}

// shapeStruct makes the scope of a struct, unless n is inside a struct of the same
// type.
func (b *builder) shapeStruct(n *node) error {
	for o := n.around(); o != nil; o = o.around() {
		if o.inner != nil && o.inner.typ == n.typ {
			n.inner, n.loop = o.inner, true
			n.inner.recursive = true
			b.loops = append(b.loops, n)
			return nil
		}
	}
	s := &scope{owner: n, typ: n.typ}
	n.inner = s
	if err := b.collect(s, &s.fields, n.typ, 0, n.path()); err != nil {
		return err
	}
	for _, f := range s.nodes {
		if err := b.shape(f); err != nil {
			return err
		}
	}
	return s.checkBits(&s.fields)
}

// collect makes the nodes of the fields of t, and of the structs embedded in it. The
// fields of t begin at base.
func (b *builder) collect(s *scope, g *group, t reflect.Type, base uintptr, path string) error {
	for i := range t.NumField() {
		f := t.Field(i)
		at := path + "." + f.Name
		parsed, err := parseTag(f.Tag.Get("layout"), f.Type)
		if err != nil {
			return wrong(at, "%v", err)
		}
		switch {
		case parsed.skip:
		case i == 0 && isOrderField(f, &parsed):
			g.tag = parsed
		case isEmbedded(f, &parsed):
			err = b.embed(s, g, f, parsed, base, at)
		case !f.IsExported() && f.Name != "_":
			err = wrong(at, "the field is not exported; export it, or add the tag `layout:\"-\"` to leave it out")
		default:
			n := &node{name: f.Name, typ: f.Type, off: base + f.Offset, tag: parsed, scope: s, group: g, index: len(s.nodes)}
			s.nodes = append(s.nodes, n)
			g.items = append(g.items, item{node: n})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// embed collects the fields of an embedded struct. Their byte order is that of the
// tag of f, unless the struct states its own.
func (b *builder) embed(s *scope, g *group, f reflect.StructField, parsed tag, base uintptr, path string) error {
	inner := &group{tag: parsed, name: f.Name, parent: g}
	t := f.Type
	base += f.Offset
	if t.Kind() == reflect.Pointer {
		if !f.IsExported() {
			return wrong(path, "an embedded pointer to an unexported type cannot be set; embed the struct")
		}
		t = t.Elem()
		inner.target, inner.off, base = t, base, 0
	}
	if embedsItself(t) || t == s.typ {
		return wrong(path, "the struct embeds itself; give the field a name")
	}
	g.items = append(g.items, item{group: inner})
	return b.collect(s, inner, t, base, path)
}

// embedsItself reports whether t embeds a struct that embeds itself, which only
// pointers make possible.
func embedsItself(t reflect.Type) bool {
	inside := map[reflect.Type]bool{}
	var visit func(t reflect.Type) bool
	visit = func(t reflect.Type) bool {
		if inside[t] {
			return true
		}
		inside[t] = true
		defer delete(inside, t)
		for f := range t.Fields() {
			e := f.Type
			if e.Kind() == reflect.Pointer {
				e = e.Elem()
			}
			if f.Anonymous && e.Kind() == reflect.Struct && visit(e) {
				return true
			}
		}
		return false
	}
	return visit(t)
}

// isOrderField reports whether f is a leading field that states the byte order of
// its struct.
func isOrderField(f reflect.StructField, g *tag) bool {
	return f.Name == "_" && f.Type.Kind() == reflect.Struct && f.Type.NumField() == 0 && g.isNone() &&
		(g.order != noOrder || g.orderOf != "")
}

// isEmbedded reports whether the fields of f are promoted.
func isEmbedded(f reflect.StructField, g *tag) bool {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return f.Anonymous && t.Kind() == reflect.Struct && g.isNone() && !isUserType(t)
}

// checkBits verifies the runs of bit fields and gives each field its place.
func (s *scope) checkBits(g *group) error {
	for i := 0; i < len(g.items); i++ {
		if in := g.items[i].group; in != nil {
			if err := s.checkBits(in); err != nil {
				return err
			}
			continue
		}
		first := g.items[i].node
		if first.tag.bits == 0 {
			continue
		}
		run := g.run(i)
		total := 0
		for _, n := range run {
			n.runFirst, n.runBit = first, total
			total += n.tag.bits
			switch {
			case n.tag.order != noOrder && n.tag.order != first.tag.order || n.tag.orderOf != "":
				return wrong(n.path(), "the byte order of a run of bits stands on its first field, %s, as be or le", first.name)
			case n.tag.fill != byOrder && first.tag.fill != byOrder && n.tag.fill != first.tag.fill:
				return wrong(n.path(), "msb and lsb in one run of bits")
			case total > 64:
				return wrong(n.path(), "the run of bits that begins at %s has more than 64 bits; put end where it is whole bytes", first.name)
			}
			if first.tag.fill == byOrder {
				first.tag.fill = n.tag.fill
			}
		}
		if total%8 != 0 {
			return wrong(first.path(), "the run of bits that begins here has %d bits, not whole bytes; add a field _ uint8 with bits=%d", total, 8-total%8)
		}
		first.runLen = total / 8
		i += len(run) - 1
	}
	return nil
}

// run returns the bit fields from item i on that share a run.
func (g *group) run(i int) (run []*node) {
	for ; i < len(g.items); i++ {
		n := g.items[i].node
		if n == nil || n.tag.bits == 0 {
			break
		}
		run = append(run, n)
		if n.tag.closeRun {
			break
		}
	}
	return run
}

// An optionSet says which options a kind of node may have.
var optionSets = map[nodeKind][]string{
	numberNode:  {"form", "order", "oct", "dec", "bits", "msb", "lsb", "end", "len", "count", "if", "const", "sum", "max"},
	bytesNode:   {"order", "prefix", "fixed", "fill", "cstring", "until", "utf16", "count", "if", "max"},
	magicNode:   {"order", "if", "magic"},
	spaceNode:   {"if", "skip"},
	alignNode:   {"if", "align"},
	structNode:  {"order", "prefix", "if"},
	pointerNode: {"order", "prefix", "if"},
	sliceNode:   {"form", "oct", "dec", "order", "prefix", "count", "fixed", "until", "if", "max", "switch"},
	arrayNode:   {"form", "oct", "dec", "order", "prefix", "if", "switch"},
	unionNode:   {"order", "prefix", "if", "switch"},
	userNode:    {"order", "prefix", "fixed", "if"},
	rawNode:     {"raw"},
	emptyNode:   {},
}

var nodeNames = map[nodeKind]string{
	numberNode: "a number", bytesNode: "bytes", magicNode: "a magic", spaceNode: "a space", alignNode: "a space", structNode: "a struct",
	pointerNode: "a pointer", sliceNode: "a slice", arrayNode: "an array", unionNode: "a union", userNode: "a type with methods", rawNode: "raw bytes",
	emptyNode: "an empty field",
}

// checkOptions verifies that the options suit the kind of node.
func (n *node) checkOptions() error {
	g := &n.tag
	if !g.element && g.text != "" {
		for option := range strings.SplitSeq(g.text, ",") {
			name, _, _ := strings.Cut(option, "=")
			class := name
			if _, ok := sums[name]; ok {
				class = "sum"
			} else if name == "be" || name == "le" {
				class = "order"
			} else if (&tag{}).parseForm(name) == nil {
				class = "form"
			}
			if !slices.Contains(optionSets[n.kind], class) {
				return wrong(n.path(), "option %s does not stand on %s (%v)", name, nodeNames[n.kind], n.typ)
			}
		}
	}
	bad := ""
	ways := 0
	for _, on := range []bool{g.prefix != "", g.fixed >= 0, g.cstring, g.until >= 0, g.count != "" && n.kind == bytesNode} {
		if on {
			ways++
		}
	}
	switch {
	case g.order != noOrder && g.orderOf != "":
		bad = "both a byte order and order="
	case (g.fill != byOrder || g.closeRun) && g.bits == 0:
		bad = "msb, lsb and end stand on a field with bits=n"
	case g.bits > 0 && len(g.conditions) > 0:
		bad = "a single bit field has no condition; put the run of bits into a struct and the condition on that"
	case g.bits > 0 && n.tag.element:
		bad = "bits stands on a single number"
	case ways > 1:
		bad = "more than one of prefix, count, fixed, cstring and until"
	case g.fillByte >= 0 && g.fixed < 0:
		bad = "fill stands beside fixed=n"
	case g.utf16 && n.typ.Kind() != reflect.String:
		bad = fmt.Sprintf("utf16 stands on a string, not on %v", n.typ)
	case g.utf16 && g.fixed > 0 && g.fixed%2 != 0:
		bad = "the fixed length of a UTF-16 string is an odd number of bytes"
	case g.toZero && n.kind != sliceNode:
		bad = "until=zero stands on a slice of other elements than bytes; on bytes it is cstring or until=0xNN"
	case n.kind == sliceNode && g.until >= 0:
		bad = "until=0xNN stands on bytes; on a slice it is until=zero or until=end"
	case n.kind == sliceNode && (b2i(g.count != "")+b2i(g.fixed >= 0)+b2i(g.toZero)+b2i(g.toEnd)) > 1:
		bad = "more than one of count, fixed and until"
	case g.toEnd && ways > 0:
		bad = "until=end beside another length"
	case len(g.constants) > 0 && (len(g.links) > 0 || g.sum.name != ""):
		bad = "a constant is not computed; remove const, or the link or checksum"
	case len(g.links) > 0 && g.sum.name != "":
		bad = "both a link and a checksum"
	case (len(g.links) > 0 || g.sum.name != "") && (n.num.kind == floatKind || n.num.kind == boolKind):
		bad = fmt.Sprintf("links and checksums stand on integers, not on %v", n.typ)
	case n.kind == numberNode && g.limited && n.num.kind == floatKind:
		bad = "max stands on integers, bytes and slices"
	case g.union != "" && n.kind != unionNode && !holdsUnion(n.typ):
		bad = fmt.Sprintf("switch stands on an interface or a slice of interfaces, not on %v", n.typ)
	case n.kind == unionNode && g.union == "":
		bad = "an interface needs switch=FIELD, which names the number that says what it holds"
	}
	if bad != "" {
		return wrong(n.path(), "%s", bad)
	}
	return nil
}

func holdsUnion(t reflect.Type) bool {
	for t.Kind() == reflect.Slice || t.Kind() == reflect.Array {
		t = t.Elem()
	}
	return t.Kind() == reflect.Interface
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
