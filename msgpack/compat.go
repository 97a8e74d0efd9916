package msgpack

import "reflect"

// A Compat selects forms that only another library writes by default. Programs need
// them to exchange messages with such a library, or to produce the same bytes; the
// functions of package profile fill them in. Most change only what is written, because
// every Codec decodes both forms. The others say what they change in decoding.
type Compat struct {
	_ [0]func() // Literals must name the fields, so that fields can be added.

	// Empty selects the values that omitempty and OmitEmpty leave out. The default
	// is [EmptyByLength].
	Empty EmptyRule
	// SortFields writes the fields of structs in maps in the order of their names, like
	// hashicorp/go-msgpack. By default, they are in the order of the declaration.
	SortFields bool
	// EmbeddedLast moves the fields of embedded structs after the other fields of
	// the struct, in maps and in arrays, like shamaton/msgpack. By default, they are
	// in the place of the embedded struct.
	EmbeddedLast bool
	// NestEmbedded treats an embedded struct like a field with the name of its type,
	// like tinylib/msgp, unless its tag has the option inline. By default, its fields
	// are fields of the outer struct.
	NestEmbedded bool
	// SkipUnexported ignores embedded structs of unexported types, in both directions,
	// like shamaton/msgpack. By default, their exported fields are fields of the outer
	// struct.
	SkipUnexported bool
	// NilEmbedded selects the structs in which the fields of an embedded nil pointer are
	// written as nil, unless they have omitempty or omitzero. By default, they are left
	// out of maps.
	NilEmbedded EmbeddedRule
	// MixedInts writes integers in the width and signedness of their Go type, except
	// that int and uint are written in the shortest format, like
	// vmihailenco/msgpack. SignedInts writes integers of signed types in the
	// shortest signed format: 200 as int 16, like ugorji/go/codec and tinylib/msgp.
	// Both conflict with each other and with TypedInts. The cost is a call for each
	// integer.
	MixedInts, SignedInts bool
	// OldFormats writes the formats of the specification before 2013, which has
	// neither bin nor str 8: byte slices and arrays and the results of binary methods
	// are str, and a str of 32 to 255 bytes is a str 16. Ext values and timestamps
	// stay as they are. A str is decoded by the binary method of a type, and by its text
	// method only if that fails. The cost is a call for each string.
	OldFormats bool
	// TextAsBin writes the results of MarshalText and AppendText as bin instead of
	// str, and a net.IP or uuid.UUID as its text, like vmihailenco/msgpack. A slice or
	// array of a byte type is a bin of its bytes, even if that type has methods.
	TextAsBin bool
	// NilMethods selects the slices and maps that are written as nil if they are nil,
	// although their types have methods. By default, the methods are called. All other rules
	// also write nil if MarshalBinary or MarshalText returns nil, and call these methods
	// instead of AppendBinary and AppendText.
	NilMethods NilRule
	// ReplaceMaps selects the maps that are decoded into a new map. By default, the
	// entries are added to the map that is already there.
	ReplaceMaps MapRule
	// WrapInts drops the high bits of an integer that is out of the range of the type
	// that it is decoded into, like vmihailenco/msgpack. A float type gets the nearest
	// float of the integer as an int64. By default, both are [ErrRange].
	WrapInts bool
	// RoundInts rounds an integer to the nearest float of the type that it is decoded into,
	// like shamaton/msgpack and ugorji/go/codec. By default, an integer that the type does
	// not represent exactly is [ErrRange]. WrapInts has its own rule.
	RoundInts bool
	// Arrays selects the lengths that are decoded into Go arrays. The default is
	// [ArraysExact].
	Arrays ArrayRule
	// AnyText is the Go type of str and bin in a variable of type any. A map key that is a
	// str is always a string; for one that is a bin, see also AnyStringKeys. The default is
	// [AnyTextFormat]. The cost of other choices is that of AnyMap.
	AnyText AnyText
	// NilRaw decodes nil into a [Raw] that is nil, like vmihailenco/msgpack and
	// ugorji/go/codec. By default, the Raw is the encoding of nil. Both are written as nil.
	NilRaw bool
	// PlainEOF returns [io.EOF] itself, not an [*Error] that matches it, if there are
	// no bytes to decode, like vmihailenco/msgpack. Caches compare errors with it.
	PlainEOF bool
}

// A NilRule says which nil slices and maps are written as nil although their types have
// methods.
type NilRule uint8

const (
	NilCalled  NilRule = iota // none
	NilByValue                // those whose method has no pointer receiver, like vmihailenco/msgpack
	NilAlways                 // all, like ugorji/go/codec
)

// An EmbeddedRule says in which structs the fields of an embedded nil pointer are written as nil.
type EmbeddedRule uint8

const (
	EmbeddedOmitted  EmbeddedRule = iota // none
	EmbeddedNil                          // all, like ugorji/go/codec
	EmbeddedNilPlain                     // those without a field with omitempty, like vmihailenco/msgpack
)

// An EmptyRule says which values are empty. All rules include false, 0, nil pointers
// and interfaces, and slices, maps and strings of length 0, except where they say
// otherwise.
type EmptyRule uint8

const (
	EmptyByLength   EmptyRule = iota // also arrays of length 0; no struct, as in encoding/json
	EmptyZeroStruct                  // like EmptyByLength, and structs that == reports to be zero or whose IsZero returns true
	EmptyNested                      // like EmptyByLength, structs all of whose fields are left out, and interfaces that hold an empty value; values with a method IsZero if they are nil or it returns true
	EmptyZero                        // values that are zero by [reflect.Value.IsZero], whatever their method IsZero returns: no empty slice, no zero time with a location
	EmptyBits                        // like EmptyZero, but not -0, and pointers that lead to a nil pointer
	EmptyEqual                       // values that == reports to be zero, and nil slices and maps; no arrays, no structs without a name
)

// A MapRule says which maps are decoded into a new map.
type MapRule uint8

const (
	MapsAdded     MapRule = iota // none
	MapsOfAny                    // from string to any, like vmihailenco/msgpack v5
	MapsOfScalars                // without a name, from string to bool, string or a number, and from a number to bool or string, like shamaton/msgpack
	MapsAll                      // all, like tinylib/msgp
)

// An ArrayRule says which lengths are decoded into Go arrays. Elements that get no value stay as
// they are, and so does an array that gets nil.
type ArrayRule uint8

const (
	ArraysExact ArrayRule = iota // that of the Go array; nil sets all elements to zero
	ArraysShort                  // shorter ones too, like vmihailenco/msgpack; an empty array sets a struct to zero
)

// An AnyText is the Go type that str and bin become in a variable of type any.
type AnyText uint8

const (
	AnyTextFormat AnyText = iota // string for a str, []byte for a bin
	AnyTextBytes                 // []byte, like ugorji/go/codec and hashicorp/go-msgpack without options
	AnyTextString                // string, like these libraries with RawToString
)

// replaces reports whether the rule selects maps of type t.
func (r MapRule) replaces(t reflect.Type) bool {
	key, elem := t.Key(), t.Elem()
	switch r {
	case MapsAll:
		return true
	case MapsOfAny:
		return key == stringType && elem == anyType
	case MapsOfScalars:
		text := elem == stringType || elem == reflect.TypeFor[bool]()
		return t.Name() == "" && (key == stringType && (text || isNumberType(elem)) || isNumberType(key) && text)
	}
	return false
}

// isNumberType reports whether t is a predeclared type of real numbers.
func isNumberType(t reflect.Type) bool {
	return t.PkgPath() == "" && t.Kind() >= reflect.Int && t.Kind() <= reflect.Float64 && t.Kind() != reflect.Uintptr
}
