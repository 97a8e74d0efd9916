package table

import (
	"fmt"
	"slices"
)

const (
	ugorjiCodec      = "make a `Codec` with `msgpack.New`"
	ugorjiExt        = "use `msgpack.ExtType` in `Options.Types`"
	ugorjiRPC        = "none: Octet has no codec for net/rpc"
	ugorjiMissing    = "use a map field with the tag option `inline`"
	ugorjiMapBySlice = "use `msgpack.Pairs`"
	ugorjiPool       = "use `Marshal` and `Unmarshal`, which have pools"
	ugorjiMust       = "none: check the error of `Encode` or `Decode`"
	ugorjiDriver     = "none: it is for code that codecgen generates, which Octet does not need"
	ugorjiFormat     = "none: it is for a format other than MessagePack"
	ugorjiArray      = "in arrays, Octet writes an empty field with omitempty as it is, and the library as nil if it is a struct, array, slice or map"
	ugorjiNil        = "Octet writes a nil []byte as an empty bin, and the library as an empty str or array"
	notNeeded        = "remove it: it is not needed"
)

// handleRows are what ugorji/go/codec and its forks have in common.
var handleRows = []Row{
	{Name: "NewEncoderBytes().Encode", Call: "{into}({1}, {3})"},
	{Name: "NewDecoderBytes().Decode", Call: "{codec}.Unmarshal({1}, {3})"},
	{Name: "NewEncoder().Encode", Call: "{codec}.MarshalWrite({1}, {3})"},
	{Name: "NewEncoder", Call: "{encoder}({1})"},
	{Name: "NewDecoder", Call: "{codec}.NewDecoder({1})", Flags: Reads},
	{Name: "NewEncoderBytes", Do: "use `b, err := codec.Marshal(v)`, or `MarshalAppend(b[:0], v)` to reuse the memory"},
	{Name: "NewDecoderBytes", Do: "use `codec.Unmarshal(b, &v)`, or `UnmarshalPrefix` if more values follow"},
	{Name: "Encoder", Value: "{new}.Encoder", Flags: Pointer},
	{Name: "Decoder", Value: "{new}.Decoder", Flags: Pointer},
	{Name: "Encoder.Encode", Call: "{recv}.Encode({1})"},
	{Name: "Decoder.Decode", Call: "{recv}.Decode({1})"},
	{Name: "Encoder.Reset", Call: "{recv}.Reset({1})"},
	{Name: "Decoder.Reset", Call: "{recv}.Reset({1})", Flags: Reads},
	{Name: "Encoder.MustEncode", Do: ugorjiMust},
	{Name: "Decoder.MustDecode", Do: ugorjiMust},
	{Name: "Encoder.ResetBytes", Do: ugorjiPool},
	{Name: "Decoder.ResetBytes", Do: ugorjiPool},
	{Name: "Encoder.Release", Do: ugorjiPool},
	{Name: "Decoder.Release", Do: ugorjiPool},
	{Name: "Decoder.NumBytesRead", Call: "int({recv}.InputOffset())"},

	{Name: "MsgpackHandle", Flags: Handle, Do: ugorjiCodec},
	{Name: "BasicHandle", Flags: Handle, Do: ugorjiCodec},
	{Name: "EncodeOptions", Flags: Handle, Do: ugorjiCodec},
	{Name: "DecodeOptions", Flags: Handle, Do: ugorjiCodec},
	{Name: "RPCOptions", Flags: Handle, Do: ugorjiRPC},
	{Name: "Handle", Do: "use `*msgpack.Codec`"},
	{Name: "Handle.Name", Do: "none"},
	{Name: "MsgpackHandle.Name", Do: "none"},
	{Name: "BasicHandle.EncodeOptions", Do: "use the fields of `Options`"},
	{Name: "BasicHandle.DecodeOptions", Do: "use the fields of `Options`"},
	{Name: "BasicHandle.RPCOptions", Do: ugorjiRPC},
	{Name: "MsgpackHandle.BasicHandle", Do: "use the fields of `Options`"},

	{Name: "EncodeOptions.StructToArray = true", Value: "options.StructAsArray = true"},
	{Name: "EncodeOptions.Canonical = true", Value: "options.SortKeys, options.Compat.SortFields = true, true"},
	{Name: "DecodeOptions.ErrorIfNoField = true", Value: "options.RejectUnknown = true"},
	{Name: "MsgpackHandle.RawToString = true", Value: "options.Compat.AnyText = msgpack.AnyTextString"},
	{Name: "DecodeOptions.RawToString = true", Value: "options.Compat.AnyText = msgpack.AnyTextString"},
	{Name: "DecodeOptions.MapType = reflect.TypeOf(map[string]any(nil))", Value: "options.AnyMap = msgpack.AnyMapAuto"},
	{Name: "DecodeOptions.MapType = reflect.TypeOf(map[string]any{})", Value: "options.AnyMap = msgpack.AnyMapAuto"},

	{Name: "EncodeOptions.StructToArray", Do: "`StructAsArray: true`; " + ugorjiArray},
	{Name: "EncodeOptions.Canonical", Do: "`SortKeys: true`, and `Compat.SortFields: true` for structs; keys that are times or of different types have another order"},
	{Name: "EncodeOptions.CheckCircularRef", Do: "the default: such a value is `ErrDepth`"},
	{Name: "EncodeOptions.Raw", Do: "the default: a `msgpack.Raw` is always written"},
	{Name: "EncodeOptions.WriterBufferSize", Do: notNeeded},
	{Name: "EncodeOptions.ChanRecvTimeout", Do: "none: channels are errors"},
	{Name: "EncodeOptions.RecursiveEmptyCheck", Do: "none: see `Empty` of `Options`"},
	{Name: "EncodeOptions.StringToRaw", Do: "none: strings are always str"},
	{Name: "DecodeOptions.MapType", Do: "`map[string]any` is the default if all keys are str; `AnyMap: AnyMapAny` selects `map[any]any`"},
	{Name: "DecodeOptions.SliceType", Do: "none: arrays become `[]any`"},
	{Name: "DecodeOptions.MaxInitLen", Do: notNeeded},
	{Name: "DecodeOptions.ReaderBufferSize", Do: notNeeded},
	{Name: "DecodeOptions.MaxDepth", Do: "`MaxDepth`"},
	{Name: "DecodeOptions.ErrorIfNoField", Do: "`RejectUnknown: true`"},
	{Name: "DecodeOptions.ErrorIfNoArrayExpand", Do: "the default"},
	{Name: "DecodeOptions.SignedInteger", Do: "the default without a profile, except for integers that only a `uint64` can hold"},
	{Name: "DecodeOptions.MapValueReset", Do: "the default"},
	{Name: "DecodeOptions.SliceElementReset", Do: "the default"},
	{Name: "DecodeOptions.InterfaceReset", Do: "the default"},
	{Name: "DecodeOptions.InternString", Do: "none"},
	{Name: "DecodeOptions.PreferArrayOverSlice", Do: "none: arrays become `[]any`"},
	{Name: "DecodeOptions.DeleteOnNilMapValue", Do: "none"},
	{Name: "MsgpackHandle.RawToString", Do: "`Compat.AnyText`: `AnyTextString` with this option, `AnyTextBytes` with neither this nor `WriteExt`"},
	{Name: "DecodeOptions.RawToString", Do: "`Compat.AnyText`: `AnyTextString` with this option, `AnyTextBytes` with neither this nor `WriteExt`"},
	{Name: "MsgpackHandle.WriteExt", Do: "the default without a profile; the profile `UgorjiExt` writes the bytes with this option, `Compat.OldFormats` the bytes without it"},
	{Name: "MsgpackHandle.NoFixedNum", Do: "`TypedInts: true`, which writes the width of the Go type and not at least 2 bytes"},
	{Name: "MsgpackHandle.PositiveIntUnsigned", Do: "the default without a profile; `Compat.SignedInts` is the opposite"},
	{Name: "BasicHandle.TypeInfos", Do: "`TagKeys`"},
	{Name: "BasicHandle.TimeNotBuiltin", Do: "use `msgpack.Override` for `time.Time` in `Options.Types`"},
	{Name: "BasicHandle.ExplicitRelease", Do: notNeeded},
	{Name: "RPCOptions.RPCNoBuffer", Do: ugorjiRPC},
	{Name: "TypeInfos", Do: "use `TagKeys` of `Options`"},
	{Name: "NewTypeInfos", Do: "use `TagKeys` of `Options`"},

	{Name: "*.AddExt", Do: ugorjiExt},
	{Name: "*.SetExt", Do: ugorjiExt},
	{Name: "*.SetBytesExt", Do: ugorjiExt},
	{Name: "*.Intf2Impl", Do: "use `msgpack.Union` in `Options.Types`, which also writes a tag for the type"},
	{Name: "BytesExt", Do: ugorjiExt},
	{Name: "BytesExt.*", Do: ugorjiExt},
	{Name: "InterfaceExt", Do: ugorjiExt},
	{Name: "InterfaceExt.*", Do: ugorjiExt},
	{Name: "Ext", Do: ugorjiExt},
	{Name: "SelfExt", Do: ugorjiExt},
	{Name: "Raw", Do: "use `msgpack.Raw`", Value: "{new}.Raw", Flags: Data},
	{Name: "RawExt", Do: "use `msgpack.Ext`, whose type is an int8"},
	{Name: "RawExt.*", Do: "use `msgpack.Ext`, whose type is an int8"},
	{Name: "MapBySlice", Do: ugorjiMapBySlice},
	{Name: "MapBySlice.MapBySlice", Do: ugorjiMapBySlice},
	{Name: "MissingFielder", Do: ugorjiMissing},
	{Name: "MissingFielder.*", Do: ugorjiMissing},
	{Name: "Selfer", Do: ugorjiHook},
	{Name: "Selfer.*", Do: ugorjiHook},
	{Name: "Rpc", Do: ugorjiRPC},
	{Name: "Rpc.*", Do: ugorjiRPC},
	{Name: "GoRpc", Do: ugorjiRPC},
	{Name: "MsgpackSpecRpc", Do: ugorjiRPC},
	{Name: "MsgpackSpecRpcMultiArgs", Do: ugorjiRPC},
}

// otherFormats are the names of the handles of ugorji's other formats.
var otherFormats = []Row{
	{Name: "BincHandle*", Do: ugorjiFormat},
	{Name: "CborHandle*", Do: ugorjiFormat},
	{Name: "JsonHandle*", Do: ugorjiFormat},
	{Name: "SimpleHandle*", Do: ugorjiFormat},
}

var ugorjiHooks = append([]Row{
	{Name: "CodecEncodeSelf", Do: ugorjiHook},
	{Name: "CodecDecodeSelf", Do: ugorjiHook},
	{Name: "IsCodecEmpty", Flags: Named, Do: "call it IsZero, and give the fields of the type the option `omitzero`", Example: "import \"github.com/ugorji/go/codec\"\n\ntype T struct{ R codec.Raw }\n\nfunc (T) IsCodecEmpty() bool { return true }\n"},
}, formHooks("github.com/ugorji/go/codec")...)

// formHooks are methods that change the form of their type, and do not encode it.
func formHooks(path string) []Row {
	of := func(t, method string) string {
		return fmt.Sprintf("import %q\n\ntype U struct{ R codec.Raw }\n\ntype T %s\n\nfunc (T) %s\n", path, t, method)
	}
	return []Row{
		{Name: "CodecMissingField", Flags: Named, Do: ugorjiMissing, Example: of("struct{}", "CodecMissingField(name []byte, v any) bool { return true }")},
		{Name: "CodecMissingFields", Flags: Named, Do: ugorjiMissing, Example: of("struct{}", "CodecMissingFields() map[string]any { return nil }")},
		{Name: "MapBySlice", Flags: Named, Do: ugorjiMapBySlice, Example: of("[]any", "MapBySlice() {}")},
	}
}

const ugorjiHook = "keep it and add Hooks() of package github.com/octet-go/octet/adapters/ugorji to Options.Types of the codec; or replace it by AppendMsgpack and UnmarshalMsgpack"

var ugorjiTags = []Row{
	{Name: "omitempty", Value: "omitzero"},
	{Name: "field _struct toarray", Value: "as_array", Flags: Whole, Do: "add a field `_ struct{}` with the option `as_array`"},
	{Name: "field _struct int", Value: "keyasint", Flags: Whole, Do: "give each field the option `keyasint`, and a name that is an integer"},
	{Name: "field _struct", Do: "remove the field, and use a `Codec` with `OmitEmpty: true` for the option omitempty; the keys of structs are strings, or integers with the option `keyasint`"},
}

// ugorjiKeys are the keys of struct tags.
var ugorjiKeys = []string{"codec", "json"}

// Ugorji is ugorji/go/codec.
var Ugorji = &Library{
	Forks: []string{"github.com/algorand/go-codec/codec"},
	Name:  "github.com/ugorji/go/codec", Path: "github.com/ugorji/go/codec", Page: "ugorji",
	Codecgen: true, Profile: "Ugorji", Version: "v1.3.2", Adapter: "github.com/octet-go/octet/adapters/ugorji", TagKey: "codec", TagKeys: ugorjiKeys, RawText: true, Clashes: ClashesEmbedded, Embedded: EmbeddedPlain, Methods: MethodsBinary,
	Rows: slices.Concat(handleRows, []Row{
		{Name: "MsgpackHandle.WriteExt = true", Value: "options = profile.UgorjiExt()"},
		{Name: "EncodeOptions.NilCollectionToZeroLength = true", Value: "options.NilSliceAsEmpty, options.NilMapAsEmpty = true, true"},
		{Name: "NewDecoderString().Decode", Call: "{codec}.Unmarshal([]byte({1}), {3})"},
		{Name: "NewDecoderString", Do: "use `codec.Unmarshal([]byte(s), &v)`"},
		{Name: "Decoder.ResetString", Do: ugorjiPool},
		{Name: "Encoder.NumBytesWritten", Do: "none: count the bytes in the writer"},
		{Name: "Decoder.HandleName", Do: "none"},
		{Name: "DecodeOptions.MaxBytesLen", Do: "`MaxBytes`"},
		{Name: "DecodeOptions.ZeroCopy", Do: "`AliasInput: true`"},
		{Name: "DecodeOptions.PreferPointerForStructOrArray", Do: "none"},
		{Name: "DecodeOptions.ValidateUnicode", Do: "`RejectInvalidUTF8: true`, in both directions"},
		{Name: "EncodeOptions.OptimumSize", Do: "it has no effect on MessagePack in ugorji; `NarrowFloats: true` saves space"},
		{Name: "EncodeOptions.NoAddressableReadonly", Do: notNeeded},
		{Name: "EncodeOptions.NilCollectionToZeroLength", Do: "`NilSliceAsEmpty: true, NilMapAsEmpty: true`; " + ugorjiNil},
		{Name: "CborStream*", Do: ugorjiFormat},
	}, otherFormats),
	Hooks: ugorjiHooks,
	Tags:  ugorjiTags,
}

// Hashicorp2 is hashicorp/go-msgpack v2.
var Hashicorp2 = &Library{
	Name: "github.com/hashicorp/go-msgpack/v2", Path: "github.com/hashicorp/go-msgpack/v2/codec", Page: "ugorji",
	Codecgen: true, Profile: "Hashicorp", Version: "v2.1.5", TagKey: "codec", TagKeys: ugorjiKeys, RawText: true, Clashes: ClashesEmbedded, Embedded: EmbeddedPlain, Methods: MethodsBinary,
	Rows: slices.Concat(handleRows, []Row{
		{Name: "GenHelper*", Do: ugorjiDriver, Example: "func f() {\n\tcodec.GenHelperEncoder(nil)\n}\n"},
		{Name: "GenVersion", Do: ugorjiDriver},
	}, otherFormats),
	Hooks: hashicorpHooks,
	Tags:  ugorjiTags,
}

// hashicorpHooks are those of ugorji, whose parameters have other types.
var hashicorpHooks = append([]Row{
	{Name: "CodecEncodeSelf", Do: ownHook},
	{Name: "CodecDecodeSelf", Do: ownHook},
}, formHooks("github.com/hashicorp/go-msgpack/v2/codec")...)

// Hashicorp1 is hashicorp/go-msgpack before v2. The version v1.1.5, which was retracted, is like v2.
var Hashicorp1 = &Library{
	Newer: hashicorpNewer(), NewerName: "NewTypeInfos",
	Name: "github.com/hashicorp/go-msgpack", Path: "github.com/hashicorp/go-msgpack/codec", Page: "ugorji",
	Codecgen: true, Profile: "Hashicorp", TagKey: "codec", TagKeys: []string{"codec"}, RawText: true, Clashes: ClashesEmbedded, Embedded: EmbeddedSkipped, Methods: MethodsOneBinary, Nests: true,
	Settings: []string{"options.Compat.SignedInts, options.Compat.SkipUnexported = false, true", "options.Compat.Empty = msgpack.EmptyByLength", `options.TagKeys = []string{"codec"}`},
	Note:     "Octet writes a time.Time as v2 does, as a str of 4, 8 or 12 bytes with the seconds and nanoseconds; this library writes the 15 bytes of MarshalBinary; use msgpack.Override if other programs read them; it decodes an empty str into a []byte as nil",
	// With RawToString, a bin is still a []byte.
	Rows: slices.Concat([]Row{{Name: "MsgpackHandle.RawToString = true", Value: "options.Compat.AnyText = msgpack.AnyTextFormat"}}, handleRows, []Row{
		{Name: "EncodeOptions.AsSymbols", Do: ugorjiFormat},
		{Name: "AsSymbol*", Do: ugorjiFormat},
		{Name: "RpcCodecBuffered", Do: ugorjiRPC},
		{Name: "RpcCodecBuffered.*", Do: ugorjiRPC},
	}, otherFormats),
	// It ignores the option int.
	Tags: slices.DeleteFunc(slices.Clone(ugorjiTags), func(r Row) bool { return r.Name == "field _struct int" }),
}

func hashicorpNewer() *Library {
	lib := *Hashicorp2
	lib.Name, lib.Path, lib.Version = "github.com/hashicorp/go-msgpack", "github.com/hashicorp/go-msgpack/codec", ""
	return &lib
}
