//go:build !js

// The inspector, which is a program for browsers, makes no schemas: package schema would
// make it a twentieth larger.

package gotypes

import (
	"math"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// Schema returns a schema that the samples follow. Fields that some samples lack are
// omitted if they are empty.
func (c *Sampler) Schema(o Options) *schema.Schema {
	m := schemaMaker{o: o, taken: map[string]bool{}}
	return &schema.Schema{Root: m.value(&c.Root, o.Type)}
}

// A schemaMaker makes types of shapes.
type schemaMaker struct {
	o     Options
	taken map[string]bool // names of types
}

// value returns the type of a shape. name is the name of a struct.
func (m *schemaMaker) value(n *Shape, name string) schema.Value {
	if n == nil {
		n = &Shape{}
	}
	t := &schema.Type{Length: -1}
	v := schema.Value{Type: t, Nil: n.nils > 0}
	numbers := n.ints + n.float32s + n.float64s
	kinds := 0
	for _, count := range []int64{n.bools, numbers, n.texts, n.bins, n.times, n.exts, n.arrays, n.maps} {
		if count > 0 {
			kinds++
		}
	}
	switch {
	case kinds != 1: // nothing but nil, or values of different kinds
		v.Nil = true
	case n.bools > 0:
		t.Kind = msgpack.FormBool
	case n.texts > 0:
		t.Kind = msgpack.FormStr
	case n.bins > 0:
		t.Kind = msgpack.FormBin
	case n.times > 0:
		t.Kind = msgpack.FormTime
	case n.exts > 0:
		t.Kind, t.AnyExt = msgpack.FormExt, true
	case n.arrays > 0:
		t.Kind, t.Elem = msgpack.FormArray, m.value(n.element, singular(name))
	case n.maps > 0:
		m.container(t, n, name)
	default:
		m.number(t, n)
	}
	return v
}

// number sets the type of numbers.
func (m *schemaMaker) number(t *schema.Type, n *Shape) {
	switch {
	case n.ints == 0 && n.float64s == 0:
		t.Kind, t.Bits = msgpack.FormFloat, 32
	case n.ints == 0 || n.float32s+n.float64s > 0 && !n.inexact:
		t.Kind, t.Bits = msgpack.FormFloat, 64
	case n.float32s+n.float64s > 0:
		t.Kind = msgpack.FormNumber
	default:
		t.Kind, t.Bits = msgpack.FormInt, 64
		if n.most > math.MaxInt64 && n.least == 0 {
			t.Kind = msgpack.FormUint
		}
		for _, bits := range []int{32, 16, 8} {
			if m.o.Narrow && t.Kind == msgpack.FormInt && n.least >= -1<<(bits-1) && n.most < 1<<(bits-1) {
				t.Bits = bits
			}
		}
		if n.most > math.MaxInt64 && n.least < 0 {
			t.Kind = msgpack.FormNumber
		}
	}
}

// container sets the type of maps.
func (m *schemaMaker) container(t *schema.Type, n *Shape, name string) {
	if n.isMap() {
		t.Kind = msgpack.FormMap
		if n.value != nil {
			t.Key, t.Elem = m.value(n.key, name+"Key"), m.value(n.value, singular(name))
			return
		}
		all := Shape{}
		for _, f := range n.fields {
			all.merge(f.shape)
		}
		t.Key, t.Elem = schema.Value{Type: &schema.Type{Kind: msgpack.FormStr, Length: -1}}, m.value(&all, singular(name))
		return
	}
	t.Kind, t.Name = msgpack.FormStruct, unique(name, m.taken)
	for _, f := range n.fields {
		v := m.value(f.shape, goName(f.name))
		t.Fields = append(t.Fields, schema.Field{Value: v, Name: f.name, OmitEmpty: f.count < n.maps, NilInside: f.count < n.maps && v.Nil})
	}
}
