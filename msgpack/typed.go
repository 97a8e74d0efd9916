package msgpack

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A Typed encodes and decodes values of one type. It spares the look-up that
// [Marshal] and [Unmarshal] begin with. Its zero value is of no use: see [For].
type Typed[T any] struct {
	plans *plans
	plan  *plan
	first *step // see plan.first
	room  int
	root  *program
}

// For returns the Typed of T for a codec, nil being the default. The error, of
// type *[Error], is that T has no MessagePack form, or methods for another library
// in one direction or both.
func For[T any](c *Codec) (Typed[T], error) {
	if c == nil {
		c = &defaults
	}
	p := c.plans.ofType(reflect.TypeFor[T]())
	if p.unsupported != nil {
		e := &Error{Op: opMarshal, Path: p.unsupported.Path, Found: p.unsupported.Found, Err: p.unsupported.Err}
		return Typed[T]{}, c.plans.withType(e, p.typ)
	}
	t := Typed[T]{plans: &c.plans, plan: p}
	if p.elem == nil {
		t.first, t.room, t.root = p.first, p.room, p.root
	}
	return t, nil
}

// Append appends *v in MessagePack to dst, like [MarshalAppend]; a nil v is nil.
func (t Typed[T]) Append(dst []byte, v *T) ([]byte, error) {
	if v == nil {
		return wire.AppendNil(dst), nil
	}
	mem.EscapeBelow(v) // users' methods are given copies of it
	p := mem.Hide(mem.PtrTo(v))
	if t.first != nil && cap(dst)-len(dst) >= t.room {
		if b := storeAll(t.first, dst, p); b != nil {
			return b, nil
		}
	}
	if t.root != nil {
		b, err := t.root.encode(dst, p, t.plans.depth)
		if err != nil {
			return dst, t.plans.withType(err, t.plan.typ)
		}
		return b, nil
	}
	b, err := t.plan.encode(dst, p, t.plans.depth)
	if err != nil {
		return dst, t.plans.withType(err, t.plan.typ)
	}
	if t.plans.guard.on {
		err = t.plans.checkOutput(&t.plans.guard, b[len(dst):])
	}
	if err != nil {
		return dst, err
	}
	return b, nil
}

// Decode decodes the one value in data into *v, like [Unmarshal].
func (t Typed[T]) Decode(data []byte, v *T) error {
	if v == nil {
		return &Error{Op: opUnmarshal, Found: "nil *" + t.plan.typ.String(), Type: reflect.TypeFor[*T](), Err: ErrTarget}
	}
	mem.EscapeBelow(v)
	n, err := t.plans.decode(data, t.plan, mem.Hide(mem.PtrTo(v)))
	if err == nil && n < len(data) && !t.plans.AllowTrailing {
		return trailing(int64(n))
	}
	return err
}
