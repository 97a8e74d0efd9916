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

// message returns the compiled form of T.
func (t Typed[T]) message() (_ *message, err error) {
	if t.m == nil {
		t, err = For[T](nil)
	}
	return t.m, err
}

// of is message for v. If v is nil, the error has the reason and says what cannot be done.
// Callers that have a message and a variable do not call it, nor each other, because a
// call takes a tenth of the time of a short message.
func (t Typed[T]) of(v *T, reason error, what string) (*message, error) {
	m, err := t.message()
	if err == nil && v == nil {
		err = refused(m.name, reason, "cannot %s a nil pointer", what)
	}
	return m, err
}

// Append appends the message *v to dst. On error it returns dst with its original
// length.
func (t Typed[T]) Append(dst []byte, v *T) ([]byte, error) {
	m := t.m
	if m == nil || v == nil {
		var err error
		if m, err = t.of(v, ErrRange, "encode"); err != nil {
			return dst, err
		}
	}
	mem.EscapeBelow(v)
	return m.encode(dst, mem.Hide(mem.PtrTo(v)))
}

// Unmarshal decodes data, which must be exactly one message, into *v. Bytes that
// follow the message are [ErrTrailing].
func (t Typed[T]) Unmarshal(data []byte, v *T) error {
	m := t.m
	if m == nil || v == nil {
		var err error
		if m, err = t.of(v, ErrTarget, "decode into"); err != nil {
			return err
		}
	}
	mem.EscapeBelow(v)
	n, err := m.decode(data, mem.Hide(mem.PtrTo(v)))
	if err == nil && n < len(data) {
		return trailing(m.typ, n, len(data))
	}
	return err
}

// UnmarshalPrefix decodes the message at the start of data into *v and returns its
// length.
func (t Typed[T]) UnmarshalPrefix(data []byte, v *T) (n int, err error) {
	m := t.m
	if m == nil || v == nil {
		if m, err = t.of(v, ErrTarget, "decode into"); err != nil {
			return 0, err
		}
	}
	mem.EscapeBelow(v)
	return m.decode(data, mem.Hide(mem.PtrTo(v)))
}

// Size returns the number of bytes of the message *v. If all messages of the type
// have one size, v is not read and may be nil.
func (t Typed[T]) Size(v *T) (int, error) {
	m, err := t.message()
	if err != nil {
		return 0, err
	}
	if m.size >= 0 {
		return m.size, nil
	}
	b, err := t.Append(nil, v)
	return len(b), err
}

// Frames reads the messages of r one after the other, each like [Codec.Read],
// until r ends between two messages. It yields an error last, and then reads no more.
func (t Typed[T]) Frames(r io.Reader) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		m, err := t.message()
		if err == nil && m.open != nil {
			err = cannotRead(m.open)
		}
		if err != nil {
			yield(*new(T), err)
			return
		}
		var first [1]byte
		for {
			v := new(T)
			if _, err := readFull(r, first[:]); err != nil { // is there another message?
				if err != io.EOF {
					yield(*v, &Error{Path: m.name, Err: err, frameEnd: -1})
				}
				return
			}
			n, err := m.read(r, mem.PtrTo(v), first[:])
			if err == nil && n == 0 {
				err = &Error{Path: m.name, Err: ErrLength, Text: "the message has no bytes, but the reader has", frameEnd: -1}
			}
			if !yield(*v, err) || err != nil {
				return
			}
		}
	}
}
