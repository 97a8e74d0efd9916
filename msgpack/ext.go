package msgpack

import (
	"fmt"
	"reflect"

	"github.com/octet-go/octet/msgpack/wire"
)

// ExtType encodes values of type T as an ext of type id, for [Config].Types.
//
// append appends the payload, of any length, to dst and returns the extended
// slice, which it must not keep. parse returns the value for a payload. The payload
// is part of the input: parse must not modify it, and must copy the bytes that it
// keeps. An [*Error] wraps the errors of both functions and adds the path.
//
// The functions are used for all values of exactly type T, even if T has methods,
// and for values that pointers to T point to. In a variable of type any, an ext of
// type id becomes a T. A nil in the input becomes the zero value of T without a
// call. If T is a pointer type, nil pointers are encoded as nil, and both functions
// are also used for variables of the type that T points to; append then receives a
// pointer to a copy. A struct that embeds a struct T has the fields of T, unless
// its tag gives T a name.
//
// T cannot be an interface, a pointer to an interface or to a pointer, a function,
// a type of this package, a type that Unmarshal stores in an any, such as []any,
// or a predeclared type other than complex64 and complex128. The id cannot be -1,
// because that is the type of timestamps. The specification reserves the other
// negative ids.
func ExtType[T any](id int8, append func(dst []byte, v T) ([]byte, error), parse func(data []byte) (T, error)) TypeCoder {
	f := makeFunctions(append, parse)
	return TypeCoder{func(r *registrar) error { return r.addExt(id, f) }}
}

func (r *registrar) addExt(id int8, f *functions) error {
	switch other, ok := r.ids[id]; {
	case id == wire.TimestampType:
		return r.refuse("ext type -1 is reserved for timestamps")
	case f.typ.Kind() == reflect.Interface:
		return r.refuse("type %v of ExtType is an interface", f.typ)
	case ok:
		return fmt.Errorf("msgpack: %s and %s both register ext type %d", other, r.field, id)
	}
	r.ids[id], r.exts[id] = r.field, f
	return r.addFunctions(f, func(f *functions) codec { return makeExtTypeCodec(id, *f) })
}

func makeExtTypeCodec(id int8, f functions) codec {
	want := f.typ.String()
	f.nils = true
	header := func(dst []byte, n uint32) []byte { return wire.AppendExtHeader(dst, id, n) }
	return f.codec(asPayload(want, header), func(d *decoder) ([]byte, error) {
		h, err := d.header(want)
		if err != nil {
			return nil, err
		}
		if h.Format.Kind() != wire.KindExt || h.Ext != id {
			return nil, d.mismatch(want)
		}
		return d.payload(h, want)
	})
}

// hashable reports whether a decoded value can be a map key.
func hashable(k any) bool {
	switch k.(type) {
	case nil, string, int64, uint64, float64, bool:
		return true
	}
	return reflect.ValueOf(k).Comparable()
}

// anyExtType decodes an ext into an interface, if ExtType registers its type.
func (d *decoder) anyExtType(h wire.Header) (v any, ok bool, err error) {
	f := d.plans.exts[h.Ext]
	if f == nil {
		return nil, false, nil
	}
	start := d.pos
	payload, err := d.payload(h, f.typ.String())
	if err != nil {
		return nil, true, err
	}
	v, err = f.value(payload)
	return v, true, d.userError(err, start, f.typ.String())
}
