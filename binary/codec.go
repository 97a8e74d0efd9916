package binary

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// A Codec encodes and decodes values of type T in one byte order. It is what the
// functions that take any look up for every call, looked up once. Make it with
// [For]; it is a small value, immutable, for any number of goroutines.
type Codec[T any] struct {
	plan  *plan
	order ByteOrder // a user's own, else nil
	fixed string    // the path to a field that cannot be decoded
}

// For returns the codec for T, which is a fixed-size type, see [Write]. For any
// other type the error is a [*TypeError] that says which part of it is not
// fixed-size.
//
// Fields that are not exported can be encoded; a codec for a type that has some
// decodes nothing, with an error that names the first.
func For[T any](order ByteOrder) (Codec[T], error) {
	a, _ := argumentOf((*T)(nil))
	if a.full == nil || a.form != byPointer {
		t := reflect.TypeFor[T]()
		_, err := wireSize(t, "")
		e := err.(*TypeError)
		e.Type = t
		return Codec[T]{}, e
	}
	c := Codec[T]{plan: a.full.plans[swapped], fixed: a.full.fixed}
	if e := endianOf(order); e != custom {
		c.plan = a.full.plans[e]
	} else {
		c.order = order
	}
	return c, nil
}

// Size returns how many bytes every value takes.
func (c Codec[T]) Size() int { return c.plan.size }

// Put stores v in the first Size bytes of dst and returns their number. Like
// [ByteOrder.PutUint64], it panics if dst is shorter.
func (c Codec[T]) Put(dst []byte, v *T) int {
	size := c.plan.size
	dst = dst[:size:len(dst)]
	if c.order == nil {
		c.plan.encodeTo(mem.Bytes(dst), hidden(v))
	} else {
		c.plan.encodeCustom(mem.Bytes(dst), hidden(v), 1, c.order)
	}
	return size
}

// Append appends v to dst and returns the extended slice.
func (c Codec[T]) Append(dst []byte, v *T) []byte {
	start := len(dst)
	dst = grow(dst, c.plan.size)
	c.Put(dst[start:], v)
	return dst
}

// Get loads v from the first Size bytes of src and returns their number. It is an
// error if src is shorter, the one that [Decode] gives.
func (c Codec[T]) Get(src []byte, v *T) (int, error) {
	size := c.plan.size
	if len(src) < size || c.fixed != "" {
		return 0, c.refuse()
	}
	if c.order == nil {
		c.plan.decodeFrom(mem.Bytes(src), hidden(v))
	} else {
		c.plan.decodeCustom(mem.Bytes(src), hidden(v), 1, c.order)
	}
	return size, nil
}

// AppendSlice appends all of s to dst and returns the extended slice.
func (c Codec[T]) AppendSlice(dst []byte, s []T) []byte {
	start := len(dst)
	dst = grow(dst, len(s)*c.plan.size)
	if c.order == nil {
		c.plan.encodeAll(mem.Bytes(dst[start:]), mem.Hide(mem.SliceStart(s)), len(s))
	} else {
		c.plan.encodeCustom(mem.Bytes(dst[start:]), mem.Hide(mem.SliceStart(s)), len(s), c.order)
	}
	return dst
}

// GetSlice loads all of s from the beginning of src and returns how many bytes
// that took. If src is too short, nothing is loaded and the error is the one that
// [Decode] gives.
func (c Codec[T]) GetSlice(src []byte, s []T) (int, error) {
	size := len(s) * c.plan.size
	if len(src) < size || c.fixed != "" {
		return 0, c.refuse()
	}
	if c.order == nil {
		c.plan.decodeAll(mem.Bytes(src), mem.Hide(mem.SliceStart(s)), len(s))
	} else {
		c.plan.decodeCustom(mem.Bytes(src), mem.Hide(mem.SliceStart(s)), len(s), c.order)
	}
	return size, nil
}

// refuse returns why nothing was decoded.
func (c Codec[T]) refuse() error {
	if c.fixed == "" {
		return errBufferTooSmall
	}
	return &FieldError{Type: reflect.TypeFor[T](), Path: c.fixed}
}

// hidden returns where v is, unseen by escape analysis.
func hidden[T any](v *T) mem.Ptr {
	_ = *v // a nil pointer panics here, not in a kernel
	return mem.Hide(mem.PtrTo(v))
}
