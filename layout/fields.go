package layout

import (
	"reflect"
	"strconv"

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
	mem.EscapeBelow(v)
	m, p, err := c.target(v)
	if err != nil {
		return nil, err
	}
	observed, err := c.observed(m.typ)
	if err != nil {
		return nil, err
	}
	w := &fieldLister{}
	if _, err := observed.observe(data, p, w); err != nil {
		// Without observation, the room of several fields is checked at once, so the first
		// error can be another one. Callers expect that of UnmarshalPrefix.
		if _, first := m.decode(data, p); first != nil {
			err = first
		}
		return nil, err
	}
	return w.list, nil
}

// A fieldLister observes the decoding of a message. The list of operations has opShow
// before each field and opShown after it.
type fieldLister struct {
	list []Field
	open []int // indexes of the fields around the current one
}

// add lists a field inside of those that are open.
func (w *fieldLister) add(f Field) {
	f.Depth = len(w.open)
	w.list = append(w.list, f)
}

// show lists the field that begins at pos, and the numbers that precede its content.
func (w *fieldLister) show(d *decoder, o *op, pos int) {
	n := o.x.node
	f := Field{Name: n.name, Type: n.typ, Offset: pos}
	switch {
	case n.owner != nil:
		f.Name = element(d.index(o.x.outer))
	case n.scope == nil:
		f.Name = d.message.name
	}
	w.add(f)
	w.open = append(w.open, len(w.list)-1)
	for _, width := range [...]string{n.tag.prefix, n.tag.count} {
		if width != "" {
			pos += w.prefix(d, prefixNumber(width, o.x.order), pos)
		}
	}
}

// prefix lists a number that precedes the content of a field, and returns its size.
// There is no such field if the message ends before, which is found later.
func (w *fieldLister) prefix(d *decoder, num number, pos int) int {
	v, size, err := d.prefix(&num, pos)
	if err == nil {
		w.add(Field{Name: "_", Offset: pos, Size: size, Value: v})
	}
	return size
}

// shown completes the field that ends at pos. Its variable is at p.
func (w *fieldLister) shown(d *decoder, o *op, pos int, p mem.Ptr) {
	if o.x.bits != nil {
		w.bits(o, pos, p)
		return
	}
	n, at := o.x.node, w.open[len(w.open)-1]
	w.open = w.open[:len(w.open)-1]
	f := &w.list[at]
	f.Size = pos - f.Offset
	v := mem.Value(n.typ, p.Add(o.off))
	if n.kind == unionNode {
		v = v.Elem()
		f.Type = v.Type()
		for i := range n.union.variants {
			if n.union.variants[i].typ == f.Type {
				n = n.variants[i]
				break
			}
		}
	}
	for n.kind == pointerNode {
		n, v = n.elem, v.Elem()
		f.Type = n.typ
	}
	switch n.kind {
	case spaceNode:
		f.Type = nil
	case alignNode:
		if f.Type = nil; f.Size == 0 {
			w.list = w.list[:at]
		}
	case unknownNode:
		w.leaf(at, pos, v.Field(1).Interface())
	case magicNode:
		f.Value = string(n.tag.magic)
	case numberNode:
		if !n.blank {
			f.Value = v.Interface()
		} else if n.num.width > 0 && n.num.form == integerForm {
			f.Value = getFixed(d.data[f.Offset:pos], o.x.order)
		}
	case bytesNode, userNode:
		w.leaf(at, pos, v.Interface())
	case sliceNode, arrayNode:
		if n.hasNumbers() {
			w.numbers(d, n, v, at, pos)
		}
	}
}

// content returns where the content of the field at index at begins, after the numbers
// that precede it.
func (w *fieldLister) content(at int) int {
	if at == len(w.list)-1 {
		return w.list[at].Offset
	}
	last := &w.list[len(w.list)-1]
	return last.Offset + last.Size
}

// leaf sets the value of the field at index at, which ends at pos. If a number precedes
// its content, the content is a field inside.
func (w *fieldLister) leaf(at, pos int, value any) {
	if at == len(w.list)-1 {
		w.list[at].Value = value
		return
	}
	from, f := w.content(at), w.list[at]
	w.list = append(w.list, Field{Name: f.Name, Type: f.Type, Depth: f.Depth + 1, Offset: from, Size: pos - from, Value: value})
}

// hasNumbers reports whether the elements of a slice or array are numbers, perhaps in
// arrays.
func (n *node) hasNumbers() bool {
	for n = n.elem; n.kind == arrayNode; n = n.elem {
	}
	return n.kind == numberNode
}

// numbers completes a slice or array of numbers. With until=zero, what ends it is a
// field inside.
func (w *fieldLister) numbers(d *decoder, n *node, v reflect.Value, at, pos int) {
	if !n.tag.toZero {
		w.leaf(at, pos, v.Interface())
		return
	}
	each, number := 1, n.elem
	for ; number.kind == arrayNode; number = number.elem {
		each *= number.typ.Len()
	}
	start := w.content(at)
	end := start
	for range each * v.Len() {
		end += number.num.sizeOf(d.data[end:pos])
	}
	f := w.list[at]
	w.list = append(w.list, Field{Name: f.Name, Type: f.Type, Depth: f.Depth + 1, Offset: start, Size: end - start, Value: v.Interface()},
		Field{Name: element(v.Len()), Type: n.elem.typ, Depth: f.Depth + 1, Offset: end, Size: pos - end, Value: reflect.Zero(n.elem.typ).Interface()})
}

// sizeOf returns the number of bytes of the number at the start of b.
func (n *number) sizeOf(b []byte) int {
	if n.width > 0 {
		return int(n.width)
	}
	_, size := n.getVarint(b)
	return size
}

// bits lists the bit fields of a run that ends at pos.
func (w *fieldLister) bits(o *op, pos int, p mem.Ptr) {
	for i := range o.x.bits {
		b := &o.x.bits[i]
		f := Field{Name: b.node.name, Type: b.node.typ, Offset: pos - int(o.n), Size: int(o.n), Bits: b.node.tag.bits, Shift: int(b.shift)}
		if !b.node.blank {
			f.Value = mem.Value(b.node.typ, p.Add(b.off)).Interface()
		}
		w.add(f)
	}
}

// element returns the name of a field that is element i of its parent, or the number of
// elements if they are listed as one.
func element(i int) string { return "[" + strconv.Itoa(i) + "]" }
