package schema

import (
	"cmp"
	"errors"
	"reflect"
	"strconv"
	"strings"

	"github.com/octet-go/octet/msgpack"
)

// A Schema says what the messages of a program look like. [Of], [Parse] and programs
// make one. Types may be shared and recursive, so it is a graph. It must not be
// changed while it is used.
type Schema struct {
	Root Value // a whole message
}

// A Value is a place in a message.
type Value struct {
	Type *Type
	Nil  bool // nil is valid, too
}

// A Type describes the values at one or more places. Only the fields that belong to its
// Kind are used; they have the meaning of those in [msgpack.Description].
type Type struct {
	Kind msgpack.FormKind
	// Name is the name of a struct, union, array or map type in Go, made unique in the
	// schema; it may be empty. For FormOwn, and for FormStr and FormBin if Checked is
	// set, it is the Go type with its path, and tells such types apart.
	Name    string
	Checked bool

	Bits      int
	Length    int // -1: any
	Time      msgpack.TimeForm
	Ext       int8
	AnyExt    bool
	Key, Elem Value

	Set, Pairs bool

	Fields                     []Field
	AsArray, IntegerKeys, Rest bool
	RejectUnknown, ExactArrays bool

	Discriminator string
	Variants      []Variant
}

// A Field is a field of a struct.
type Field struct {
	Value
	Name    string   // the key, in decimal if keys are integers
	Aliases []string // other keys that are decoded
	// Required: a message without the field cannot be decoded.
	Required bool
	// OmitEmpty, OmitZero and OmitNil: the field is not written if it is empty, zero or
	// in an embedded struct that is nil.
	OmitEmpty, OmitZero, OmitNil bool
	// NilInside: nil is written although the field is omitted if it is nil, because it can
	// hold a pointer to a nil.
	NilInside bool
	// EncodeOnly: only nil can be decoded.
	EncodeOnly bool
}

// Optional reports whether messages are written without the field.
func (f *Field) Optional() bool { return f.OmitEmpty || f.OmitZero || f.OmitNil }

// WritesNil reports whether the field is written as nil. If Nil is set and it is not, the
// field is left out instead.
func (f *Field) WritesNil() bool { return f.Nil && (!f.OmitEmpty && !f.OmitZero || f.NilInside) }

// A Variant is one type of a union.
type Variant struct {
	Value
	Tag any // string or int64
}

// Of returns the schema of the messages that c encodes from values of type T and decodes
// into them. A nil c stands for the functions of package msgpack. The error, of type
// [*msgpack.Error], is [msgpack.ErrUnsupported]: T, or a type that it contains, has no
// MessagePack form. Its Path names the place.
func Of[T any](c *msgpack.Codec) (*Schema, error) { return OfType(reflect.TypeFor[T](), c) }

// OfType is [Of] for a type that is known at run time.
func OfType(t reflect.Type, c *msgpack.Codec) (*Schema, error) {
	m := maker{types: map[msgpack.Form]*Type{}, open: map[*Type]bool{}, names: map[string]bool{}}
	root, err := m.value(msgpack.FormOf(t, c), "")
	if err != nil {
		return nil, err
	}
	return &Schema{Root: root}, nil
}

// A maker makes the types of a schema.
type maker struct {
	types map[msgpack.Form]*Type
	open  map[*Type]bool // those whose parts are being made
	names map[string]bool
}

func (m *maker) value(f msgpack.Form, path string) (Value, error) {
	d, err := f.Describe()
	if err != nil {
		var e *msgpack.Error
		if errors.As(err, &e) && path != "" {
			e.Path = strings.TrimSuffix(path+"."+e.Path, ".")
		}
		return Value{}, err
	}
	t := m.types[d.Base]
	if t == nil {
		t = &Type{}
		m.types[d.Base] = t // before its parts, which may contain it
		m.open[t] = true
		err = m.fill(t, &d, path)
		delete(m.open, t)
	} else if m.open[t] && t.Name == "" { // it contains itself by a pointer type with a name
		t.Name = m.unique(cmp.Or(f.Type().Name(), "Type"))
	}
	return Value{t, d.Nil}, err
}

// fill sets t from d.
func (m *maker) fill(t *Type, d *msgpack.Description, path string) (err error) {
	*t = Type{
		Kind: d.Kind, Checked: d.Checked && d.Kind != msgpack.FormOwn, Bits: d.Bits, Length: d.Length, Time: d.Time, Ext: d.Ext, AnyExt: d.AnyExt,
		Set: d.Set, Pairs: d.Pairs, AsArray: d.AsArray, IntegerKeys: d.IntegerKeys, Rest: d.Rest,
		RejectUnknown: d.RejectUnknown, ExactArrays: d.ExactArrays, Discriminator: d.Discriminator,
	}
	part := func(to *Value, f msgpack.Form, step string) {
		if err == nil && f != (msgpack.Form{}) {
			*to, err = m.value(f, path+step)
		}
	}
	goType := d.Base.Type()
	switch t.Kind {
	case msgpack.FormOwn:
		t.Name = fullName(goType)
	case msgpack.FormStr, msgpack.FormBin:
		if t.Checked {
			t.Name = fullName(goType)
		}
	case msgpack.FormArray, msgpack.FormMap, msgpack.FormStruct, msgpack.FormUnion:
		if goType.PkgPath() != "" { // complex128 has a name, too
			t.Name = m.unique(goType.Name())
		}
	}
	part(&t.Key, d.Key, "[key]")
	part(&t.Elem, d.Elem, "[]")
	for i := range d.Fields {
		f := &d.Fields[i]
		g := Field{
			Name: f.Name, Aliases: f.Aliases, Required: f.Required,
			OmitEmpty: f.OmitEmpty, OmitZero: f.OmitZero, OmitNil: f.OmitNil, EncodeOnly: f.EncodeOnly,
		}
		step := f.GoName
		if path != "" {
			step = "." + step
		}
		part(&g.Value, f.Form, step)
		g.NilInside = err == nil && (g.OmitEmpty || g.OmitZero) && g.Nil && holdsNil(f.Form)
		g.Nil = g.Nil || f.Nil
		t.Fields = append(t.Fields, g)
	}
	for _, v := range d.Variants {
		w := Variant{Tag: v.Number}
		if v.Named {
			w.Tag = v.Name
		}
		part(&w.Value, v.Form, "")
		if d.Discriminator != "" {
			w.Nil = false // a nil pointer has no place for the tag, so the union is nil
		}
		t.Variants = append(t.Variants, w)
	}
	return err
}

// holdsNil reports whether a value of the type that is not nil itself can be encoded as
// nil: an interface that holds a nil, or a pointer to a nil.
func holdsNil(f msgpack.Form) bool {
	switch t := f.Type(); t.Kind() {
	case reflect.Slice, reflect.Map:
		return false
	case reflect.Pointer:
		switch t.Elem().Kind() {
		case reflect.Slice, reflect.Map, reflect.Pointer, reflect.Interface:
		default:
			return false
		}
	}
	return true
}

// fullName returns the name of a type with the path of its package.
func fullName(t reflect.Type) string {
	if t.Name() == "" || t.PkgPath() == "" {
		return t.String()
	}
	return t.PkgPath() + "." + t.Name()
}

// unique returns a name that no other type has, or "" for a type without a name.
func (m *maker) unique(name string) string {
	if name == "" {
		return ""
	}
	clean := func(r rune) rune {
		if r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z' || r > 127 {
			return r
		}
		return '_' // in the names of generic types
	}
	name = strings.Trim(strings.Map(clean, name), "_")
	if name == "" {
		name = "Type"
	}
	for base, n := name, 2; m.names[name]; n++ {
		name = base + strconv.Itoa(n)
	}
	m.names[name] = true
	return name
}
