package msgpack

import (
	"fmt"
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// An ExtCoder makes values of one Go type an ext of one type, see [ExtType].
type ExtCoder struct {
	id        int8
	functions functions
}

// ExtType makes values of type T an ext of type id, for [Config].Ext.
//
// append appends the payload, of any length, to dst and returns the extended
// slice, which it must not keep. parse returns the value for a payload; that is
// part of the input, so parse must not change it, and must copy what it wants
// to keep. What else they are given and return is theirs. An error of either
// comes back inside of an [*Error] that says where.
//
// They are used for values of exactly type T wherever these stand, also where T
// has methods, and for what pointers to T point at. In a variable of type any
// an ext of type id becomes a T. Nil is the zero value of T, no function being
// called; where T is a pointer, it is nil itself, and both functions are also
// used for what it points at, append with a pointer to a copy. A struct that
// embeds a struct T has the fields of T, unless its tag gives T a name.
//
// T cannot be an interface, a pointer to one or to a pointer, a function, a
// predeclared type such as string, a type of this package, or what any becomes
// when it is decoded, such as []any. An id of -1 is refused, since
// that is the timestamp; other negative ones are the specification's to give
// away, though some libraries use them.
func ExtType[T any](id int8, append func(dst []byte, v T) ([]byte, error), parse func(data []byte) (T, error)) ExtCoder {
	return ExtCoder{id, makeFunctions(append, parse)}
}

func (r *registrar) addExt(field string, e ExtCoder) error {
	f := &e.functions
	switch {
	case f.typ == nil:
		return fmt.Errorf("msgpack: %s is not made by ExtType", field)
	case e.id == wire.TimestampType:
		return fmt.Errorf("msgpack: %s has id -1, the type of timestamps", field)
	case e.id == r.complexExt && e.id != 0:
		return fmt.Errorf("msgpack: %s has id %d, as Config.ComplexExt has", field, e.id)
	case f.typ.Kind() == reflect.Interface:
		return fmt.Errorf("msgpack: %s is for %v, an interface", field, f.typ)
	case r.exts[e.id] != nil:
		return fmt.Errorf("msgpack: %s has id %d, as that for %v has", field, e.id, r.exts[e.id].typ)
	}
	r.exts[e.id] = f
	return r.addFunctions(field, f, func(f *functions) codec { return makeExtTypeCodec(e.id, f) })
}

func makeExtTypeCodec(id int8, f *functions) codec {
	want := f.typ.String()
	return codec{
		func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
			if f.isNil(p) {
				return wire.AppendNil(dst), nil
			}
			s := scratchPool.Get().(*scratch)
			defer scratchPool.Put(s)
			payload, err := f.append(s.buf[:0], p)
			if err != nil {
				return dst, failed(err, want)
			}
			if uint64(len(payload)) > math.MaxUint32 {
				return dst, failed(ErrLimit, want)
			}
			return append(wire.AppendExtHeader(dst, id, uint32(len(payload))), payload...), nil
		},
		func(d *decoder, p mem.Ptr) error {
			if d.isNil() {
				mem.Value(f.typ, p).SetZero()
				return nil
			}
			start := d.pos
			h, err := d.header(want)
			if err != nil {
				return err
			}
			if h.Format.Kind() != wire.KindExt || h.Ext != id {
				return d.mismatch(want)
			}
			payload, err := d.payload(h, want)
			if err != nil {
				return err
			}
			if err := f.parse(payload, p); err != nil {
				return f.failure(d, start, err)
			}
			return nil
		},
	}
}

// hashable reports whether a decoded value can be the key of a map.
func hashable(k any) bool {
	switch k.(type) {
	case nil, string, int64, uint64, float64, bool:
		return true
	}
	return reflect.ValueOf(k).Comparable()
}

// anyExtType decodes an ext into an interface, if its type has a Go type.
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
	if v, err = f.value(payload); err != nil {
		return nil, true, f.failure(d, start, err)
	}
	return v, true, nil
}
