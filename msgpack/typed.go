package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Typed encodes and decodes values of one type. It is faster than [Marshal] and
// [Unmarshal] because it needs no look-up of the type. The zero value cannot be
// used: see [For].
type Typed[T any] struct {
	plans *plans
	plan  *plan
}

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
	return Typed[T]{plans: &c.plans, plan: p}, nil
}

// Append appends the MessagePack encoding of *v to dst, like [MarshalAppend]. A nil
// v is encoded as nil.
func (t Typed[T]) Append(dst []byte, v *T) ([]byte, error) {
	if v == nil {
		return wire.AppendNil(dst), nil
	}
	// v itself does not escape: users' methods receive copies. What v points to
	// does, because those copies contain the same pointers.
	mem.EscapeBelow(v)
	p := mem.Hide(mem.PtrTo(v))
	if q := t.plan; q.firstStep != nil && q.elem == nil && cap(dst)-len(dst) >= q.room {
		// This is appendFlat without the call, which takes a tenth of the time of
		// struct/event/MarshalAppend.
		start := len(dst)
		n, s, count := store(q.firstStep, mem.Bytes(dst), start, p)
		if s.put != putEnd {
			return q.finish(dst, dst[:n], s, count, p, t.plans) // s is a step that store cannot do
		}
		dst = dst[:n]
		dst[start] += byte(count) // the format byte holds the number of fields
		return dst, nil
	}
	return t.appendRoot(dst, p)
}

// appendRoot is like [plan.appendRoot], for a value that is not in an interface.
func (t *Typed[T]) appendRoot(dst []byte, p mem.Ptr) ([]byte, error) {
	b, err := t.plan.encode(dst, p, t.plans.depth)
	if err != nil {
		return dst, t.plans.withType(err, t.plan.typ)
	}
	if t.plans.guard.on {
		if err = t.plans.checkOutput(&t.plans.guard, b[len(dst):]); err != nil {
			return dst, err
		}
	}
	clearRest(b, dst)
	return b, nil
}

// Decode decodes the only value in data into *v, like [Unmarshal].
func (t Typed[T]) Decode(data []byte, v *T) error {
	if v == nil {
		return &Error{Op: opUnmarshal, Found: "nil *" + t.plan.typ.String(), Type: reflect.TypeFor[*T](), Err: ErrTarget}
	}
	mem.EscapeBelow(v)
	target := mem.Hide(mem.PtrTo(v))
	if t.plan.scalar {
		if end := fastScalar(data, t.plan, target); end == len(data) && end > 0 {
			return nil
		}
	}
	n, err := t.plans.decode(data, t.plan, target)
	if err == nil && n < len(data) && !t.plans.AllowTrailing {
		return trailing(int64(n))
	}
	return err
}
