package msgpack

import (
	"encoding/binary"
	"math"
	"time"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// timeCodec is for time.Time: a timestamp, in UTC when decoded.
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

// checkTime refuses what [time.Time.UnmarshalBinary] may make: a time of more
// nanoseconds than a second has.
func checkTime(t *time.Time) error {
	if t.Nanosecond() > maxNanoseconds {
		return failed(ErrRange, "time.Time of too many nanoseconds")
	}
	return nil
}

func (d *decoder) time(want string) (time.Time, error) {
	if t, ok := d.plainTime(); ok {
		return t, nil
	}
	t, n, err := wire.ConsumeTime(d.data[d.pos:])
	if err != nil {
		return t, d.fail(err, want)
	}
	d.pos += n
	return t, nil
}

// plainTime reads a valid timestamp, if that is what comes next.
func (d *decoder) plainTime() (t time.Time, ok bool) {
	const ext = 0x100 + int(wire.TimestampType) // as a byte
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

func (k *compiler) timeCodec() codec {
	if k.plans.time != nil {
		return k.plans.time(k)
	}
	return timeCodec
}

// makeRawCodec is for [Raw]: the bytes of any one value.
func (k *compiler) makeRawCodec() codec {
	c := rawCodec
	if k.plans.AliasInput {
		c.decode = func(d *decoder, p mem.Ptr) error {
			b, err := d.one()
			if err == nil {
				*mem.At[Raw](p) = b
			}
			return err
		}
	}
	return c
}

var rawCodec = codec{
	func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		raw := *mem.At[Raw](p)
		if len(raw) == 0 {
			return wire.AppendNil(dst), nil
		}
		if err := checkOne(raw, depth, "Raw"); err != nil {
			return dst, err
		}
		return append(dst, raw...), nil
	},
	func(d *decoder, p mem.Ptr) error {
		b, err := d.one()
		if err != nil {
			return err
		}
		*mem.At[Raw](p) = append(Raw{}, b...)
		return nil
	},
}

// checkOne makes sure that b, which found names, is one valid value that may be
// nested depth levels deep.
func checkOne(b []byte, depth int, found string) error {
	n, err := wire.Skip(b, depth)
	if err == wire.ErrDepth {
		return failed(ErrDepth, found)
	}
	if err != nil || n != len(b) {
		return failed(ErrInvalid, found)
	}
	return nil
}

// extCodec is for [Ext].
var extCodec = codec{
	func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		e := mem.At[Ext](p)
		if uint64(len(e.Data)) > math.MaxUint32 {
			return dst, failed(ErrLimit, "Ext")
		}
		if e.Type == wire.TimestampType {
			if _, _, err := wire.ParseTimestamp(e.Data); err != nil {
				return dst, failed(err, "Ext")
			}
		}
		return wire.AppendExt(dst, e.Type, e.Data), nil
	},
	func(d *decoder, p mem.Ptr) error {
		e := mem.At[Ext](p)
		if d.isNil() {
			*e = Ext{}
			return nil
		}
		h, err := d.header("msgpack.Ext")
		if err != nil {
			return err
		}
		if h.Format.Kind() != wire.KindExt {
			return d.mismatch("msgpack.Ext")
		}
		b, err := d.one()
		if err != nil {
			return err
		}
		*e = Ext{h.Ext, append([]byte{}, b[h.Size:]...)}
		return nil
	},
}

// complex64Codec writes the real and the imaginary part as an array of two
// float 32, complex128Codec as one of two float 64.
var complex64Codec = codec{
	func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		if depth == 0 {
			return dst, failed(ErrDepth, "complex64")
		}
		c := *mem.At[complex64](p)
		dst = wire.AppendArrayHeader(dst, 2)
		return wire.AppendFloat32(wire.AppendFloat32(dst, real(c)), imag(c)), nil
	},
	func(d *decoder, p mem.Ptr) error {
		var part [2]float32
		err := d.complex("complex64", getFloat32, mem.PtrTo(&part[0]), mem.PtrTo(&part[1]))
		if err == nil {
			*mem.At[complex64](p) = complex(part[0], part[1])
		}
		return err
	},
}

var complex128Codec = codec{
	func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		if depth == 0 {
			return dst, failed(ErrDepth, "complex128")
		}
		c := *mem.At[complex128](p)
		dst = wire.AppendArrayHeader(dst, 2)
		return wire.AppendFloat64(wire.AppendFloat64(dst, real(c)), imag(c)), nil
	},
	func(d *decoder, p mem.Ptr) error {
		var part [2]float64
		err := d.complex("complex128", getFloat64, mem.PtrTo(&part[0]), mem.PtrTo(&part[1]))
		if err == nil {
			*mem.At[complex128](p) = complex(part[0], part[1])
		}
		return err
	},
}

// complex decodes two floats, or nil as zero.
func (d *decoder) complex(want string, o getOp, re, im mem.Ptr) error {
	if d.isNil() {
		return nil
	}
	owed, err := d.arrayOf(2, want)
	if err != nil {
		return err
	}
	for i, part := range [...]mem.Ptr{re, im} {
		if err := d.float(o, part, want); err != nil {
			return underIndex(i, err)
		}
	}
	d.close(owed)
	return nil
}
