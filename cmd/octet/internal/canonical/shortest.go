package canonical

import "github.com/octet-go/octet/msgpack/wire"

// LongestHead is the maximum number of bytes that [AppendShortest] needs from
// the start of a value: the header and the payload of a timestamp.
const LongestHead = 18

// AppendShortest appends the header of a value in its shortest format. For an
// integer or a well-formed timestamp it appends the whole value, because their
// payloads also become shorter; whole is then true. value begins with the
// header h. The payload after it must be complete if it is shorter than
// [LongestHead].
func AppendShortest(dst []byte, h wire.Header, value []byte) (out []byte, whole bool) {
	switch h.Format.Kind() {
	case wire.KindInt:
		if v, _, err := wire.ConsumeInt(value); err == nil {
			return wire.AppendInt(dst, v), true
		}
		v, _, _ := wire.ConsumeUint(value)
		return wire.AppendUint(dst, v), true
	case wire.KindStr:
		return wire.AppendStringHeader(dst, h.Payload), false
	case wire.KindBin:
		return wire.AppendBinHeader(dst, h.Payload), false
	case wire.KindArray:
		return wire.AppendArrayHeader(dst, h.Count), false
	case wire.KindMap:
		return wire.AppendMapHeader(dst, h.Count), false
	case wire.KindExt:
		if h.Ext == wire.TimestampType && h.Payload <= 12 {
			if sec, nsec, err := wire.ParseTimestamp(value[h.Size:][:h.Payload]); err == nil {
				return wire.AppendTimestamp(dst, sec, nsec), true
			}
		}
		return wire.AppendExtHeader(dst, h.Ext, h.Payload), false
	}
	// The format of a nil, bool or float is the only one that holds the value.
	return append(dst, value[:int(h.Size)]...), false
}

// Excess returns the number of bytes by which a value is longer than in its
// shortest format. The elements of a container do not count. For value, see
// [AppendShortest].
func Excess(h wire.Header, value []byte) int {
	var buf [LongestHead]byte
	short, whole := AppendShortest(buf[:0], h, value)
	if whole {
		return int(h.Size) + int(h.Payload) - len(short)
	}
	return int(h.Size) - len(short)
}

// End returns the length of the value at the start of data, which must be
// complete. Unlike wire.Skip, it does not look at the content of timestamps.
func End(data []byte) int {
	n, _ := (*Pace)(nil).End(data)
	return n
}
