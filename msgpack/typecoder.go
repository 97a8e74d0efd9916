package msgpack

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A TypeCoder encodes and decodes values of one or more Go types, for
// [Config].Types. [ExtType], [Override], [Union] and [Implements] return one.
type TypeCoder struct {
	register func(r *registrar) error // nil in the zero TypeCoder
}

// custom is the content of Config.Types, in the form that the compiler and the
// decoder use.
type custom struct {
	makers         map[reflect.Type]codecMaker
	exts           map[int8]*functions // by ext type, for variables of type any
	unions         []registeredUnion
	discriminators []*discriminator // those of the unions, without duplicates
	encodeHooks    []encodeMethod   // from Implements
	decodeHooks    []decodeMethod
}

// A codecMaker makes the codec of a type that is registered.
type codecMaker func(k *compiler, p *plan) codec

// customOptions checks Config.Types.
func (c *Config) customOptions(o *options) error {
	r := registrar{custom: &o.custom, types: map[reflect.Type]string{}, ids: map[int8]string{}}
	r.makers, r.exts = map[reflect.Type]codecMaker{}, map[int8]*functions{}
	for i, t := range c.Types {
		r.field = fmt.Sprintf("Config.Types[%d]", i)
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
	field string                  // the element of Config.Types that is being registered
	types map[reflect.Type]string // the element that registers each type
	ids   map[int8]string         // the element that registers each ext type
}

func (r *registrar) refuse(format string, a ...any) error {
	return fmt.Errorf("msgpack: "+r.field+": "+format, a...)
}

// add registers the maker for one type.
func (r *registrar) add(t reflect.Type, m codecMaker) error {
	if other, ok := r.types[t]; ok {
		return fmt.Errorf("msgpack: %s and %s both register %v", other, r.field, t)
	}
	r.types[t], r.makers[t] = r.field, m
	return nil
}

// addFunctions registers f; wrap makes its codec. Functions for a pointer type are
// also registered for the type that it points to, because Unmarshal is called with
// a pointer and decodes the variable behind it.
func (r *registrar) addFunctions(f *functions, wrap func(*functions) codec) error {
	if why := f.fault(); why != "" {
		return r.refuse("%v: %s", f.typ, why)
	}
	if f.typ.Kind() != reflect.Pointer {
		return r.add(f.typ, func(_ *compiler, p *plan) codec {
			p.ownWord = p.direct
			return wrap(f)
		})
	}
	elem := f.ofElem()
	if err := r.add(elem.typ, func(_ *compiler, p *plan) codec {
		p.ownWord = p.direct
		return wrap(elem)
	}); err != nil {
		return err
	}
	return r.add(f.typ, func(k *compiler, p *plan) codec {
		p.elem = k.plan(planKey{typ: elem.typ})
		return wrap(f)
	})
}

// functions are the arguments of ExtType and Override. Like methods they may keep
// their arguments, see methods.go. They receive the value itself, not a pointer to
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
	return &functions{
		typ: t, nils: true,
		append: func(dst []byte, p mem.Ptr) ([]byte, error) {
			at := mem.PtrOf(heapCopy(t, p))
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
