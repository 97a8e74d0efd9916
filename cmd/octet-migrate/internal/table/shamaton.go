package table

import "slices"

const (
	shamatonArray  = "make a `Codec` with `profile.ShamatonArray()`, after version 2 with `profile.ShamatonV2Array()`; for one type use the tag option `as_array`"
	shamatonExt    = "use `msgpack.ExtType` in `Options.Types`, for bytes and streams"
	shamatonRemove = "none: a `Codec` does not change; make another one"
)

var shamatonRows = []Row{
	{Name: "Marshal", Call: "{codec}.Marshal({1})"},
	{Name: "MarshalAsMap", Call: "{codec}.Marshal({1})"},
	{Name: "MarshalAsArray", Do: shamatonArray},
	{Name: "Unmarshal", Call: "{codec}.Unmarshal({1}, {2})"},
	{Name: "UnmarshalAsMap", Call: "{codec}.Unmarshal({1}, {2})"},
	{Name: "UnmarshalAsArray", Call: "{codec}.Unmarshal({1}, {2})"},
	{Name: "MarshalWrite", Call: "{codec}.MarshalWrite({1}, {2})"},
	{Name: "MarshalWriteAsMap", Call: "{codec}.MarshalWrite({1}, {2})"},
	{Name: "MarshalWriteAsArray", Do: shamatonArray},
	{Name: "UnmarshalRead", Call: "{codec}.NewDecoder({1}).Decode({2})", Flags: Reads},
	{Name: "UnmarshalReadAsMap", Call: "{codec}.NewDecoder({1}).Decode({2})", Flags: Reads},
	{Name: "UnmarshalReadAsArray", Call: "{codec}.NewDecoder({1}).Decode({2})", Flags: Reads},
	{Name: "StructAsArray", Do: shamatonArray, Flags: Global},
	{Name: "SetDecodedTimeAsLocal", Do: "make a `Codec` with `Zone: time.Local`", Flags: Global},
	{Name: "SetDecodedTimeAsUTC", Do: "remove it: it is the default"},
	{Name: "SetComplexTypeCode", Do: "use `msgpack.ExtType` for `complex128` in `Options.Types`; `msgpack.Override` if `complex64` has the same type of ext", Flags: Global},
	{Name: "AddExtCoder", Do: shamatonExt, Flags: Global},
	{Name: "AddExtStreamCoder", Do: shamatonExt, Flags: Global},
	{Name: "RemoveExtCoder", Do: shamatonRemove},
	{Name: "RemoveExtStreamCoder", Do: shamatonRemove},
	{Name: "Error", Do: "use `errors.As` with `*msgpack.Error`, and `errors.Is` for the reasons"},
}

// Shamaton is shamaton/msgpack v3.
var Shamaton = &Library{
	Earlier: "; write `msgpack:\"-\"` instead of `msgpack:\"ignore\"`, which gives the field this name since version 2",
	Name:    "github.com/shamaton/msgpack/v3", Path: "github.com/shamaton/msgpack/v3", Page: "shamaton", Profile: "Shamaton", Version: "v3.2.0", TagKey: "msgpack", Embedded: EmbeddedSkipped, Methods: MethodsNone, Clashes: ClashesEmbedded,
	Rows: shamatonRows,
	Tags: []Row{{Name: "omitempty", Value: "omitzero"}, unexportedTag},
}

// Shamaton2 is shamaton/msgpack v2.
var Shamaton2 = &Library{
	Name: "github.com/shamaton/msgpack/v2", Path: "github.com/shamaton/msgpack/v2", Page: "shamaton", Profile: "ShamatonV2", Version: "v2.4.0", TagKey: "msgpack", Embedded: EmbeddedSkipped, Methods: MethodsNone,
	Rows: slices.Concat([]Row{
		{Name: "SetDecodedTimeAsLocal", Do: "remove it: it is the default"},
		{Name: "SetDecodedTimeAsUTC", Do: "make a `Codec` with `Zone: time.UTC`", Flags: Global},
	}, shamatonRows),
	Tags: Shamaton.Tags,
}
