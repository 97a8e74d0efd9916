package transcode

// AppendMsgpack converts the JSON value in json to MessagePack, appends it to
// dst, and returns the extended slice. White space around the value and a byte
// order mark before it are skipped. If json contains no value, the error is
// [ErrTruncated] and [io.EOF]; if it contains more than one, [ErrTrailing]. On
// error AppendMsgpack returns dst unchanged. Errors are of type [*Error],
// except for [ErrOptions].
//
// dst and json must not overlap.
func AppendMsgpack(dst, json []byte, o *Options) ([]byte, error) {
	return toMsgpack.append(dst, json, o, true)
}

// AppendMsgpackValues converts all JSON values in json to MessagePack and
// appends them to dst. json may be empty. Values may be separated by white
// space, as in NDJSON. On error AppendMsgpackValues returns dst with the values
// before the error.
//
// dst and json must not overlap.
func AppendMsgpackValues(dst, json []byte, o *Options) ([]byte, error) {
	return toMsgpack.append(dst, json, o, false)
}

// AppendJSON converts the MessagePack value in msgpack to JSON, appends it to
// dst without a newline, and returns the extended slice. If msgpack contains no
// value, the error is [ErrTruncated] and [io.EOF]; if it contains more than one,
// [ErrTrailing]. On error AppendJSON returns dst unchanged. Errors are of type
// [*Error], except for [ErrOptions].
//
// dst and msgpack must not overlap.
func AppendJSON(dst, msgpack []byte, o *Options) ([]byte, error) {
	return toJSON.append(dst, msgpack, o, true)
}

// AppendJSONValues converts all MessagePack values in msgpack to JSON and
// appends them to dst, each followed by a newline. msgpack may be empty. On
// error AppendJSONValues returns dst with the values before the error.
//
// dst and msgpack must not overlap.
func AppendJSONValues(dst, msgpack []byte, o *Options) ([]byte, error) {
	return toJSON.append(dst, msgpack, o, false)
}
