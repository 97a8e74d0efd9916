package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
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
	b, err = t.plan.appendTyped(dst, mem.PtrTo(v)) // a return statement with the call would not be inlined
	return b, err
}

// Decode decodes the only value in data into *v, like [Unmarshal].
func (t Typed[T]) Decode(data []byte, v *T) error {
	return t.plan.decodeTyped(data, mem.PtrTo(v))
}

// appendTyped is [Typed.Append]. It is a function of its own so that Append is
// inlined. The value at v does not escape, because users' methods receive copies.
// What it points to does, because those copies contain the same pointers.
func (p *plan) appendTyped(dst []byte, v mem.Ptr) ([]byte, error) {
	if v.IsNil() {
		return wire.AppendNil(dst), nil
	}
	mem.EscapeTarget(v)
	h := mem.Hide(v)
	if p.integer != putCall && p.elem == nil && cap(dst)-len(dst) >= maxInteger {
		return appendInteger(dst, p.integer, h), nil
	}
	if p.firstStep != nil && p.elem == nil && cap(dst)-len(dst) >= p.room {
		// This is appendFlat without the call, which takes a tenth of the time of
		// struct/event/MarshalAppend.
		start := len(dst)
		n, s, count := store(p.firstStep, mem.Bytes(dst), start, h)
		if s.put != putEnd {
			return p.finish(dst, dst[:n], s, count, h, p.plans) // store cannot execute s
		}
		dst = dst[:n]
		dst[start] += byte(count) // the format byte holds the number of fields
		return dst, nil
	}
	if p.root != nil && p.elem == nil {
		b, err := p.root.encode(dst, h, p.plans.depth)
		return p.appended(dst, b, err)
	}
	b, err := p.encode(dst, h, p.plans.depth)
	return p.appended(dst, b, err)
}

// decodeTyped is [Typed.Decode], for the same reason.
func (p *plan) decodeTyped(data []byte, v mem.Ptr) error {
	if v.IsNil() {
		return &Error{Op: opUnmarshal, Found: "nil *" + p.typ.String(), Type: reflect.PointerTo(p.typ), Err: ErrTarget}
	}
	mem.EscapeTarget(v)
	h := mem.Hide(v)
	if p.scalar && p.elem == nil {
		if end := fastScalar(data, 0, p, h); end == len(data) && end > 0 {
			return nil
		}
	}
	n, err := p.plans.decode(data, p, h)
	if err == nil && n < len(data) && !p.plans.AllowTrailing {
		return trailing(int64(n))
	}
	return err
}
