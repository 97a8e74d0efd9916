package binary

import (
	"reflect"

	"github.com/octet-go/octet/internal/mem"
)

// An argument is what is known about a type that can be passed as data: how to
// get from the interface to the values, and how these are encoded.
type argument struct {
	word  mem.TypeWord
	typ   reflect.Type
	form  form
	basic bool    // one of the standard library's fast types, which break some rules
	full  *layout // of the type, what it points at or its elements; nil if not fixed-size
	elem  *layout // the same with arrays taken apart, so that a large one is many values
	count int     // how many of elem are in full
}

// form is where an interface has the values.
type form uint8

const (
	byValue        form = iota // behind the data word
	byPointer                  // the same, but they are somebody's variable
	bySlice                    // behind the slice behind the data word
	byPointerSlice             // the same, but that is somebody's variable
)

// argumentOf takes data apart: what is known about its type, and its data word.
// What that points at is hidden from escape analysis, so that data can stay on
// the stack; it must not be handed to anybody.
func argumentOf(data any) (*argument, mem.Ptr) {
	word, p := mem.HideAny(data)
	a := arguments.find(word)
	if a == nil {
		if data == nil {
			return &argument{}, p
		}
		a = arguments.add(reflect.TypeOf(data))
	}
	return a, p
}

func newArgument(t reflect.Type) *argument {
	a := &argument{word: mem.WordOf(t), typ: t, basic: isBasic(t)}
	switch elem := t; t.Kind() {
	case reflect.Slice:
		a.form = bySlice
		a.setElem(t.Elem())
	case reflect.Pointer:
		a.form = byPointer
		elem = t.Elem()
		a.basic = isBasic(elem) && t.Name() == ""
		if elem.Kind() == reflect.Slice {
			a.form = byPointerSlice
			elem = elem.Elem()
		}
		a.setElem(elem)
	default:
		a.setElem(t)
	}
	return a
}

func (a *argument) setElem(t reflect.Type) {
	full, err := layoutOf(t)
	if err != nil {
		return
	}
	a.full, a.elem, a.count = full, full, 1
	if t.Kind() != reflect.Array || full.size == 0 {
		return
	}
	for t.Kind() == reflect.Array {
		a.count *= t.Len()
		t = t.Elem()
	}
	a.elem, _ = layoutOf(t)
}

// isBasic reports whether t is a predeclared type that encoding/binary handles
// without reflection. Complex numbers are not among them.
func isBasic(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool,
		reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64,
		reflect.Float32, reflect.Float64:
		return t.PkgPath() == ""
	}
	return false
}

// values returns where the values are and how many, or that there are none:
// the type is not fixed-size, or a pointer is nil. A nil pointer to a basic type
// is returned for what it is, because encoding/binary follows it too.
func (a *argument) values(word mem.Ptr) (p mem.Ptr, n int, ok bool) {
	if a.elem == nil {
		return p, 0, false
	}
	switch a.form {
	case byPointer:
		if word.IsNil() && !a.basic {
			return p, 0, false
		}
	case byPointerSlice:
		if word.IsNil() {
			return p, 0, false
		}
		fallthrough
	case bySlice:
		p, n = mem.SliceAt(word)
		return p, n * a.count, true
	}
	return word, a.count, true
}

// target is values for what is decoded into, which has to be a variable.
func (a *argument) target(word mem.Ptr) (p mem.Ptr, n int, ok bool) {
	if a.form == byValue {
		return p, 0, false
	}
	return a.values(word)
}
