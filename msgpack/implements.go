package msgpack

import (
	"fmt"
	"reflect"
)

// Implements encodes all types that implement interface E by calling append, and
// decodes all types that implement interface D by calling decode, for
// [Config].Types. A program can thereby keep the methods that it has for another
// library.
//
// append appends exactly one MessagePack value to dst and returns the extended
// slice, which it must not keep. The result is checked. decode decodes the bytes of
// one valid value into v and returns how many bytes it consumed; if these are not
// all bytes, the error is [ErrInvalid]. The bytes are part of the input: decode
// must not modify them, and must copy those that it keeps. An [*Error] wraps the
// errors of both functions and adds the path. If append is nil, encoding does not
// change and E may be any type; the same holds for decode and D.
//
// The functions are used for all types T for which T or *T implements the
// interface, except types that ExtType, Override or Union registers, time.Time,
// types of this package, and types that have methods of this package for the same
// direction: AppendMsgpack, MarshalMsgpack or UnmarshalMsgpack. They take
// precedence over the methods of package encoding, such as MarshalText, and over
// the forms that this package gives to types of the standard library, such as
// net.IP. If a type matches several Implements, the first in Config.Types is used.
//
// The functions are called with a copy of the value, like a type's own methods,
// also for values that are not addressable. After decode, the copy is assigned
// back. The methods of an embedded type are promoted to the outer struct. A nil
// pointer is encoded as nil, and a nil in the input sets a pointer to nil, without
// a call.
func Implements[E, D any](append func(dst []byte, v E) ([]byte, error), decode func(data []byte, v D) (n int, err error)) TypeCoder {
	return TypeCoder{func(r *registrar) error {
		e, d := reflect.TypeFor[E](), reflect.TypeFor[D]()
		switch {
		case append == nil && decode == nil:
			return r.refuse("both functions of Implements are nil")
		case append != nil && !hasMethods(e):
			return r.refuse("type %v of Implements is not an interface with methods", e)
		case decode != nil && !hasMethods(d):
			return r.refuse("type %v of Implements is not an interface with methods", d)
		}
		if append != nil {
			r.addEncodeHook(encodeMethod{e, resultValue, func(v any, dst []byte) ([]byte, error) { return append(dst, v.(E)) }})
		}
		if decode != nil {
			r.addDecodeHook(decodeMethod{d, func(v any, value []byte) error {
				n, err := decode(value, v.(D))
				if err == nil && n != len(value) {
					err = fmt.Errorf("%d of %d bytes consumed: %w", n, len(value), ErrInvalid)
				}
				return err
			}})
		}
		return nil
	}}
}

func (r *registrar) addEncodeHook(m encodeMethod) { r.encodeHooks = append(r.encodeHooks, m) }
func (r *registrar) addDecodeHook(m decodeMethod) { r.decodeHooks = append(r.decodeHooks, m) }

// hasMethods reports whether t is an interface that not all types implement.
func hasMethods(t reflect.Type) bool { return t.Kind() == reflect.Interface && t.NumMethod() > 0 }
