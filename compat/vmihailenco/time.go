package msgpack

import (
	"encoding/binary"
	"fmt"
	"reflect"
	"time"

	"github.com/octet-go/octet/msgpack/wire"
)

const (
	timestamp = -1 // the type of the ext of times
	nodeTime  = 13 // the type that msgpack5 for Node.js once gave it
)

// encodeTimestamp encodes a time.Time as a timestamp.
func encodeTimestamp(e *Encoder, v reflect.Value) error {
	if p, ok := at[time.Time](v); ok {
		return e.EncodeTime(*p)
	}
	return e.EncodeTime(v.Interface().(time.Time))
}

// DecodeTime reads a time: a timestamp, an array of seconds and nanoseconds, or a str in the
// form of RFC 3339.
func (d *Decoder) DecodeTime() (time.Time, error) {
	c, err := d.PeekCode()
	if err != nil {
		return time.Time{}, err
	}
	switch f := wire.FormatOf(c); {
	case c == 0x92: // written by old versions of the library
		if _, err := d.DecodeArrayLen(); err != nil {
			return time.Time{}, err
		}
		sec, err := d.DecodeInt64()
		if err != nil {
			return time.Time{}, err
		}
		nsec, err := d.DecodeInt64()
		return time.Unix(sec, nsec), err
	case f.Kind() == wire.KindStr:
		s, err := d.plainString()
		if err != nil {
			return time.Time{}, err
		}
		return time.Parse(time.RFC3339Nano, s)
	}
	id, n, err := d.extHeader(c)
	if err != nil {
		return time.Time{}, err
	}
	if id != timestamp && id != nodeTime {
		return time.Time{}, fmt.Errorf("msgpack: invalid time ext id=%d", id)
	}
	return d.timestamp(n)
}

// timestamp reads the payload of a timestamp. Nanoseconds are not limited.
func (d *Decoder) timestamp(n int) (time.Time, error) {
	b, err := d.take(n)
	if err != nil {
		return time.Time{}, err
	}
	var t time.Time
	switch n {
	case 4:
		t = time.Unix(int64(binary.BigEndian.Uint32(b)), 0)
	case 8:
		u := binary.BigEndian.Uint64(b)
		t = time.Unix(int64(u&(1<<34-1)), int64(u>>34))
	case 12:
		t = time.Unix(int64(binary.BigEndian.Uint64(b[4:])), int64(binary.BigEndian.Uint32(b)))
	default:
		return t, fmt.Errorf("msgpack: invalid ext len=%d decoding time", n)
	}
	if t.IsZero() {
		t = t.UTC() // the zero time has no location
	}
	return t, nil
}

// decodeTimestamp decodes the payload of a timestamp into a time.Time.
func decodeTimestamp(d *Decoder, v reflect.Value, n int) error {
	t, err := d.timestamp(n)
	if p, ok := at[time.Time](v); ok && err == nil {
		*p = t
	} else if err == nil {
		v.Set(reflect.ValueOf(t))
	}
	return err
}
