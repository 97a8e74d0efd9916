package profile

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"time"

	"github.com/octet-go/octet/msgpack"
	"github.com/octet-go/octet/msgpack/wire"
)

const (
	// Types of ext.
	shamatonComplexType = -128
	msgpComplex64Type   = 3
	msgpComplex128Type  = 4
	msgpTimeType        = 5

	msgpTimeLength = 12
	maxNanoseconds = 1e9 - 1
)

var (
	errLength      = errors.New("wrong length")
	errNanoseconds = errors.New("more than 999999999 nanoseconds")
)

func isNil(data []byte) bool { return wire.FormatOf(data[0]) == wire.Nil }

func checkTime(t time.Time) error {
	if t.Nanosecond() > maxNanoseconds {
		return errNanoseconds
	}
	return nil
}

// nilTime writes times with a function, and a zero time as nil. The other function parses
// the content of a str or bin.
func nilTime(appendTime func(dst []byte, t time.Time) []byte, parse func(payload []byte) (time.Time, error)) msgpack.TypeCoder {
	return msgpack.Override(func(dst []byte, t time.Time) ([]byte, error) {
		if t.IsZero() {
			return wire.AppendNil(dst), nil
		}
		if err := checkTime(t); err != nil { // wire.AppendTime would panic
			return dst, err
		}
		return appendTime(dst, t), nil
	}, func(data []byte) (time.Time, error) {
		switch wire.FormatOf(data[0]).Kind() {
		case wire.KindNil:
			return time.Time{}, nil
		case wire.KindStr, wire.KindBin: // a timestamp without the header of an ext
			_, n, err := wire.ConsumeHeader(data)
			if err != nil {
				return time.Time{}, err
			}
			return parse(data[n:])
		}
		t, _, err := wire.ConsumeTime(data)
		return t, err
	})
}

func parseTimestamp(payload []byte) (time.Time, error) {
	sec, nsec, err := wire.ParseTimestamp(payload)
	if err != nil {
		return time.Time{}, err
	}
	return time.Unix(sec, int64(nsec)).UTC(), nil
}

// parseTimestampOrGo also parses the result of MarshalBinary of a time, whose length is
// never that of a timestamp.
func parseTimestampOrGo(payload []byte) (t time.Time, err error) {
	if n := len(payload); n == 15 || n == 16 {
		err := t.UnmarshalBinary(payload)
		return t, err
	}
	return parseTimestamp(payload)
}

// appendOldTime appends the payload of a timestamp as str.
func appendOldTime(dst []byte, t time.Time) []byte {
	payload := wire.AppendTime(make([]byte, 0, 15), t)[2:] // without the header of a fixext
	if len(payload) == 13 {
		payload = payload[1:] // the header of an ext 8 is longer
	}
	return append(wire.AppendStringHeader(dst, uint32(len(payload))), payload...)
}

// msgpTime writes times as ext 5: eight bytes of seconds and four of nanoseconds. It
// also reads timestamps.
func msgpTime() msgpack.TypeCoder {
	return msgpack.Override(func(dst []byte, t time.Time) ([]byte, error) {
		dst = wire.AppendExtHeader(dst, msgpTimeType, msgpTimeLength)
		dst = binary.BigEndian.AppendUint64(dst, uint64(t.Unix()))
		return binary.BigEndian.AppendUint32(dst, uint32(t.Nanosecond())), checkTime(t)
	}, func(data []byte) (time.Time, error) {
		if isNil(data) {
			return time.Time{}, nil
		}
		typ, payload, _, err := wire.ConsumeExt(data)
		if err != nil {
			return time.Time{}, err
		}
		if typ != msgpTimeType {
			t, _, err := wire.ConsumeTime(data)
			return t.Local(), err
		}
		if len(payload) != msgpTimeLength {
			return time.Time{}, errLength
		}
		nsec := binary.BigEndian.Uint32(payload[8:])
		if nsec > maxNanoseconds {
			return time.Time{}, errNanoseconds
		}
		return time.Unix(int64(binary.BigEndian.Uint64(payload)), int64(nsec)), nil
	})
}

// msgpNumber writes a json.Number as an integer, or as the shortest float that has its value.
func msgpNumber() msgpack.TypeCoder {
	return msgpack.Override(func(dst []byte, n json.Number) ([]byte, error) {
		if n == "" {
			return wire.AppendInt(dst, 0), nil
		}
		if i, err := n.Int64(); err == nil {
			return appendSigned(dst, i), nil
		}
		f, err := n.Float64()
		if err == nil && float64(float32(f)) == f {
			return wire.AppendFloat32(dst, float32(f)), nil
		}
		return wire.AppendFloat64(dst, f), err
	}, func(data []byte) (json.Number, error) {
		switch wire.FormatOf(data[0]).Kind() {
		case wire.KindNil:
			return "", nil
		case wire.KindInt:
			if u, _, err := wire.ConsumeUint(data); err == nil {
				return json.Number(strconv.FormatUint(u, 10)), nil
			}
			i, _, err := wire.ConsumeInt(data)
			return json.Number(strconv.FormatInt(i, 10)), err
		}
		f, _, err := wire.ConsumeFloat64(data)
		return json.Number(strconv.FormatFloat(f, 'f', -1, 64)), err
	})
}

// appendSigned appends an integer in the shortest signed format, as Compat.SignedInts does.
func appendSigned(dst []byte, i int64) []byte {
	switch {
	case i <= math.MaxInt8:
		return wire.AppendInt(dst, i)
	case i <= math.MaxInt16:
		return binary.BigEndian.AppendUint16(append(dst, byte(wire.Int16)), uint16(i))
	case i <= math.MaxInt32:
		return binary.BigEndian.AppendUint32(append(dst, byte(wire.Int32)), uint32(i))
	}
	return binary.BigEndian.AppendUint64(append(dst, byte(wire.Int64)), uint64(i))
}

func appendComplex64(dst []byte, c complex64) ([]byte, error) {
	dst = binary.BigEndian.AppendUint32(dst, math.Float32bits(real(c)))
	return binary.BigEndian.AppendUint32(dst, math.Float32bits(imag(c))), nil
}

func parseComplex64(b []byte) (complex64, error) {
	if len(b) != 8 {
		return 0, errLength
	}
	return complex(math.Float32frombits(binary.BigEndian.Uint32(b)), math.Float32frombits(binary.BigEndian.Uint32(b[4:]))), nil
}

func appendComplex128(dst []byte, c complex128) ([]byte, error) {
	dst = binary.BigEndian.AppendUint64(dst, math.Float64bits(real(c)))
	return binary.BigEndian.AppendUint64(dst, math.Float64bits(imag(c))), nil
}

func parseComplex128(b []byte) (complex128, error) {
	if len(b) != 16 {
		return 0, errLength
	}
	return complex(math.Float64frombits(binary.BigEndian.Uint64(b)), math.Float64frombits(binary.BigEndian.Uint64(b[8:]))), nil
}

func msgpComplex64() msgpack.TypeCoder {
	return msgpack.ExtType(msgpComplex64Type, appendComplex64, parseComplex64)
}

func msgpComplex128() msgpack.TypeCoder {
	return msgpack.ExtType(msgpComplex128Type, appendComplex128, parseComplex128)
}

// shamatonComplex128 writes and reads complex128 values as ext -128. In a variable of
// type any, an ext -128 of 8 bytes becomes a complex128, too.
func shamatonComplex128() msgpack.TypeCoder {
	return msgpack.ExtType(shamatonComplexType, appendComplex128, func(b []byte) (complex128, error) {
		if len(b) == 8 {
			c, err := parseComplex64(b)
			return complex128(c), err
		}
		return parseComplex128(b)
	})
}

// shamatonComplex64 is an Override, because only one type can be registered for a type
// of ext.
func shamatonComplex64() msgpack.TypeCoder {
	return msgpack.Override(func(dst []byte, c complex64) ([]byte, error) {
		return appendComplex64(wire.AppendExtHeader(dst, shamatonComplexType, 8), c)
	}, func(data []byte) (complex64, error) {
		if isNil(data) {
			return 0, nil
		}
		typ, payload, _, err := wire.ConsumeExt(data)
		if err != nil {
			return 0, err
		}
		if typ != shamatonComplexType {
			return 0, errors.New("not an ext of type -128")
		}
		return parseComplex64(payload)
	})
}
