// Package schema describes the messages of a Go type, compares two versions of a type,
// and checks messages.
//
// It is for messages that live longer than a program: in files, queues and caches, and
// between services that are not updated at the same time. The usual call is in a test or
// in a build, before a changed type is used:
//
//	old, err := schema.Parse(text)          // text is a file in the repository
//	new, err := schema.Of[Event](codec)
//	changes := schema.Breaking(schema.Compare(old, new))
//
// [Of] makes a [Schema] from a Go type and a codec: names or integers as keys, aliases,
// required and omitted fields, widths of numbers, str or bin, forms of times, exts,
// unions with their tags, and recursive types. [Schema.String] returns its text form.
// [Compare] lists what has changed, and what each change does to programs with the other
// version. [Schema.Check] reports whether a message follows a schema, without decoding
// it.
//
// A new reader is a program with the new version that reads messages of the old one. An
// old reader is the opposite. For both, Compare says whether they fail, lose a field
// without an error, change a value, pass over a field that they never had, or are not
// affected. A change is breaking if one of them fails or loses a field.
//
// A schema says what a codec writes, and what it refuses because of RejectUnknown and
// ExactArrays. It does not say what a codec accepts beyond the messages that it writes, because
// of the fields WrapInts, RoundInts and Arrays of [msgpack.Compat], or of AnyStringKeys and
// AnyMapPairs: Compare says that such a reader fails where it drops the high bits of an integer,
// rounds it to a float, leaves the rest of an array as it is, or decodes a key that Go maps
// cannot have. The fields AnyText, NilRaw, ReplaceMaps and PlainEOF are not in the schema
// either. They change the Go values or errors that a reader gets, not which messages it accepts.
//
// # Text form
//
// The text form is JSON Schema 2020-12 for the JSON that the octet command makes of the
// messages, so every validator and generator of JSON Schema can read it. The keyword
// msgpack of each type has what JSON does not have; fields have the keyword
// msgpack-field. Validators ignore both, and [Parse] reads both.
//
//	msgpack         kind        any, raw, own, bool, int, uint, float, number, str, bin, time, ext, array, map, struct or union
//	                nil         true: nil is valid, too
//	                bits        width of an int, uint or float: 8, 16, 32 or 64
//	                length      number of bytes of a str or bin of fixed length
//	                go          Go type whose methods decide which values are valid
//	                form        of a time: timestamp, rfc3339, unix, unixmilli, unixmicro or unixnano
//	                ext         type of an ext, from -128 to 127; without it, all types are valid
//	                set         true: the elements of the array are the keys of a Go map
//	                key         schema of the keys of a map
//	                pairs       true: keys of the map can be of any kind, and repeat
//	                asarray     true: the struct is an array of its fields
//	                integerkeys, rejectunknown, exactarrays     true: see package msgpack
//	                discriminator    key of the tag of a union; without it, a variant is an array of tag and value
//	msgpack-field   name        of an element of a struct that is an array
//	                aliases, required, omitempty, omitzero     the tag options of that name
//	                omitnil     true: omitted if an embedded pointer is nil
//	                nilinside   true: written as nil, although it is omitted if it is nil
//	                encodeonly  true: only nil can be decoded
package schema
