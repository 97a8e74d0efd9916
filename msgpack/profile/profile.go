package profile

import (
	"errors"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// Vmihailenco returns Options that write the bytes of
// github.com/vmihailenco/msgpack/v5. It was compared with v5.4.1.
//
// These values are not written with the same bytes:
//   - Structs without exported fields are [msgpack.ErrUnsupported], because
//     vmihailenco/msgpack loses their contents.
//   - An embedded struct without exported fields whose methods are not promoted is
//     [msgpack.ErrUnsupported], unless its tag has a name.
//   - An embedded struct with exported fields and with methods that are not promoted, because another
//     embedded struct has them, too, or that are only for the other direction, promotes its fields.
//     vmihailenco/msgpack nests the struct, and calls its methods. Give it its name in the tag, which
//     both libraries then nest; octet-migrate reports such structs.
//   - The types of package sync/atomic keep their values. vmihailenco/msgpack writes an
//     empty map.
//   - A field with the name of a field of an embedded struct replaces it.
//     vmihailenco/msgpack writes both, or nests the embedded struct.
//   - Of fields with one name in two embedded structs, the one at the least depth is written,
//     and none if both have the same depth. vmihailenco/msgpack writes both, or nests one of the
//     structs.
//   - Of two fields with one name, the one with the tag is written. vmihailenco/msgpack
//     writes both.
//   - The name - (a tag "-,") is a name. vmihailenco/msgpack leaves the field out.
//   - Types with only the methods AppendText or AppendBinary are str or bin.
//     vmihailenco/msgpack knows MarshalText and MarshalBinary only.
//   - An embedded struct whose tag has a name is nested. vmihailenco/msgpack promotes
//     its fields, unless the tag has the option noinline. Write the tag with the
//     option inline and without a name; octet-migrate does.
//   - An embedded field of an unexported type is left out if it is no struct.
//     vmihailenco/msgpack writes it.
//   - Tags on fields that are not exported are errors. vmihailenco/msgpack ignores them.
//   - A big.Float, and a big.Int whose text is long, are bin with their exact value.
//   - Complex numbers are arrays; vmihailenco/msgpack has no form for them.
//   - The tag options noinline, alias and intern, and options on a field _msgpack,
//     are errors.
//   - The tag options of package msgpack, such as omitzero and required, have their meaning, also
//     in json tags if TagKeys has them. vmihailenco/msgpack ignores those that it does not know.
//
// These are written, although vmihailenco/msgpack writes nothing or depends on what it has
// done before:
//   - A type whose methods need a pointer is encoded in maps and interfaces, too.
//     vmihailenco/msgpack has an error for values without an address.
//   - A pointer to a nil slice or map with methods is nil. vmihailenco/msgpack calls the
//     method if it has encoded the pointer type before the type itself.
//
// These are decoded into other values:
//   - Maps whose keys are not strings are decoded into variables of type any, too.
//   - The elements that a slice or array has are replaced. vmihailenco/msgpack decodes
//     into them, so that fields without a new value stay.
//   - A value in an interface is replaced if it is not a pointer. vmihailenco/msgpack has
//     an error or panics.
//   - nil sets a slice of strings to nil. vmihailenco/msgpack leaves it as it is.
//   - nil is passed to the method UnmarshalMsgpack, and sets a pointer to nil.
//     vmihailenco/msgpack sets the value to zero without a call, and keeps the pointer.
//   - nil for a field of an embedded nil pointer leaves the pointer nil.
//   - A field with the name of the embedded struct that it is in is decoded.
//     vmihailenco/msgpack takes the struct for the field.
//
// Types with a method EncodeMsgpack need the TypeCoder of module
// github.com/octet-go/octet/adapters/vmihailenco.
func Vmihailenco() msgpack.Options {
	return msgpack.Options{
		Compat: msgpack.Compat{
			MixedInts:   true,
			Empty:       msgpack.EmptyNested,
			NilEmbedded: msgpack.EmbeddedNilPlain,
			TextAsBin:   true,
			NilMethods:  msgpack.NilByValue,
			ReplaceMaps: msgpack.MapsOfAny,
			WrapInts:    true,
			Arrays:      msgpack.ArraysShort,
			NilRaw:      true,
			PlainEOF:    true,
		},
		ExactArrays:   true,
		AllowTrailing: true,
		Zone:          time.Local,
		AnyNumber:     msgpack.AnyNumberFormat,
		AnyStringKeys: true,
		Types:         []msgpack.TypeCoder{errorText()},
	}
}

// VmihailencoV4 returns Options that write the bytes of
// github.com/vmihailenco/msgpack/v4. Unlike version 5, it writes int and uint with
// 64 bits, ignores text methods, and omits fewer fields with omitempty. The
// exceptions of [Vmihailenco] apply here too. It was compared with v4.3.13.
//
// A slice or array of a byte type with binary methods is an array of their results.
// vmihailenco/msgpack writes its bytes as bin.
//
// In variables of type any, a time is a time.Time and a map with keys that are not strings
// a map[any]any. In vmihailenco/msgpack they are a *time.Time and a map whose key and
// element have the types of the first pair.
func VmihailencoV4() msgpack.Options {
	return msgpack.Options{
		TypedInts: true,
		Compat: msgpack.Compat{
			NilEmbedded: msgpack.EmbeddedNilPlain,
			NilMethods:  msgpack.NilByValue,
			WrapInts:    true,
			Arrays:      msgpack.ArraysShort,
			PlainEOF:    true,
		},
		AllowTrailing:     true,
		Zone:              time.Local,
		AnyNumber:         msgpack.AnyNumberFormat,
		AnyStringKeys:     true,
		IgnoreTextMethods: true,
		Types:             []msgpack.TypeCoder{errorText()},
	}
}

// errorText writes variables of type error as their text.
func errorText() msgpack.TypeCoder {
	return msgpack.Override(func(dst []byte, err error) ([]byte, error) {
		return wire.AppendString(dst, err.Error()), nil
	}, func(data []byte) (error, error) {
		text, _, err := wire.ConsumeString(data)
		return errors.New(string(text)), err
	})
}

// Shamaton returns Options that write the bytes of
// github.com/shamaton/msgpack/v3, which makes the fields of an embedded struct fields of
// the outer struct. It was compared with v3.2.0.
//
// These values are not written with the same bytes:
//   - Structs without exported fields are encoded by their methods, or are
//     [msgpack.ErrUnsupported], because shamaton/msgpack loses their contents. For
//     the same reason, the types of the standard library that package msgpack lists
//     keep their forms, except url.URL and slog.Level.
//   - Fields whose names begin with a letter outside ASCII are written.
//     shamaton/msgpack leaves them out.
//   - Slices and arrays of a named byte type are bin, not arrays.
//   - The name - (a tag "-,") is a name. shamaton/msgpack leaves the field out.
//   - Tags on fields that are not exported are errors. shamaton/msgpack ignores them.
//   - The tag options of package msgpack, such as omitzero and required, have their meaning.
//     shamaton/msgpack ignores all but omitempty.
//   - A field that replaces one of the same name in another embedded struct is written in its
//     own place. shamaton/msgpack writes it in the place of the first, and does not prefer a field
//     with a tag.
//   - The option omitempty on an embedded struct whose fields are promoted is an error.
//     shamaton/msgpack leaves out the fields if the struct is zero.
//   - Types with a method MarshalMsgpack or UnmarshalMsgpack are encoded or decoded by it.
//     shamaton/msgpack does not know these methods.
//
// These are decoded into other values:
//   - nil sets a slice, map, pointer or interface to nil. shamaton/msgpack leaves it as it
//     is.
//   - The elements of an array are replaced. shamaton/msgpack decodes into them.
//   - Complex numbers are decoded into variables of type any, too.
//   - A float with a fraction is [msgpack.ErrRange] for an integer. shamaton/msgpack drops the
//     fraction.
//   - An array that is shorter than a Go array is [msgpack.ErrMismatch]. shamaton/msgpack leaves
//     the other elements as they are.
func Shamaton() msgpack.Options {
	return msgpack.Options{
		Compat:              msgpack.Compat{Empty: msgpack.EmptyZero, EmbeddedLast: true, SkipUnexported: true, ReplaceMaps: msgpack.MapsOfScalars, RoundInts: true},
		AnyMap:              msgpack.AnyMapAny,
		AnyNumber:           msgpack.AnyNumberFormatUint,
		IgnoreTextMethods:   true,
		IgnoreBinaryMethods: true,
		Types:               []msgpack.TypeCoder{shamatonComplex64(), shamatonComplex128()},
	}
}

// ShamatonArray returns Options like those of [Shamaton] that write structs
// as arrays, like MarshalAsArray.
func ShamatonArray() msgpack.Options {
	o := Shamaton()
	o.StructAsArray = true
	return o
}

// ShamatonV2 returns Options that write the bytes of github.com/shamaton/msgpack/v2,
// which treats an embedded struct like a field with the name of its type. It was compared
// with v2.4.0. Decoded times are in time.Local. The exceptions of [Shamaton] apply here too. Structs with omitempty for which
// the library has the error "not match last index" are written. Other exceptions:
//   - Of two fields with one name, the one with the tag is written. The library writes both.
//   - An integer out of range is [msgpack.ErrRange]. The library drops its high bits.
func ShamatonV2() msgpack.Options {
	o := Shamaton()
	o.Compat.EmbeddedLast, o.Compat.NestEmbedded, o.Zone = false, true, time.Local
	return o
}

// ShamatonV2Array returns Options like those of [ShamatonV2] that write structs as
// arrays, like MarshalAsArray.
func ShamatonV2Array() msgpack.Options {
	o := ShamatonV2()
	o.StructAsArray = true
	return o
}

// UgorjiExt returns Options that write the bytes of github.com/ugorji/go/codec
// with a MsgpackHandle with WriteExt. It was compared with v1.3.2.
//
// These values are not written with the same bytes:
//   - Structs without exported fields are encoded by their methods, or are
//     [msgpack.ErrUnsupported], because ugorji/go/codec loses their contents. For
//     the same reason, the types of math/big keep their forms. Functions, channels
//     and uintptr are errors.
//   - An embedded struct without exported fields whose methods are not promoted is
//     [msgpack.ErrUnsupported], unless its tag has a name.
//   - Slices and arrays of a named byte type are bin, not arrays.
//   - Complex numbers are arrays; ugorji/go/codec has no form for them.
//   - Of two fields with one name, the one with the tag is written. ugorji/go/codec writes
//     the first, and hashicorp/go-msgpack both. The libraries do so, too, with two embedded
//     structs at the same depth, and Octet then writes none without a tag.
//   - Types with only the method AppendBinary are bin or str. ugorji/go/codec knows
//     MarshalBinary only.
//   - Types with a method MarshalMsgpack or UnmarshalMsgpack are encoded or decoded by it.
//     ugorji/go/codec does not know these methods.
//   - An embedded pointer to an unexported struct promotes its fields. ugorji/go/codec leaves
//     them out.
//   - An embedded unexported struct whose tag has a name is written. ugorji/go/codec leaves it
//     out.
//   - Values of the types codec.Raw and codec.RawExt are bytes and structs. Use [msgpack.Raw] and
//     [msgpack.Ext].
//   - A field _struct is ignored. For its option toarray, add a field _ of type
//     struct{} with the option as_array; octet-migrate does.
//   - The tag options of package msgpack, such as omitzero and required, have their meaning, also
//     in json tags. ugorji/go/codec ignores all but omitempty.
//   - An empty string that is part of another string is empty for omitempty.
//   - In a struct that is an array, an empty field with omitempty is written as it is.
//     ugorji/go/codec writes nil for a struct, array, slice or map.
//   - With SortKeys, map keys that are times, or of different types in interfaces, have the order
//     that SortKeys says. With Canonical, ugorji/go/codec sorts times as such, and keys in
//     interfaces by their bytes.
//   - With NilSliceAsEmpty, a nil []byte is an empty bin. With the corresponding option,
//     ugorji/go/codec writes an empty str or array.
//   - Arrays and structs that consist of one map or pointer are written.
//     ugorji/go/codec panics, and overflows the stack for types such as
//     type T []T.
//
// These are decoded into other values:
//   - The elements that a slice, array or map has are replaced. ugorji/go/codec decodes
//     into them, so that fields without a new value stay.
//   - nil sets a Raw that is the whole message to nil. ugorji/go/codec keeps the encoded nil
//     there, but not in a Raw that is a part of a message.
//   - nil sets a pointer to nil. ugorji/go/codec sets what it points to to zero.
//   - An integer above the range of int64 is [msgpack.ErrRange], or its nearest float.
//     ugorji/go/codec makes it negative.
//   - A bool cannot be decoded from an integer, a string from an array, a slice from a map, and a
//     Go array from an array of another length: all are [msgpack.ErrMismatch]. ugorji/go/codec
//     makes a bool of 0 and 1, a string of small integers, and a slice of keys and elements.
//   - A value in an interface is replaced if it is not a pointer. ugorji/go/codec decodes
//     into it, and has an error if its type is another one.
func UgorjiExt() msgpack.Options {
	return msgpack.Options{
		TagKeys:           []string{"codec", "json"},
		Compat:            msgpack.Compat{SignedInts: true, Empty: msgpack.EmptyBits, NilEmbedded: msgpack.EmbeddedNil, NilMethods: msgpack.NilAlways, NilRaw: true, RoundInts: true},
		AllowTrailing:     true,
		AnyMap:            msgpack.AnyMapAny,
		AnyNumber:         msgpack.AnyNumberSign,
		AnyStringKeys:     true,
		IgnoreTextMethods: true,
		Types:             []msgpack.TypeCoder{nilTime(wire.AppendTime, parseTimestamp)},
	}
}

// Ugorji returns Options that write the bytes of github.com/ugorji/go/codec with a
// MsgpackHandle without options. It uses the formats of the MessagePack
// specification before 2013: str for byte slices and times, and no str 8. The
// exceptions of [UgorjiExt] apply here too. Values of type msgpack.Ext are another
// exception.
//
// In variables of type any, a str becomes a []byte, unless it is a map key. For a handle with
// RawToString, set Compat.AnyText to [msgpack.AnyTextString].
func Ugorji() msgpack.Options {
	o := UgorjiExt()
	o.Compat.OldFormats, o.Compat.AnyText = true, msgpack.AnyTextBytes
	o.Types = []msgpack.TypeCoder{nilTime(appendOldTime, parseTimestamp)}
	return o
}

// Hashicorp returns Options that write the bytes of
// github.com/hashicorp/go-msgpack/v2 with a MsgpackHandle without options. The
// exceptions of [Ugorji] apply here too. It was compared with v2.1.5.
//
// Like the library, it also reads times that a handle with TimeNotBuiltin has written.
//
// These are decoded into other values:
//   - A map whose key is a nil pointer is decoded. The library cannot read it.
func Hashicorp() msgpack.Options {
	o := Ugorji()
	o.Types = []msgpack.TypeCoder{nilTime(appendOldTime, parseTimestampOrGo)}
	o.Compat.Empty, o.Compat.SortFields = msgpack.EmptyZeroStruct, true
	return o
}

// Msgp returns Options that write the bytes of the code that
// github.com/tinylib/msgp generates without directives. It was compared with v1.6.5. For types with the directive
// tuple, set StructAsArray or use the tag option as_array; for files with the
// directive newtime, remove the element for time.Time from Types.
//
// These values are not written with the same bytes:
//   - Fields with the tag option allownil: their nil slices and maps are empty.
//   - Fields with the tag option flatten are nested, unless they have the option
//     inline for Octet.
//   - A struct of another file with omitempty is left out if it is zero.
//   - Slices and arrays whose elements have the type uint8, or a named type of it, are bin.
//     Generated code writes an array, unless the source calls the type byte.
//   - An embedded field of an unexported type is left out. The generator leaves it out, too, unless
//     it runs with the flag -unexported.
//   - Functions and channels are errors, and a map with keys that are not strings is written.
//     The generator leaves out fields of these types, and those of arrays whose length
//     is an expression.
//   - Types with a method MarshalMsgpack or UnmarshalMsgpack are encoded or decoded by it.
//     Generated code does not know these methods.
//
// In variables of type any, an ext of another type than a timestamp or a complex number is a
// [msgpack.Ext], also that of a time. Generated code makes a time.Time or a *msgp.RawExtension.
func Msgp() msgpack.Options {
	return msgpack.Options{
		TagKeys:             []string{"msg", "msgpack"},
		Compat:              msgpack.Compat{SignedInts: true, Empty: msgpack.EmptyEqual, NestEmbedded: true, ReplaceMaps: msgpack.MapsAll},
		NilSliceAsEmpty:     true,
		NilMapAsEmpty:       true,
		AnyNumber:           msgpack.AnyNumberSignFloat,
		AllowTrailing:       true,
		Zone:                time.Local,
		IgnoreTextMethods:   true,
		IgnoreBinaryMethods: true,
		Types:               []msgpack.TypeCoder{msgpTime(), msgpNumber(), msgpComplex64(), msgpComplex128()},
	}
}
