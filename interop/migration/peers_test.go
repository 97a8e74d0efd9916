package migration

import (
	"bytes"
	"encoding/binary"
	"errors"
	"math"
	"slices"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/profile"
	shamaton "github.com/shamaton/msgpack/v3"
	"github.com/ugorji/go/codec"
	vmihailenco "github.com/vmihailenco/msgpack/v5"
)

func peers() []peer {
	vmihailenco.RegisterExt(6, (*foreignExt)(nil))
	return []peer{
		{"shamaton", shamaton.Marshal, shamaton.Unmarshal, writeCases, readCases, shamatonEquivalents, "Shamaton", profile.Shamaton()},
		{"vmihailenco", vmihailenco.Marshal, vmihailenco.Unmarshal, slices.Concat(writeCases, vmihailencoCases), readCases, vmihailencoEquivalents(), "Vmihailenco", profile.Vmihailenco()},
		{"ugorji", ugorjiMarshal, ugorjiUnmarshal, slices.Concat(writeCases, ugorjiCases), readCases, ugorjiEquivalents, "UgorjiExt", profile.UgorjiExt()},
		{"msgp", msgpMarshal, msgpUnmarshal, msgpWriteCases, msgpReadCases, msgpEquivalents, "Msgp", profile.Msgp()},
	}
}

// complexExt encodes complex128 as an ext of 16 bytes.
func complexExt(id int8) msgpack.TypeCoder {
	return msgpack.ExtType(id, func(dst []byte, c complex128) ([]byte, error) {
		dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(real(c)))
		return binary.BigEndian.AppendUint64(dst, math.Float64bits(imag(c))), nil
	}, func(data []byte) (complex128, error) {
		if len(data) != 16 {
			return 0, errors.New("not 16 bytes")
		}
		re, im := binary.BigEndian.Uint64(data), binary.BigEndian.Uint64(data[8:])
		return complex(math.Float64frombits(re), math.Float64frombits(im)), nil
	})
}

// foreignExtType keeps the bytes of a type that is registered as an ext.
var foreignExtType = msgpack.ExtType(6, func(dst []byte, f *foreignExt) ([]byte, error) {
	b, err := f.MarshalMsgpack()
	return append(dst, b...), err
}, func(data []byte) (*foreignExt, error) {
	f := new(foreignExt)
	return f, f.UnmarshalMsgpack(data)
})

var shamatonEquivalents = []equivalent{
	{"IgnoreTextMethods: true, IgnoreBinaryMethods: true", msgpack.Options{IgnoreTextMethods: true, IgnoreBinaryMethods: true}, []string{
		"text marshaler", "binary marshaler", "binary and text marshaler", "url.URL",
		"str into text unmarshaler", "bin into text unmarshaler", "int into text unmarshaler",
	}},
	{"Types: ExtType(-128, …)", msgpack.Options{Types: []msgpack.TypeCoder{complexExt(-128)}}, []string{"complex128"}},
	{"Compat{Empty: EmptyZero}", msgpack.Options{Compat: msgpack.Compat{Empty: msgpack.EmptyZero}}, []string{"omitempty of zero values", "omitempty of an empty slice"}},
	{"Compat{EmbeddedLast: true}", msgpack.Options{Compat: msgpack.Compat{EmbeddedLast: true}}, []string{"embedded struct", "embedded pointer"}},
	{"AnyNumber: AnyNumberFormat", msgpack.Options{AnyNumber: msgpack.AnyNumberFormat}, []string{
		"negative fixint into any", "uint 8 into any", "float 32 into any",
	}},
	{"AnyMap: AnyMapAny", msgpack.Options{AnyMap: msgpack.AnyMapAny}, []string{"map into any"}},
	{"AliasInput: true", msgpack.Options{AliasInput: true}, []string{"bin into any", "str into bytes", "bin into bytes"}},
	{"Compat{RoundInts: true}", msgpack.Options{Compat: msgpack.Compat{RoundInts: true}}, []string{"large int into float64"}},
	{"RejectUnknown: true", msgpack.Options{RejectUnknown: true}, []string{"field by int"}},
	{"ExactArrays: true", msgpack.Options{ExactArrays: true}, []string{"shorter array into struct", "longer array into struct"}},
}

// vmihailencoEquivalents is a function because it depends on the time zone.
func vmihailencoEquivalents() []equivalent {
	return []equivalent{
		{"Compat{MixedInts: true}", msgpack.Options{Compat: msgpack.Compat{MixedInts: true}}, []string{
			"int8", "int8 below 0", "int16", "int32", "int64", "large int64", "uint8", "uint16", "uint32", "uint64",
			"named integer", "duration", "ints", "interface field",
		}},
		{"AnyNumber: AnyNumberFormat", msgpack.Options{AnyNumber: msgpack.AnyNumberFormat}, []string{
			"fixint into any", "negative fixint into any", "uint 8 into any", "float 32 into any",
		}},
		{"Compat{TextAsBin: true}", msgpack.Options{Compat: msgpack.Compat{TextAsBin: true}}, []string{"text marshaler", "big.Int", "net.IP"}},
		{"Compat{Empty: EmptyNested}", msgpack.Options{Compat: msgpack.Compat{Empty: msgpack.EmptyNested}}, []string{"omitempty of zero values", "omitempty of an empty slice"}},
		{"Compat{NilEmbedded: EmbeddedNilPlain}", msgpack.Options{Compat: msgpack.Compat{NilEmbedded: msgpack.EmbeddedNilPlain}}, []string{"embedded nil pointer"}},
		{"Types: ExtType(6, …)", msgpack.Options{Types: []msgpack.TypeCoder{foreignExtType}}, []string{"registered ext"}},
		{"RejectUnknown: true", msgpack.Options{RejectUnknown: true}, []string{"field by int"}},
		{"ExactArrays: true", msgpack.Options{ExactArrays: true}, []string{"shorter array into struct", "longer array into struct"}},
		{"Compat{WrapInts: true}", msgpack.Options{Compat: msgpack.Compat{WrapInts: true}}, []string{"int above uint8", "int below 0 into uint64", "int above int64", "large int into float64"}},
		{"Compat{Arrays: ArraysShort}", msgpack.Options{Compat: msgpack.Compat{Arrays: msgpack.ArraysShort}}, []string{"shorter array"}},
		{"Time: TimeRFC3339", msgpack.Options{Time: msgpack.TimeRFC3339}, []string{"text into time"}},
		{"Zone: time.Local", msgpack.Options{Zone: time.Local}, []string{"timestamp", "timestamp into any"}},
		{"AllowTrailing: true", msgpack.Options{AllowTrailing: true}, []string{"trailing bytes"}},
		{"AnyStringKeys: true", msgpack.Options{AnyStringKeys: true}, []string{"map by bin into any"}},
		{"Types: Implements(…)", msgpack.Options{Types: []msgpack.TypeCoder{vmihailencoHooks}}, []string{"EncodeMsgpack"}},
	}
}

// vmihailencoHooks calls the methods that types have for vmihailenco, as in its
// migration guide.
var vmihailencoHooks = msgpack.Implements(
	func(dst []byte, v vmihailenco.CustomEncoder) ([]byte, error) {
		b := bytes.NewBuffer(dst)
		err := v.EncodeMsgpack(vmihailenco.NewEncoder(b))
		return b.Bytes(), err
	},
	func(data []byte, v vmihailenco.CustomDecoder) (int, error) {
		r := bytes.NewReader(data)
		err := v.DecodeMsgpack(vmihailenco.NewDecoder(r))
		return len(data) - r.Len(), err
	})

// ugorjiHooks does the same for ugorji.
var ugorjiHooks = msgpack.Implements(
	func(dst []byte, v codec.Selfer) (b []byte, err error) {
		b, err = ugorjiMarshal(v)
		return append(dst, b...), err
	},
	func(data []byte, v codec.Selfer) (int, error) {
		d := codec.NewDecoderBytes(data, ugorjiHandle())
		err := d.Decode(v)
		return d.NumBytesRead(), err
	})

var ugorjiEquivalents = []equivalent{
	{"IgnoreTextMethods: true", msgpack.Options{IgnoreTextMethods: true}, []string{
		"text marshaler", "str into text unmarshaler", "bin into text unmarshaler", "int into text unmarshaler",
	}},
	{"Compat{SignedInts: true}", msgpack.Options{Compat: msgpack.Compat{SignedInts: true}}, []string{"int of 200", "large int64", "named integer", "duration", "ints"}},
	{"Compat{NilEmbedded: EmbeddedNil}", msgpack.Options{Compat: msgpack.Compat{NilEmbedded: msgpack.EmbeddedNil}}, []string{"embedded nil pointer"}},
	{"Types: Override(…)", msgpack.Options{Types: profile.UgorjiExt().Types}, []string{"zero time"}},
	{`TagKeys: []string{"codec", "json"}`, msgpack.Options{TagKeys: []string{"codec", "json"}}, []string{"json tag", "codec tag"}},
	{"Compat{Empty: EmptyZero}", msgpack.Options{Compat: msgpack.Compat{Empty: msgpack.EmptyZero}}, []string{"omitempty of zero values", "omitempty of an empty slice"}},
	{"AnyMap: AnyMapAny", msgpack.Options{AnyMap: msgpack.AnyMapAny}, []string{"map into any"}},
	{"Compat{RoundInts: true}", msgpack.Options{Compat: msgpack.Compat{RoundInts: true}}, []string{"large int into float64"}},
	{"RejectUnknown: true", msgpack.Options{RejectUnknown: true}, []string{"field by int"}},
	{"AllowTrailing: true", msgpack.Options{AllowTrailing: true}, []string{"trailing bytes"}},
	{"AnyMap: AnyMapAny, AnyStringKeys: true", msgpack.Options{AnyMap: msgpack.AnyMapAny, AnyStringKeys: true}, []string{"map by bin into any"}},
	{"Types: Implements(…)", msgpack.Options{Types: []msgpack.TypeCoder{ugorjiHooks}}, []string{"CodecEncodeSelf"}},
}

// ugorjiHandle has the option WriteExt set. Without it, ugorji supports neither
// bin nor str 8, and does not encode times as timestamps.
func ugorjiHandle() *codec.MsgpackHandle {
	h := new(codec.MsgpackHandle)
	h.WriteExt = true
	return h
}

func ugorjiMarshal(v any) (b []byte, err error) {
	err = codec.NewEncoderBytes(&b, ugorjiHandle()).Encode(v)
	return b, err
}

func ugorjiUnmarshal(data []byte, v any) error {
	return codec.NewDecoderBytes(data, ugorjiHandle()).Decode(v)
}
