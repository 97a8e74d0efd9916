package layout

import (
	"io"
	"iter"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// A Typed encodes and decodes messages of one type. It is faster than [MarshalAppend]
// and [UnmarshalPrefix] because it needs no look-up of the type. The zero value
// does what the functions of the package do. A Typed is immutable and safe for
// concurrent use.
type Typed[T any] struct{ m *message }

// For returns the Typed of T for c. If c is nil, it does what the functions of the
// package do. The error is [ErrTag] or [ErrUnsupported] if T cannot be a message.
func For[T any](c *Codec) (Typed[T], error) {
	m, err := c.of(reflect.TypeFor[T]())
	return Typed[T]{m}, err
}

// Append appends the message *v to dst. On error it returns dst with its original
// length.
func (t Typed[T]) Append(dst []byte, v *T) ([]byte, error) {
	if t.m == nil {
		var err error
		if t, err = For[T](nil); err != nil {
			return dst, err
		}
	}
	if v == nil {
		return dst, &Error{Path: t.m.name, Offset: -1, Err: ErrRange, Text: "cannot encode a nil pointer", frameEnd: -1}
	}
	mem.EscapeBelow(v)
	return t.m.encode(dst, mem.Hide(mem.PtrTo(v)))
}

// Unmarshal decodes data, which must be exactly one message, into *v. Bytes that
// follow the message are [ErrTrailing].
func (t Typed[T]) Unmarshal(data []byte, v *T) error {
	n, err := t.UnmarshalPrefix(data, v)
	if err == nil && n < len(data) {
		return trailing(reflect.TypeFor[T](), n, len(data))
	}
	return err
}

// UnmarshalPrefix decodes the message at the start of data into *v and returns its
// length.
func (t Typed[T]) UnmarshalPrefix(data []byte, v *T) (n int, err error) {
	if t.m == nil {
		if t, err = For[T](nil); err != nil {
			return 0, err
		}
	}
	if v == nil {
		return 0, &Error{Path: t.m.name, Offset: -1, Err: ErrTarget, Text: "cannot decode into a nil pointer", frameEnd: -1}
	}
	mem.EscapeBelow(v)
	return t.m.decode(data, mem.Hide(mem.PtrTo(v)))
}

// Size returns the number of bytes of the message *v. If all messages of the type
// have one size, v is not read and may be nil.
func (t Typed[T]) Size(v *T) (int, error) {
	if t.m == nil {
		var err error
		if t, err = For[T](nil); err != nil {
			return 0, err
		}
	}
	if t.m.size >= 0 {
		return t.m.size, nil
	}
	b, err := t.Append(nil, v)
	return len(b), err
}

// Frames reads the messages of r one after the other, each like [Codec.Read],
// until r ends between two messages. It yields an error last, and then reads no more.
func (t Typed[T]) Frames(r io.Reader) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		t := t
		if t.m == nil {
			var err error
			if t, err = For[T](nil); err != nil {
				yield(*new(T), err)
				return
			}
		}
		if t.m.open != nil {
			yield(*new(T), cannotRead(t.m.open))
			return
		}
		var first [1]byte
		for {
			v := new(T)
			if err := readFirst(r, &first); err != nil {
				if err != io.EOF {
					yield(*v, &Error{Path: t.m.name, Err: err, frameEnd: -1})
				}
				return
			}
			n, err := t.m.read(r, mem.PtrTo(v), first[:])
			if err == nil && n == 0 {
				err = &Error{Path: t.m.name, Err: ErrLength, Text: "the message has no bytes, but the reader has", frameEnd: -1}
			}
			if !yield(*v, err) || err != nil {
				return
			}
		}
	}
}
