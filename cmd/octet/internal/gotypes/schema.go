package gotypes

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/schema"
)

// Options select the form of the types.
type Options struct {
	Type   string // name of the type of the top-level values
	Plural bool   // a struct gets the name of one of several: User if Type is Users
	Narrow bool   // the smallest integer types that hold the samples; otherwise int64 or uint64
}

// Samples is what is known of samples besides the schema that they follow.
type Samples struct {
	Values  int64                  // top-level values
	Structs map[*schema.Type]*Seen // how often
	// Bytes has the types with values that are str in some samples and bin in others. In
	// the schema they are of any kind.
	Bytes map[*schema.Type]bool
}

// Seen says in how many samples a struct and each of its fields occur.
type Seen struct {
	Count  int64
	Fields []int64
}

// Schema returns a schema that the samples follow. Fields that some samples lack are
// omitted if they are empty. A field that is zero in some samples and missing in others
// can be nil, too, because a program needs a pointer to tell them apart.
func (c *Sampler) Schema(o Options) (*schema.Schema, *Samples) {
	m := maker{o: o, taken: map[string]bool{o.Type: true}, known: map[string]*schema.Type{}}
	m.samples = Samples{Values: c.Values, Structs: map[*schema.Type]*Seen{}, Bytes: map[*schema.Type]bool{}}
	root := &c.Root
	if root.kinds() != 1 || root.maps == 0 || root.nils > 0 || root.isMap() {
		one := Singular(o.Type)
		return &schema.Schema{Root: m.value(root, one, one)}, &m.samples
	}
	// The value of a file users.json may be a user, or have a field with all of them.
	if one := Singular(o.Type); o.Plural && len(one) < len(o.Type) && !root.hasFieldFor(one) {
		m.o.Type, m.taken = one, map[string]bool{one: true}
	}
	t := &schema.Type{Kind: msgpack.FormStruct, Name: m.o.Type, Length: -1}
	m.fields(t, root)
	return &schema.Schema{Root: schema.Value{Type: t}}, &m.samples
}

// hasFieldFor reports whether a field suggests the name of a type for what it holds.
func (n *Shape) hasFieldFor(name string) bool {
	return slices.ContainsFunc(n.fields, func(f *field) bool {
		of := Name(f.name)
		return of == name || Singular(of) == name
	})
}

// A maker makes types of shapes.
type maker struct {
	o       Options
	taken   map[string]bool         // names of types
	known   map[string]*schema.Type // structs by their signature
	samples Samples
}

// kinds returns the number of different kinds of the values, nil excepted.
func (n *Shape) kinds() (kinds int) {
	for _, count := range []int64{n.bools, n.ints + n.float32s + n.float64s, n.texts + n.bins, n.times, n.exts, n.arrays, n.maps} {
		if count > 0 {
			kinds++
		}
	}
	return kinds
}

// value returns the type of a shape. A struct gets the first name; the elements of an
// array or map get the second.
func (m *maker) value(n *Shape, name, element string) schema.Value {
	t := &schema.Type{Length: -1}
	v := schema.Value{Type: t, Nil: n != nil && n.nils > 0}
	switch {
	case n == nil || n.kinds() != 1: // nothing but nil, or values of different kinds
		v.Nil = true
	case n.bools > 0:
		t.Kind = msgpack.FormBool
	case n.ints+n.float32s+n.float64s > 0:
		m.number(t, n)
	case n.texts > 0 && n.bins > 0:
		v.Nil, m.samples.Bytes[t] = true, true
	case n.texts > 0:
		t.Kind = msgpack.FormStr
	case n.bins > 0:
		t.Kind = msgpack.FormBin
	case n.times > 0:
		t.Kind = msgpack.FormTime
	case n.exts > 0:
		t.Kind, t.AnyExt = msgpack.FormExt, true
	case n.arrays > 0:
		t.Kind, t.Elem = msgpack.FormArray, m.value(n.element, element, element+"Item")
	case n.isMap():
		m.mapOf(t, n, element)
	default:
		v.Type = m.structure(name, n)
	}
	return v
}

// number sets the type of integers and floats.
func (m *maker) number(t *schema.Type, n *Shape) {
	floats := n.float32s + n.float64s
	switch {
	case n.ints > 0 && floats > 0 && n.inexact, floats == 0 && n.least < 0 && n.most > math.MaxInt64:
		t.Kind = msgpack.FormNumber
		return
	case floats > 0:
		t.Kind, t.Bits = msgpack.FormFloat, 64
		if n.ints == 0 && n.float64s == 0 {
			t.Bits = 32
		}
		return
	}
	t.Kind, t.Bits = msgpack.FormInt, 64
	if n.most > math.MaxInt64 || m.o.Narrow && n.least == 0 {
		t.Kind = msgpack.FormUint
	}
	for _, bits := range []int{32, 16, 8} {
		switch {
		case !m.o.Narrow:
		case t.Kind == msgpack.FormUint && n.most < 1<<bits, t.Kind == msgpack.FormInt && n.least >= -1<<(bits-1) && n.most < 1<<(bits-1):
			t.Bits = bits
		}
	}
}

// mapOf sets the type of maps.
func (m *maker) mapOf(t *schema.Type, n *Shape, element string) {
	n.fold()
	t.Kind = msgpack.FormMap
	t.Key, t.Elem = m.value(n.key, element+"Key", element+"Key"), m.value(n.value, element, element+"Item")
	if n.key.kinds() == 0 && n.key.nils == 0 { // all maps are empty
		t.Key = schema.Value{Type: &schema.Type{Kind: msgpack.FormStr, Length: -1}}
	}
	// The keys of Go maps cannot be of these kinds.
	t.Pairs = n.key.bins+n.key.exts+n.key.arrays+n.key.maps > 0
}

// structure returns the struct type of a shape. Shapes with the same fields share a type.
func (m *maker) structure(name string, n *Shape) *schema.Type {
	own := Unique(name, m.taken)
	t := &schema.Type{Kind: msgpack.FormStruct, Name: own, Length: -1}
	structs := len(m.samples.Structs)
	m.fields(t, n)
	s := m.signature(t)
	if known, ok := m.known[s]; ok && len(m.samples.Structs) == structs+1 {
		delete(m.samples.Structs, t)
		delete(m.taken, own)
		for i := range known.Fields {
			f, g := &known.Fields[i], &t.Fields[i]
			f.Nil, f.NilInside = f.Nil || g.Nil, f.NilInside || g.NilInside
		}
		return known
	}
	m.known[s] = t
	return t
}

// fields sets the fields of a struct type.
func (m *maker) fields(t *schema.Type, n *Shape) {
	seen := &Seen{Count: n.maps}
	m.samples.Structs[t] = seen
	taken := map[string]bool{}
	for _, f := range n.fields {
		one := Unique(Name(f.name), taken)
		if t.Name != m.o.Type {
			one = t.Name + one // the types of the fields of the top-level struct have short names
		}
		g := schema.Field{Value: m.value(f.shape, one, Singular(one)), Name: f.name}
		if f.count < n.maps {
			m.optional(&g, f.shape)
		}
		t.Fields = append(t.Fields, g)
		seen.Fields = append(seen.Fields, f.count)
	}
}

// optional sets when a field that some samples lack is omitted. A sample with the zero
// value is not the same as one without the field.
func (m *maker) optional(f *schema.Field, n *Shape) {
	f.NilInside = f.Nil
	switch f.Type.Kind {
	case msgpack.FormBin, msgpack.FormArray, msgpack.FormMap:
		f.OmitZero = n.zeros > 0 // keeps a list that is empty and not nil
	case msgpack.FormAny:
		f.OmitZero = n.zeros > 0 && m.samples.Bytes[f.Type]
	case msgpack.FormExt, msgpack.FormTime, msgpack.FormStruct:
		f.Nil = true
	default:
		f.Nil = f.Nil || n.zeros > 0
	}
	f.OmitEmpty = !f.OmitZero
}

// signature returns a text that is equal for structs with the same fields. Whether lists
// and maps can be nil does not count.
func (m *maker) signature(t *schema.Type) string {
	var b strings.Builder
	for i := range t.Fields {
		f := &t.Fields[i]
		fmt.Fprintf(&b, "%q %t %t ", f.Name, f.OmitEmpty, f.OmitZero)
		v := f.Value
		switch v.Type.Kind {
		case msgpack.FormBin, msgpack.FormArray, msgpack.FormMap:
			v.Nil = false
		}
		m.describe(&b, v)
	}
	return b.String()
}

// describe writes a text that is equal for the same types.
func (m *maker) describe(b *strings.Builder, v schema.Value) {
	t := v.Type
	fmt.Fprintf(b, "%v %d %t %t %t,", t.Kind, t.Bits, t.Pairs, v.Nil, m.samples.Bytes[t])
	switch t.Kind {
	case msgpack.FormArray:
		m.describe(b, t.Elem)
	case msgpack.FormMap:
		m.describe(b, t.Key)
		m.describe(b, t.Elem)
	case msgpack.FormStruct:
		b.WriteString(t.Name)
	}
}
