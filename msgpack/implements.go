package msgpack

import (
	"fmt"
	"reflect"
)

// Implements makes types encode themselves by methods of interface E and decode
// themselves by methods of interface D, for [Config].Types. It lets the methods
// that a program has written for another library stay as they are.
//
// append appends exactly one MessagePack value, which is checked, to dst and
// returns the extended slice, which it must not keep. decode decodes the bytes
// of one valid value into v and returns how many bytes it consumed, which must
// be all of them; anything else is [ErrInvalid]. The bytes are part of the input:
// decode must not change them, and must copy what it wants to keep. An error of
// either is returned inside an [*Error] that says where. If append is nil,
// encoding does not change and E may be any type; the same holds for decode and D.
//
// The functions are used for all types T of which T or *T implements the
// interface, wherever values of T occur, except types that ExtType, Override or
// Union registers, time.Time, types of this package, and types that have the
// methods of this package for the same direction: AppendMsgpack, MarshalMsgpack
// or UnmarshalMsgpack. They are used before the methods of package encoding, such
// as MarshalText, and before the forms that this package gives to types of the
// standard library, such as net.IP. If a type matches several Implements, the
// first in Config.Types is used.
//
// They are called as a type's own methods are: on a copy of the value, which
// decode's is assigned back from, also for values that have no address. The
// methods of an embedded type are those of the outer one. A nil pointer is nil,
// and a nil in the input makes a pointer nil; no function is called for it.
func Implements[E, D any](append func(dst []byte, v E) ([]byte, error), decode func(data []byte, v D) (n int, err error)) TypeCoder {
	return TypeCoder{func(r *registrar) error {
		e, d := reflect.TypeFor[E](), reflect.TypeFor[D]()
		switch {
		case append == nil && decode == nil:
			return r.refuse("Implements without functions")
		case append != nil && !hasMethods(e):
			return r.refuse("Implements of %v, not an interface with methods", e)
		case decode != nil && !hasMethods(d):
			return r.refuse("Implements of %v, not an interface with methods", d)
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
