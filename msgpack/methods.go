package msgpack

import (
	"encoding"
	"iter"
	"math"
	"reflect"
	"strings"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/promoted"
	"github.com/octet-go/octet/internal/typeplan"
	"github.com/octet-go/octet/msgpack/wire"
)

// An encodeMethod encodes values of all types that implement an interface.
type encodeMethod struct {
	of     reflect.Type // the interface
	result resultForm   // of append
	append func(v any, dst []byte) ([]byte, error)
}

// encodeMethods are in order of precedence.
type encodeMethods []encodeMethod

// A decodeMethod is the counterpart of an encodeMethod.
type decodeMethod struct {
	of    reflect.Type
	parse func(v any, value []byte) error // value is one MessagePack value
}

// has reports whether the method at i encodes values of *t if those before it do not. MarshalBinary and MarshalText precede
// the Append method of a struct that is embedded deeper, such as a time.Time.
func (list encodeMethods) has(t reflect.Type, i int) bool {
	m := &list[i]
	if !reflect.PointerTo(t).Implements(m.of) {
		return false
	}
	if i+1 == len(list) || list[i+1].result != m.result || !reflect.PointerTo(t).Implements(list[i+1].of) {
		return true
	}
	first, next := m.finder(), list[i+1].finder()
	return first == nil || len(promoted.From(t, next)) >= len(promoted.From(t, first))
}

// finder returns what finds a method of package encoding, or nil. It is not in the table, because programs that never look for
// such methods would be larger.
func (m *encodeMethod) finder() promoted.Finder {
	switch m.of {
	case reflect.TypeFor[encoding.BinaryAppender]():
		return func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("AppendBinary") }
	case reflect.TypeFor[encoding.BinaryMarshaler]():
		return func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("MarshalBinary") }
	case reflect.TypeFor[encoding.TextAppender]():
		return func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("AppendText") }
	case reflect.TypeFor[encoding.TextMarshaler]():
		return func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("MarshalText") }
	}
	return nil
}

// An ownCodec holds the functions of a type with methods or with its own form. A
// function is nil if the type is encoded or decoded by its kind.
type ownCodec struct {
	codec
	encoded, decoded resultForm // what the functions write and read
	refused          *Error     // why the functions of a direction refuse the type, or nil
}

// A resultForm is the kind of bytes that a method returns or accepts.
type resultForm uint8

const (
	resultValue resultForm = iota // one MessagePack value
	resultBin                     // the payload of a bin
	resultText                    // the payload of a str, or of a bin under Options.TextAsBin
)

// ownEncodeMethods are the methods of this package in order of precedence.
var ownEncodeMethods = encodeMethods{
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
var generalEncodeMethods = encodeMethods{
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

// ownCodec returns the functions of a type that are not those of its kind. In order of
// precedence, they are those of methodCodec, the forms of types of the standard library,
// and the methods of package encoding.
func (k *compiler) ownCodec(t reflect.Type) ownCodec {
	c := k.methodCodec(t)
	standard, form := k.makeStandardCodec(t)
	if c.encode == nil {
		c.encode, c.encoded = standard.encode, form
	}
	if c.decode == nil {
		c.decode, c.decoded = standard.decode, form
	}
	ptr := reflect.PointerTo(t)
	ignoreText, ignoreBinary := k.ignoredMethods(t)
	for i := 0; c.encode == nil && i < len(generalEncodeMethods); i++ {
		m := &generalEncodeMethods[i]
		ignored := m.result == resultText && ignoreText || m.result == resultBin && ignoreBinary
		if !ignored && generalEncodeMethods.has(t, i) && (k.plans.Compat.NilMethods == NilCalled || !m.hidesNil(ptr)) {
			c.encode, c.encoded = k.makeMethodEncoder(t, generalEncodeMethods[i:i+1]), m.result
		}
	}
	if c.decode == nil {
		binary := ptr.Implements(reflect.TypeFor[encoding.BinaryUnmarshaler]()) && !ignoreBinary
		text := ptr.Implements(reflect.TypeFor[encoding.TextUnmarshaler]()) && !ignoreText
		if binary || text {
			c.decode, c.decoded = k.makePayloadDecoder(t, binary, text), resultBin // or resultText, which makes no difference
		}
	}
	return c
}

// hidesNil reports whether another method of t, a pointer type, returns the same as m,
// and nil instead of no bytes.
func (m *encodeMethod) hidesNil(t reflect.Type) bool {
	return m.of == reflect.TypeFor[encoding.BinaryAppender]() && t.Implements(reflect.TypeFor[encoding.BinaryMarshaler]()) ||
		m.of == reflect.TypeFor[encoding.TextAppender]() && t.Implements(reflect.TypeFor[encoding.TextMarshaler]())
}

// ignoredMethods reports which methods of package encoding the Options ignore for t.
// A struct without exported fields would lose its data, so its methods are used.
func (k *compiler) ignoredMethods(t reflect.Type) (text, binary bool) {
	o := k.plans
	if (o.IgnoreTextMethods || o.IgnoreBinaryMethods) && t.Kind() == reflect.Struct {
		if s, err := typeplan.Fields(t, o.tags); err == nil && len(s.Fields) == 0 && s.Rest == nil && s.Hidden {
			return false, false
		}
	}
	return o.IgnoreTextMethods, o.IgnoreBinaryMethods
}

// methodCodec returns functions that call the methods of this package, or those that
// [Implements] registers, or that refuse a type with methods of other libraries.
func (k *compiler) methodCodec(t reflect.Type) (c ownCodec) {
	if c.encode = k.makeMethodEncoder(t, ownEncodeMethods); c.encode == nil {
		c.encode = k.makeMethodEncoder(t, k.plans.encodeHooks)
	}
	if c.decode = makeMethodDecoder(t, ownDecodeMethods); c.decode == nil {
		c.decode = makeMethodDecoder(t, k.plans.decodeHooks)
	}
	if !k.plans.IgnoreForeignHooks {
		c.refuseForeign(t)
	}
	return c
}

// makeMethodEncoder returns a function that calls the first of the methods that *t
// has, or nil if it has none.
func (k *compiler) makeMethodEncoder(t reflect.Type, methods encodeMethods) encodeFunc {
	for i := range methods {
		m := &methods[i]
		if !methods.has(t, i) {
			continue
		}
		want := t.String()
		var result frame
		switch m.result {
		case resultValue:
			result = asValue("result of the method of " + want)
		case resultBin:
			result = asPayload(want, k.plans.binHeader)
		case resultText:
			result = asPayload(want, k.plans.textHeader())
		}
		if m.result != resultValue && k.plans.Compat.NilMethods != NilCalled {
			result = orNilResult(result)
		}
		values := newCopier(t)
		self := func(p mem.Ptr) any { return values.receiver(values.copy(p)) }
		// A copy in the heap of a direct type would point to memory that may be on the
		// stack, so it is passed by value if possible.
		if t.Implements(m.of) && mem.IsDirect(t) {
			self = func(p mem.Ptr) any { return mem.Value(t, p).Interface() }
		}
		encode := makeUserEncoder(want, result, func(dst []byte, p mem.Ptr) ([]byte, error) { return m.append(self(p), dst) })
		if rule := k.plans.Compat.NilMethods; rule == NilAlways || rule == NilByValue && t.Implements(m.of) {
			return nilWithoutCall(t, encode)
		}
		return encode
	}
	return nil
}

// nilWithoutCall returns a function that appends nil for a nil slice or map, and encode
// for types of other kinds.
func nilWithoutCall(t reflect.Type, encode encodeFunc) encodeFunc {
	if kind := t.Kind(); kind != reflect.Slice && kind != reflect.Map {
		return encode
	}
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		// The first word of a nil slice or map is nil.
		if p.Deref().IsNil() {
			return wire.AppendNil(dst), nil
		}
		return encode(dst, p, depth)
	}
}

// makeMethodDecoder is the counterpart for decoding.
func makeMethodDecoder(t reflect.Type, methods []decodeMethod) decodeFunc {
	for i := range methods {
		m := &methods[i]
		if !reflect.PointerTo(t).Implements(m.of) {
			continue
		}
		values := newCopier(t)
		return func(d *decoder, p mem.Ptr) error {
			start := d.pos
			b, err := d.rawValue()
			if err != nil {
				return err
			}
			return d.decodeOwn(values, p, start, func(v any) error { return m.parse(v, b) })
		}
	}
	return nil
}

// A frame appends the result of a user's method or function to a message.
type frame func(dst, result []byte, depth int) ([]byte, error)

// asValue returns the frame for results that are MessagePack values, which are
// checked. found describes the result in errors.
//
//go:noinline
func asValue(found string) frame {
	return func(dst, result []byte, depth int) ([]byte, error) {
		err := checkRaw(result, depth, found)
		if err == nil {
			return append(dst, result...), nil
		}
		if err.Err == ErrInvalid {
			err.Found += " (" + resultFault(result, depth) + ")"
		}
		return dst, err
	}
}

// resultFault says why b is not exactly one valid value.
func resultFault(b []byte, depth int) string {
	count := 0
	for ; len(b) > 0; count++ {
		n, err := wire.Skip(b, depth)
		switch {
		case err == wire.ErrTruncated && count == 0:
			return "it ends inside a value"
		case err != nil && count == 0:
			return "it is malformed"
		case err != nil:
			return errtext.Counted(count, "value") + " and more"
		}
		b = b[n:]
	}
	return errtext.Counted(count, "value")
}

// asPayload returns the frame for results that are the payload of a bin, str or ext.
//
//go:noinline
func asPayload(found string, header headerFunc) frame {
	return func(dst, result []byte, _ int) ([]byte, error) {
		if uint64(len(result)) > math.MaxUint32 {
			return dst, failed(ErrLimit, found)
		}
		return append(header(dst, uint32(len(result))), result...), nil
	}
}

// orNilResult returns a frame that appends nil for a result that is nil.
func orNilResult(f frame) frame {
	return func(dst, result []byte, depth int) ([]byte, error) {
		if result == nil {
			return wire.AppendNil(dst), nil
		}
		return f(dst, result, depth)
	}
}

// makeUserEncoder returns a function that calls a user's method or function. It
// appends to a buffer from a pool, because the message itself may be on the stack,
// and the method could keep it.
//
//go:noinline
func makeUserEncoder(found string, result frame, call func(dst []byte, p mem.Ptr) ([]byte, error)) encodeFunc {
	return func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
		s := scratchPool.Get().(*scratch)
		// Deferred, because a method can panic.
		defer scratchPool.Put(s)
		b, err := call(s.buf[:0], p)
		if err != nil {
			return dst, failed(err, found).fromOutside()
		}
		return result(dst, b, depth)
	}
}

// makePayloadDecoder returns the decoder of a type with UnmarshalBinary or
// UnmarshalText. A type with both uses UnmarshalBinary for bin and UnmarshalText for
// str. A type with one of them uses it for both formats. With OldFormats, the results of
// binary methods are str, so a type with both tries UnmarshalBinary first.
//
//go:noinline
func (k *compiler) makePayloadDecoder(t reflect.Type, binary, text bool) decodeFunc {
	old := k.plans.Compat.OldFormats && binary && text
	want := t.String()
	values := newCopier(t)
	return zeroForNil(t, func(d *decoder, p mem.Ptr) error {
		start := d.pos
		h, err := d.header(want)
		if err != nil {
			return err
		}
		b, err := d.bytes(want)
		if err != nil {
			return err
		}
		end := d.pos
		fromBinary := func(v any) error { return v.(encoding.BinaryUnmarshaler).UnmarshalBinary(b) }
		if old {
			if d.decodeOwn(values, p, start, fromBinary) == nil {
				return nil
			}
			d.pos = end
		}
		return d.decodeOwn(values, p, start, func(v any) error {
			if text && (h.Format.Kind() == wire.KindStr || !binary) {
				return v.(encoding.TextUnmarshaler).UnmarshalText(b)
			}
			return fromBinary(v)
		})
	})
}

// decodeOwn calls a method on a copy of the value at p and assigns the copy back.
func (d *decoder) decodeOwn(values *copier, p mem.Ptr, start int, call func(v any) error) error {
	at := values.copy(p)
	err := call(values.receiver(at))
	if err == nil {
		values.assign(p, at)
		return nil
	}
	return d.userError(err, start, values.typ.String())
}

// userError wraps the error of a user's method or function in an error for the value
// at offset start.
func (d *decoder) userError(err error, start int, want string) error {
	// After an error the variable keeps its value.
	if err == nil {
		return nil
	}
	d.pos = start
	return d.fail(err, want).fromOutside()
}

// A foreignHook is a method that programs write by hand for another library, with
// any parameters. A type with such a method must not be encoded field by field,
// because the method may hide a field, such as a password.
type foreignHook struct {
	name    string
	instead string // methods of this package
	find    promoted.Finder
}

var foreignEncodeHooks = []foreignHook{
	{"EncodeMsgpack", "AppendMsgpack or MarshalMsgpack",
		func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("EncodeMsgpack") }},
	{"CodecEncodeSelf", "AppendMsgpack or MarshalMsgpack",
		func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("CodecEncodeSelf") }},
}

var foreignDecodeHooks = []foreignHook{
	{"DecodeMsgpack", "UnmarshalMsgpack",
		func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("DecodeMsgpack") }},
	{"CodecDecodeSelf", "UnmarshalMsgpack",
		func(t reflect.Type) (reflect.Method, bool) { return t.MethodByName("CodecDecodeSelf") }},
}

// refuseForeign completes c with functions that refuse t, for each direction in which
// c has no function and t has a foreign hook.
func (c *ownCodec) refuseForeign(t reflect.Type) {
	if c.decode == nil {
		if why := foreignError(t, foreignDecodeHooks); why != nil {
			c.decode, c.refused = unsupportedCodec(why).decode, why
		}
	}
	if c.encode == nil {
		if why := foreignError(t, foreignEncodeHooks); why != nil {
			c.encode, c.refused = unsupportedCodec(why).encode, why
		}
	}
}

// foreignError returns why t is refused, or nil if *t has none of the hooks.
func foreignError(t reflect.Type, hooks []foreignHook) *Error {
	for _, h := range hooks {
		if _, ok := h.find(reflect.PointerTo(t)); !ok {
			continue
		}
		var from string
		if fields := promoted.From(t, h.find); len(fields) > 0 {
			from = ", promoted from the embedded field " + strings.Join(fields, ".") + ","
		}
		return &Error{Err: ErrUnsupported, Found: t.String() + " (its method " + h.name + from + " is for another library: add " +
			h.instead + ", list the type in Options.Types, or set Options.IgnoreForeignHooks)"}
	}
	return nil
}

// ownParts returns the embedded and inlined structs of t that are not encoded by their fields, such as
// a time.Time, with their paths. They can be in others that are.
func (k *compiler) ownParts(t reflect.Type) iter.Seq2[string, reflect.Type] {
	return func(yield func(string, reflect.Type) bool) {
		seen := map[reflect.Type]bool{} // an embedded pointer can lead back
		var visit func(t reflect.Type, path string) bool
		visit = func(t reflect.Type, path string) bool {
			if seen[t] {
				return true
			}
			seen[t] = true
			for f := range t.Fields() {
				in, more := k.plans.tags.Promoted(&f), true
				switch {
				case in == nil:
				case k.isPlainStruct(in):
					more = visit(in, path+f.Name+".")
				default:
					more = yield(path+f.Name, in)
				}
				if !more {
					return false
				}
			}
			return true
		}
		visit(t, "")
	}
}

// refusedPart returns why a struct is refused because an embedded or inlined struct
// has a foreign hook, or would be lost because it has no exported fields. Usually the outer
// struct has the methods by promotion, and is refused or encoded by them. They are not
// promoted if two embedded structs have them, or if the struct is inlined.
func (k *compiler) refusedPart(s *typeplan.Struct) *Error {
	for path, in := range k.ownParts(s.Type) {
		if part, err := typeplan.Fields(in, k.plans.tags); err == nil && len(part.Fields) == 0 && part.Hidden {
			return &Error{Path: path, Found: in.String() + " (an embedded struct without exported fields; give it a name in its tag)", Err: ErrUnsupported}
		}
	}
	checked := map[reflect.Type]bool{}
	for i := range s.Fields {
		t := s.Type
		for _, index := range s.Fields[i].Index[:len(s.Fields[i].Index)-1] {
			if t = t.Field(index).Type; t.Kind() == reflect.Pointer {
				t = t.Elem()
			}
			// A type that Options.Types covers is encoded by its functions, not by
			// its hooks.
			if checked[t] || k.plans.types[t] != nil {
				continue
			}
			checked[t] = true
			if why := k.methodCodec(t).refused; why != nil {
				return &Error{Path: s.Fields[i].GoName, Found: why.Found, Err: why.Err}
			}
		}
	}
	return nil
}
