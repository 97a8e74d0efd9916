package parquet

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"
	"unicode/utf8"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
	"github.com/octet-go/octet/transcode"
)

const (
	// maxSecond is the first second after 1970 whose nanoseconds do not all fit in 64 bits.
	maxSecond = math.MaxInt64 / 1_000_000_000
	// maxExact: all integers up to it are exact as float 64.
	maxExact      = 1 << 53
	maxExactFloat = 1 << 24 // the same for float 32
)

const noTime = "time outside of the years 1678 to 2261"

// leaf reads the next value for a column without parts, and moves pos behind it. If the
// value does not fit, it returns the reason.
func (s *shredder) leaf(n *node) (v datum, reason string, err error) {
	if n.kind == kindJSON {
		raw, err := s.skip()
		if err != nil {
			return v, "", err
		}
		if s.open[n.typ] {
			return v, "the first values do not show the type", nil // errGuess
		}
		v, reason = s.json(raw)
		return v, reason, nil
	}
	h, err := s.header()
	if err != nil {
		return v, "", err
	}
	if h.Count > 0 {
		_, err := s.skip()
		return v, misfit(n, h), err
	}
	raw := s.data[s.pos:][:int(h.Size)+int(h.Payload)]
	s.pos += len(raw)
	payload := raw[h.Size:]
	kind := h.Format.Kind()
	switch {
	case n.kind == kindBool && kind == wire.KindBool:
		if h.Format == wire.True {
			v.bits = 1
		}
		return v, "", nil
	case n.kind == kindInt && kind == wire.KindInt:
		i, _, big := integer(h, raw)
		if shift := 64 - n.typ.Bits; big || i<<shift>>shift != i {
			return v, outside(n), nil
		}
		return datum{bits: uint64(i)}, "", nil
	case n.kind == kindUint && kind == wire.KindInt:
		i, u, big := integer(h, raw)
		if shift := 64 - n.typ.Bits; !big && i < 0 || u<<shift>>shift != u {
			return v, outside(n), nil
		}
		return datum{bits: u}, "", nil
	case n.kind == kindFloat && (kind == wire.KindFloat || kind == wire.KindInt):
		return float(n, h, raw)
	case n.kind == kindStr && (kind == wire.KindStr || kind == wire.KindBin):
		if !utf8.Valid(payload) {
			return v, kind.String() + " that is not UTF-8", nil
		}
		return datum{text: payload}, "", nil
	case n.kind == kindBin && (kind == wire.KindStr || kind == wire.KindBin):
		return datum{text: payload}, "", nil
	case n.kind == kindTime:
		if ns, reason := nanoseconds(n.typ.Time, h, raw); reason == "" {
			return datum{bits: uint64(ns)}, "", nil
		} else if reason != notTime {
			return v, reason, nil
		}
	}
	return v, misfit(n, h), nil
}

// json returns a value as JSON, which is valid until the next call.
func (s *shredder) json(raw []byte) (v datum, reason string) {
	text, err := transcode.AppendJSON(s.text[:0], raw, &transcode.Options{Reversible: true})
	if err != nil {
		var e *transcode.Error
		if errors.As(err, &e) {
			err = e.Err
		}
		return v, "value that has no JSON: " + err.Error()
	}
	s.text = text
	return datum{text: text}, ""
}

// integer returns the int that raw holds. If it exceeds int64, big is true. u is the same
// number if it is not negative.
func integer(h wire.Header, raw []byte) (i int64, u uint64, big bool) {
	payload := raw[h.Size:]
	switch h.Format {
	case wire.PositiveFixint, wire.NegativeFixint:
		i = int64(int8(raw[0]))
	case wire.Int8:
		i = int64(int8(payload[0]))
	case wire.Int16:
		i = int64(int16(binary.BigEndian.Uint16(payload)))
	case wire.Int32:
		i = int64(int32(binary.BigEndian.Uint32(payload)))
	case wire.Uint8:
		i = int64(payload[0])
	case wire.Uint16:
		i = int64(binary.BigEndian.Uint16(payload))
	case wire.Uint32:
		i = int64(binary.BigEndian.Uint32(payload))
	default:
		u = binary.BigEndian.Uint64(payload)
		return int64(u), u, h.Format == wire.Uint64 && u > math.MaxInt64
	}
	return i, uint64(i), false
}

// float returns a number for a column of floats.
func float(n *node, h wire.Header, raw []byte) (v datum, reason string, err error) {
	var f float64
	switch payload := raw[h.Size:]; h.Format {
	case wire.Float32:
		single := math.Float32frombits(binary.BigEndian.Uint32(payload))
		if n.typ.Bits == 32 {
			return datum{bits: uint64(math.Float32bits(single))}, "", nil
		}
		return datum{bits: math.Float64bits(float64(single))}, "", nil
	case wire.Float64:
		f = math.Float64frombits(binary.BigEndian.Uint64(payload))
	default:
		limit := int64(maxExact)
		if n.typ.Bits == 32 {
			limit = maxExactFloat
		}
		i, _, big := integer(h, raw)
		if big || i > limit || i < -limit {
			return v, "int that is not exact as float of " + fmt.Sprint(n.typ.Bits) + " bits", nil
		}
		f = float64(i)
	}
	if n.typ.Bits == 32 {
		if single := float32(f); float64(single) == f || f != f {
			return datum{bits: uint64(math.Float32bits(single))}, "", nil
		}
		return v, "float 64 that is not exact as float of 32 bits", nil
	}
	return datum{bits: math.Float64bits(f)}, "", nil
}

// notTime is the reason of nanoseconds for a value that is no time.
const notTime = "no time"

// nanoseconds returns the time that raw holds, in nanoseconds since 1970-01-01 UTC.
func nanoseconds(form msgpack.TimeForm, h wire.Header, raw []byte) (ns int64, reason string) {
	payload := raw[h.Size:]
	switch kind := h.Format.Kind(); {
	case kind == wire.KindExt && h.Ext == wire.TimestampType:
		sec, nano, err := wire.ParseTimestamp(payload)
		if err != nil {
			return 0, notTime
		}
		return nanosecondsOf(sec, int64(nano))
	case kind == wire.KindStr && form == msgpack.TimeRFC3339:
		t, err := time.Parse(time.RFC3339Nano, string(payload))
		if err != nil {
			return 0, "str that is not a time in RFC 3339"
		}
		return nanosecondsOf(t.Unix(), int64(t.Nanosecond()))
	case kind == wire.KindInt && form >= msgpack.TimeUnix:
		i, _, big := integer(h, raw)
		if big {
			return 0, noTime
		}
		return unixTime(form, i)
	}
	return 0, notTime
}

// unixTime returns the nanoseconds of a time as an int.
func unixTime(form msgpack.TimeForm, i int64) (ns int64, reason string) {
	unit := int64(0) // per second
	switch form {
	case msgpack.TimeUnix:
		unit = 1
	case msgpack.TimeUnixMilli:
		unit = 1e3
	case msgpack.TimeUnixMicro:
		unit = 1e6
	case msgpack.TimeUnixNano:
		unit = 1e9
	default:
		return 0, noTime
	}
	sec, count := i/unit, i%unit
	if count < 0 {
		sec, count = sec-1, count+unit
	}
	return nanosecondsOf(sec, count*(1e9/unit))
}

// nanosecondsOf returns the nanoseconds of a time in seconds and nanoseconds.
func nanosecondsOf(sec, nano int64) (ns int64, reason string) {
	if sec >= maxSecond || sec < -maxSecond {
		return 0, noTime
	}
	return sec*1e9 + nano, ""
}

// outside is the reason for an int that the column cannot hold.
func outside(n *node) string { return "int out of range for " + want(n) }

// misfit is the reason for a value of another kind.
func misfit(n *node, h wire.Header) string {
	found := h.Format.Kind().String()
	if h.Format.Kind() == wire.KindExt {
		found = fmt.Sprintf("ext %d", h.Ext)
	}
	return found + " does not fit " + want(n)
}

// want describes the values of n.
func want(n *node) string {
	switch n.kind {
	case kindInt, kindUint, kindFloat:
		return fmt.Sprintf("%s of %d bits", n.typ.Kind, n.typ.Bits)
	case kindExt:
		if !n.typ.AnyExt {
			return fmt.Sprintf("ext %d", n.typ.Ext)
		}
	}
	return n.typ.Kind.String()
}
