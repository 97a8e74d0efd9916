package msgpack

import (
	"encoding"
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// Methods that a type brings are called on a copy of the value in the heap, and
// after decoding the copy is assigned back. A method may keep its receiver or
// hand it to other goroutines, which must not happen to a value that was hidden
// from escape analysis and may lie on the stack. It also makes methods with
// pointer receivers work for values that have no address.

// heapCopy returns a pointer to a copy of the value of type t at p.
func heapCopy(t reflect.Type, p mem.Ptr) reflect.Value {
	v := reflect.New(t)
	v.Elem().Set(mem.Value(t, p))
	return v
}

// makeMethodCodec returns the functions that call the methods of *t, each nil
// where t has none for that direction.
func makeMethodCodec(t reflect.Type) (c codec) {
	ptr := reflect.PointerTo(t)
	has := func(i reflect.Type) bool { return ptr.Implements(i) }
	switch {
	case has(reflect.TypeFor[Appender]()):
		c.encode = makeAppenderEncoder(t)
	case has(reflect.TypeFor[Marshaler]()):
		c.encode = makeMarshalerEncoder(t)
	case has(reflect.TypeFor[encoding.BinaryAppender]()):
		c.encode = makePayloadEncoder(t, wire.AppendBinHeader, func(v any, dst []byte) ([]byte, error) {
			return v.(encoding.BinaryAppender).AppendBinary(dst)
		})
	case has(reflect.TypeFor[encoding.BinaryMarshaler]()):
		c.encode = makePayloadEncoder(t, wire.AppendBinHeader, func(v any, _ []byte) ([]byte, error) {
			return v.(encoding.BinaryMarshaler).MarshalBinary()
		})
	case has(reflect.TypeFor[encoding.TextAppender]()):
		c.encode = makePayloadEncoder(t, wire.AppendStringHeader, func(v any, dst []byte) ([]byte, error) {
			return v.(encoding.TextAppender).AppendText(dst)
		})
	case has(reflect.TypeFor[encoding.TextMarshaler]()):
		c.encode = makePayloadEncoder(t, wire.AppendStringHeader, func(v any, _ []byte) ([]byte, error) {
			return v.(encoding.TextMarshaler).MarshalText()
		})
	}
	binary := has(reflect.TypeFor[encoding.BinaryUnmarshaler]())
	text := has(reflect.TypeFor[encoding.TextUnmarshaler]())
	switch {
	case has(reflect.TypeFor[Unmarshaler]()):
		c.decode = makeUnmarshalerDecoder(t)
	case binary || text:
		c.decode = makePayloadDecoder(t, binary, text)
	}
	return c
}

// makeAppenderEncoder gives the method the free part of dst to append to, so
// that it can neither see nor change what stands before.
func makeAppenderEncoder(t reflect.Type) encodeFunc {
	return makeOwnEncoder(t, func(v any, free []byte) ([]byte, error) {
		return v.(Appender).AppendMsgpack(free)
	})
}

func makeMarshalerEncoder(t reflect.Type) encodeFunc {
	return makeOwnEncoder(t, func(v any, _ []byte) ([]byte, error) {
		return v.(Marshaler).MarshalMsgpack()
	})
}

// makeOwnEncoder is for methods that return MessagePack, which is checked.
func makeOwnEncoder(t reflect.Type, call func(v any, free []byte) ([]byte, error)) encodeFunc {
	found := "what the method of " + t.String() + " returned"
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		own, err := call(heapCopy(t, p).Interface(), dst[len(dst):])
		if err != nil {
			return dst, failed(err, t.String())
		}
		if err := checkOne(own, depth, found); err != nil {
			return dst, err
		}
		return append(dst, own...), nil // onto itself where it was appended in place
	}
}

// makePayloadEncoder is for methods that return what goes into a bin or str.
// They may append to the slice they are given, which leaves room for a header.
func makePayloadEncoder(t reflect.Type, header func([]byte, uint32) []byte, call func(v any, dst []byte) ([]byte, error)) encodeFunc {
	const room = 5 // the longest header
	return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		var free []byte
		if cap(dst)-len(dst) > room {
			free = dst[len(dst)+room : len(dst)+room]
		}
		payload, err := call(heapCopy(t, p).Interface(), free)
		if err != nil {
			return dst, failed(err, t.String())
		}
		if uint64(len(payload)) > math.MaxUint32 {
			return dst, failed(ErrLimit, t.String())
		}
		return append(header(dst, uint32(len(payload))), payload...), nil
	}
}

// makeUnmarshalerDecoder gives the method the bytes of one value.
func makeUnmarshalerDecoder(t reflect.Type) decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		start := d.pos
		b, err := d.one()
		if err != nil {
			return err
		}
		return d.decodeOwn(t, p, start, func(v any) error { return v.(Unmarshaler).UnmarshalMsgpack(b) })
	}
}

// makePayloadDecoder is for types that decode themselves from bytes or text:
// bytes where the input has a bin, text where it has a str, or whatever it has
// where the type knows one of the two.
func makePayloadDecoder(t reflect.Type, binary, text bool) decodeFunc {
	want := t.String()
	return func(d *decoder, p mem.Ptr) error {
		if d.isNil() {
			mem.Value(t, p).SetZero()
			return nil
		}
		start := d.pos
		h, err := d.header(want)
		if err != nil {
			return err
		}
		b, err := d.bytes(want)
		if err != nil {
			return err
		}
		return d.decodeOwn(t, p, start, func(v any) error {
			if text && (h.Format.Kind() == wire.KindStr || !binary) {
				return v.(encoding.TextUnmarshaler).UnmarshalText(b)
			}
			return v.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
		})
	}
}

// decodeOwn calls a method on a copy of the value at p and assigns it back.
func (d *decoder) decodeOwn(t reflect.Type, p mem.Ptr, start int, call func(v any) error) error {
	v := heapCopy(t, p)
	if err := call(v.Interface()); err != nil {
		d.pos = start
		return d.fail(err, t.String())
	}
	mem.Value(t, p).Set(v.Elem())
	return nil
}
