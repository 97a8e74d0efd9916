package msgpack

import (
	"encoding/binary"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// timeCodec is the codec of time.Time without a Config: the shortest timestamp, decoded
// in UTC.
var timeCodec = codec{
	func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		t := mem.At[time.Time](p)
		if err := checkTime(t); err != nil {
			return dst, err
		}
		return wire.AppendTime(dst, *t), nil
	},
	func(d *decoder, p mem.Ptr) error {
		if d.isNil() {
			*mem.At[time.Time](p) = time.Time{}
			return nil
		}
		t, err := d.time("time.Time")
		if err == nil {
			*mem.At[time.Time](p) = t
		}
		return err
	},
}

// checkTime returns an error for a time whose nanoseconds are a second or more.
// [time.Time.UnmarshalBinary] can create such a time, and no decoder would accept its
// timestamp.
func checkTime(t *time.Time) error {
	if t.Nanosecond() > maxNanoseconds {
		return failed(ErrRange, "time.Time with more than 999999999 nanoseconds")
	}
	return nil
}

// time decodes a timestamp of any length.
func (d *decoder) time(want string) (time.Time, error) {
	if t, ok := d.validTime(); ok { // usual, and faster than wire.ConsumeTime
		return t, nil
	}
	t, n, err := wire.ConsumeTime(d.data[d.pos:])
	if err != nil {
		return t, d.fail(err, want)
	}
	d.pos += n
	return t, nil
}

// validTime decodes the next value if it is a valid timestamp in one of its three usual
// formats.
func (d *decoder) validTime() (t time.Time, ok bool) {
	const ext = 0x100 + int(wire.TimestampType) // the type -1 as a byte
	b := d.data[d.pos:]
	switch {
	case len(b) >= 6 && b[0] == byte(wire.FixExt4) && int(b[1]) == ext:
		d.pos += 6
		return time.Unix(int64(binary.BigEndian.Uint32(b[2:])), 0).UTC(), true
	case len(b) >= 10 && b[0] == byte(wire.FixExt8) && int(b[1]) == ext:
		v := binary.BigEndian.Uint64(b[2:])
		if nsec := v >> 34; nsec <= maxNanoseconds {
			d.pos += 10
			return time.Unix(int64(v&(1<<34-1)), int64(nsec)).UTC(), true
		}
	case len(b) >= maxTime && b[0] == byte(wire.Ext8) && b[1] == 12 && int(b[2]) == ext:
		if nsec := binary.BigEndian.Uint32(b[3:]); nsec <= maxNanoseconds {
			d.pos += maxTime
			return time.Unix(int64(binary.BigEndian.Uint64(b[7:])), int64(nsec)).UTC(), true
		}
	}
	return t, false
}

// timeCodec returns the codec of time.Time under the Config.
func (k *compiler) timeCodec() codec {
	if k.plans.time != nil {
		return k.plans.time(k)
	}
	return timeCodec
}
