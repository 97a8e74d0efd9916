package layout

import (
	"reflect"
	"slices"
	"strings"

	"github.com/octet-go/octet/internal/outline"
)

// A node is a field in one place of a message, or an element of a slice, the
// target of a pointer or a variant of a union. The nodes of a type form a tree,
// which is made anew for each use of the type, because its meaning depends on the
// fields around it. A recursive type is a loop in the tree.
type node struct {
	name  string // empty for elements, targets and variants
	typ   reflect.Type
	off   uintptr // in the struct, or 0
	tag   tag
	scope *scope // the struct that the node is a field of; for elements, that of the slice
	owner *node  // for elements, targets and variants: the node that they belong to
	group *group // the struct or embedded struct whose field it is
	index int    // in scope.nodes; for elements, that of the field
	seq   int    // in the order of the message
	last  int    // seq of the last node inside
	kind  nodeKind
	blank bool

	embedded string // the name of an embedded pointer, which is not part of paths

	num      number
	elem     *node  // of slices, arrays and pointers
	inner    *scope // of structs
	loop     bool   // inner is a scope around this node
	union    *unionType
	variants []*node // in the order of union.variants; then that for unknown tags
	user     *userType

	// What the names in the tag denote.
	conditions []condition
	switchOn   *node
	orderOf    *node
	links      []*link
	sum        *check
	raw        *extent

	// What other fields need to know.
	unions   []*node // those that switch on this number
	sized    *link   // the length of exactly this node, from an earlier number
	lengths  []*link // sized, and other earlier numbers that measure exactly this node
	counts   []*link // the numbers of elements of this node
	read     bool    // conditions or byte orders depend on the value of this number
	value    slot    // of a number: its value, if other fields need it or it is computed from them
	place    slot    // of a number: where it is
	filled   slot    // of a number with several derivations: whether one is done
	amount   slot    // of a slice: the number of elements
	outer    slot    // of a frame: the end of the frame around it
	runFirst *node   // the first node of the run of bits
	runBit   int     // first bit of the node in its run
	runLen   int     // bytes of the run, in its first node
	rest     []size  // the sizes of what follows in the frame, if the node takes the rest
	frame    *link   // that whose range is this frame, if it has no prefix or length of its own
	after    []step
}

// A nodeKind says what a field is on the wire, which depends on its Go type and, for
// blank fields and arrays of bytes, on its tag.
type nodeKind = outline.NodeKind

const (
	numberNode  = outline.NumberNode
	bytesNode   = outline.BytesNode
	magicNode   = outline.MagicNode
	spaceNode   = outline.SpaceNode
	alignNode   = outline.AlignNode
	structNode  = outline.StructNode
	pointerNode = outline.PointerNode
	sliceNode   = outline.SliceNode
	arrayNode   = outline.ArrayNode
	unionNode   = outline.UnionNode
	userNode    = outline.UserNode
	rawNode     = outline.RawNode
	unknownNode = outline.UnknownNode // an Unknown
	emptyNode   = outline.EmptyNode   // "-", or only the byte order
)

// A scope is a struct in one place of a message. The fields of embedded structs
// are among its nodes.
type scope struct {
	owner  *node // the node that has the struct as its type; nil for the root
	typ    reflect.Type
	nodes  []*node
	fields group

	recursive  bool
	outerNames []outerName // the names that were found in scopes around it
	extents    []*extent
	links      []*link // those with extents in this scope that bound more than a single field
	end        slot    // the end of the frame around it
}

// A group is a struct or an embedded struct: a part of the fields of a scope.
type group struct {
	name    string // of the embedded field
	typ     reflect.Type
	parent  *group
	items   []item
	tag     tag          // with the byte order
	orderOf *node        // that chooses the byte order
	target  reflect.Type // of an embedded pointer, which is at off
	off     uintptr
}

// An item is a field of a group in the order of declaration: either a node, or a group
// that is embedded.
type item struct {
	node  *node
	group *group
}

// An outerName is a name that was found outside of a scope.
type outerName struct {
	name string
	node *node
}

// An extent is a range of fields whose place is needed: a number measures it, a checksum is
// computed of it, or a field gets its bytes. Ranges that nobody names have none.
type extent struct {
	scope    *scope
	from, to int
	start    slot
	stop     slot
	absent   slot // when encoding, where a field with if=more was left out before the range
}

// A link says that a number measures an extent or counts the elements of a node. What it says
// is the number times factor plus plus, so that units of several bytes and headers that
// count, too, need no code of the user.
type link struct {
	linkTag
	num    *node
	of     *extent
	target *node  // of a count
	amount slot   // of a count: the number of elements that the number says
	bound  slot   // where the extent must end, according to the number
	lower  []slot // frames between the number and the extent
}

// A check is a checksum. Its rank is higher than those of the checksums in its range, which
// are computed before it.
type check struct {
	num  *node
	of   *extent
	name string
	sum  Sum
	rank int

	around Sum // see sums
}

// A condition is that of a tag, with the number that its name denotes; nil for if=more.
type condition struct {
	conditionTag
	node *node
}

// A slot is the index of a number that is known while a message is encoded or
// decoded. Slot 0 is for things that nobody needs.
type slot int

// A step is work between fields: comparing or computing a length, a checksum, or setting a
// field to the bytes of a range. It is at the field after which all that it needs is known.
type step struct {
	code opcode
	link *link
	sum  *check
	node *node
}

// children calls visit for each node directly below n, without following loops.
func (n *node) children(visit func(*node)) {
	if n.elem != nil {
		visit(n.elem)
	}
	for _, v := range n.variants {
		visit(v)
	}
	if n.inner != nil && !n.loop {
		for _, f := range n.inner.nodes {
			visit(f)
		}
	}
}

// walk calls visit for n and each node below. It ends for recursive types, because loops are
// not followed.
func (n *node) walk(visit func(*node)) {
	visit(n)
	n.children(func(c *node) { c.walk(visit) })
}

// inElement reports whether n is inside an element of a slice or array that is
// inside s.
func (n *node) inElement(s *scope) bool {
	for o := n; o != nil && !(o.scope == s && o.owner == nil); o = o.around() {
		if o.owner != nil && (o.owner.kind == sliceNode || o.owner.kind == arrayNode) {
			return true
		}
	}
	return false
}

// around returns the node that contains n, or nil for the root.
func (n *node) around() *node {
	if n.owner != nil {
		return n.owner
	}
	if n.scope == nil {
		return nil
	}
	return n.scope.owner
}

// field returns the field of s that n is or is inside of, or nil. Ranges are ranges of such
// fields, so this is how to find out whether n is in one.
func (n *node) field(s *scope) *node {
	for o := n; o != nil; o = o.around() {
		if o.scope == s && o.owner == nil {
			return o
		}
	}
	return nil
}

// path returns the names from the root to n, for errors in tags. Elements have no index
// there, because the tag is that of all of them.
func (n *node) path() string {
	o := n.around()
	if o == nil {
		return typeName(n.typ)
	}
	p := o.path()
	switch {
	case n.name != "":
		return p + "." + n.name
	case o.kind == sliceNode || o.kind == arrayNode:
		return p + "[]"
	}
	return p
}

// typeName returns the name of t, or of what it points to.
func typeName(t reflect.Type) string {
	for t.Kind() == reflect.Pointer && t.Name() == "" { // a pointer type with a name can lead to itself
		t = t.Elem()
	}
	if t.Name() != "" {
		return t.Name()
	}
	return t.String()
}

// isFramed reports whether n has a frame of its own: a prefix, or a length that an
// earlier number gives.
func (n *node) isFramed() bool { return n.tag.prefix != "" || n.sized != nil }

// holds reports whether the condition is true for a value.
func (c *condition) holds(v uint64) bool {
	switch c.op {
	case '&':
		return v&c.value != 0
	case '=':
		return v == c.value
	case '!':
		return v != c.value
	}
	return v != 0
}

// allHold reports whether all conditions of the list hold that depend on numbers, whose values
// are in slots. Those of if=more depend on the position, and the caller tests them.
func allHold(list []condition, slots []int64) bool {
	for i := range list {
		if !list[i].more && !list[i].holds(uint64(slots[list[i].node.value])) {
			return false
		}
	}
	return true
}

// hasMore reports whether n has the condition if=more.
func (n *node) hasMore() bool {
	return slices.ContainsFunc(n.conditions, func(c condition) bool { return c.more })
}

// asksAround reports whether n has the condition if=more, and the frame that it asks is around n. It is n
// itself if an earlier number says how long n is.
func (n *node) asksAround() bool { return n.sized == nil && n.hasMore() }

// conditionText returns the conditions of n as its tag has them.
func (n *node) conditionText() string {
	var list []string
	for option := range strings.SplitSeq(n.tag.text, ",") {
		if strings.HasPrefix(option, "if=") {
			list = append(list, option)
		}
	}
	return strings.Join(list, ",")
}

// isOptional reports whether the number of the link may be absent where the fields
// that it measures are present. Those must be empty then, because the decoder would not know
// where they end.
func (l *link) isOptional() bool {
	for o := l.num; o != nil && o != l.of.scope.owner; o = o.around() {
		if len(o.conditions) > 0 || o.owner != nil && o.owner.kind == unionNode {
			return true
		}
	}
	return false
}

// isPresentWith reports whether the number of the link is in each message that has n.
func (l *link) isPresentWith(n *node) bool {
	s := l.of.scope
	for o := l.num; o != nil && o != s.owner; o = o.around() {
		if o.seq <= n.seq && n.seq <= o.last {
			return true // n is in o, and so in all that is around o
		}
		// A field with if=more is present if a later one in its struct is. Frames of their own can end before it.
		if o.owner != nil && o.owner.kind == unionNode || slices.ContainsFunc(o.conditions, func(c condition) bool {
			return c.more && (o.scope != s || !n.field(s).hasMore() || o.isInShorter(n)) || !n.hasCondition(c)
		}) {
			return false
		}
	}
	return true
}

// isInShorter reports whether n, a field, is in a frame that can end before other, which is in a later field of
// the struct.
func (n *node) isInShorter(other *node) bool {
	return n.sized != nil || slices.ContainsFunc(n.scope.links, func(l *link) bool {
		return l.of.from <= n.index && n.index <= l.of.to && l.of.to < other.field(n.scope).index
	})
}

// hasCondition reports whether n, or something that it is inside of, is present only if the condition holds.
func (n *node) hasCondition(c condition) bool {
	return n != nil && (slices.ContainsFunc(n.conditions, func(own condition) bool { return own.implies(c) }) || n.around().hasCondition(c))
}

// implies reports whether other holds whenever c does.
func (c condition) implies(other condition) bool {
	switch {
	case c == other:
		return true
	case c.more || c.node != other.node:
		return false
	case c.op == '=':
		return other.holds(c.value)
	case c.op == '&' && other.op == '&':
		return c.value&^other.value == 0
	}
	return (other.op == 0 || other.op == '!') && !c.holds(other.value) // the value that other excludes
}
