package msgpack

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/octet-go/octet/internal/mem"
)

// custom is what a Config says of single types, in the form that compilers and
// decoders need.
type custom struct {
	makers         map[reflect.Type]codecMaker
	exts           map[int8]*functions // by type of the ext, for variables of type any
	unions         []reflect.Type
	discriminators []*discriminator // of the unions, each once
}

// A codecMaker makes the codec of a type that a Config says something of.
type codecMaker func(k *compiler, p *plan) codec

// customOptions checks what c says of single types.
func (c *Config) customOptions(o *options) error {
	r := registrar{custom: &o.custom, fields: map[reflect.Type]string{}, complexExt: c.ComplexExt}
	r.makers, r.exts = map[reflect.Type]codecMaker{}, map[int8]*functions{}
	for i := range c.Ext {
		if err := r.addExt(fmt.Sprintf("Config.Ext[%d]", i), c.Ext[i]); err != nil {
			return err
		}
	}
	for i := range c.Overrides {
		if err := r.addOverride(fmt.Sprintf("Config.Overrides[%d]", i), c.Overrides[i]); err != nil {
			return err
		}
	}
	for i := range c.Unions {
		if err := r.addUnion(fmt.Sprintf("Config.Unions[%d]", i), c.Unions[i]); err != nil {
			return err
		}
	}
	return nil
}

// A registrar fills a custom.
type registrar struct {
	*custom
	fields     map[reflect.Type]string // of the Config, by the type they are for
	complexExt int8
}

// add registers the maker for one type.
func (r *registrar) add(field string, t reflect.Type, m codecMaker) error {
	if other, ok := r.fields[t]; ok {
		return fmt.Errorf("msgpack: %s is for %v, as %s is", field, t, other)
	}
	r.fields[t], r.makers[t] = field, m
	return nil
}

// addFunctions registers functions, of which wrap makes a codec. Those for a
// pointer are used for what it points at as well, which is the variable that
// Unmarshal is given the pointer of.
func (r *registrar) addFunctions(field string, f *functions, wrap func(*functions) codec) error {
	if err := f.check(field); err != nil {
		return err
	}
	if f.typ.Kind() != reflect.Pointer {
		return r.add(field, f.typ, func(_ *compiler, p *plan) codec {
			p.ownWord = p.direct
			return wrap(f)
		})
	}
	elem := f.ofElem()
	if err := r.add(field, elem.typ, func(_ *compiler, p *plan) codec {
		p.ownWord = p.direct
		return wrap(elem)
	}); err != nil {
		return err
	}
	return r.add(field, f.typ, func(k *compiler, p *plan) codec {
		p.elem, p.shallow = k.plan(planKey{typ: elem.typ}), true
		return wrap(f)
	})
}

// functions are what a user gave for a type that has no methods, or not the
// wanted ones. Like methods they may keep what they are given, see methods.go;
// but they are given it by value, so the variables at p need not be copied.
type functions struct {
	typ    reflect.Type
	nils   bool                                        // of an override: a nil in a message is the zero value, without a call
	append func(dst []byte, p mem.Ptr) ([]byte, error) // of the value at p
	parse  func(data []byte, p mem.Ptr) error          // into the variable at p
	value  func(data []byte) (any, error)
}

func makeFunctions[T any](appendTo func([]byte, T) ([]byte, error), parse func([]byte) (T, error)) functions {
	f := functions{typ: reflect.TypeFor[T]()}
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

// knownTypes are written and read in places that ask for no plan.
var knownTypes = []reflect.Type{
	anyType, rawType, extType, numberType, pairsType,
	reflect.TypeFor[[]any](), reflect.TypeFor[map[string]any](), reflect.TypeFor[map[any]any](),
}

// check refuses types that cannot have functions.
func (f *functions) check(field string) error {
	t := f.typ
	base := t
	if t.Kind() == reflect.Pointer {
		base = t.Elem()
	}
	var why string
	switch kind := base.Kind(); {
	case f.append == nil:
		why = "its append function is nil"
	case f.parse == nil:
		why = "its parse function is nil"
	case slices.Contains(knownTypes, base),
		base.PkgPath() == "" && base.Name() != "" && kind != reflect.Interface:
		why = "that type has its own meaning everywhere; name another of it"
	case base != t && (kind == reflect.Pointer || kind == reflect.Interface):
		why = "pointers to " + kind.String() + "s cannot have functions"
	case mem.IsDirect(base) && innermost(base).Kind() == reflect.Func:
		// A closure may lie on the stack and cannot be copied.
		why = "functions cannot be encoded"
	}
	if why == "" {
		return nil
	}
	return fmt.Errorf("msgpack: %s is for %v: %s", field, t, why)
}

// nilable reports whether the type has a nil that is written without a call.
func (f *functions) nilable() bool {
	return f.typ.Kind() == reflect.Pointer || f.typ.Kind() == reflect.Interface
}

// isNil reports whether the variable at p is such a nil.
func (f *functions) isNil(p mem.Ptr) bool { return f.nilable() && mem.Value(f.typ, p).IsNil() }

// failure is the error for the value at start, of which the function said why.
func (f *functions) failure(d *decoder, start int, why error) error {
	d.pos = start
	return d.fail(why, f.typ.String())
}
