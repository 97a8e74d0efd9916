package msgpack

import "reflect"

// A Typed encodes and decodes values of one type. It is faster than [Marshal] and
// [Unmarshal] because it needs no look-up of the type. [For] makes one. The zero
// Typed does the same as the functions of the package, with the look-up.
type Typed[T any] struct{ plan *plan }

// For returns the Typed of T for c. If c is nil, the Typed does what the functions
// of the package do. The error, of type *[Error], is [ErrUnsupported]: T has no
// MessagePack form, or has methods for another library in one or both directions.
func For[T any](c *Codec) (Typed[T], error) {
	p := c.ready().ofType(reflect.TypeFor[T]())
	if p.unsupported != nil {
		e := &Error{Op: opMarshal, Path: p.unsupported.Path, Found: p.unsupported.Found, Err: p.unsupported.Err}
		return Typed[T]{}, p.plans.withType(e, p.typ)
	}
	return Typed[T]{p}, nil
}

// Append appends the MessagePack encoding of *v to dst, like [MarshalAppend]. A nil
// v is encoded as nil.
func (t Typed[T]) Append(dst []byte, v *T) (b []byte, err error) {
	b, err = t.plan.appendAt(dst, v) // a return statement with the call would not be inlined
	return b, err
}

// Unmarshal decodes the only value in data into *v, like [Unmarshal].
func (t Typed[T]) Unmarshal(data []byte, v *T) error {
	_, err := defaults.plans.unmarshal(t.plan, data, v, false)
	return err
}

// UnmarshalPrefix decodes the first value in data into *v and returns its length,
// like [UnmarshalPrefix].
func (t Typed[T]) UnmarshalPrefix(data []byte, v *T) (n int, err error) {
	n, err = defaults.plans.unmarshal(t.plan, data, v, true)
	return n, err
}
