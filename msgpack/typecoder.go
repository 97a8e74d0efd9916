package msgpack

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/msgpack/wire"
)

// A TypeCoder says how values of one or more Go types are encoded and decoded,
// for [Config].Types. [ExtType], [Override], [Union] and [Implements] make one.
type TypeCoder struct {
	register func(r *registrar) error // nil in the zero TypeCoder
}

// custom is what Config.Types says, in the form that compilers and decoders
// need.
type custom struct {
	makers         map[reflect.Type]codecMaker
	exts           map[int8]*functions // by type of the ext, for variables of type any
	unions         []registeredUnion
	discriminators []*discriminator // of the unions, each once
	encodeHooks    []encodeMethod   // of Implements
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
	types map[reflect.Type]string // the field that registers a type
	ids   map[int8]string         // the same of types of ext
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

// addFunctions registers functions, of which wrap makes a codec. Functions for a
// pointer also serve what it points at, which is the variable that Unmarshal is
// given the pointer of.
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
		p.elem, p.shallow = k.plan(planKey{typ: elem.typ}), true
		return wrap(f)
	})
}

// functions are what ExtType and Override are given. Like methods they may keep
// what they are given, see methods.go; but they are given it by value, so the
// variables at p need not be copied.
type functions struct {
	typ    reflect.Type
	nils   bool                                        // of an override: a nil in a message is the zero value, without a call
	append func(dst []byte, p mem.Ptr) ([]byte, error) // of the value at p
	parse  func(data []byte, p mem.Ptr) error          // into the variable at p
	value  func(data []byte) (any, error)
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

// ofElem returns the functions for variables of the type that the pointer type
// of f points at.
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

// codec returns the codec of f. frame appends what the append function returned
// to a message, and read returns what the parse function is given.
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

// knownTypes are written and read in places that ask for no plan.
var knownTypes = []reflect.Type{
	anyType, rawType, extType, numberType, pairsType,
	reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[any]any](),
}

// fault says why the type cannot have functions, or nothing.
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
		return "this type always has its own form; define a named type"
	case base != t && (kind == reflect.Pointer || kind == reflect.Interface):
		return "pointer to " + kind.String()
	case mem.IsDirect(base) && innermost(base).Kind() == reflect.Func:
		// A closure may lie on the stack and cannot be copied.
		return "functions cannot be encoded"
	}
	return ""
}

// isPredeclared reports whether t is a type such as string, whose form is fixed.
// That of complex numbers is not, since MessagePack has none for them.
func isPredeclared(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Interface, reflect.Complex64, reflect.Complex128:
		return false
	}
	return t.PkgPath() == "" && t.Name() != ""
}

// nilable reports whether the type has a nil that is written without a call.
func (f *functions) nilable() bool {
	return f.typ.Kind() == reflect.Pointer || f.typ.Kind() == reflect.Interface
}
