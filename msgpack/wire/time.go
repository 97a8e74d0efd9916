package wire

import (
	"encoding/binary"
	"time"
)

// TimestampType is the ext type of timestamps in the specification.
const TimestampType int8 = -1

// maxNanoseconds is the largest number of nanoseconds within a second.
const maxNanoseconds = 999_999_999

// AppendTime appends t as a timestamp of 6, 10 or 15 bytes. The time zone is lost,
// because timestamps have none. Every valid time.Time can be encoded, including the
// zero time. AppendTime panics if t has more nanoseconds than a second, which is
// only possible if [time.Time.UnmarshalBinary] has read forged bytes.
func AppendTime(dst []byte, t time.Time) []byte {
	return AppendTimestamp(dst, t.Unix(), uint32(t.Nanosecond()))
}

// AppendTimestamp appends an instant as the shortest timestamp that can hold it:
// timestamp 32 for whole seconds from 1970 to 2106, timestamp 64 for other times
// from 1970 to 2514, otherwise timestamp 96. Seconds count from 1970-01-01 UTC. It
// panics if nsec exceeds 999,999,999.
func AppendTimestamp(dst []byte, sec int64, nsec uint32) []byte {
	if nsec > maxNanoseconds {
		panic("msgpack/wire: nanoseconds out of range")
	}
	switch {
	case nsec == 0 && sec>>32 == 0:
		dst = append(dst, byte(FixExt4), 0xff)
		return binary.BigEndian.AppendUint32(dst, uint32(sec))
	case sec>>34 == 0:
		dst = append(dst, byte(FixExt8), 0xff)
		return binary.BigEndian.AppendUint64(dst, uint64(nsec)<<34|uint64(sec))
	default:
		dst = append(dst, byte(Ext8), 12, 0xff)
		dst = binary.BigEndian.AppendUint32(dst, nsec)
		return binary.BigEndian.AppendUint64(dst, uint64(sec))
	}
}

// ConsumeTime reads a timestamp and returns it in UTC. An ext of another type
// is [ErrFormat].
//
// Errors: [ErrTruncated], [ErrFormat], [ErrReserved], [ErrTimestamp].
func ConsumeTime(src []byte) (t time.Time, n int, err error) {
	// The usual formats are read without a header, which takes half the time.
	if len(src) >= 6 && src[0] == byte(FixExt4) && src[1] == 0xff {
		return time.Unix(int64(binary.BigEndian.Uint32(src[2:])), 0).UTC(), 6, nil
	}
	if len(src) >= 10 && src[0] == byte(FixExt8) && src[1] == 0xff {
		if v := binary.BigEndian.Uint64(src[2:]); v>>34 <= maxNanoseconds {
			return time.Unix(int64(v&(1<<34-1)), int64(v>>34)).UTC(), 10, nil
		}
	}
	typ, data, n, err := ConsumeExt(src)
	if err != nil {
		return time.Time{}, 0, err
	}
	if typ != TimestampType {
		return time.Time{}, 0, ErrFormat
	}
	sec, nsec, err := ParseTimestamp(data)
	if err != nil {
		return time.Time{}, 0, err
	}
	return time.Unix(sec, int64(nsec)).UTC(), n, nil
}

// ParseTimestamp reads the payload of an ext of type -1. Seconds count from
// 1970-01-01 UTC.
//
// Errors: [ErrTimestamp].
func ParseTimestamp(data []byte) (sec int64, nsec uint32, err error) {
	switch len(data) {
	case 4:
		return int64(binary.BigEndian.Uint32(data)), 0, nil
	case 8:
		v := binary.BigEndian.Uint64(data)
		sec, nsec = int64(v&(1<<34-1)), uint32(v>>34)
	case 12:
		nsec, sec = binary.BigEndian.Uint32(data), int64(binary.BigEndian.Uint64(data[4:]))
	default:
		return 0, 0, ErrTimestamp
	}
	if nsec > maxNanoseconds {
		return 0, 0, ErrTimestamp
	}
	return sec, nsec, nil
}
