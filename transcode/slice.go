package transcode

// AppendMsgpack appends the one JSON value in json to dst as MessagePack and
// returns the extended slice. White space around the value and a byte order
// mark before it are skipped; no value is [wire.ErrTruncated], more than one
// is [ErrTrailing]. On error it returns dst as it was, and an [*Error] or, for
// options out of range, a plain error.
//
// dst and json must not overlap.
func AppendMsgpack(dst, json []byte, o Options) ([]byte, error) {
	return toMsgpack.append(dst, json, o, true)
}

// AppendMsgpackValues appends all the JSON values in json, which may be none,
// to dst as MessagePack, one after the other. Values may follow each other
// with or without white space, as in NDJSON. On error it returns dst with the
// values before the one at fault.
//
// dst and json must not overlap.
func AppendMsgpackValues(dst, json []byte, o Options) ([]byte, error) {
	return toMsgpack.append(dst, json, o, false)
}

// AppendJSON appends the one MessagePack value in msgpack to dst as JSON,
// without a line end, and returns the extended slice. No value is
// [wire.ErrTruncated], more than one is [ErrTrailing]. On error it returns dst
// as it was, and an [*Error] or, for options out of range, a plain error.
//
// dst and msgpack must not overlap.
func AppendJSON(dst, msgpack []byte, o Options) ([]byte, error) {
	return toJSON.append(dst, msgpack, o, true)
}

// AppendJSONValues appends all the MessagePack values in msgpack, which may be
// none, to dst as JSON, each followed by a line end. On error it returns dst
// with the values before the one at fault.
//
// dst and msgpack must not overlap.
func AppendJSONValues(dst, msgpack []byte, o Options) ([]byte, error) {
	return toJSON.append(dst, msgpack, o, false)
}

func (d *direction) append(dst, src []byte, o Options, one bool) ([]byte, error) {
	o, err := o.check()
	if err != nil {
		return dst, err
	}
	c := d.take(o)
	defer d.give(c)
	out, _, _, fault := c.convert(dst, src, true, one)
	switch {
	case fault == nil:
		return out, nil
	case one:
		return dst, fault
	default:
		return out, fault
	}
}
