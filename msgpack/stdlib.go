package msgpack

import (
	"encoding"
	"reflect"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// Some types of the standard library have methods that lose a part of the value, or
// that take more than linear time or memory on hostile input. This file has codecs for
// them, and for UUIDs. It recognizes the types by name, because an import would link their packages
// into every program. All other types follow the rules for methods and kinds.

// makeStandardCodec returns the codec of such a type and what it writes, or the zero codec
// for another type.
func (k *compiler) makeStandardCodec(t reflect.Type) (codec, resultForm) {
	if value := atomicValue(t); value != nil {
		return makeAtomicCodec(value, k.plan(planKey{typ: value}).linked()), resultValue
	}
	switch t.PkgPath() {
	case "net":
		if t.Name() == "IP" && t.Kind() == reflect.Slice {
			return k.makeIPCodec(t), resultBin
		}
	case "math/big":
		switch t.Name() {
		case "Int":
			return makeBigCodec(t, bigForms{text: true, bin: true}, &k.plans.policy), resultValue // str or bin
		case "Rat":
			return makeBigCodec(t, bigForms{text: true}, &k.plans.policy), resultText
		case "Float":
			return makeBigCodec(t, bigForms{bin: true}, &k.plans.policy), resultBin
		}
	}
	if isUUID(t) {
		return k.makeUUIDCodec(t), resultBin
	}
	return codec{}, resultValue
}

// uuidPackage is the path of package uuid of Go 1.27. It is a variable for tests with
// older versions of Go.
var uuidPackage = "uuid"

// isUUID reports whether t is the UUID of the standard library. A package of a program
// can have the same path; if its type has binary methods, these are called.
func isUUID(t reflect.Type) bool {
	if t.Name() != "UUID" || t.PkgPath() != uuidPackage || t.Kind() != reflect.Array || t.Size() != 16 || t.Elem().Kind() != reflect.Uint8 {
		return false
	}
	p := reflect.PointerTo(t)
	for i := range generalEncodeMethods {
		if m := &generalEncodeMethods[i]; p.Implements(m.of) && m.result == resultBin {
			return false
		}
	}
	return p.Implements(reflect.TypeFor[interface {
		encoding.TextMarshaler
		encoding.TextUnmarshaler
	}]())
}

// makeUUIDCodec returns the codec of uuid.UUID. It has only text methods, but the UUID
// types of other packages have binary methods, too, so it is encoded like these: as bin
// of 16 bytes. A str or bin of another length is decoded as text. With TextAsBin, it is
// encoded as text.
func (k *compiler) makeUUIDCodec(t reflect.Type) codec {
	text := k.makePayloadDecoder(t, false, true)
	header := k.plans.binHeader
	c := codec{
		func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
			return append(header(dst, 16), mem.At[[16]byte](p)[:]...), nil
		},
		func(d *decoder, p mem.Ptr) error {
			start := d.pos
			if b, ok := d.shortBytes(); ok && len(b) == 16 {
				*mem.At[[16]byte](p) = [16]byte(b)
				return nil
			}
			d.pos = start
			return text(d, p)
		},
	}
	if k.plans.Compat.TextAsBin {
		c.encode = k.makeMethodEncoder(t, generalEncodeMethods)
	}
	return c
}

// makeIPCodec returns the codec of net.IP. It is encoded as bin, because its text does
// not tell an IPv4 address of 4 bytes from one of 16. With TextAsBin, it is encoded as
// text. Other programs write addresses in both forms, as str and as bin, so the length
// and then the content decide what a str or bin is.
func (k *compiler) makeIPCodec(t reflect.Type) codec {
	c := k.makeBytesCodec(t)
	binary, text := c.decode, k.makePayloadDecoder(t, false, true)
	frame, want := asPayload(t.String(), k.plans.binHeader), t.String()
	asText, old := k.plans.Compat.TextAsBin, k.plans.Compat.OldFormats
	c.encode = func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		return frame(dst, *mem.At[[]byte](p), depth)
	}
	if asText {
		c.encode = k.makeMethodEncoder(t, generalEncodeMethods)
	} else if !k.plans.NilSliceAsEmpty {
		c.encode = nilWithoutCall(t, c.encode)
	}
	c.decode = func(d *decoder, p mem.Ptr) error {
		start := d.pos
		h, err := d.header(want)
		if err != nil {
			return err
		}
		isBin := h.Format.Kind() == wire.KindBin
		// Of other kinds are nil, arrays of integers and errors.
		if !isBin && h.Format.Kind() != wire.KindStr {
			if asText {
				return text(d, p)
			}
			return binary(d, p)
		}
		isAddress := h.Payload == net4 || h.Payload == net16
		if (old || isBin && !asText) && (isAddress || h.Payload == 0) {
			return binary(d, p)
		}
		err = text(d, p)
		if err != nil && (isAddress || (isBin || old) && !asText) {
			d.pos = start
			return binary(d, p)
		}
		return err
	}
	return c
}

// The lengths of addresses in bytes.
const net4, net16 = 4, 16

// bigForms holds the forms in which a type of math/big can be encoded: as text, or as
// the result of GobEncode in a bin. A number that has both forms is encoded as text
// unless the text is long. A Float has only the second form, because text loses its
// precision and rounding mode.
type bigForms struct{ text, bin bool }

// A bigNumber is an *Int, *Rat or *Float.
type bigNumber interface {
	encoding.TextAppender
	encoding.TextUnmarshaler
	GobEncode() ([]byte, error)
	GobDecode([]byte) error
}

// maxNumberText limits the length of a number as text in bytes, because the time to
// parse it grows with the square of the length.
const maxNumberText = 1 << 12

// emptyFloat is the length of the result of GobEncode for a Float whose mantissa it has
// lost. It loses the mantissa if the precision is within one word of big.MaxPrec. An
// Int never has a result of this length, because so short an Int is encoded as text.
const emptyFloat = 10

// makeBigCodec returns the codec of a type of math/big with the given forms.
func makeBigCodec(t reflect.Type, forms bigForms, o *policy) codec {
	want := t.String()
	values := newCopier(t)
	asText, asBin := asPayload(want, o.textHeader()), asPayload(want, o.binHeader)
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			v := values.receiver(values.copy(p)).(bigNumber)
			if forms.text {
				s := scratchPool.Get().(*scratch)
				defer scratchPool.Put(s)
				text, err := v.AppendText(s.buf[:0])
				switch {
				case err != nil:
					return dst, failed(err, want)
				case len(text) <= maxNumberText:
					return asText(dst, text, depth)
				case !forms.bin:
					return dst, failed(ErrLimit, want)
				}
			}
			b, err := v.GobEncode()
			if err != nil {
				return dst, failed(err, want)
			}
			if len(b) == emptyFloat {
				return dst, failed(ErrLimit, want)
			}
			return asBin(dst, b, depth)
		},
		zeroForNil(t, func(d *decoder, p mem.Ptr) error {
			start := d.pos
			b, err := d.bytes(want)
			if err != nil {
				return err
			}
			v := reflect.New(t) // UnmarshalText would round a Float to the precision of an old value
			if err := forms.parse(v.Interface().(bigNumber), b); err != nil {
				d.pos = start
				return d.fail(err, want)
			}
			mem.Value(t, p).Set(v.Elem())
			return nil
		}),
	}
}

// parse sets v from text or from the result of GobEncode. The first byte tells them
// apart: a gob begins with its version, which is a control character in text.
func (f bigForms) parse(v bigNumber, b []byte) error {
	switch {
	case f.bin && len(b) > 0 && b[0] < ' ':
		return v.GobDecode(b)
	case len(b) > maxNumberText:
		return ErrLimit
	case !f.bin && slices.ContainsFunc(b, func(c byte) bool { return strings.IndexByte("+-/0123456789", c) < 0 }):
		return ErrMismatch // an exponent could make a Rat much longer than its text
	}
	return v.UnmarshalText(b)
}

// atomicValue returns the type of the result of Load if t is a type of package
// sync/atomic, otherwise nil. atomic.Uintptr is unsupported, like uintptr.
func atomicValue(t reflect.Type) reflect.Type {
	if t.PkgPath() == "sync/atomic" {
		switch t.Name() {
		case "Int32":
			return reflect.TypeFor[int32]()
		case "Int64":
			return reflect.TypeFor[int64]()
		case "Uint32":
			return reflect.TypeFor[uint32]()
		case "Uint64":
			return reflect.TypeFor[uint64]()
		case "Bool":
			return reflect.TypeFor[bool]()
		}
	}
	return nil
}

// makeAtomicCodec returns the codec of a type of package sync/atomic, given the type of
// its value and the codec of that. Signed and unsigned integers of the same size have the
// same bits in memory.
func makeAtomicCodec(value reflect.Type, c codec) codec {
	switch value.Size() {
	case 1:
		return atomicCodec[bool, atomic.Bool](c)
	case 4:
		return atomicCodec[uint32, atomic.Uint32](c)
	}
	return atomicCodec[uint64, atomic.Uint64](c)
}

// atomicCodec returns the codec that encodes by Load and decodes by Store. An A must not be
// read in any other way, because other goroutines may store to it.
//
//go:noinline
func atomicCodec[V, A any, P interface {
	*A
	Load() V
	Store(V)
}](c codec) codec {
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			v := P(mem.At[A](p)).Load()
			return c.encode(dst, mem.Hide(mem.PtrTo(&v)), depth)
		},
		func(d *decoder, p mem.Ptr) error {
			var v V
			err := c.decode(d, mem.Hide(mem.PtrTo(&v)))
			if err == nil {
				P(mem.At[A](p)).Store(v)
			}
			return err
		},
	}
}

// makeAtomicIsZero returns the test whether the value of a type of package sync/atomic
// is zero.
func makeAtomicIsZero(value reflect.Type) func(p mem.Ptr) bool {
	if value.Size() == 8 {
		return func(p mem.Ptr) bool { return mem.At[atomic.Uint64](p).Load() == 0 }
	}
	return func(p mem.Ptr) bool { return mem.At[atomic.Uint32](p).Load() == 0 }
}
