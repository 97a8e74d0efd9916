package table

const (
	shamatonArray  = "make a `Codec` with `profile.ShamatonArray()`; for one type use the tag option `as_array`"
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
	{Name: "UnmarshalRead", Call: "{codec}.UnmarshalRead({1}, {2})"},
	{Name: "UnmarshalReadAsMap", Call: "{codec}.UnmarshalRead({1}, {2})"},
	{Name: "UnmarshalReadAsArray", Call: "{codec}.UnmarshalRead({1}, {2})"},
	{Name: "StructAsArray", Do: shamatonArray},
	{Name: "SetDecodedTimeAsLocal", Do: "make a `Codec` with `Zone: time.Local`"},
	{Name: "SetDecodedTimeAsUTC", Do: "remove it: it is the default"},
	{Name: "SetComplexTypeCode", Do: "use `msgpack.ExtType` for `complex128` in `Options.Types`; `msgpack.Override` if `complex64` has the same type of ext"},
	{Name: "AddExtCoder", Do: shamatonExt},
	{Name: "AddExtStreamCoder", Do: shamatonExt},
	{Name: "RemoveExtCoder", Do: shamatonRemove},
	{Name: "RemoveExtStreamCoder", Do: shamatonRemove},
	{Name: "Error", Do: "use `errors.As` with `*msgpack.Error`, and `errors.Is` for the reasons"},
}

// Shamaton is shamaton/msgpack v3.
var Shamaton = &Library{
	Name: "github.com/shamaton/msgpack/v3", Path: "github.com/shamaton/msgpack/v3", Page: "shamaton", Profile: "Shamaton", TagKey: "msgpack",
	Rows: shamatonRows,
	Tags: []Row{{Name: "omitempty", Value: "omitzero"}, unexportedTag},
}

// Shamaton2 is shamaton/msgpack v2.
var Shamaton2 = &Library{
	Name: "github.com/shamaton/msgpack/v2", Path: "github.com/shamaton/msgpack/v2", Page: "shamaton", Profile: "Shamaton", TagKey: "msgpack",
	Rows: shamatonRows,
	Tags: Shamaton.Tags,
}
