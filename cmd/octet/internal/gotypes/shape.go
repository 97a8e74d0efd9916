// Package gotypes finds a schema that sample values of MessagePack follow, with the
// types and names that a Go program would have for them.
//
//	scanner → Shape → schema
//
// A [Shape] collects what the values at one path have in common. Memory is
// limited: maps with many different keys become Go maps, whose values share one
// Shape, and so do all maps with new keys after [MaxShapes] Shapes.
package gotypes

import (
	"io"
	"strings"
	"unicode/utf8"

	"github.com/octet-go/octet/cmd/octet/internal/scan"
	"github.com/octet-go/octet/msgpack/wire"
)

// MaxShapes is the maximum number of Shapes.
const MaxShapes = 1 << 16

// maxFields is the maximum number of fields of a struct.
const maxFields = 256

// A Shape describes the values at one path: how many there are of each kind, and more.
type Shape struct {
	nils, bools, ints, texts, bins, times, exts, arrays, maps int64
	float32s, float64s                                        int64
	zeros                                                     int64 // values that are the zero value of their type, or have no elements
	least                                                     int64 // the smallest integer
	most                                                      uint64
	inexact                                                   bool // an integer is not exactly a float64

	element *Shape // of arrays
	fields  []*field
	byName  map[string]*field
	value   *Shape // of maps that are not structs
	key     *Shape // their keys
}

// A field describes one key of a map.
type field struct {
	name  string
	count int64 // maps that have the key
	shape *Shape
}

// A Sampler collects the shape of the values of any number of streams.
type Sampler struct {
	Root   Shape
	Values int64 // top-level values
	shapes int
	stack  []place
}

// A place is an open container.
type place struct {
	shape *Shape
	next  *Shape // of the value of the last key
	isKey bool   // the container is inside a key
}

// longestName is the maximum number of bytes of a key that is a field name.
const longestName = 200

// Add collects the values of s.
func (c *Sampler) Add(s *scan.Scanner) error {
	for {
		t, err := s.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if t.Role == scan.Top {
			c.Values++
		}
		if len(c.stack) <= t.Depth {
			c.stack = append(c.stack, place{})
		}
		var above place
		if t.Depth > 0 {
			above = c.stack[t.Depth-1]
		}
		here := &c.stack[t.Depth]
		*here = place{isKey: above.isKey}
		switch {
		case above.isKey:
			continue // keys that are containers are described as a whole
		case t.Role == scan.Key:
			if err := c.keyOf(s, t, &c.stack[t.Depth-1]); err != nil {
				return err
			}
			here.isKey = true
			continue
		case t.Role == scan.Top:
			here.shape = &c.Root
		case t.Role == scan.Element:
			if above.shape.element == nil {
				above.shape.element = c.shape()
			}
			here.shape = above.shape.element
		default:
			here.shape = above.next
		}
		if err := c.value(s, t, here.shape); err != nil {
			return err
		}
	}
}

func (c *Sampler) shape() *Shape {
	c.shapes++
	return &Shape{}
}

// keyOf sets the shape of the value that follows the key t.
func (c *Sampler) keyOf(s *scan.Scanner, t scan.Token, in *place) error {
	m := in.shape
	name := ""
	named := t.Format.Kind() == wire.KindStr && t.Payload > 0 && t.Payload <= longestName
	if named {
		part, err := s.Payload(longestName)
		if err != nil {
			return err
		}
		name = string(part)
		named = utf8.ValidString(name) && !strings.Contains(name, ",")
	}
	if m.value == nil && named {
		f, ok := m.byName[name]
		if !ok && len(m.fields) < maxFields && c.shapes < MaxShapes {
			f = &field{name: name, shape: c.shape()}
			if m.byName == nil {
				m.byName = map[string]*field{}
			}
			m.byName[name], m.fields = f, append(m.fields, f)
			ok = true
		}
		if ok {
			f.count++
			in.next = f.shape
			return nil
		}
	}
	m.fold()
	in.next = m.value
	if named {
		m.key.texts++
		return nil
	}
	return c.value(s, t, m.key)
}

// fold turns the fields of a struct into values of a map.
func (m *Shape) fold() {
	if m.value != nil {
		return
	}
	m.value, m.key = &Shape{}, &Shape{}
	for _, f := range m.fields {
		m.value.merge(f.shape)
		m.key.texts += f.count
	}
	m.fields, m.byName = nil, nil
}

// value adds one value to a shape.
func (c *Sampler) value(s *scan.Scanner, t scan.Token, n *Shape) error {
	if kind := t.Format.Kind(); kind == wire.KindStr || kind == wire.KindBin {
		n.add(t, nil)
		return nil
	}
	payload, err := s.Payload(12)
	if err != nil {
		return err
	}
	if t.Format.Kind() == wire.KindExt && t.Ext == wire.TimestampType {
		if _, _, err := wire.ParseTimestamp(payload); err != nil || s.Rest() > 0 {
			return s.MalformedTimestamp(string(payload))
		}
	}
	n.add(t, append(append(make([]byte, 0, 24), s.Head()...), payload...))
	return nil
}

// add adds one value. b is the encoded value, unless it is a str or bin.
func (n *Shape) add(t scan.Token, b []byte) {
	switch t.Format.Kind() {
	case wire.KindNil:
		n.nils++
	case wire.KindBool:
		n.bools++
		n.zero(t.Format == wire.False)
	case wire.KindInt:
		n.integer(b)
	case wire.KindFloat:
		f, _, _ := wire.ConsumeFloat64(b)
		n.zero(f == 0)
		if t.Format == wire.Float32 {
			n.float32s++
		} else {
			n.float64s++
		}
	case wire.KindStr:
		n.texts++
		n.zero(t.Payload == 0)
	case wire.KindBin:
		n.bins++
		n.zero(t.Payload == 0)
	case wire.KindArray:
		n.arrays++
		n.zero(t.Count == 0)
	case wire.KindMap:
		n.maps++
		n.zero(t.Count == 0)
	case wire.KindExt:
		if t.Ext == wire.TimestampType {
			n.times++
		} else {
			n.exts++
		}
	}
}

func (n *Shape) zero(is bool) {
	if is {
		n.zeros++
	}
}

func (n *Shape) integer(b []byte) {
	n.ints++
	const exact = 1 << 53
	if i, _, err := wire.ConsumeInt(b); err == nil && i < 0 {
		n.least = min(n.least, i)
		n.inexact = n.inexact || i < -exact
		return
	}
	u, _, _ := wire.ConsumeUint(b)
	n.most = max(n.most, u)
	n.inexact = n.inexact || u > exact
	n.zero(u == 0)
}

// merge adds the values that another shape describes. It takes the parts of o instead of
// copying them, so that all calls together take linear time; o must not be used afterwards.
func (n *Shape) merge(o *Shape) {
	if o == nil {
		return
	}
	for _, pair := range [][2]*int64{
		{&n.nils, &o.nils}, {&n.bools, &o.bools}, {&n.ints, &o.ints}, {&n.texts, &o.texts}, {&n.bins, &o.bins},
		{&n.times, &o.times}, {&n.exts, &o.exts}, {&n.arrays, &o.arrays}, {&n.maps, &o.maps},
		{&n.float32s, &o.float32s}, {&n.float64s, &o.float64s}, {&n.zeros, &o.zeros},
	} {
		*pair[0] += *pair[1]
	}
	n.least, n.most, n.inexact = min(n.least, o.least), max(n.most, o.most), n.inexact || o.inexact
	if n.element == nil {
		n.element = o.element
	} else {
		n.element.merge(o.element)
	}
	if n.fields == nil && n.value == nil {
		n.fields, n.byName, n.key, n.value = o.fields, o.byName, o.key, o.value
		return
	}
	if o.value != nil {
		n.fold()
	}
	if n.value != nil {
		o.fold()
		n.value.merge(o.value)
		n.key.merge(o.key)
		return
	}
	for i, f := range o.fields {
		g, ok := n.byName[f.name]
		switch {
		case ok:
			g.count += f.count
			g.shape.merge(f.shape)
		case len(n.fields) == maxFields:
			n.fold()
			n.merge(&Shape{fields: o.fields[i:]})
			return
		default:
			n.byName[f.name], n.fields = f, append(n.fields, f)
		}
	}
}

// isMap reports whether maps of this shape are Go maps and not structs: if their
// keys are not all names, or if there are many different keys and few of them
// are in each map, as in a map from users to their data.
func (n *Shape) isMap() bool {
	if n.value != nil {
		return true
	}
	present, odd := int64(0), 0
	for _, f := range n.fields {
		present += f.count
		if strings.ContainsAny(f.name, "./:@") {
			odd++
		}
	}
	const many = 16
	different := int64(len(n.fields))
	return different == 0 || 2*odd > len(n.fields) ||
		different > many && present*4 < different*n.maps ||
		different > many && n.maps == 1 && n.uniform()
}

// uniform reports whether all fields are maps or arrays with the same kind of
// content, as the values of a dictionary are.
func (n *Shape) uniform() bool {
	for _, f := range n.fields {
		if f.shape.maps != f.count {
			return false
		}
	}
	return true
}
