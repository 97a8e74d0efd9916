package binary

import (
	"fmt"
	"reflect"

	"github.com/octet-go/octet/internal/block"
	"github.com/octet-go/octet/internal/kernel"
	"github.com/octet-go/octet/internal/mem"
)

// A Typed encodes and decodes values of type T in one byte order. It avoids the
// lookup of the type that functions such as [Append] do in each call. Create it
// with [For]: the methods of the zero value panic. A Typed is immutable and safe
// for concurrent use.
type Typed[T any] struct{ *coder }

// For returns the Typed of T, which must be a fixed-size type as described at
// [Write]. For any other type, the error is an [*Error] that names the part
// that is not fixed-size.
//
// A type with unexported fields can be encoded but not decoded: its decoding
// methods return an [*Error] that names the first such field.
func For[T any](order ByteOrder) (Typed[T], error) {
	c, err := newCoder(reflect.TypeFor[T](), (*T)(nil), order)
	return Typed[T]{c}, err
}

// Size returns the number of bytes of an encoded value.
func (t Typed[T]) Size() int {
	if t.coder == nil {
		panic(zeroTyped)
	}
	return t.plan.Size
}

// Put stores v in the first Size bytes of dst and returns Size. Like
// [ByteOrder.PutUint64], it panics if dst is too short.
func (t Typed[T]) Put(dst []byte, v *T) int { return t.put(dst, mem.PtrTo(v)) }

// Append appends v to dst and returns the extended slice.
func (t Typed[T]) Append(dst []byte, v *T) []byte { return t.append(dst, mem.PtrTo(v)) }

// Unmarshal decodes data, which must be exactly one value, into v. If there are
// fewer than Size bytes, the error is [ErrTruncated]; if there are more, it is
// [ErrTrailing] and v is unchanged.
func (t Typed[T]) Unmarshal(data []byte, v *T) error { return t.unmarshal(data, mem.PtrTo(v)) }

// UnmarshalPrefix decodes the value at the start of data into v and returns
// Size. It is [Typed.Get] under the name that this method has in the other
// packages of Octet.
func (t Typed[T]) UnmarshalPrefix(data []byte, v *T) (n int, err error) {
	n, err = t.get(data, mem.PtrTo(v))
	return n, err
}

// Get loads v from the first Size bytes of src and returns Size. If src is too
// short, the error is [ErrTruncated].
func (t Typed[T]) Get(src []byte, v *T) (n int, err error) {
	n, err = t.get(src, mem.PtrTo(v)) // a separate statement keeps Get cheap enough to be inlined
	return n, err
}

// AppendSlice appends all of s to dst and returns the extended slice.
func (t Typed[T]) AppendSlice(dst []byte, s []T) []byte {
	return t.appendAll(dst, mem.SliceStart(s), len(s))
}

// GetSlice loads all of s from the start of src and returns the number of bytes
// consumed. If src is too short, it loads nothing and returns [ErrTruncated].
func (t Typed[T]) GetSlice(src []byte, s []T) (int, error) {
	return t.getAll(src, mem.SliceStart(s), len(s))
}

// A coder is a Typed without its type parameter: the plan of a layout in one
// byte order.
type coder struct {
	plan  block.Plan
	order ByteOrder // a custom byte order, otherwise nil
	fixed *Error    // the reason why it cannot decode, or nil
}

func newCoder(t reflect.Type, pointer any, order ByteOrder) (*coder, error) {
	a, _ := argumentOf(pointer)
	if a.full == nil || a.form != byPointer {
		_, err := wireSize(t, "")
		if e, ok := err.(*Error); ok {
			e.Type = t
		}
		return nil, err
	}
	if order == nil {
		return nil, errNoOrder
	}
	if e := endianOf(order); e != custom {
		return a.full.coders[e], nil
	}
	c := *a.full.coders[swapped]
	// Only the steps work on whole numbers, which the methods of the order
	// require.
	c.order, c.plan.Encode, c.plan.Decode = order, kernel.Permutation{}, kernel.Permutation{}
	c.plan.EncodeLine, c.plan.DecodeLine = false, false
	c.plan.SetRooms()
	return &c, nil
}

// put, append and get have no stack check, because its cost is measurable. They
// need little stack, and the functions that they call check it.
//
// A nil v causes a memory fault, as in hand-written code.

//go:nosplit
func (c *coder) put(dst []byte, v mem.Ptr) int {
	if c == nil {
		panic(zeroTyped)
	}
	if size := c.plan.EncodeRoom; size <= len(dst) {
		wire := mem.Bytes(dst)
		if c.plan.EncodeLine {
			mem.Reverse64x4(wire, v, 0)
			mem.Reverse64x4(wire, v, 32)
			return size
		}
		if c.plan.EncodeFull {
			c.plan.Encode.Full(wire, v)
			return size
		}
		c.plan.Encode.One(wire, v)
		return size
	}
	return c.putSteps(dst, v)
}

// putSteps is the general form of put, for values without a fast path and for
// short destinations.
func (c *coder) putSteps(dst []byte, v mem.Ptr) int {
	wire := mem.Bytes(dst[:c.plan.Size:len(dst)])
	if v.IsNil() {
		panicNil(v)
	}
	if c.order == nil {
		c.plan.EncodeSteps(wire, v)
	} else {
		c.plan.EncodeCustom(wire, v, 1, c.order)
	}
	return c.plan.Size
}

//go:nosplit
func (c *coder) append(dst []byte, v mem.Ptr) []byte {
	if c == nil {
		panic(zeroTyped)
	}
	start := len(dst)
	if size := c.plan.EncodeRoom; size <= cap(dst)-start {
		wire := mem.Bytes(dst).Add(uintptr(start))
		if c.plan.EncodeLine {
			mem.Reverse64x4(wire, v, 0)
			mem.Reverse64x4(wire, v, 32)
			return dst[:start+size]
		}
		if c.plan.EncodeFull {
			c.plan.Encode.Full(wire, v)
			return dst[:start+size]
		}
		c.plan.Encode.One(wire, v)
		return dst[:start+size]
	}
	return c.appendSlow(dst, v)
}

// appendSlow is the general form of append, for values without a fast path and
// for destinations without enough room.
func (c *coder) appendSlow(dst []byte, v mem.Ptr) []byte {
	start := len(dst)
	dst = grow(dst, c.plan.Size)
	c.put(dst[start:], v)
	return dst
}

//go:nosplit
func (c *coder) get(src []byte, v mem.Ptr) (int, error) {
	if c == nil {
		panic(zeroTyped)
	}
	if size := c.plan.DecodeRoom; size <= len(src) {
		wire := mem.Bytes(src)
		if c.plan.DecodeFull {
			c.plan.Decode.Full(v, wire)
			return size, nil
		}
		if !c.plan.DecodeLine {
			c.plan.Decode.One(v, wire)
			return size, nil
		}
		mem.Reverse64x4(v, wire, 0)
		mem.Reverse64x4(v, wire, 32)
		return size, nil
	}
	return c.getSteps(src, v)
}

// getSteps is the general form of get, for values without a fast path and for
// short sources.
func (c *coder) getSteps(src []byte, v mem.Ptr) (int, error) {
	if len(src) < c.plan.Size || c.fixed != nil {
		return 0, c.decodeError(src)
	}
	if v.IsNil() {
		panicNil(v)
	}
	if c.order == nil {
		c.plan.DecodeSteps(mem.Bytes(src), v)
	} else {
		c.plan.DecodeCustom(mem.Bytes(src), v, 1, c.order)
	}
	return c.plan.Size, nil
}

func (c *coder) appendAll(dst []byte, values mem.Ptr, n int) []byte {
	if c == nil {
		panic(zeroTyped)
	}
	start := len(dst)
	dst = grow(dst, n*c.plan.Size)
	if c.order == nil {
		c.plan.EncodeAll(mem.Bytes(dst[start:]), values, n)
	} else {
		c.plan.EncodeCustom(mem.Bytes(dst[start:]), values, n, c.order)
	}
	return dst
}

func (c *coder) getAll(src []byte, values mem.Ptr, n int) (int, error) {
	if c == nil {
		panic(zeroTyped)
	}
	size := n * c.plan.Size
	if len(src) < size || c.fixed != nil {
		return 0, c.decodeError(src)
	}
	if c.order == nil {
		c.plan.DecodeAll(mem.Bytes(src), values, n)
	} else {
		c.plan.DecodeCustom(mem.Bytes(src), values, n, c.order)
	}
	return size, nil
}

// unmarshal is get for data that must be exactly one value.
func (c *coder) unmarshal(data []byte, v mem.Ptr) error {
	if c == nil {
		panic(zeroTyped)
	}
	if n := c.plan.Size; len(data) > n {
		return fmt.Errorf("%w: %d bytes, want %d", ErrTrailing, len(data), n)
	}
	_, err := c.get(data, v)
	return err
}

// decodeError returns the reason why nothing was decoded from src.
func (c *coder) decodeError(src []byte) error {
	if c.fixed != nil {
		return c.fixed
	}
	return tooShort(src)
}

// zeroTyped is the value with which the methods of the zero Typed panic.
const zeroTyped = "binary: zero Typed; use For"
