// Package temporalmsgpack converts Temporal payloads to MessagePack: arguments and results of workflows and
// activities, signals, queries and memos.
//
//	c, err := client.Dial(client.Options{DataConverter: temporalmsgpack.NewDataConverter(nil)})
//
// Workers and all clients of a namespace need the same converter. The workers use that of their client. Importing
// the package registers nothing.
//
// # Rules
//
// [NewDataConverter] is Temporal's default converter with MessagePack instead of JSON. Nil, byte slices and
// protobuf messages are converted as before. Payloads in JSON are still decoded, so that running workflows and their histories
// remain readable. To change a system, first give the new converter to all programs that only read, because
// programs with the default converter cannot decode MessagePack. The metadata of such payloads has the encoding
// "binary/msgpack".
//
// [PayloadConverter] is the part for MessagePack, for a composite of your own. It encodes all values, so that the
// converters after it in the list only decode.
//
// Struct tags are those of package msgpack. If the types have tags for JSON, in particular json:"-" for
// fields that must not be stored, use a Codec with TagKeys "msgpack" and "json". Numbers in a
// variable of type any are int64, uint64 or float64; with JSON, all are float64. Times are decoded in UTC, or in
// Options.Zone; with JSON, they keep their offset. The methods MarshalJSON and UnmarshalJSON are not called: a
// type that has no others is encoded by field, and is an error if no field is exported.
//
// The details of errors are converted by client.Options.FailureConverter, which uses JSON unless
// temporal.NewDefaultFailureConverter gets another converter.
package temporalmsgpack
