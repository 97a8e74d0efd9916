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
	if r := &t.m.lone; cap(dst)-len(dst) >= r.size {
		w, p := mem.Bytes(dst).Add(uintptr(len(dst))), mem.PtrTo(v)
		if r.out.Do(w, p.Add(r.at)) && (r.extra == nil || r.extra.storeExtra(w, 0, mem.Hide(p))) {
			return dst[:len(dst)+r.size], nil
		}
	}
	if b := t.m.block; b != nil && b.EncodeFull && cap(dst)-len(dst) >= b.EncodeRoom {
		n := len(dst)
		b.Encode.Full(mem.Bytes(dst).Add(uintptr(n)), mem.PtrTo(v))
		return dst[:n+b.EncodeRoom], nil
	}
	if f := t.m.fast; f != nil {
		if n, ok := f.store(dst, mem.Hide(mem.PtrTo(v))); ok {
			return dst[:n], nil
		}
	}
	mem.EscapeBelow(v) // also for store: escape analysis does not depend on the order
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
	if r := &t.m.lone; len(data) >= r.size {
		w, p := mem.Bytes(data), mem.PtrTo(v)
		if r.in.Do(p.Add(r.at), w) && (r.extra == nil || r.extra.loadExtra(w, 0, mem.Hide(p))) {
			return r.size, nil
		}
	}
	if b := t.m.block; b != nil && b.DecodeFull && len(data) >= b.DecodeRoom {
		b.Decode.Full(mem.PtrTo(v), mem.Bytes(data))
		return b.DecodeRoom, nil
	}
	if f := t.m.fast; f != nil {
		if n, ok := f.load(data, mem.Hide(mem.PtrTo(v))); ok {
			return n, nil
		}
	}
	mem.EscapeBelow(v) // also for load
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
	if t.m.program.size >= 0 {
		return t.m.program.size, nil
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
