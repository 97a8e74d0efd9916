package layout

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"

	"github.com/octet-go/octet/internal/block"
)

// A builder makes the tree of nodes of a type and finds what the names in its tags
// denote.
type builder struct {
	options  *Options
	unions   map[reflect.Type]*unionType
	measured map[reflect.Type]map[string]bool // the results of addMeasured, for hasLength
	root     *node
	loops    []*node // the nodes where a recursive type begins anew
	all      []*node // in the order of the message
	checks   []*check
	endings  []*detail // of slices with until=zero, when the list is made that encodes
	slots    int
	first    slot // that holds the offset of the message, if it is needed
	depth    int
	nested   int
	observed bool // the operations show the fields
}

// maxNodes limits the fields of a type, counting each use of an inner type. Types
// that refer to each other in many ways have very many uses.
const maxNodes = 1 << 16

// maxNested limits how deeply the elements of slices and arrays and the targets of pointers
// are inside each other. A slice type can be that of its own elements.
const maxNested = 256

// build makes the tree of t and finds out what its tags mean.
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

// number gives each node its place in the order of the message. Whether something is known
// at a field is then a comparison of two numbers.
func (b *builder) number(n *node) {
	n.seq = len(b.all)
	b.all = append(b.all, n)
	n.children(b.number)
	n.last = len(b.all) - 1
}

// plainTag is the tag of a field without options.
var plainTag = tag{fixed: -1, fillByte: -1, until: -1, space: -1, limit: math.MaxUint64}

// shape sets the kind of n from its type and tag, and makes the nodes inside.
func (b *builder) shape(n *node) error {
	if b.depth++; b.depth > maxNodes {
		return wrong(b.root.path(), "the type has more than %d fields, counting each use of an inner type", maxNodes)
	}
	if n.blank = n.name == "_"; n.blank {
		done, err := b.shapeBlank(n)
		if done || err != nil {
			return err
		}
	}
	// A type that encodes itself is taken as such before its kind is looked at, and options that make
	// bytes of a field before the rules for its type.
	t := n.typ
	if err := checkHalf(n); err != nil {
		return err
	}
	switch u := b.userTypeOf(n); {
	case u != nil:
		n.kind, n.user = userNode, u
		if err := u.checkPromoted(n, t); err != nil {
			return err
		}
	case n.tag.raw.from != "":
		n.kind = rawNode
		if !isBytes(t) {
			return wrong(n.path(), "raw requires a []byte, not %v", t)
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
			return unsupported(n.path(), "%v is not supported; a pointer must point to a struct", t)
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
	case pointerNode, sliceNode, arrayNode:
		return b.shapeElem(n)
	case unionNode:
		return b.shapeUnion(n)
	}
	return nil
}

// shapeElem makes the node of an element or target. An element gets some options
// of its slice.
func (b *builder) shapeElem(n *node) error {
	t := n.typ.Elem()
	n.elem = &node{typ: t, tag: n.tag.ofElement(), scope: n.scope, owner: n, index: n.index}
	if (t.Kind() == reflect.String || isBytes(t) && n.kind == sliceNode) && !isUserType(t) {
		return wrong(n.path(), "the elements of %v have no length; put the %v into a struct with a prefix or cstring", n.typ, t)
	}
	if b.nested++; b.nested > maxNested {
		return wrong(b.root.path(), "the type has more than %d elements and targets of pointers inside each other", maxNested)
	}
	err := b.shape(n.elem)
	b.nested--
	return err
}

// shapeBlank handles blank fields that are not numbers. They have no variable, and only
// constants and zeros need none.
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
			return true, wrong(n.path(), "a byte order on a field _ struct{} is allowed only on the first field of a struct")
		default:
			n.kind = emptyNode
		}
		return true, n.checkOptions()
	}
	if _, ok := kindOf(n.typ.Kind()); ok || g.magic != nil {
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
	if isUserType(t) {
		return false
	}
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

// shapeMagic verifies that the type of n can hold its magic.
func shapeMagic(n *node) error {
	switch t := n.typ; {
	case t.Kind() == reflect.String || isBytes(t):
	case t.Kind() == reflect.Array && t.Elem().Kind() == reflect.Uint8 && t.Len() == len(n.tag.magic):
	default:
		return wrong(n.path(), "magic requires a field _ of type struct{}, a string, a []byte or a [%d]byte, not %v", len(n.tag.magic), t)
	}
	return nil
}

// isBytes reports whether t is a slice of bytes, which do not encode themselves.
func isBytes(t reflect.Type) bool {
	return t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && !isUserType(t.Elem())
}

// shapeNumber sets the form of a number: what the tag says, or else that of its Go type. It
// verifies that the constants and the limit are values that the form can have.
func shapeNumber(n *node) error {
	t, g := n.typ, &n.tag
	kind, ok := kindOf(t.Kind())
	if !ok {
		return unsupported(n.path(), "type %v is not supported", t)
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
			return wrong(n.path(), "a bit field cannot have a form; remove %s", g.formName())
		}
		if kind == floatKind {
			return wrong(n.path(), "bits requires an integer or bool, not %v", t)
		}
		if g.bits > int(t.Size())*8 {
			return wrong(n.path(), "%d bits do not fit %v", g.bits, t)
		}
	case g.form != noForm:
		m.form, m.width, m.signed = g.form, uint8(g.width), g.signed
		if (g.form == floatForm) != (kind == floatKind) {
			return wrong(n.path(), "form %s cannot be used for %v", g.formName(), t)
		}
	case kind == floatKind:
		m.form = floatForm
	case t.Kind() == reflect.Int || t.Kind() == reflect.Uint:
		return wrong(n.path(), "type %v has no width of its own; add a form such as u32 or varint", t)
	}
	for _, c := range g.constants {
		if kind == floatKind {
			return wrong(n.path(), "const requires an integer or bool, not %v", t)
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
	if len(g.constants) > 0 && !slices.ContainsFunc(g.constants, func(c constant) bool { return m.checkLimit(c.value, 0) == nil }) {
		return wrong(n.path(), "const=%s exceeds max=%d", g.constants[0].text(g.constants[0].negative), g.limit)
	}
	return nil
}

// text returns the constant for errors. It is negative only if it is signed.
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
		if f, _ := formOf(name); f != noForm || name == "oct" || name == "dec" {
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
	s := &scope{owner: n, typ: n.typ, fields: group{typ: n.typ}}
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

// endless returns a loop that each value of n, which is inside s, goes round, or nil if there is a value without one.
// A loop to a struct around s does not count: there, it is found if the struct cannot be without it.
func (n *node) endless(s *scope) (loop *node) {
	switch {
	case n.isOptional() || n.kind == sliceNode && n.tag.fixed <= 0 || n.kind == arrayNode && n.typ.Len() == 0:
		return nil
	case n.loop:
		for o := n.around(); o.inner != n.inner; o = o.around() {
			if o.inner == s {
				return nil
			}
		}
		return n
	case n.kind == unionNode:
		for _, v := range n.variants {
			if loop = v.endless(s); loop == nil {
				return nil
			}
		}
		return loop
	}
	n.children(func(c *node) {
		if loop == nil {
			loop = c.endless(s)
		}
	})
	return loop
}

// isOptional reports whether some messages have no n. A condition on a constant beside it may hold in all of them.
func (n *node) isOptional() bool {
	return slices.ContainsFunc(n.conditions, func(c condition) bool {
		return c.more || c.node.scope != n.scope || len(c.node.conditions) > 0 || len(c.node.tag.constants) == 0 ||
			slices.ContainsFunc(c.node.tag.constants, func(k constant) bool { return !c.holds(k.value) })
	})
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
		case !f.IsExported() && f.Name != "_" && binaryTypeOf(t) != nil && (t != s.typ || s.owner != b.root):
			o := s.owner.owner
			for o != nil && o.kind == pointerNode {
				o = o.owner
			}
			if o != nil && o.kind != unionNode {
				return wrong(o.path(), "the elements of %v have no length; put the %v into a struct with a prefix", o.typ, t)
			}
			err = wrong(path, "type %v encodes itself only in a field with a length; add a prefix, fixed=n, or a number with the option len", t)
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
	inner.typ = t
	for o := g; o != nil; o = o.parent {
		if o.typ == t { // only pointers make that possible
			return wrong(path, "the struct embeds itself; give the field a name")
		}
	}
	g.items = append(g.items, item{group: inner})
	return b.collect(s, inner, t, base, path)
}

// isOrderField reports whether f is a leading field that states the byte order of
// its struct.
func isOrderField(f reflect.StructField, g *tag) bool {
	return f.Name == "_" && f.Type.Kind() == reflect.Struct && f.Type.NumField() == 0 && g.isNone() &&
		(g.order != noOrder || g.orderOf != "")
}

// isEmbedded reports whether the fields of f are promoted. As in Go, that is so for an
// embedded struct or pointer to one, but not for a type that encodes itself.
func isEmbedded(f reflect.StructField, g *tag) bool {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	return f.Anonymous && t.Kind() == reflect.Struct && g.isNone() && !isUserType(t)
}
