package msgpack

import (
	"math"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeRawCodec returns the codec of [Raw]. With AliasInput a Raw shares the memory of
// the input.
func (k *compiler) makeRawCodec() codec {
	c := rawCodec
	if k.plans.AliasInput {
		c.decode = func(d *decoder, p mem.Ptr) error {
			b, err := d.rawValue()
			if err == nil {
				*mem.At[Raw](p) = b
			}
			return err
		}
	}
	return c
}

// rawCodec is the codec of [Raw] that copies. The bytes come from the program, so they
// are checked when they are encoded: one invalid value would make the whole message
// invalid.
var rawCodec = codec{
	func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		raw := *mem.At[Raw](p)
		// An empty Raw is not a value, and would make the message invalid.
		if len(raw) == 0 {
			return wire.AppendNil(dst), nil
		}
		if err := checkRaw(raw, depth, "Raw"); err != nil {
			return dst, err
		}
		return append(dst, raw...), nil
	},
	func(d *decoder, p mem.Ptr) error {
		b, err := d.rawValue()
		if err != nil {
			return err
		}
		*mem.At[Raw](p) = append(Raw{}, b...)
		return nil
	},
}

// checkRaw returns an error if b is not exactly one valid value, or if it has more than
// depth levels of containers. found names b in errors.
func checkRaw(b []byte, depth int, found string) error {
	n, err := wire.Skip(b, depth)
	// The value is valid alone, but too deep inside the containers around it.
	if err == wire.ErrDepth {
		return failed(ErrDepth, found)
	}
	if err != nil || n != len(b) {
		return failed(ErrInvalid, found)
	}
	return nil
}

// extCodec is the codec of [Ext]. The data of an application's type may have any
// length and content. Those of a timestamp are checked in both directions.
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
	zeroForNil(extType, func(d *decoder, p mem.Ptr) error {
		h, err := d.header("msgpack.Ext")
		if err != nil {
			return err
		}
		if h.Format.Kind() != wire.KindExt {
			return d.mismatch("msgpack.Ext")
		}
		b, err := d.rawValue()
		if err != nil {
			return err
		}
		*mem.At[Ext](p) = Ext{h.Ext, append([]byte{}, b[h.Size:]...)}
		return nil
	}),
}
