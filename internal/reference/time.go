package reference

import "time"

// timestamp is the ext type of timestamps in the specification.
const timestamp int8 = -1

// appendTime appends a timestamp in the shortest of its three formats.
func appendTime(dst []byte, t time.Time) []byte {
	sec, nsec := t.Unix(), uint64(t.Nanosecond())
	switch {
	case nsec == 0 && 0 <= sec && sec < 1<<32:
		return appendExt(dst, timestamp, appendBig(nil, uint64(sec), 4))
	case 0 <= sec && sec < 1<<34:
		return appendExt(dst, timestamp, appendBig(nil, nsec<<34|uint64(sec), 8))
	default:
		return appendExt(dst, timestamp, appendBig(appendBig(nil, nsec, 4), uint64(sec), 8))
	}
}

// parseTime decodes the content of an ext of type -1.
func parseTime(content []byte) (t time.Time, ok bool) {
	p := parser{data: content}
	var sec, nsec uint64
	switch len(content) {
	case 4:
		sec = p.uint(4)
	case 8:
		u := p.uint(8)
		sec, nsec = u%(1<<34), u>>34
	case 12:
		nsec = p.uint(4)
		sec = p.uint(8)
	default:
		return t, false
	}
	if nsec >= 1_000_000_000 {
		return t, false
	}
	return time.Unix(int64(sec), int64(nsec)).UTC(), true
}
