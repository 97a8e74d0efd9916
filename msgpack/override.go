package msgpack

import (
	"fmt"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A TypeOverride gives one Go type another form, see [Override].
type TypeOverride struct{ functions functions }

// Override gives values of type T the form that two functions make, for
// [Config].Overrides. It is for types that one cannot give methods.
//
// append appends exactly one MessagePack value, which is checked, to dst and
// returns the extended slice, which it must not keep; package
// [github.com/octet-go/octet/msgpack/wire] has functions for it. parse returns
// the Go value for the bytes of one valid value of any kind; they are part of
// the input, so parse must not change them, and must copy what it wants to
// keep. An error of either comes back inside of an [*Error] that says where.
//
// They are used for values of exactly type T wherever these stand, also where T
// has methods, and for what pointers to T point at. Where T is a pointer or an
// interface, nil is nil, no function being called. Functions for a pointer are
// also used for what it points at, append with a pointer to a copy. Those for
// an interface are for variables of that type, whatever they hold. A struct
// that embeds a struct T has the fields of T, unless its tag gives T a name.
// What variables of type any become when decoded is not changed.
//
// T cannot be any, a pointer to an interface or pointer, a function, a
// predeclared type such as string, a type of this package, or what any becomes
// when it is decoded, such as []any.
func Override[T any](append func(dst []byte, v T) ([]byte, error), parse func(data []byte) (T, error)) TypeOverride {
	return TypeOverride{makeFunctions(append, parse)}
}

func (r *registrar) addOverride(field string, o TypeOverride) error {
	if o.functions.typ == nil {
		return fmt.Errorf("msgpack: %s is not made by Override", field)
	}
	return r.addFunctions(field, &o.functions, makeOverrideCodec)
}

func makeOverrideCodec(f *functions) codec {
	want := f.typ.String()
	found := "what the function for " + want + " returned"
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			if f.isNil(p) {
				return wire.AppendNil(dst), nil
			}
			s := scratchPool.Get().(*scratch)
			defer scratchPool.Put(s)
			own, err := f.append(s.buf[:0], p)
			if err != nil {
				return dst, failed(err, want)
			}
			if err := checkOne(own, depth, found); err != nil {
				return dst, err
			}
			return append(dst, own...), nil
		},
		func(d *decoder, p mem.Ptr) error {
			if f.nils && d.isNil() {
				mem.Value(f.typ, p).SetZero()
				return nil
			}
			start := d.pos
			b, err := d.one()
			if err != nil {
				return err
			}
			if err := f.parse(b, p); err != nil {
				return f.failure(d, start, err)
			}
			return nil
		},
	}
}
