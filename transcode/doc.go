// Package transcode converts JSON text to MessagePack and MessagePack to JSON
// text without decoding into Go values.
//
// It is for programs that forward data, such as gateways, log shippers and
// command-line tools. One call converts a slice; another converts a stream of
// any length in constant memory:
//
//	b, err := transcode.AppendMsgpack(nil, []byte(`{"id":42}`), nil)
//	stats, err := transcode.ToJSON(os.Stdout, os.Stdin, nil)
//
// A value is one complete JSON text or MessagePack object. An input may contain
// many values. MessagePack values follow each other directly. JSON values may
// be separated by white space, as in NDJSON; the white space is required only
// after a number or literal. JSON output has one value per line, or indents
// each value.
//
// A [JSONSplitter] finds the ends of JSON values in a stream and converts nothing;
// package wire has the same for MessagePack.
//
// # How values correspond
//
// No value is dropped or changed silently. Some MessagePack values have no
// exact JSON equivalent. By default they become the JSON that most readers
// expect; with [Options].Reversible they become JSON that converts back to the
// same value.
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
//	                                                 a key is not a UTF-8 str
//	timestamp            string in RFC 3339, UTC     {"$time":"2026-11-21T08:00:00Z"}
//	timestamp outside    {"$ext":{"type":-1,         the same
//	  the years 0..9999    "data":"AAAAAH////8AAAAA"}}
//	other ext            {"$ext":{"type":5,          the same
//	                       "data":"AQI="}}
//	malformed timestamp  wire.ErrTimestamp           {"$ext":{"type":-1,"data":"AQI="}}
//
// JSON becomes MessagePack in the shortest format that holds the value:
//
//	JSON                                             MessagePack
//
//	null, false, true                                nil, false, true
//	number without . and e, -2^63 to 2^64-1          int
//	-0                                               float 64, because ints have no minus zero
//	other number                                     the nearest float 64
//	string                                           str
//	array, object                                    array, map; the order is kept
//
// A number that exceeds the range of float 64 is [ErrNumber]. Two other kinds
// of numbers are [ErrNumber] unless [Options].RoundNumbers is set: an integer
// of more than 64 bits that is not exactly a float 64, and a number so small
// that it would become zero.
//
// JSON keys are strings. A MessagePack map key that is not a str becomes the
// string of its JSON text: 1 becomes "1", nil "null", true "true", 1.5 "1.5",
// and the array [1] "[1]". A key that is a JSON string anyway, such as a bin or
// a timestamp, stays that string. A key that is an array or a map may itself
// contain maps. The keys of these inner maps must not be arrays, maps or exts;
// otherwise the error is [ErrKey]. Two keys with the same JSON text, such as 1
// and "1", are [ErrDuplicateKey]. Duplicate keys in the input are
// [ErrDuplicateKey] in both directions.
//
// Strings must be valid UTF-8, and JSON strings must not contain the escape of
// a lone surrogate. A byte order mark at the start of JSON input is skipped;
// before a later value it is an [ErrSyntax].
//
// # The reversible form
//
// With [Options].Reversible, MessagePack that is converted to JSON and back is
// the same message. It is the same byte for byte if the message used the
// shortest formats; a longer format, such as 5 as uint 64, becomes the shortest.
// Maps with duplicate keys are [ErrDuplicateKey] with this option too.
//
// An escape object is an object with exactly one member, whose name starts with
// a single dollar sign. It represents a value that JSON lacks. In all other
// objects, a dollar sign at the start of a name is doubled. For example,
//
//	{"$bin":"AQI="}      is the bin 01 02
//	{"$$bin":"AQI="}     is a map with the key "$bin"
//
// These are the escape objects and their contents:
//
//	$bin   string in padded standard base64
//	$str   the same, for a str that is not UTF-8
//	$f32   number, rounded to float 32; or its bits as 8 hexadecimal digits
//	$f64   number; or its bits as 16 hexadecimal digits
//	$time  string in RFC 3339 with at most nine fractional digits
//	$ext   object with "type", an integer from -128 to 127, and "data" in base64
//	$map   array of [key, value] arrays
//
// In JSON input, any other name that starts with a single dollar sign, or an
// escape object with a second member, is [ErrEscape]. JSON from other programs
// that uses such names is therefore not misread.
//
// # Errors
//
// An error in the input is reported as an [*Error]. It holds the offset in the
// input, the line and column if it is JSON, the number of the value in the
// stream, the path inside the value, and a reason for [errors.Is]. The values
// before the error are valid and are written. Offsets, lines and paths do not
// depend on how the reads divide a stream.
//
// Input may be malicious. No input causes a panic, and the time is linear in the
// size of the input. [Options].MaxDepth limits nesting. The memory is a small
// multiple of the part of the largest value that has arrived, whatever lengths
// its headers claim.
package transcode
