package layout

import (
	"maps"
	"reflect"
	"strconv"
	"unicode/utf16"

	"github.com/octet-go/octet/internal/mem"
)

// A Field is a part of a message, as [Codec.Fields] returns it. The fields of a
// message are in the order of its bytes. What is inside a struct, slice, union or
// frame follows it with a Depth that is greater by one. A field without anything
// inside is a leaf. The leaves cover all bytes of the message, once each, except that
// the fields of one run of bits have the same bytes.
type Field struct {
	Name   string       // of the Go field; [2] for an element; _ for bytes without a name
	Type   reflect.Type // of the value: for a union, that of the variant; nil for bytes without a name
	Depth  int          // 0 for the message
	Offset int          // in bytes from the start of the message
	Size   int          // in bytes
	Bits   int          // width of a bit field, or 0
	Shift  int          // position of the lowest bit of a bit field in its run
	Value  any          // of a leaf; an unsigned number for the prefix or count of a field
}

// Fields decodes the message at the start of data into v, a pointer, as
// UnmarshalPrefix does, and returns its fields with their places and values. A field
// that is absent is not listed. Slices and arrays of numbers are one leaf. The list takes about 100 bytes
// of memory for each field; it is for tools that show messages.
func (c *Codec) Fields(data []byte, v any) ([]Field, error) {
	n, m, err := c.decode(data, v)
	if err != nil {
		return nil, err
	}
	w := &fieldLister{data: data[:n], fieldState: fieldState{map[*node]uint64{}, map[*node]int{}, map[*link]int{}}}
	w.field(m.root, m.name, reflect.ValueOf(v).Elem(), cursor{end: n, order: m.options.order()})
	return w.list, nil
}

// A fieldLister walks the nodes of a message that has been decoded.
type fieldLister struct {
	fieldState
	data []byte
	list []Field
}

// A fieldState is what is known of the fields before the current one.
type fieldState struct {
	values map[*node]uint64 // of numbers
	starts map[*node]int
	sizes  map[*link]int // what numbers say of other fields
}

func (s fieldState) clone() fieldState {
	return fieldState{maps.Clone(s.values), maps.Clone(s.starts), maps.Clone(s.sizes)}
}

// A cursor is where a field begins, in which byte order and frame.
type cursor struct {
	depth, pos, end int
	order           order
}

func (p cursor) in() cursor { p.depth++; return p }

// field lists n and what is inside, and returns its end.
func (w *fieldLister) field(n *node, name string, v reflect.Value, p cursor) int {
	w.values[n], w.starts[n] = 0, p.pos
	if !w.present(n, p) {
		return p.pos
	}
	switch n.kind {
	case emptyNode, rawNode:
		return p.pos
	case alignNode:
		if p.pos%n.tag.align == 0 {
			return p.pos
		}
	}
	if n.orderOf != nil {
		p.order = n.orderOf.orderOfValue(w.values[n.orderOf])
	} else if n.tag.order != noOrder {
		p.order = n.tag.order
	}
	at, start := len(w.list), p.pos
	w.list = append(w.list, Field{Name: name, Type: n.typ, Depth: p.depth, Offset: start})
	if n.tag.prefix != "" && n.kind != bytesNode {
		p.pos, p.end = w.prefix(n.tag.prefix, p)
	} else if size, ok := w.sizes[n.sized]; ok && n.sized != nil {
		p.end = p.pos + size
	}
	p.pos = w.content(n, v, at, p)
	w.list[at].Size = p.pos - start
	return p.pos
}

// prefix lists the number of width width that precedes the content of a field, and
// returns where the content begins and ends.
func (w *fieldLister) prefix(width string, p cursor) (pos, end int) {
	num := prefixNumber(width, p.order)
	size := w.numberSize(&num, p.pos)
	var v uint64
	if num.width == 0 {
		v, _ = num.getVarint(w.data[p.pos:])
	} else {
		v = getFixed(w.data[p.pos:p.pos+size], p.order)
	}
	w.list = append(w.list, Field{Name: "_", Depth: p.depth + 1, Offset: p.pos, Size: size, Value: v})
	return p.pos + size, p.pos + size + int(v)
}

// beside returns the index of the leaf for the content of the field at index at, from
// pos to end: that field, or a new one if a prefix is listed inside of it.
func (w *fieldLister) beside(at int, p cursor, end int) int {
	if at == len(w.list)-1 {
		return at
	}
	w.list = append(w.list, Field{Name: w.list[at].Name, Type: w.list[at].Type, Depth: p.depth + 1, Offset: p.pos, Size: end - p.pos})
	return len(w.list) - 1
}

// leaf sets the value of the field at index at of the list.
func (w *fieldLister) leaf(at int, v reflect.Value) {
	if v.IsValid() && v.CanInterface() {
		w.list[at].Value = v.Interface()
	}
}

// content lists what is inside of n after its prefix.
func (w *fieldLister) content(n *node, v reflect.Value, at int, p cursor) int {
	switch n.kind {
	case numberNode:
		return w.number(n, v, at, p)
	case bytesNode:
		return w.bytes(n, v, at, p)
	case magicNode:
		w.list[at].Value = string(w.data[p.pos : p.pos+len(n.tag.magic)])
		return p.pos + len(n.tag.magic)
	case spaceNode:
		w.list[at].Type = nil
		return p.pos + n.tag.space
	case alignNode:
		w.list[at].Type = nil
		return p.pos + (n.tag.align-p.pos%n.tag.align)%n.tag.align
	case structNode:
		if n.inner.recursive {
			outer := w.fieldState
			w.fieldState = outer.clone()
			defer func() { w.fieldState = outer }()
		}
		return w.group(n.inner, &n.inner.fields, v, p.in())
	case pointerNode:
		w.list[at].Type = n.elem.typ
		return w.content(n.elem, v.Elem(), at, p)
	case sliceNode, arrayNode:
		return w.elements(n, v, at, p)
	case unionNode:
		return w.variant(n, v.Elem(), at, p)
	case userNode:
		return w.user(n, v, at, p)
	}
	return p.pos
}

// number handles a number that is not a bit field.
func (w *fieldLister) number(n *node, v reflect.Value, at int, p cursor) int {
	size := w.numberSize(&n.num, p.pos)
	if n.blank {
		if n.num.width > 0 && n.num.form == integerForm {
			w.list[at].Value = getFixed(w.data[p.pos:p.pos+size], p.order)
		}
		return p.pos + size
	}
	w.leaf(at, v)
	w.know(n, v)
	return p.pos + size
}

// know notes the value of a number and what it says of other fields.
func (w *fieldLister) know(n *node, v reflect.Value) {
	var x uint64
	switch {
	case v.Kind() == reflect.Bool:
		if v.Bool() {
			x = 1
		}
	case v.CanInt():
		x = uint64(v.Int())
	case v.CanUint():
		x = v.Uint()
	}
	w.values[n] = x
	for _, l := range n.links {
		if !l.elements {
			w.sizes[l] = int(int64(x)*l.factor + l.plus)
		}
	}
}

// numberSize returns the bytes of the number at pos.
func (w *fieldLister) numberSize(num *number, pos int) int {
	if num.width > 0 {
		return int(num.width)
	}
	_, size := num.getVarint(w.data[pos:])
	return size
}

// bytes handles a string or []byte.
func (w *fieldLister) bytes(n *node, v reflect.Value, at int, p cursor) int {
	g := &n.tag
	if width := g.prefix + g.count; width != "" {
		p.pos, _ = w.prefix(width, p)
	}
	size, unit := v.Len(), 1
	if g.utf16 {
		size, unit = 2*len(utf16.Encode([]rune(v.String()))), 2
	}
	if g.fixed >= 0 {
		size = g.fixed
	} else if g.cstring || g.until >= 0 {
		size += unit
	}
	if at = w.beside(at, p, p.pos+size); !n.blank {
		w.leaf(at, v)
	}
	return p.pos + size
}

// elements handles a slice or array.
func (w *fieldLister) elements(n *node, v reflect.Value, at int, p cursor) int {
	if n.kind == sliceNode && n.tag.count != "" {
		p.pos, _ = w.prefix(n.tag.count, p)
	}
	numbers := n.elem
	for numbers.kind == arrayNode {
		numbers = numbers.elem
	}
	if numbers.kind == numberNode {
		return w.numbers(n, numbers, v, at, p)
	}
	for i := range v.Len() {
		p.pos = w.field(n.elem, element(i), v.Index(i), p.in())
	}
	if n.tag.toZero {
		p.pos = w.field(n.elem, element(v.Len()), reflect.New(n.elem.typ).Elem(), p.in())
	}
	return p.pos
}

func element(i int) string { return "[" + strconv.Itoa(i) + "]" }

// numbers handles a slice or array of numbers, which is one leaf.
func (w *fieldLister) numbers(n, number *node, v reflect.Value, at int, p cursor) int {
	each := 1
	for e := n.elem; e.kind == arrayNode; e = e.elem {
		each *= e.typ.Len()
	}
	start := p.pos
	for range each * v.Len() {
		p.pos += w.numberSize(&number.num, p.pos)
	}
	end := p.pos
	if n.tag.toZero {
		for range each {
			p.pos += w.numberSize(&number.num, p.pos)
		}
	}
	if at == len(w.list)-1 && end == p.pos {
		w.leaf(at, v)
		return p.pos
	}
	// There is a count or an end beside the numbers.
	w.list = append(w.list, Field{Name: w.list[at].Name, Type: n.typ, Depth: p.depth + 1, Offset: start, Size: end - start})
	w.leaf(len(w.list)-1, v)
	if end < p.pos {
		w.list = append(w.list, Field{Name: element(v.Len()), Type: n.elem.typ, Depth: p.depth + 1, Offset: end, Size: p.pos - end})
		w.leaf(len(w.list)-1, reflect.Zero(n.elem.typ))
	}
	return p.pos
}

// variant handles what a union holds.
func (w *fieldLister) variant(n *node, v reflect.Value, at int, p cursor) int {
	w.list[at].Type = v.Type()
	for i := range n.union.variants {
		if n.union.variants[i].typ != v.Type() {
			continue
		}
		if i == n.union.unknown {
			data := v.Field(1)
			w.leaf(w.beside(at, p, p.pos+data.Len()), data)
			return p.pos + data.Len()
		}
		return w.content(n.variants[i], v, at, p)
	}
	return p.pos
}

// user handles a type with methods.
func (w *fieldLister) user(n *node, v reflect.Value, at int, p cursor) int {
	end := p.end
	if n.tag.fixed >= 0 {
		end = p.pos + n.tag.fixed
	} else if !n.isFramed() {
		// It says itself how many bytes it has. It was asked before, with the same result.
		size, _ := n.user.decode(w.data[p.pos:p.end:p.end], mem.PtrOf(reflect.New(n.user.typ)))
		end = p.pos + size
	}
	w.leaf(w.beside(at, p, end), v)
	return end
}

// group lists the fields of a struct, and of the structs embedded in it.
func (w *fieldLister) group(s *scope, g *group, v reflect.Value, p cursor) int {
	if g.orderOf != nil {
		p.order = g.orderOf.orderOfValue(w.values[g.orderOf])
	} else if g.tag.order != noOrder {
		p.order = g.tag.order
	}
	run := p.pos
	for _, it := range g.items {
		if it.group != nil {
			in := v.FieldByName(it.group.name)
			if in.Kind() == reflect.Pointer {
				in = in.Elem()
			}
			p.pos = w.group(s, it.group, in, p)
			continue
		}
		n := it.node
		field := reflect.Value{}
		if !n.blank {
			field = v.FieldByName(n.name)
		}
		if n.tag.bits > 0 {
			if n.runFirst == n {
				run = p.pos
				p.pos += n.runLen
			}
			w.bits(n, field, run, p)
			continue
		}
		in := p
		for _, l := range s.links {
			if size, ok := w.sizes[l]; ok && l.of.from <= n.index && n.index <= l.of.to {
				if l.of.from == n.index {
					in.end = min(in.end, p.pos+size)
				} else {
					in.end = min(in.end, w.starts[s.nodes[l.of.from]]+size)
				}
			}
		}
		p.pos = w.field(n, n.name, field, in)
	}
	return p.pos
}

// bits lists a bit field of the run at offset run.
func (w *fieldLister) bits(n *node, v reflect.Value, run int, p cursor) {
	first := n.runFirst
	w.starts[n] = run
	if first.tag.order != noOrder {
		p.order = first.tag.order
	}
	shift := n.runBit
	if first.tag.fill == msb || first.tag.fill == byOrder && p.order == big {
		shift = 8*first.runLen - n.runBit - n.tag.bits
	}
	w.list = append(w.list, Field{Name: n.name, Type: n.typ, Depth: p.depth, Offset: run, Size: first.runLen, Bits: n.tag.bits, Shift: shift})
	if n.blank {
		return
	}
	w.leaf(len(w.list)-1, v)
	w.know(n, v)
}

// present reports whether n is there.
func (w *fieldLister) present(n *node, p cursor) bool {
	for i := range n.conditions {
		c := &n.conditions[i]
		if c.more && p.pos >= p.end || !c.more && !c.holds(w.values[c.node]) {
			return false
		}
	}
	return true
}
