package msgpack

import "reflect"

// A Form is a Go type as a Codec encodes and decodes it. [FormOf] returns one, and
// [Form.Describe] says what its messages look like. Forms are comparable: equal Forms
// have the same messages. Package [github.com/octet-go/octet/msgpack/schema] makes a
// schema of a Form.
type Form struct {
	plans *plans
	key   planKey
}

// FormOf returns the Form of type t for c. A nil c stands for the functions of the
// package.
func FormOf(t reflect.Type, c *Codec) Form { return Form{c.ready(), planKey{typ: t}} }

// Type returns the Go type of the Form.
func (f Form) Type() reflect.Type { return f.key.typ }

// A FormKind says which values a [Form] has.
type FormKind uint8

// The kinds of Forms.
const (
	FormAny    FormKind = iota // any value, decoded by its format: a variable of type any
	FormRaw                    // any value, kept as it is: a [Raw]
	FormOwn                    // values that methods or functions of the program write and read
	FormBool                   // bool
	FormInt                    // int of a signed type
	FormUint                   // int of an unsigned type
	FormFloat                  // float 32 or float 64
	FormNumber                 // int or float: a [Number]
	FormStr                    // str
	FormBin                    // bin
	FormTime                   // a time, in one of the [TimeForm]s
	FormExt                    // ext
	FormArray                  // array of elements of one Form
	FormMap                    // map from keys of one Form to values of another
	FormStruct                 // map or array of fields
	FormUnion                  // one of several Forms, with its tag: see [Union]
)

// String returns the name of the kind, such as "struct".
func (k FormKind) String() string {
	names := [...]string{
		FormAny: "any", FormRaw: "raw", FormOwn: "own", FormBool: "bool", FormInt: "int", FormUint: "uint", FormFloat: "float",
		FormNumber: "number", FormStr: "str", FormBin: "bin", FormTime: "time", FormExt: "ext", FormArray: "array", FormMap: "map",
		FormStruct: "struct", FormUnion: "union",
	}
	if int(k) >= len(names) {
		return "invalid"
	}
	return names[k]
}

// A Description says what the messages of a [Form] look like, and which of them can be
// decoded. Only the fields that belong to its Kind are set.
type Description struct {
	Kind FormKind
	// Base is the Form without pointers. It is the same for a type and for pointers to
	// it.
	Base Form
	// Nil reports whether the encoding can be nil. A nil can always be decoded.
	Nil bool

	// Bits is the width of FormInt, FormUint and FormFloat. It is 64 for int and uint on
	// every machine, although programs for one of 32 bits decode only what fits.
	Bits int
	// Length is the number of bytes of FormStr and FormBin and of elements of
	// FormArray, or -1 if any number is valid.
	Length int
	// Checked reports whether methods of the type decide which contents of a FormStr
	// or FormBin are valid, as for a type with UnmarshalText.
	Checked bool
	// Time is the form in which FormTime is written.
	Time TimeForm
	// Ext is the type of FormExt. AnyExt reports that all types are valid, as for [Ext].
	Ext    int8
	AnyExt bool

	// Elem is the Form of the elements of FormArray and of the values of FormMap, and
	// Key that of the keys of FormMap. Set reports that the elements are the keys of a
	// Go map. Pairs reports that keys may repeat and need not be hashable, as in
	// [Pairs].
	Key, Elem  Form
	Set, Pairs bool

	// Fields are the fields of FormStruct, in the order of their declaration. AsArray
	// reports that it is written as an array of them, and IntegerKeys that their keys
	// are integers. Rest reports that keys without a field are kept, with values of
	// the Form Elem.
	Fields                     []FieldForm
	AsArray, IntegerKeys, Rest bool
	// RejectUnknown and ExactArrays are the Options of that name, for structs and sets. A
	// set also decodes a map, whose values are then those of the struct{}.
	RejectUnknown, ExactArrays bool

	// Discriminator and Variants describe FormUnion.
	Discriminator string
	Variants      []VariantForm
}

// A FieldForm describes a field of a struct.
type FieldForm struct {
	// Name is the key, in decimal if keys are integers. Aliases are the other keys that
	// are decoded.
	Name    string
	Aliases []string
	GoName  string // the selector in Go, such as "Name" or "Base.Name"
	Form    Form
	// Nil reports that the field is written as nil if an embedded pointer is nil.
	Nil bool
	// Required is the tag option of that name.
	Required bool
	// OmitEmpty and OmitZero report that the field is left out of maps if it is empty
	// or zero, which it can be, and OmitNil if an embedded pointer is nil.
	OmitEmpty, OmitZero, OmitNil bool
	// EncodeOnly reports that only nil can be decoded, because an embedded pointer to an
	// unexported struct cannot be set.
	EncodeOnly bool
}

// A VariantForm describes a variant of a union.
type VariantForm struct {
	// The tag is Name if Named is true, and otherwise Number.
	Name   string
	Number int64
	Named  bool
	Form   Form
}
