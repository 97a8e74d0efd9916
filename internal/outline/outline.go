// Package outline has the outlines of types: what package msgpack knows of a type when it has compiled it, as far as
// generated code depends on it. Package octetgen prints code from outlines, and package msgpack compares their
// fingerprints to find out whether the code is that of the type.
package outline

import (
	"reflect"
	"slices"
	"strconv"
)

// A Form is the form in which a type is encoded.
type Form uint8

// The forms of types. A nil slice, map or pointer is encoded as nil in each of them.
const (
	Other   Form = iota // by methods, by Options.Types, or in a form of its own; it may also be unsupported
	Bool                // bool
	Int                 // a signed integer
	Uint                // an unsigned integer
	Float               // a float of the width of the type
	String              // str
	Bytes               // bin, of a slice or array
	Time                // timestamp, of a time.Time
	Array               // array, of a slice or array
	Map                 // map
	Struct              // a map with the names of the fields as keys
	Tuple               // an array of the fields
	Pointer             // what the pointer points to
	Any                 // what the interface holds
)

// A Type says how a Codec encodes a Go type. The Types of recursive types refer to
// themselves.
type Type struct {
	Go     reflect.Type
	Form   Form
	Elem   *Type   // of the element of a slice, array, map or pointer
	Key    *Type   // of the key of a map
	Fields []Field // of a struct, in the order in which they are encoded
	Inline *Type   // of the inline map of a struct, or nil

	// ByTag reports whether an option in the tag of a field gives the type this form.
	ByTag bool

	// Replaced reports whether a decoded value replaces all of a used variable. The other
	// types have values that leave parts of the variable unchanged, such as a map to which
	// entries are added.
	Replaced bool
}

// A Field is a field of a struct.
type Field struct {
	Name                string // from the tag, or else the Go name
	Key                 []byte // the encoded key; nil in a tuple
	Index               []int  // for [reflect.Value.FieldByIndex]
	Embedded            bool   // an embedded pointer, which may be nil, leads to the field
	OmitEmpty, OmitZero bool
	Required            bool
	Aliases             []string // further names
	Value               *Type
}

// Replaces returns what Replaced is. It is false for a recursive type, whose elements do not yet
// have it.
func (d *Type) Replaces() bool {
	switch d.Form {
	case Bool, Int, Uint, Float, String, Time, Bytes:
		return true
	case Array, Pointer:
		return d.Elem.Replaced
	case Tuple, Struct:
		// Fields that are not encoded keep their values.
		for i := range d.Fields {
			f := &d.Fields[i]
			if f.Embedded || f.OmitEmpty || f.OmitZero || !f.Value.Replaced {
				return false
			}
		}
		return d.Inline == nil && encodesAll(d.Go, d.Fields, nil)
	}
	return false
}

// encodesAll reports whether each field of t, which index leads to, is one of fields or
// has fields that are.
func encodesAll(t reflect.Type, fields []Field, index []int) bool {
	for i := range t.NumField() {
		f, at := t.Field(i), append(slices.Clone(index), i)
		switch {
		case slices.ContainsFunc(fields, func(d Field) bool { return slices.Equal(d.Index, at) }), f.Type.Size() == 0:
		case f.Type.Kind() != reflect.Struct || !encodesAll(f.Type, fields, at):
			return false
		}
	}
	return true
}

// Fingerprint returns a number that changes with everything in d: the types, their forms,
// the names of the fields, and the options in their tags.
func (d *Type) Fingerprint() string {
	p := printer{done: map[*Type]int{}}
	p.print(d)
	hash := uint64(14695981039346656037) // FNV-1a
	for _, b := range p.text {
		hash = (hash ^ uint64(b)) * 1099511628211
	}
	return strconv.FormatUint(hash, 16)
}

// A printer writes a Type as text.
type printer struct {
	text []byte
	done map[*Type]int
}

func (p *printer) print(d *Type) {
	if d == nil {
		p.text = append(p.text, '-')
		return
	}
	if i, ok := p.done[d]; ok {
		p.text = strconv.AppendInt(append(p.text, '#'), int64(i), 10)
		return
	}
	p.done[d] = len(p.done)
	p.add(d.Go.PkgPath(), d.Go.String(), strconv.Itoa(int(d.Form)), strconv.FormatBool(d.Replaced), strconv.FormatBool(d.ByTag))
	p.print(d.Elem)
	p.print(d.Key)
	p.print(d.Inline)
	for i := range d.Fields {
		f := &d.Fields[i]
		p.add(f.Name, string(f.Key), d.Go.FieldByIndex(f.Index).Name)
		for _, set := range []bool{f.Embedded, f.OmitEmpty, f.OmitZero, f.Required} {
			p.text = strconv.AppendBool(p.text, set)
		}
		p.add(f.Aliases...)
		p.print(f.Value)
	}
}

func (p *printer) add(texts ...string) {
	for _, s := range texts {
		p.text = strconv.AppendQuote(p.text, s)
	}
}
