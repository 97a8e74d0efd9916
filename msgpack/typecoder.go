package msgpack

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/octet-go/octet/internal/errtext"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A TypeCoder encodes and decodes values of one or more Go types, for
// [Options].Types. [ExtType], [Override], [Union] and [Implements] return one.
type TypeCoder struct {
	register func(r *registrar) error // nil in the zero TypeCoder
}

// custom is the content of Options.Types, in the form that the compiler and the
// decoder use.
type custom struct {
	types          map[reflect.Type]*registered
	exts           map[int8]*functions // by ext type, for variables of type any
	unions         []reflect.Type
	discriminators []*discriminator // those of the unions, without duplicates
	encodeHooks    []encodeMethod   // from Implements
	decodeHooks    []decodeMethod
}

// A registered says how to encode, decode and describe a type.
type registered struct {
	field    string // the element of Options.Types
	codec    func(k *compiler, p *plan) codec
	describe func(d *Description) // sets what differs from the zero Description
}

// registerTypes fills p.custom from Options.Types.
func (o *Options) registerTypes(p *policy) error {
	r := registrar{custom: &p.custom, ids: map[int8]string{}}
	r.types, r.exts = map[reflect.Type]*registered{}, map[int8]*functions{}
	for i, t := range o.Types {
		r.field = fmt.Sprintf("Options.Types[%d]", i)
		if t.register == nil {
			return r.refuse("zero TypeCoder")
		}
		if err := t.register(&r); err != nil {
			return err
		}
	}
	return nil
}

// A registrar fills a custom.
type registrar struct {
	*custom
	field string          // the element of Options.Types that is being registered
	ids   map[int8]string // the element that registers each ext type
}

func (r *registrar) refuse(format string, a ...any) error {
	return invalid(r.field+": "+format, a...)
}

// add registers one type.
func (r *registrar) add(t reflect.Type, describe func(*Description), makeCodec func(k *compiler, p *plan) codec) error {
	if other := r.types[t]; other != nil {
		return invalid("%s and %s both register %v", other.field, r.field, t)
	}
	r.types[t] = &registered{r.field, makeCodec, describe}
	return nil
}

// addFunctions registers f; wrap makes its codec. Functions for a pointer type are
// also registered for the type that it points to, because Unmarshal is called with
// a pointer and decodes the variable that it points to.
func (r *registrar) addFunctions(f *functions, describe func(*Description), wrap func(*functions) codec) error {
	if why := f.fault(); why != "" {
		return r.refuse("%v: %s", f.typ, why)
	}
	target := f
	if f.typ.Kind() == reflect.Pointer {
		target = f.ofElem()
	}
	err := r.add(target.typ, describe, func(_ *compiler, p *plan) codec {
		p.ownWord = p.direct
		return wrap(target)
	})
	if err != nil || target == f {
		return err
	}
	return r.add(f.typ, describe, func(k *compiler, p *plan) codec {
		p.elem = k.plan(planKey{typ: target.typ})
		return wrap(f)
	})
}

// functions are the arguments of ExtType and Override. Like methods they may keep
// their arguments, see copier.go. They receive the value itself, not a pointer to
// it, so the variables at p need not be copied to the heap.
type functions struct {
	typ    reflect.Type
	nils   bool                                        // decode nil as the zero value, without a call
	append func(dst []byte, p mem.Ptr) ([]byte, error) // appends the value at p
	parse  func(data []byte, p mem.Ptr) error          // decodes into the variable at p
	value  func(data []byte) (any, error)              // decodes for a variable of type any
}

func makeFunctions[T any](appendTo func([]byte, T) ([]byte, error), parse func([]byte) (T, error)) *functions {
	f := &functions{typ: reflect.TypeFor[T]()}
	f.nils = f.nilable()
	if appendTo != nil {
		f.append = func(dst []byte, p mem.Ptr) ([]byte, error) { return appendTo(dst, *mem.At[T](p)) }
	}
	if parse != nil {
		f.parse = func(data []byte, p mem.Ptr) error {
			v, err := parse(data)
			if err == nil {
				*mem.At[T](p) = v
			}
			return err
		}
		f.value = func(data []byte) (any, error) { return parse(data) }
	}
	return f
}

// ofElem returns the functions for variables of the element type of f, whose type
// is a pointer type.
func (f *functions) ofElem() *functions {
	t := f.typ.Elem()
	values := newCopier(t)
	return &functions{
		typ: t, nils: true,
		append: func(dst []byte, p mem.Ptr) ([]byte, error) {
			at := values.copy(p)
			return f.append(dst, mem.Hide(mem.PtrTo(&at)))
		},
		parse: func(data []byte, p mem.Ptr) error {
			var at mem.Ptr
			if err := f.parse(data, mem.Hide(mem.PtrTo(&at))); err != nil {
				return err
			}
			if at.IsNil() {
				mem.Value(t, p).SetZero()
				return nil
			}
			mem.Value(t, p).Set(mem.Value(t, at))
			return nil
		},
	}
}

// codec returns the codec of f. frame appends the result of the append function to
// a message, and read returns the argument of the parse function.
func (f *functions) codec(frame frame, read func(d *decoder) ([]byte, error)) codec {
	want := f.typ.String()
	encode := makeUserEncoder(want, frame, f.append)
	return codec{
		func(dst []byte, p mem.Ptr, depth int) ([]byte, error) {
			if f.nilable() && mem.Value(f.typ, p).IsNil() {
				return wire.AppendNil(dst), nil
			}
			return encode(dst, p, depth)
		},
		func(d *decoder, p mem.Ptr) error {
			if f.nils && d.isNil() {
				mem.Value(f.typ, p).SetZero()
				return nil
			}
			start := d.pos
			b, err := read(d)
			if err != nil {
				return err
			}
			return d.userError(f.parse(b, p), start, want)
		},
	}
}

// knownTypes are the types that are also encoded or decoded without a plan, for
// example as elements of a []any. Functions for them would not always be called.
var knownTypes = []reflect.Type{
	anyType, rawType, extType, numberType, pairsType,
	reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[any]any](),
}

// fault returns why functions cannot be registered for the type, or "" if they can.
func (f *functions) fault() string {
	t := f.typ
	base := t
	if t.Kind() == reflect.Pointer {
		base = t.Elem()
	}
	switch kind := base.Kind(); {
	case f.append == nil:
		return "append is nil"
	case f.parse == nil:
		return "parse is nil"
	case slices.Contains(knownTypes, base), isPredeclared(base):
		return "the encoding of this type cannot be changed; define a named type"
	case base != t && (kind == reflect.Pointer || kind == reflect.Interface):
		return "pointer to " + kind.String()
	case mem.IsDirect(base) && innermost(base).Kind() == reflect.Func:
		// A closure may lie on the stack and cannot be copied.
		return "functions cannot be encoded"
	}
	return ""
}

// isPredeclared reports whether t is a predeclared type with a fixed form, such as
// string. Complex types do not count, because MessagePack has no format for them.
func isPredeclared(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Complex64, reflect.Complex128:
		return false
	}
	return t.PkgPath() == "" && t.Name() != ""
}

// nilable reports whether a nil of the type is encoded as nil, without a call.
func (f *functions) nilable() bool {
	return f.typ.Kind() == reflect.Pointer || f.typ.Kind() == reflect.Interface
}

// Override encodes and decodes values of type T with two functions, for
// [Options].Types. It is for types to which methods cannot be added.
//
// append appends exactly one MessagePack value to dst and returns the extended
// slice, which it must not keep. The result is checked. Package
// [github.com/octet-go/octet/msgpack/wire] has functions that append values. parse
// returns the Go value for the bytes of one valid value of any kind. The bytes are
// part of the input: parse must not modify them, and must copy those that it keeps.
// An [*Error] wraps the errors of both functions and adds the path.
//
// The functions are used for all values of exactly type T, even if T has methods,
// and for values that pointers to T point to. If T is a pointer or interface type,
// nil is encoded as nil and decoded from nil without a call. Functions for a
// pointer type are also used for variables of the type that it points to; append
// then receives a pointer to a copy. Functions for an interface type are used for
// variables of that type, whatever they hold. A struct that embeds a struct T has
// the fields of T, unless its tag gives T a name. Override does not change what
// Unmarshal stores in an any.
//
// T cannot be any, a pointer to an interface or to a pointer, a function, a type
// of this package, a type that Unmarshal stores in an any, such as []any, or a
// predeclared type other than complex64 and complex128.
func Override[T any](append func(dst []byte, v T) ([]byte, error), parse func(data []byte) (T, error)) TypeCoder {
	f := makeFunctions(append, parse)
	makeCodec := func(f *functions) codec {
		return f.codec(asValue("result of the append function for "+f.typ.String()), (*decoder).rawValue)
	}
	return TypeCoder{func(r *registrar) error { return r.addFunctions(f, f.describeOwn, makeCodec) }}
}

// Implements encodes all types that implement interface E by calling append, and
// decodes all types that implement interface D by calling decode, for
// [Options].Types. A program can keep the methods that it has for another
// library.
//
// append appends exactly one MessagePack value to dst and returns the extended
// slice, which it must not keep. The result is checked. decode decodes the bytes of
// one valid value into v and returns how many bytes it consumed; if these are not
// all bytes, the error is [ErrInvalid]. The bytes are part of the input: decode
// must not modify them, and must copy those that it keeps. An [*Error] wraps the
// errors of both functions and adds the path. If append is nil, encoding does not
// change and E may be any type; the same holds for decode and D.
//
// The functions are used for all types T for which T or *T implements the
// interface, except types that ExtType, Override or Union registers, time.Time,
// types of this package, and types that have methods of this package for the same
// direction: AppendMsgpack, MarshalMsgpack or UnmarshalMsgpack. They take
// precedence over the methods of package encoding, such as MarshalText, and over
// the forms that this package gives to types of the standard library, such as
// net.IP. If a type matches several Implements, the first in Options.Types is used.
//
// The functions are called with a copy of the value, like a type's own methods,
// also for values that are not addressable. After decode, the copy is assigned
// back. The methods of an embedded type are promoted to the outer struct. A nil
// pointer is encoded as nil, and a nil in the input sets a pointer to nil, without
// a call.
func Implements[E, D any](append func(dst []byte, v E) ([]byte, error), decode func(data []byte, v D) (n int, err error)) TypeCoder {
	return TypeCoder{func(r *registrar) error {
		e, d := reflect.TypeFor[E](), reflect.TypeFor[D]()
		switch {
		case append == nil && decode == nil:
			return r.refuse("both functions of Implements are nil")
		case append != nil && !hasMethods(e):
			return r.refuse("type %v of Implements is not an interface with methods", e)
		case decode != nil && !hasMethods(d):
			return r.refuse("type %v of Implements is not an interface with methods", d)
		}
		if append != nil {
			r.addEncodeHook(encodeMethod{e, resultValue, func(v any, dst []byte) ([]byte, error) { return append(dst, v.(E)) }})
		}
		if decode != nil {
			r.addDecodeHook(decodeMethod{d, func(v any, value []byte) error {
				n, err := decode(value, v.(D))
				if err == nil && n != len(value) {
					err = fmt.Errorf("%d of %s consumed: %w", n, errtext.Counted(len(value), "byte"), ErrInvalid)
				}
				return err
			}})
		}
		return nil
	}}
}

func (r *registrar) addEncodeHook(m encodeMethod) { r.encodeHooks = append(r.encodeHooks, m) }
func (r *registrar) addDecodeHook(m decodeMethod) { r.decodeHooks = append(r.decodeHooks, m) }

// hasMethods reports whether t is an interface that not all types implement.
func hasMethods(t reflect.Type) bool { return t.Kind() == reflect.Interface && t.NumMethod() > 0 }

// ExtType encodes values of type T as an ext of type id, for [Options].Types.
//
// append appends the payload, of any length, to dst and returns the extended
// slice, which it must not keep. parse returns the value for a payload. The payload
// is part of the input: parse must not modify it, and must copy the bytes that it
// keeps. An [*Error] wraps the errors of both functions and adds the path.
//
// The functions are used for all values of exactly type T, even if T has methods,
// and for values that pointers to T point to. In a variable of type any, an ext of
// type id becomes a T. A nil in the input becomes the zero value of T without a
// call. If T is a pointer type, nil pointers are encoded as nil, and both functions
// are also used for variables of the type that T points to; append then receives a
// pointer to a copy. A struct that embeds a struct T has the fields of T, unless
// its tag gives T a name.
//
// T cannot be an interface, a pointer to an interface or to a pointer, a function,
// a type of this package, a type that Unmarshal stores in an any, such as []any,
// or a predeclared type other than complex64 and complex128. The id cannot be -1,
// because that is the type of timestamps. The specification reserves the other
// negative ids.
func ExtType[T any](id int8, append func(dst []byte, v T) ([]byte, error), parse func(data []byte) (T, error)) TypeCoder {
	f := makeFunctions(append, parse)
	return TypeCoder{func(r *registrar) error { return r.addExt(id, f) }}
}

func (r *registrar) addExt(id int8, f *functions) error {
	switch other, ok := r.ids[id]; {
	case id == wire.TimestampType:
		return r.refuse("ext type -1 is reserved for timestamps")
	case f.typ.Kind() == reflect.Interface:
		return r.refuse("type %v of ExtType is an interface", f.typ)
	case ok:
		return invalid("%s and %s both register ext type %d", other, r.field, id)
	}
	r.ids[id], r.exts[id] = r.field, f
	describe := func(d *Description) { d.Kind, d.Ext = FormExt, id }
	return r.addFunctions(f, describe, func(f *functions) codec { return makeExtTypeCodec(id, *f) })
}

func makeExtTypeCodec(id int8, f functions) codec {
	want := f.typ.String()
	f.nils = true
	header := func(dst []byte, n uint32) []byte { return wire.AppendExtHeader(dst, id, n) }
	return f.codec(asPayload(want, header), func(d *decoder) ([]byte, error) {
		h, err := d.header(want)
		if err != nil {
			return nil, err
		}
		if h.Format.Kind() != wire.KindExt || h.Ext != id {
			return nil, d.mismatch(want)
		}
		return d.payload(h, want)
	})
}

// hashable reports whether a decoded value can be a map key.
func hashable(k any) bool {
	switch k.(type) {
	case nil, string, int64, uint64, float64, bool:
		return true
	}
	return isComparable(reflect.ValueOf(k))
}

// isComparable reports whether == does not panic for a value. [reflect.Value.Comparable]
// is true for some arrays of length 0 whose elements cannot be compared.
func isComparable(v reflect.Value) bool {
	if !v.Type().Comparable() {
		return false
	}
	switch v.Kind() {
	case reflect.Interface:
		return v.IsNil() || isComparable(v.Elem())
	case reflect.Array:
		for i := range v.Len() {
			if !isComparable(v.Index(i)) {
				return false
			}
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if !isComparable(v.Field(i)) {
				return false
			}
		}
	}
	return true
}

// anyExtType decodes an ext into an interface, if ExtType registers its type.
func (d *decoder) anyExtType(h wire.Header) (v any, ok bool, err error) {
	f := d.plans.exts[h.Ext]
	if f == nil {
		return nil, false, nil
	}
	start := d.pos
	payload, err := d.payload(h, f.typ.String())
	if err != nil {
		return nil, true, err
	}
	v, err = f.value(payload)
	return v, true, d.userError(err, start, f.typ.String())
}
