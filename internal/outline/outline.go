// Package outline has the outlines of types: what package msgpack knows of a type when it has compiled it, as far as
// generated code depends on it. Package octetgen prints code from outlines, and package msgpack compares their
// fingerprints to find out whether the code is that of the type.
package outline

import (
	"fmt"
	"hash/fnv"
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
	hash, done := fnv.New64a(), map[*Type]int{nil: 0}
	var add func(d *Type)
	add = func(d *Type) {
		i, ok := done[d]
		if fmt.Fprintf(hash, "#%d", i); ok {
			return
		}
		done[d] = len(done)
		fmt.Fprintf(hash, "%q %q %d %t %t", d.Go.PkgPath(), d.Go.String(), d.Form, d.Replaced, d.ByTag)
		add(d.Elem)
		add(d.Key)
		add(d.Inline)
		for i := range d.Fields {
			f := &d.Fields[i]
			fmt.Fprintf(hash, "%q %q %q %t %t %t %t %q", f.Name, f.Key, d.Go.FieldByIndex(f.Index).Name, f.Embedded, f.OmitEmpty, f.OmitZero, f.Required, f.Aliases)
			add(f.Value)
		}
	}
	add(d)
	return strconv.FormatUint(hash.Sum64(), 16)
}
