package msgpack

import (
	"encoding"
	"math"
	"reflect"
	"slices"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// Methods of users are called on a copy of the value in the heap, and after
// decoding the copy is assigned back. A method may keep its receiver or hand it
// to other goroutines, which must not happen to a value that was hidden from
// escape analysis and may lie on the stack. Copies also make methods with pointer
// receivers work for values that have no address.

// heapCopy returns a pointer to a copy of the value of type t at p.
func heapCopy(t reflect.Type, p mem.Ptr) reflect.Value {
	v := reflect.New(t)
	v.Elem().Set(mem.Value(t, p))
	return v
}

// An encodeMethod is a way in which values of all types that implement an
// interface encode themselves.
type encodeMethod struct {
	of     reflect.Type // the interface
	result resultForm   // of append
	append func(v any, dst []byte) ([]byte, error)
}

// A decodeMethod is the counterpart of an encodeMethod.
type decodeMethod struct {
	of    reflect.Type
	parse func(v any, value []byte) error // value is one MessagePack value
}

// A resultForm says what a method returns.
type resultForm uint8

const (
	resultValue resultForm = iota // one MessagePack value
	resultBin                     // the payload of a bin
	resultText                    // the payload of a str, or of a bin under Config.TextAsBin
)

// ownEncodeMethods are the methods of this package, in the order in which they
// are looked for.
var ownEncodeMethods = []encodeMethod{
	{reflect.TypeFor[Appender](), resultValue, func(v any, dst []byte) ([]byte, error) {
		return v.(Appender).AppendMsgpack(dst)
	}},
	{reflect.TypeFor[Marshaler](), resultValue, func(v any, _ []byte) ([]byte, error) {
		return v.(Marshaler).MarshalMsgpack()
	}},
}

var ownDecodeMethods = []decodeMethod{
	{reflect.TypeFor[Unmarshaler](), func(v any, value []byte) error {
		return v.(Unmarshaler).UnmarshalMsgpack(value)
	}},
}

// generalEncodeMethods are those of package encoding.
var generalEncodeMethods = []encodeMethod{
	{reflect.TypeFor[encoding.BinaryAppender](), resultBin, func(v any, dst []byte) ([]byte, error) {
		return v.(encoding.BinaryAppender).AppendBinary(dst)
	}},
	{reflect.TypeFor[encoding.BinaryMarshaler](), resultBin, func(v any, _ []byte) ([]byte, error) {
		return v.(encoding.BinaryMarshaler).MarshalBinary()
	}},
	{reflect.TypeFor[encoding.TextAppender](), resultText, func(v any, dst []byte) ([]byte, error) {
		return v.(encoding.TextAppender).AppendText(dst)
	}},
	{reflect.TypeFor[encoding.TextMarshaler](), resultText, func(v any, _ []byte) ([]byte, error) {
		return v.(encoding.TextMarshaler).MarshalText()
	}},
}

// A receiver returns what methods are called on for the value at p.
type receiver func(p mem.Ptr) any

// makeReceiver returns the receiver for methods of t if byValue, else for those
// of *t. A direct type (see [mem.IsDirect]) is passed by value if possible: a
// copy in the heap would point at what may lie on the stack.
func makeReceiver(t reflect.Type, byValue bool) receiver {
	if byValue && mem.IsDirect(t) {
		return func(p mem.Ptr) any { return mem.Value(t, p).Interface() }
	}
	return func(p mem.Ptr) any { return heapCopy(t, p).Interface() }
}

// heapWord returns the word of a value of a direct type t such that methods may
// keep it. What the word points at may lie on the stack and is copied; what that
// points at cannot.
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
// each nil where it is. In order, they are those of methodCodec, the forms of
// some types of the standard library, and the methods of package encoding.
// refused is the reason if the functions of a direction refuse the type.
func (k *compiler) ownCodec(t reflect.Type) (c codec, refused *Error) {
	if c, refused = k.methodCodec(t); c.encode != nil && c.decode != nil {
		return c, refused
	}
	standard := k.makeStandardCodec(t)
	if c.encode == nil {
		c.encode = standard.encode
	}
	if c.encode == nil {
		c.encode = k.makeMethodEncoder(t, generalEncodeMethods)
	}
	if c.decode == nil {
		c.decode = standard.decode
	}
	if c.decode == nil {
		ptr := reflect.PointerTo(t)
		binary := ptr.Implements(reflect.TypeFor[encoding.BinaryUnmarshaler]())
		if text := ptr.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()); binary || text {
			c.decode = makePayloadDecoder(t, binary, text)
		}
	}
	return c, refused
}

// methodCodec returns the functions that call the methods of this package, else
// those that [Implements] registers, else refuse methods of other libraries.
func (k *compiler) methodCodec(t reflect.Type) (c codec, refused *Error) {
	c.encode = k.makeMethodEncoder(t, slices.Concat(ownEncodeMethods, k.plans.encodeHooks))
	c.decode = makeMethodDecoder(t, slices.Concat(ownDecodeMethods, k.plans.decodeHooks))
	return k.refuseForeign(t, c)
}

// makeMethodEncoder returns the function that calls the first of the methods
// that *t has, nil if it has none.
func (k *compiler) makeMethodEncoder(t reflect.Type, methods []encodeMethod) encodeFunc {
	for i := range methods {
		m := &methods[i]
		if !reflect.PointerTo(t).Implements(m.of) {
			continue
		}
		want := t.String()
		var result frame
		switch m.result {
		case resultValue:
			result = asValue("result of the method of " + want)
		case resultBin:
			result = asPayload(want, wire.AppendBinHeader)
		case resultText:
			result = asPayload(want, k.plans.textHeader())
		}
		self := makeReceiver(t, t.Implements(m.of))
		return makeUserEncoder(want, result, func(dst []byte, p mem.Ptr) ([]byte, error) { return m.append(self(p), dst) })
	}
	return nil
}

// makeMethodDecoder is the counterpart for decoding.
func makeMethodDecoder(t reflect.Type, methods []decodeMethod) decodeFunc {
	for i := range methods {
		m := &methods[i]
		if !reflect.PointerTo(t).Implements(m.of) {
			continue
		}
		return func(d *decoder, p mem.Ptr) error {
			start := d.pos
			b, err := d.one()
			if err != nil {
				return err
			}
			return d.decodeOwn(t, p, start, func(v any) error { return m.parse(v, b) })
		}
	}
	return nil
}

// A frame appends what a user's method or function returned to a message.
type frame func(dst, result []byte, depth int) ([]byte, error)

// asValue is the frame for results that are MessagePack, which is checked. found
// names the result in errors.
func asValue(found string) frame {
	return func(dst, result []byte, depth int) ([]byte, error) {
		if err := checkOne(result, depth, found); err != nil {
			return dst, err
		}
		return append(dst, result...), nil
	}
}

// asPayload is the frame for results that are the payload of a bin, str or ext.
func asPayload(found string, header headerFunc) frame {
	return func(dst, result []byte, _ int) ([]byte, error) {
		if uint64(len(result)) > math.MaxUint32 {
			return dst, failed(ErrLimit, found)
		}
		return append(header(dst, uint32(len(result))), result...), nil
	}
}

// makeUserEncoder calls a user's method or function. What that appends to is a
// buffer from a pool, because the message may be growing on the stack, where no
// method may see it.
func makeUserEncoder(found string, result frame, call func(dst []byte, p mem.Ptr) ([]byte, error)) encodeFunc {
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		s := scratchPool.Get().(*scratch)
		defer scratchPool.Put(s)
		b, err := call(s.buf[:0], p)
		if err != nil {
			return dst, failed(err, found)
		}
		return result(dst, b, depth)
	}
}

// makePayloadDecoder is for types that decode themselves from bytes or text. A
// type that has both methods decodes bin as bytes and str as text; a type that
// has one of them decodes both by it.
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
	err := call(v.Interface())
	if err == nil {
		mem.Value(t, p).Set(v.Elem())
	}
	return d.userError(err, start, t.String())
}

// userError turns the error of a user's method or function into one for the
// value at start.
func (d *decoder) userError(err error, start int, want string) error {
	if err == nil {
		return nil
	}
	d.pos = start
	return d.fail(err, want)
}
