package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// A Typed encodes and decodes values of one type. It is faster than [Marshal] and
// [Unmarshal] because it needs no look-up of the type. The zero value cannot be
// used: see [For].
type Typed[T any] struct{ plan *plan }

// For returns the Typed of T for c. If c is nil, the Typed does what the functions
// of the package do. The error, of type *[Error], is [ErrUnsupported]: T has no
// MessagePack form, or has methods for another library in one or both directions.
func For[T any](c *Codec) (Typed[T], error) {
	if c == nil {
		c = &defaults
	}
	p := c.plans.ofType(reflect.TypeFor[T]())
	if p.unsupported != nil {
		e := &Error{Op: opMarshal, Path: p.unsupported.Path, Found: p.unsupported.Found, Err: p.unsupported.Err}
		return Typed[T]{}, c.plans.withType(e, p.typ)
	}
	return Typed[T]{p}, nil
}

// Append appends the MessagePack encoding of *v to dst, like [MarshalAppend]. A nil
// v is encoded as nil.
func (t Typed[T]) Append(dst []byte, v *T) (b []byte, err error) {
	b, err = t.plan.appendAt(dst, mem.PtrTo(v)) // a return statement with the call would not be inlined
	return b, err
}

// Decode decodes the only value in data into *v, like [Unmarshal].
func (t Typed[T]) Decode(data []byte, v *T) error {
	_, err := t.plan.decodeMessage(data, mem.PtrTo(v), false)
	return err
}
