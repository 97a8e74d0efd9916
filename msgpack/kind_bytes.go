package msgpack

import (
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeBytesCodec returns the codec of byte slices, including those of named types
// and elements. They are encoded as bin.
func (k *compiler) makeBytesCodec(t reflect.Type) codec {
	want := t.String()
	result := asPayload(want, k.bytesHeader())
	nilAsEmpty, alias := k.plans.NilSliceAsEmpty, k.plans.AliasInput
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			b := *mem.At[[]byte](p)
			if b == nil && !nilAsEmpty {
				return wire.AppendNil(dst), nil
			}
			return result(dst, b, depth)
		},
		func(d *decoder, p mem.Ptr) error {
			v := mem.At[[]byte](p)
			if d.isNil() {
				*v = nil
				return nil
			}
			b, ok := d.shortBytes() // the usual case, without a header
			if !ok {
				h, err := d.header(want)
				if err != nil {
					return err
				}
				// Other encoders write a slice of bytes as an array of integers.
				if h.Format.Kind() == wire.KindArray {
					if alias {
						*v = nil // the old bytes can be those of an input
					}
					return d.byteElements(v, want)
				}
				if b, err = d.bytes(want); err != nil {
					return err
				}
			}
			if alias {
				*v = b
			} else {
				d.setBytes(v, b)
			}
			return nil
		},
	}
}

// setBytes sets *v to a copy of b, in the memory of the old value if that is long enough.
func (d *decoder) setBytes(v *[]byte, b []byte) {
	switch {
	case *v != nil && len(b) <= cap(*v):
		*v = append((*v)[:0], b...)
	case len(b) == 0:
		*v = []byte{} // empty is not nil
	case len(b) < maxShared:
		own := mem.Slice(d.newPlain(uint64(len(b))), len(b))
		copy(own, b)
		*v = own
	default:
		*v = mem.Copied(b)
	}
}

// bytesHeader returns the header of bytes in the format that the Options select.
func (k *compiler) bytesHeader() headerFunc {
	if k.plans.BytesAsStr {
		return k.plans.stringHeader
	}
	return k.plans.binHeader
}

// bytesAsText reports whether the Options select the formats of str for bytes.
func (k *compiler) bytesAsText() bool { return k.plans.BytesAsStr || k.plans.Compat.OldFormats }

// isBytes reports whether a slice or array type consists of bytes. An element type with
// methods has another operation, so a slice of it stays an array. With TextAsBin, only the
// kind counts, as in vmihailenco/msgpack.
func (k *compiler) isBytes(t reflect.Type) bool {
	elem := k.plan(planKey{typ: t.Elem()})
	return elem.get == getUint8 || k.plans.Compat.TextAsBin && t.Elem().Kind() == reflect.Uint8
}

// makeByteArrayCodec returns the codec of arrays of bytes. They are encoded as bin of
// exactly that length.
func (k *compiler) makeByteArrayCodec(t reflect.Type) codec {
	n, want, short := t.Len(), t.String(), k.plans.Compat.Arrays == ArraysShort
	result := asPayload(want, k.bytesHeader())
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) { return result(dst, mem.Slice(p, n), depth) },
		func(d *decoder, p mem.Ptr) error {
			v, start := mem.Slice(p, n), d.pos
			if b, ok := d.shortBytes(); ok && len(b) == n { // the usual case, without a header
				copy(v, b)
				return nil
			}
			d.pos = start
			if d.isNil() {
				if !short {
					clear(v)
				}
				return nil
			}
			h, err := d.header(want)
			if err != nil {
				return err
			}
			if k := h.Format.Kind(); short && (k == wire.KindStr || k == wire.KindBin) {
				v = v[:min(uint64(h.Payload), uint64(n))]
			}
			n := len(v)
			if h.Format.Kind() == wire.KindArray && uint64(h.Count) == uint64(n) {
				return d.byteElements(&v, want)
			}
			// No byte of the array may be left over or missing. Payload is 0 for a
			// value of another kind, and bytes returns the error for that.
			if uint64(h.Payload) != uint64(n) {
				return d.mismatch(want)
			}
			b, err := d.bytes(want)
			copy(v, b)
			return err
		},
	}
}

// byteElements decodes an array of integers into bytes. Encoders that do not support
// bin write such arrays. It reuses the memory of *v if it is long enough.
func (d *decoder) byteElements(v *[]byte, want string) error {
	n, owed, err := d.array(want)
	if err != nil {
		return err
	}
	// array has checked that the input has at least n bytes.
	if n > cap(*v) || *v == nil {
		*v = make([]byte, n)
	}
	*v = (*v)[:n]
	for i := range *v {
		if err := d.decodeOp(getUint8, mem.PtrTo(&(*v)[i]), "uint8"); err != nil {
			return underIndex(i, err)
		}
	}
	d.close(owed)
	return nil
}

// A headerFunc appends the header of a payload of n bytes.
type headerFunc func(dst []byte, n uint32) []byte

// textHeader returns the header for the results of text methods.
func (o *policy) textHeader() headerFunc {
	if o.Compat.TextAsBin {
		return o.binHeader
	}
	return o.stringHeader
}

// appendOldStringHeader appends the header of a str of n bytes without str 8.
func appendOldStringHeader(dst []byte, n uint32) []byte {
	// AppendStringHeader would write a str 8.
	if n > shortString && n <= math.MaxUint8 {
		return append(dst, byte(wire.Str16), 0, byte(n))
	}
	return wire.AppendStringHeader(dst, n)
}

// makeRawCodec returns the codec of [Raw]. With AliasInput a Raw shares the memory of
// the input.
//
//go:noinline
func (k *compiler) makeRawCodec() codec {
	alias := k.plans.AliasInput
	c := codec{encodeRaw, func(d *decoder, p mem.Ptr) error {
		b, err := d.rawValue()
		switch {
		case err != nil:
			return err
		case alias:
			*mem.At[Raw](p) = b
		default:
			*mem.At[Raw](p) = append(Raw{}, b...)
		}
		return nil
	}}
	if k.plans.Compat.NilRaw {
		c.decode = zeroForNil(rawType, c.decode)
	}
	return c
}

// encodeRaw is the encoder of [Raw]. The bytes come from the program, so they are checked:
// one invalid value would make the whole message invalid.
func encodeRaw(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
	raw := *mem.At[Raw](p)
	// An empty Raw is not a value, and would make the message invalid.
	if len(raw) == 0 {
		return wire.AppendNil(dst), nil
	}
	if err := checkRaw(raw, depth, "Raw"); err != nil {
		return dst, err
	}
	return append(dst, raw...), nil
}

// checkRaw returns an error if b is not exactly one valid value, or if it has more than
// depth levels of containers. found names b in errors.
func checkRaw(b []byte, depth int, found string) *Error {
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
