package profile

import (
	"errors"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

// Vmihailenco returns Options that write the bytes of
// github.com/vmihailenco/msgpack/v5.
//
// These values are not written with the same bytes:
//   - Structs without exported fields are [msgpack.ErrUnsupported], because
//     vmihailenco/msgpack loses their contents.
//   - A field with the name of a field of an embedded struct replaces it.
//     vmihailenco/msgpack writes both, or nests the embedded struct.
//   - An embedded struct whose tag has a name is nested. vmihailenco/msgpack promotes
//     its fields, unless the tag has the option noinline. Write the tag with the
//     option inline and without a name; octet-migrate does.
//   - The fields of an embedded nil pointer are nil also in a struct with omitempty.
//   - A big.Float, and a big.Int whose text is long, are bin with their exact value.
//   - Complex numbers are arrays; vmihailenco/msgpack has no form for them.
//   - The tag options noinline, alias and intern, and options on a field _msgpack,
//     are errors.
//
// Types with a method EncodeMsgpack need the TypeCoder of module
// github.com/octet-go/octet/adapters/vmihailenco.
func Vmihailenco() msgpack.Options {
	return msgpack.Options{
		Compat: msgpack.Compat{
			MixedInts:   true,
			Empty:       msgpack.EmptyNested,
			NilEmbedded: true,
			TextAsBin:   true,
		},
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
// exceptions of [Vmihailenco] apply here too.
func VmihailencoV4() msgpack.Options {
	return msgpack.Options{
		TypedInts:         true,
		Compat:            msgpack.Compat{NilEmbedded: true},
		AllowTrailing:     true,
		Zone:              time.Local,
		AnyNumber:         msgpack.AnyNumberFormat,
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
// github.com/shamaton/msgpack/v3.
//
// These values are not written with the same bytes:
//   - Structs without exported fields are encoded by their methods, or are
//     [msgpack.ErrUnsupported], because shamaton/msgpack loses their contents. For
//     the same reason, the types of the standard library that package msgpack lists
//     keep their forms.
//   - Fields whose names begin with a letter outside ASCII are written.
//     shamaton/msgpack leaves them out.
//   - Slices and arrays of a named byte type are bin, not arrays.
func Shamaton() msgpack.Options {
	return msgpack.Options{
		Compat:              msgpack.Compat{Empty: msgpack.EmptyZero, EmbeddedLast: true},
		AnyMap:              msgpack.AnyMapAny,
		AnyNumber:           msgpack.AnyNumberFormat,
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

// UgorjiExt returns Options that write the bytes of github.com/ugorji/go/codec
// with a MsgpackHandle with WriteExt.
//
// These values are not written with the same bytes:
//   - Structs without exported fields are encoded by their methods, or are
//     [msgpack.ErrUnsupported], because ugorji/go/codec loses their contents. For
//     the same reason, the types of math/big keep their forms. Functions, channels
//     and uintptr are errors.
//   - Slices and arrays of a named byte type are bin, not arrays.
//   - Complex numbers are arrays; ugorji/go/codec has no form for them.
//   - A field _struct is ignored. For its option toarray, add a field _ of type
//     struct{} with the option as_array; octet-migrate does.
func UgorjiExt() msgpack.Options {
	return msgpack.Options{
		TagKeys:           []string{"codec", "json"},
		Compat:            msgpack.Compat{SignedInts: true, Empty: msgpack.EmptyZero, NilEmbedded: true},
		AllowTrailing:     true,
		AnyMap:            msgpack.AnyMapAny,
		AnyStringKeys:     true,
		IgnoreTextMethods: true,
		Types:             []msgpack.TypeCoder{nilTime(wire.AppendTime)},
	}
}

// Ugorji returns Options that write the bytes of github.com/ugorji/go/codec with a
// MsgpackHandle without options. It uses the formats of the MessagePack
// specification before 2013: str for byte slices and times, and no str 8. The
// exceptions of [UgorjiExt] apply here too. Values of type msgpack.Ext are another
// exception.
//
// In variables of type any, a str becomes a string, not a []byte.
func Ugorji() msgpack.Options {
	o := UgorjiExt()
	o.Compat.OldFormats = true
	o.Types = []msgpack.TypeCoder{nilTime(appendOldTime)}
	return o
}

// Hashicorp returns Options that write the bytes of
// github.com/hashicorp/go-msgpack/v2 with a MsgpackHandle without options. The
// exceptions of [Ugorji] apply here too.
func Hashicorp() msgpack.Options {
	o := Ugorji()
	o.Compat.Empty, o.Compat.SortFields = msgpack.EmptyZeroStruct, true
	return o
}

// Msgp returns Options that write the bytes of the code that
// github.com/tinylib/msgp generates without directives. For types with the directive
// tuple, set StructAsArray or use the tag option as_array; for files with the
// directive newtime, remove the element for time.Time from Types.
//
// These values are not written with the same bytes:
//   - Fields with the tag option allownil: their nil slices and maps are empty.
//   - Fields with the tag option flatten are nested, unless they have the option
//     inline for Octet.
func Msgp() msgpack.Options {
	return msgpack.Options{
		TagKeys:             []string{"msg", "msgpack"},
		Compat:              msgpack.Compat{SignedInts: true, Empty: msgpack.EmptyZero, NestEmbedded: true},
		NilSliceAsEmpty:     true,
		NilMapAsEmpty:       true,
		AllowTrailing:       true,
		Zone:                time.Local,
		IgnoreTextMethods:   true,
		IgnoreBinaryMethods: true,
		Types:               []msgpack.TypeCoder{msgpTime(), msgpComplex64(), msgpComplex128()},
	}
}
