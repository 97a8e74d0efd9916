package msgpack

import (
	"bytes"
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// makeBytesCodec returns the codec of byte slices, including those of named types
// and elements. They are encoded as bin.
func (k *compiler) makeBytesCodec(t reflect.Type) codec {
	want := t.String()
	appendBytes := k.bytesAppender()
	nilAsEmpty, alias := k.plans.NilSliceAsEmpty, k.plans.AliasInput
	return codec{
		func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
			b := *mem.At[[]byte](p)
			if b == nil && !nilAsEmpty {
				return wire.AppendNil(dst), nil
			}
			if uint64(len(b)) > math.MaxUint32 {
				return dst, failed(ErrLimit, want)
			}
			return appendBytes(dst, b), nil
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
					return d.byteElements(v, want)
				}
				if b, err = d.bytes(want); err != nil {
					return err
				}
			}
			switch {
			case alias:
				*v = b
			case *v != nil && len(b) <= cap(*v): // reuse the memory of the old value
				*v = append((*v)[:0], b...)
			case len(b) == 0:
				*v = []byte{} // empty is not nil
			case len(b) < maxShared:
				own := mem.Slice(d.newPlain(uint64(len(b))), len(b))
				copy(own, b)
				*v = own
			default:
				*v = bytes.Clone(b)
			}
			return nil
		},
	}
}

// bytesAppender returns the function that appends bytes in the format that the
// Config selects.
func (k *compiler) bytesAppender() func(dst, b []byte) []byte {
	if k.plans.BytesAsStr || k.plans.OldFormats {
		header := k.plans.stringHeader()
		return func(dst, b []byte) []byte { return append(header(dst, uint32(len(b))), b...) }
	}
	return wire.AppendBin
}

// makeByteArrayCodec returns the codec of arrays of bytes. They are encoded as bin of
// exactly that length.
func (k *compiler) makeByteArrayCodec(t reflect.Type) codec {
	appendBytes := k.bytesAppender()
	n, want := t.Len(), t.String()
	return codec{
		func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
			// The length is part of the type, but a type too long for a bin is an
			// error only when a value is encoded.
			if uint64(n) > math.MaxUint32 {
				return dst, failed(ErrLimit, want)
			}
			return appendBytes(dst, mem.Slice(p, n)), nil
		},
		func(d *decoder, p mem.Ptr) error {
			v := mem.Slice(p, n)
			if d.isNil() {
				clear(v)
				return nil
			}
			h, err := d.header(want)
			if err != nil {
				return err
			}
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
