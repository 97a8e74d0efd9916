package msgpack

import (
	"encoding"
	"math"
	"reflect"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// Methods that a type brings are called on a copy of the value in the heap, and
// after decoding the copy is assigned back. A method may keep its receiver or
// hand it to other goroutines, which must not happen to a value that was hidden
// from escape analysis and may lie on the stack. It also makes methods with
// pointer receivers work for values that have no address.

// heapCopy returns a pointer to a copy of the value of type t at p.
func heapCopy(t reflect.Type, p mem.Ptr) reflect.Value {
	v := reflect.New(t)
	v.Elem().Set(mem.Value(t, p))
	return v
}

// An appendMethod calls the method of v. What it appends to is a buffer from a
// pool, since the message may be growing on the stack and no method may see it.
type appendMethod func(v any, dst []byte) ([]byte, error)

// A receiver turns the value at p into what methods are called on.
type receiver func(p mem.Ptr) any

// makeReceiver returns the receiver for methods of t, or those of *t only. A
// type that is a pointer inside goes down the stack by value if it can: a copy
// in the heap would point at what may lie on the stack.
func makeReceiver(t reflect.Type, byValue bool) receiver {
	if byValue && mem.IsDirect(t) {
		return func(p mem.Ptr) any { return mem.Value(t, p).Interface() }
	}
	return func(p mem.Ptr) any { return heapCopy(t, p).Interface() }
}

// heapWord returns the word of a value of a direct type t (see [mem.IsDirect])
// such that methods may keep it. What the word points at may lie on the stack,
// and is copied then; what that points at in its turn does not.
func heapWord(t reflect.Type, word mem.Ptr) mem.Ptr {
	if word.IsNil() {
		return word
	}
	switch t := innermost(t); t.Kind() {
	case reflect.Map:
		return heapMap(t, mem.Hide(mem.PtrTo(&word)))
	case reflect.Pointer:
		return mem.PtrOf(heapCopy(t.Elem(), word))
	}
	return word
}

// innermost returns the pointer, map, channel or function type that a direct
// type consists of.
func innermost(t reflect.Type) reflect.Type {
	for in := inside(t); in != nil; in = inside(t) {
		t = in
	}
	return t
}

// inside returns the type of the one element or field that a direct array or
// struct consists of, nil for what is neither.
func inside(t reflect.Type) reflect.Type {
	switch t.Kind() {
	case reflect.Array:
		return t.Elem()
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i).Type; f.Size() > 0 {
				return f
			}
		}
	}
	return nil
}

// heapMap returns a copy of the map at p.
func heapMap(t reflect.Type, p mem.Ptr) mem.Ptr {
	from := mem.Value(t, p)
	to := reflect.MakeMapWithSize(t, from.Len())
	var iter reflect.MapIter
	for iter.Reset(from); iter.Next(); {
		to.SetMapIndex(iter.Key(), iter.Value())
	}
	return mem.PtrOf(to)
}

// A headerFunc appends the header of a payload of n bytes.
type headerFunc func(dst []byte, n uint32) []byte

// textHeader returns the one for what methods return as text.
func (o *options) textHeader() headerFunc {
	if o.TextAsBin {
		return wire.AppendBinHeader
	}
	return wire.AppendStringHeader
}

// ownCodec returns the functions for a type that is not encoded by its kind,
// each nil where it is.
func (k *compiler) ownCodec(t reflect.Type) codec {
	if c := k.makeStandardCodec(t); c.encode != nil {
		return c
	}
	return makeMethodCodec(t, k.plans.textHeader())
}

// makeMethodCodec returns the functions that call the methods of *t, each nil
// where t has none for that direction.
func makeMethodCodec(t reflect.Type, textHeader headerFunc) (c codec) {
	ptr := reflect.PointerTo(t)
	var self receiver // for the interface asked about last
	has := func(i reflect.Type) bool {
		self = makeReceiver(t, t.Implements(i))
		return ptr.Implements(i)
	}
	switch {
	case has(reflect.TypeFor[Appender]()):
		c.encode = makeOwnEncoder(t, self, func(v any, dst []byte) ([]byte, error) {
			return v.(Appender).AppendMsgpack(dst)
		})
	case has(reflect.TypeFor[Marshaler]()):
		c.encode = makeOwnEncoder(t, self, func(v any, _ []byte) ([]byte, error) {
			return v.(Marshaler).MarshalMsgpack()
		})
	case has(reflect.TypeFor[encoding.BinaryAppender]()):
		c.encode = makePayloadEncoder(t, self, wire.AppendBinHeader, func(v any, dst []byte) ([]byte, error) {
			return v.(encoding.BinaryAppender).AppendBinary(dst)
		})
	case has(reflect.TypeFor[encoding.BinaryMarshaler]()):
		c.encode = makePayloadEncoder(t, self, wire.AppendBinHeader, func(v any, _ []byte) ([]byte, error) {
			return v.(encoding.BinaryMarshaler).MarshalBinary()
		})
	case has(reflect.TypeFor[encoding.TextAppender]()):
		c.encode = makePayloadEncoder(t, self, textHeader, func(v any, dst []byte) ([]byte, error) {
			return v.(encoding.TextAppender).AppendText(dst)
		})
	case has(reflect.TypeFor[encoding.TextMarshaler]()):
		c.encode = makePayloadEncoder(t, self, textHeader, func(v any, _ []byte) ([]byte, error) {
			return v.(encoding.TextMarshaler).MarshalText()
		})
	}
	binary := has(reflect.TypeFor[encoding.BinaryUnmarshaler]())
	text := has(reflect.TypeFor[encoding.TextUnmarshaler]())
	switch {
	case has(reflect.TypeFor[Unmarshaler]()):
		c.decode = makeUnmarshalerDecoder(t)
	case binary || text:
		c.decode = makePayloadDecoder(t, binary, text)
	}
	return c
}

// makeOwnEncoder is for methods that return MessagePack, which is checked.
func makeOwnEncoder(t reflect.Type, self receiver, call appendMethod) encodeFunc {
	found := "what the method of " + t.String() + " returned"
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		s := scratchPool.Get().(*scratch)
		defer scratchPool.Put(s)
		own, err := call(self(p), s.buf[:0])
		if err != nil {
			return dst, failed(err, t.String())
		}
		if err := checkOne(own, depth, found); err != nil {
			return dst, err
		}
		return append(dst, own...), nil
	}
}

// makePayloadEncoder is for methods that return what goes into a bin or str.
func makePayloadEncoder(t reflect.Type, self receiver, header headerFunc, call appendMethod) encodeFunc {
	return func(dst []byte, p mem.Ptr, _ int) ([]byte, error) {
		s := scratchPool.Get().(*scratch)
		defer scratchPool.Put(s)
		payload, err := call(self(p), s.buf[:0])
		if err != nil {
			return dst, failed(err, t.String())
		}
		if uint64(len(payload)) > math.MaxUint32 {
			return dst, failed(ErrLimit, t.String())
		}
		return append(header(dst, uint32(len(payload))), payload...), nil
	}
}

// makeUnmarshalerDecoder gives the method the bytes of one value.
func makeUnmarshalerDecoder(t reflect.Type) decodeFunc {
	return func(d *decoder, p mem.Ptr) error {
		start := d.pos
		b, err := d.one()
		if err != nil {
			return err
		}
		return d.decodeOwn(t, p, start, func(v any) error { return v.(Unmarshaler).UnmarshalMsgpack(b) })
	}
}

// makePayloadDecoder is for types that decode themselves from bytes or text:
// bytes where the input has a bin, text where it has a str, or whatever it has
// where the type knows one of the two.
func makePayloadDecoder(t reflect.Type, binary, text bool) decodeFunc {
	want := t.String()
	return func(d *decoder, p mem.Ptr) error {
		if d.isNil() {
			mem.Value(t, p).SetZero()
			return nil
		}
		start := d.pos
		h, err := d.header(want)
		if err != nil {
			return err
		}
		b, err := d.bytes(want)
		if err != nil {
			return err
		}
		return d.decodeOwn(t, p, start, func(v any) error {
			if text && (h.Format.Kind() == wire.KindStr || !binary) {
				return v.(encoding.TextUnmarshaler).UnmarshalText(b)
			}
			return v.(encoding.BinaryUnmarshaler).UnmarshalBinary(b)
		})
	}
}

// decodeOwn calls a method on a copy of the value at p and assigns it back.
func (d *decoder) decodeOwn(t reflect.Type, p mem.Ptr, start int, call func(v any) error) error {
	v := heapCopy(t, p)
	if err := call(v.Interface()); err != nil {
		d.pos = start
		return d.fail(err, t.String())
	}
	mem.Value(t, p).Set(v.Elem())
	return nil
}
