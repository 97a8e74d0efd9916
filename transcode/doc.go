// Package transcode converts JSON text to MessagePack and MessagePack to JSON
// text, without Go values in between.
//
// It is for programs that pass data on: gateways, log shippers, tools. Slices
// are converted by one call, streams of any length in constant memory:
//
//	b, err := transcode.AppendMsgpack(nil, []byte(`{"id":42}`), transcode.Options{})
//	stats, err := transcode.ToJSON(os.Stdout, os.Stdin, transcode.Options{})
//
// A value is one complete JSON text or MessagePack object. An input of many
// values has them one after the other: MessagePack without anything in between,
// JSON with white space (so NDJSON too) or, except after a number or word,
// without. JSON output has one value a line, or each indented.
//
// # How values correspond
//
// What JSON can say, it says; nothing is dropped or changed in silence. Where
// MessagePack knows more than JSON, the plain form is what readers of JSON
// expect, and the form under [Options].Reversible keeps the difference.
//
//	MessagePack          JSON                        JSON, Reversible
//
//	nil, false, true     null, false, true           the same
//	int                  integer                     the same
//	float 64             number with . or e: 1.0     the same
//	float 32             the same value as float 64  {"$f32":0.1}
//	NaN, infinities      ErrNaN                      {"$f64":"7ff8000000000000"}
//	str                  string                      the same
//	str that is not      ErrUTF8                     {"$str":"/w=="}
//	  UTF-8
//	bin                  string in base64            {"$bin":"AQI="}
//	array                array                       the same
//	map                  object                      object, or {"$map":[[1,"a"]]} where
//	                                                 a key is not a str of UTF-8
//	timestamp            string by RFC 3339, UTC     {"$time":"2026-11-21T08:00:00Z"}
//	timestamp outside    {"$ext":{"type":-1,         the same
//	  the years 0..9999    "data":"AAAAAH////8AAAAA"}}
//	other ext            {"$ext":{"type":5,          the same
//	                       "data":"AQI="}}
//	malformed timestamp  wire.ErrTimestamp           {"$ext":{"type":-1,"data":"AQI="}}
//
// The other way, in the shortest MessagePack format that holds the value:
//
//	JSON                                             MessagePack
//
//	null, false, true                                nil, false, true
//	number without . and e, -2^63 to 2^64-1          int
//	-0                                               float 64, since no int is minus zero
//	other number                                     float 64, the nearest
//	string                                           str
//	array, object                                    array, map, in the same order
//
// A number that float 64 cannot hold is [ErrNumber]. So is an integer beyond
// 64 bits that is not exactly a float 64, and a number so small that it would
// become zero, unless [Options].RoundNumbers is set.
//
// Keys. A key of a MessagePack map that is not a str becomes the string of its
// JSON text: 1 becomes "1", nil "null", true "true", 1.5 "1.5", the array [1]
// "[1]". What is a string in JSON anyway stays that string: bin in base64,
// timestamps. An array, map or ext as a key within such a key is [ErrKey].
// Two keys of a map that are the same then, such as 1 and "1", are
// [ErrDuplicateKey], as are two that are the same from the start, in both
// directions.
//
// Strings must be UTF-8; JSON strings must not escape half of a surrogate
// pair. A byte order mark at the start of JSON input is skipped.
//
// # The reversible form
//
// Under [Options].Reversible, MessagePack turned into JSON and back is the same
// message, byte for byte if it used the shortest formats. (Longer formats than
// needed are not kept: 5 as uint 64, "a" as str 32, a timestamp 96 of this
// year. Maps with two equal keys are [ErrDuplicateKey] here as well.) An object with a name that starts with a dollar sign is an escape
// object of exactly that one member; in the names of all other objects, a
// dollar sign at the start is written twice. So
//
//	{"$bin":"AQI="}      is the bin 01 02
//	{"$$bin":"AQI="}     is a map with the key "$bin"
//
// The escape objects, with what they hold, are
//
//	$bin   string in padded standard base64
//	$str   the same, of a str that is not UTF-8
//	$f32   number, rounded to float 32; or 8 hexadecimal digits, its bits
//	$f64   number; or 16 hexadecimal digits, its bits
//	$time  string by RFC 3339 with up to nine digits of a second
//	$ext   object of "type", an integer from -128 to 127, and "data" in base64
//	$map   array of [key, value] arrays
//
// In JSON input anything else after a dollar sign, or another member beside
// it, is [ErrEscape]: JSON from elsewhere that uses such names does not pass
// for something that it is not.
//
// # Faults
//
// Every fault in the input is an [*Error] with its offset in the input, the
// number of the value in a stream, the path inside the value and a reason for
// [errors.Is]. What was converted before the fault stays valid and is
// written. Offsets and paths do not depend on how a stream is cut into reads.
//
// Input may be hostile: there is no panic, time is linear, nesting is limited
// to [Options].MaxDepth, and memory is bounded by a small multiple of what has
// arrived of the largest value, whatever its headers claim.
package transcode
