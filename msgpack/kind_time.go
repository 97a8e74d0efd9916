package msgpack

import (
	"math"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// timeCodec is the codec of time.Time without Options: the shortest timestamp, decoded
// in UTC.
var timeCodec = codec{
	func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		t := mem.At[time.Time](p)
		if err := checkTime(t); err != nil {
			return dst, err
		}
		return wire.AppendTime(dst, *t), nil
	},
	zeroForNil(timeType, func(d *decoder, p mem.Ptr) error {
		t, err := d.time("time.Time")
		if err == nil {
			*mem.At[time.Time](p) = t
		}
		return err
	}),
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
func (d *decoder) time(want string) (time.Time, error) { return consume(d, wire.ConsumeTime, want) }

// makeTimeCodec returns the codec of time.Time in the form and zone of the Options.
func (k *compiler) makeTimeCodec() codec {
	form, zone := k.plans.Time, k.plans.Zone
	if zone == nil {
		zone = time.UTC
	}
	c := timeCodec
	if form != TimeExt {
		header := k.plans.stringHeader
		c.encode = func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
			return form.append(dst, *mem.At[time.Time](p), header)
		}
	}
	c.decode = zeroForNil(timeType, func(d *decoder, p mem.Ptr) error {
		t, err := form.decode(d, zone)
		if err == nil {
			*mem.At[time.Time](p) = t
		}
		return err
	})
	return c
}

// append appends t in a form that is not TimeExt.
func (f TimeForm) append(dst []byte, t time.Time, header headerFunc) ([]byte, error) {
	if f == TimeRFC3339 {
		if _, offset := t.Zone(); offset%60 != 0 || offset <= -24*60*60 || offset >= 24*60*60 {
			t = t.UTC() // RFC 3339 has no seconds in zone offsets, and none of a day or more
		}
		if y := t.Year(); y < 0 || y > 9999 { // RFC 3339 has four digits for the year
			return dst, failed(ErrRange, "time.Time in year "+t.Format("2006"))
		}
		var buf [len(time.RFC3339Nano)]byte
		b := t.AppendFormat(buf[:0], time.RFC3339Nano)
		return append(header(dst, uint32(len(b))), b...), nil
	}
	unit := f.perSecond()
	n, ok := scaled(t.Unix(), unit, int64(t.Nanosecond())/(1e9/unit))
	if !ok {
		return dst, failed(ErrRange, "time.Time "+t.String())
	}
	return wire.AppendInt(dst, n), nil
}

// perSecond returns the number of units in a second. f must be one of these forms.
func (f TimeForm) perSecond() int64 {
	return [...]int64{TimeUnix: 1, TimeUnixMilli: 1e3, TimeUnixMicro: 1e6, TimeUnixNano: 1e9}[f]
}

// scaled returns sec × unit + part. ok is false if an int64 cannot hold the result.
// part must be at least 0 and less than unit.
func scaled(sec, unit, part int64) (n int64, ok bool) {
	// Near the smallest int64 the product may not fit although the sum does. Moving
	// part below zero moves the product toward zero.
	if sec < 0 && part > 0 {
		sec, part = sec+1, part-unit
	}
	// The division tells whether the product overflows before it is computed.
	if sec > math.MaxInt64/unit || sec < math.MinInt64/unit {
		return 0, false
	}
	n = sec * unit
	return n + part, part >= 0 == (n+part >= n)
}

// decode decodes a time in form f, or a timestamp, which every form accepts. A Unix
// time may be a float without a fraction.
func (f TimeForm) decode(d *decoder, zone *time.Location) (t time.Time, err error) {
	const want = "time.Time"
	h, err := d.header(want)
	if err != nil {
		return t, err
	}
	switch kind := h.Format.Kind(); {
	// Only a timestamp is accepted, so that an int is not taken for a time.
	case f == TimeExt:
	case f == TimeRFC3339 && kind == wire.KindStr:
		start := d.pos
		b, err := d.payload(h, want)
		if err != nil {
			return t, err
		}
		if t.UnmarshalText(b) != nil {
			d.pos = start
			return t, d.fail(ErrMismatch, "time in RFC 3339 format")
		}
		return inZone(t, zone), nil
	case f != TimeRFC3339 && (kind == wire.KindInt || kind == wire.KindFloat):
		start := d.pos
		v, negative, err := d.integer(want)
		if err != nil {
			return t, err
		}
		// time.Unix takes an int64.
		if !negative && v > math.MaxInt64 {
			return t, d.rangeError(start, want)
		}
		n, unit := int64(v), f.perSecond()
		return inZone(time.Unix(n/unit, n%unit*(1e9/unit)), zone), nil
	}
	t, err = d.time(want)
	return inZone(t, zone), err
}

// local is time.Local of the system. As Zone it stands for the value that the variable has when a
// time is decoded, because programs change it after a Codec was made.
var local = time.Local

// inZone returns t in a location. The zero time has none, so that it is equal to time.Time{}.
func inZone(t time.Time, zone *time.Location) time.Time {
	if t.IsZero() {
		return time.Time{}
	}
	if zone == local {
		return t.Local()
	}
	return t.In(zone)
}
