package parquet

import (
	"cmp"
	"fmt"
	"reflect"
	"strings"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
	parquetgo "github.com/parquet-go/parquet-go"
)

const (
	maxColumns = 4096
	maxNodes   = 4 * maxColumns
	// maxLevels is the number of containers around a column. Readers of Parquet recurse,
	// and a definition level must fit in a byte.
	maxLevels = 32
)

// A kind says how a place in a record becomes columns.
type kind uint8

const (
	kindJSON kind = iota
	kindBool
	kindInt
	kindUint
	kindFloat
	kindStr
	kindBin
	kindTime
	kindExt
	kindList
	kindMap
	kindStruct
	kindUnion
)

// A node is a place in the records, with the columns for what is there.
type node struct {
	kind kind
	typ  *schema.Type
	path string // for reports
	name string // of the column in its group

	// def is the definition level of a value that is not null, and rep the repetition
	// level of another value in the innermost list or map around it. See the description
	// of levels in the documentation of the Parquet format.
	def, rep int
	// first and end bound the columns of the node: one if it is not a container.
	first, end int

	elem, key *node          // of lists and maps
	fields    []*node        // of structs; of unions: the tag, and one for each variant
	index     map[string]int // of all names and aliases of fields
	names     []string       // the names of the fields in messages
	quoted    []string       // the same as in JSON
	tag       string         // of variants of a union: the key of their tag, which is no field
	rest      bool           // the last field is for keys that have no other
	seen      int            // of structs: the number of the first field among those of all structs
}

// columns are the columns of all records.
type columns struct {
	root   *node
	alone  bool // the records are the column value, instead of a group
	leaves []*node
	fields int // of all structs
	nodes  int
	open   []*schema.Type // around the current node
}

// newColumns makes the columns for records that follow the schema.
func newColumns(s *schema.Schema) (*columns, error) {
	if s.Root.Type == nil {
		return nil, fmt.Errorf("%w: the schema has no type", ErrOptions)
	}
	c := &columns{}
	t := s.Root.Type
	c.alone = !(t.Kind == msgpack.FormStruct && (len(t.Fields) > 0 || t.Rest) || t.Kind == msgpack.FormUnion && hasTags(t))
	root := &node{typ: t}
	if c.alone {
		root.def = 1
	}
	c.root = root
	return c, c.fill(root)
}

// add makes a node for v, which is null unless the definition level is def.
func (c *columns) add(v schema.Value, name, path string, def, rep int) (*node, error) {
	n := &node{typ: v.Type, name: name, path: path, def: def, rep: rep}
	return n, c.fill(n)
}

// fill sets the rest of n from its type.
func (c *columns) fill(n *node) (err error) {
	if c.nodes++; c.nodes > maxNodes {
		return ErrColumns
	}
	n.first = len(c.leaves)
	n.kind = c.kindOf(n)
	c.open = append(c.open, n.typ)
	part := func(t schema.Value, name, path string, def, rep int) (child *node) {
		if err == nil {
			child, err = c.add(t, name, path, def, rep)
		}
		return child
	}
	switch n.kind {
	case kindList:
		n.elem = part(n.typ.Elem, "element", n.path+"[]", n.def+2, n.rep+1)
	case kindMap:
		n.key = part(n.typ.Key, "key", n.path+"[key]", n.def+1, n.rep+1)
		n.elem = part(n.typ.Elem, "value", n.path+"{}", n.def+2, n.rep+1)
	case kindExt:
		n.fields = []*node{
			part(schema.Value{Type: &schema.Type{Kind: msgpack.FormInt, Bits: 8}}, "type", n.path, n.def+1, n.rep),
			part(schema.Value{Type: &schema.Type{Kind: msgpack.FormBin, Length: -1}}, "data", n.path, n.def+1, n.rep),
		}
	case kindUnion:
		used := map[string]bool{}
		tag := schema.Value{Type: &schema.Type{Kind: msgpack.FormStr, Length: -1}}
		if _, number := n.typ.Variants[0].Tag.(int64); number {
			tag.Type = &schema.Type{Kind: msgpack.FormInt, Bits: 64}
		}
		name := cmp.Or(n.typ.Discriminator, "tag")
		n.fields = append(n.fields, part(tag, unique(name, used), join(n.path, name), n.def+1, n.rep))
		for i := range n.typ.Variants {
			v := &n.typ.Variants[i]
			name := fmt.Sprint(v.Tag)
			variant := part(v.Value, unique(name, used), join(n.path, name), n.def+1, n.rep)
			if variant != nil {
				variant.tag = n.typ.Discriminator
			}
			n.fields = append(n.fields, variant)
		}
	case kindStruct:
		n.seen = c.fields
		c.fields += len(n.typ.Fields)
		n.index = make(map[string]int, len(n.typ.Fields))
		used := map[string]bool{}
		for i := range n.typ.Fields {
			f := &n.typ.Fields[i]
			n.index[f.Name] = i
			n.names = append(n.names, f.Name)
			n.quoted = append(n.quoted, quoted(f.Name))
			n.fields = append(n.fields, part(f.Value, unique(f.Name, used), join(n.path, f.Name), n.def+1, n.rep))
		}
		for i := range n.typ.Fields {
			for _, a := range n.typ.Fields[i].Aliases {
				if _, taken := n.index[a]; !taken {
					n.index[a] = i
				}
			}
		}
		if n.rest = n.typ.Rest; n.rest {
			n.fields = append(n.fields, part(schema.Value{Type: &schema.Type{Kind: msgpack.FormAny}}, unique("_rest", used), join(n.path, "_rest"), n.def+1, n.rep))
		}
	default:
		if len(c.leaves) == maxColumns {
			return ErrColumns
		}
		c.leaves = append(c.leaves, n)
	}
	n.end = len(c.leaves)
	c.open = c.open[:len(c.open)-1]
	return err
}

// kindOf returns the kind of n inside the open types. It is kindJSON for everything that
// has no columns of its own.
func (c *columns) kindOf(n *node) kind {
	t := n.typ
	if len(c.open) >= maxLevels {
		return kindJSON
	}
	for _, around := range c.open {
		if around == t {
			return kindJSON // recursive
		}
	}
	switch t.Kind {
	case msgpack.FormBool:
		return kindBool
	case msgpack.FormInt:
		return kindInt
	case msgpack.FormUint:
		return kindUint
	case msgpack.FormFloat:
		return kindFloat
	case msgpack.FormStr:
		return kindStr
	case msgpack.FormBin:
		return kindBin
	case msgpack.FormTime:
		return kindTime
	case msgpack.FormExt:
		return kindExt
	case msgpack.FormArray:
		if t.Elem.Type != nil {
			return kindList
		}
	case msgpack.FormMap:
		if !t.Pairs && t.Elem.Type != nil && hasColumn(t.Elem.Type.Kind) && t.Key.Type != nil && isKey(t.Key.Type.Kind) {
			return kindMap
		}
	case msgpack.FormUnion:
		if hasTags(t) {
			return kindUnion
		}
	case msgpack.FormStruct:
		if len(t.Fields) > 0 || t.Rest {
			return kindStruct // Parquet has no group without columns
		}
	}
	return kindJSON
}

// hasTags reports whether the tags of a union are all strings or all integers.
func hasTags(t *schema.Type) bool {
	numbers := 0
	for i := range t.Variants {
		if _, number := t.Variants[i].Tag.(int64); number {
			numbers++
		}
	}
	return len(t.Variants) > 0 && (numbers == 0 || numbers == len(t.Variants))
}

// hasColumn reports whether values of the kind have one type.
func hasColumn(k msgpack.FormKind) bool {
	switch k {
	case msgpack.FormAny, msgpack.FormRaw, msgpack.FormOwn, msgpack.FormNumber:
		return false
	}
	return true
}

// isKey reports whether values of the kind are keys of a MAP.
func isKey(k msgpack.FormKind) bool {
	switch k {
	case msgpack.FormBool, msgpack.FormInt, msgpack.FormUint, msgpack.FormStr, msgpack.FormBin:
		return true
	}
	return false
}

// join returns the path to a field.
func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// unique returns a name for a column: name if it is UTF-8, not empty, and not used. Names
// that differ in case only are the same to SQL.
func unique(name string, used map[string]bool) string {
	name = strings.ToValidUTF8(name, "\uFFFD")
	if name == "" {
		name = "_"
	}
	for base, i := name, 2; used[strings.ToLower(name)]; i++ {
		name = fmt.Sprintf("%s_%d", base, i)
	}
	used[strings.ToLower(name)] = true
	return name
}

// group is a group whose fields keep their order, unlike those of [parquetgo.Group].
type group struct {
	parquetgo.Group
	fields []parquetgo.Field
}

func (g *group) Fields() []parquetgo.Field { return g.fields }
func (g *group) GoType() reflect.Type      { return reflect.TypeFor[map[string]any]() }

// field is a field of a group.
type field struct {
	parquetgo.Node
	name string
}

func (f *field) Name() string { return f.name }

// Value would find the field in a Go value. No Go values are written.
func (f *field) Value(reflect.Value) reflect.Value { return reflect.Value{} }

// schema returns the schema of the file.
func (c *columns) schema() *parquetgo.Schema {
	if c.alone {
		value := &field{c.node(c.root), "value"}
		return parquetgo.NewSchema("record", &group{fields: []parquetgo.Field{value}})
	}
	return parquetgo.NewSchema("record", c.group(c.root))
}

func (c *columns) group(n *node) parquetgo.Node {
	g := &group{}
	for _, f := range n.fields {
		g.fields = append(g.fields, &field{c.node(f), f.name})
	}
	return g
}

// node returns the node of the library for n.
func (c *columns) node(n *node) parquetgo.Node {
	switch n.kind {
	case kindList:
		return parquetgo.Optional(parquetgo.List(c.node(n.elem)))
	case kindMap:
		return parquetgo.Optional(parquetgo.Map(parquetgo.Required(c.leaf(n.key)), c.node(n.elem)))
	case kindExt, kindStruct, kindUnion:
		return parquetgo.Optional(c.group(n))
	}
	return parquetgo.Optional(c.leaf(n))
}

func (c *columns) leaf(n *node) (leaf parquetgo.Node) {
	switch n.kind {
	case kindBool:
		return parquetgo.Leaf(parquetgo.BooleanType)
	case kindInt:
		leaf = parquetgo.Int(n.typ.Bits)
	case kindUint:
		leaf = parquetgo.Uint(n.typ.Bits)
	case kindFloat:
		leaf = parquetgo.Leaf(parquetgo.DoubleType)
		if n.typ.Bits == 32 {
			leaf = parquetgo.Leaf(parquetgo.FloatType)
		}
	case kindStr:
		leaf = parquetgo.String()
	case kindTime:
		leaf = parquetgo.Timestamp(parquetgo.Nanosecond)
	case kindBin:
		leaf = parquetgo.Leaf(parquetgo.ByteArrayType)
	default:
		leaf = parquetgo.JSON()
	}
	return leaf
}

// json returns the paths of the columns that are JSON.
func (c *columns) json() (paths []string) {
	for _, n := range c.leaves {
		if n.kind == kindJSON {
			path := n.path
			if path == "" {
				path = "value"
			}
			paths = append(paths, path)
		}
	}
	return paths
}
