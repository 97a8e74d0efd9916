package table

import "slices"

// Vmihailenco4 is vmihailenco/msgpack v4: the table of v5, without the names that
// v4 does not have, and with those that v5 does not have.
var Vmihailenco4 = &Library{
	Name: "github.com/vmihailenco/msgpack/v4", Path: "github.com/vmihailenco/msgpack/v4", Page: "vmihailenco",
	Profile: "VmihailencoV4", Version: "v4.3.13", TagKey: "msgpack", Promotes: true, Embedded: EmbeddedWritten, Methods: MethodsNoText, Clashes: ClashesAlways, Spaces: true, OneSpace: true,
	Any: "a map with keys that are not strings becomes a map[any]any there, and a time a time.Time; the library makes a map with the types of its first pair, and a *time.Time",
	Rows: slices.Concat(slices.DeleteFunc(slices.Clone(Vmihailenco.Rows), func(r Row) bool {
		return slices.Contains([]string{
			"Encoder.EncodeMap", "Encoder.EncodeMapSorted", "Encoder.Writer", "Encoder.ResetWriter", "Encoder.ResetDict", "Encoder.WithDict",
			"Encoder.UseArrayEncodedStructs", "Encoder.UseCompactInts", "Encoder.UseInternedStrings", "Encoder.SetSortMapKeys", "Encoder.SetCustomStructTag",
			"Encoder.SetOmitEmpty", "Decoder.DecodeRaw", "Decoder.ReadFull", "Decoder.DecodeUntypedMap", "Decoder.DecodeMap", "Decoder.DecodeTypedMap",
			"Decoder.ResetReader", "Decoder.ResetDict", "Decoder.WithDict", "Decoder.SetCustomStructTag", "Decoder.SetMapDecoder",
			"Decoder.UseLooseInterfaceDecoding", "Decoder.UseInternedStrings", "Decoder.UsePreallocateValues", "Decoder.DisableAllocLimit",
			"RawMessage", "RawMessage.EncodeMsgpack", "RawMessage.DecodeMsgpack", "MarshalerUnmarshaler",
			"GetEncoder", "PutEncoder", "GetDecoder", "PutDecoder", "RegisterExtEncoder", "RegisterExtDecoder", "UnregisterExt", "Version",
		}, r.Name)
	}), []Row{
		{Name: "Decoder.DecodeMap", Call: "{decode any}({recv})"},
		{Name: "Encoder.SortMapKeys", Do: "make a `Codec` with `SortKeys: true`, for maps of every type"},
		{Name: "Encoder.StructAsArray", Do: "make a `Codec` with `StructAsArray: true`"},
		{Name: "Encoder.UseCompactEncoding", Do: "remove it and use a `Codec` without `TypedInts`: the shortest format is the default of Octet"},
		{Name: "*.UseJSONTag", Do: "make a `Codec` with `TagKeys: []string{\"msgpack\", \"json\"}`"},
		{Name: "Decoder.SetDecodeMapFunc", Do: "make a `Codec` with `AnyMap: AnyMapAny` or `AnyMapPairs`"},
		{Name: "Decoder.UseDecodeInterfaceLoose", Do: "make a `Codec` without `AnyNumber`; `AnyNumber: AnyNumberFormat` is the opposite"},
	}),
	Hooks: []Row{
		{Name: "EncodeMsgpack", Do: ownHook},
		{Name: "DecodeMsgpack", Do: ownHook},
	},
	Tags: slices.DeleteFunc(slices.Clone(Vmihailenco.Tags), func(r Row) bool { return r.Name == "field _msgpack as_array" }),
}
