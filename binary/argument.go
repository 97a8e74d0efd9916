package binary

import (
	"reflect"
	"sync"

	"github.com/octet-go/octet/internal/block"
	"github.com/octet-go/octet/internal/mem"
	"github.com/octet-go/octet/internal/typetable"
)

// arguments contains the argument for each type that was passed as data.
var (
	arguments  typetable.Table[argument, *argument]
	argumentMu sync.Mutex // serializes additions
)

// An argument describes a type that is passed as data: how to find the values
// in the interface, and how they are encoded.
type argument struct {
	word   mem.TypeWord
	typ    reflect.Type
	form   form
	basic  bool        // has a fast path in encoding/binary, which behaves differently
	full   *layout     // layout of the type, its pointer target or its elements; nil if not fixed-size
	elem   *layout     // like full, but for the elements of an array, so that a large array is many values
	count  int         // number of elem values in full
	number int         // size of a single number or bool, else 0
	ops    [2]block.Op // of that number, in native and swapped order
}

// form says where the values of an interface are.
type form uint8

const (
	byValue        form = iota // the data word points at the value
	byPointer                  // like byValue, but the value is a variable of the caller
	bySlice                    // the data word points at a slice of the values
	byPointerSlice             // like bySlice, but the slice is a variable of the caller
)

// argumentOf returns the argument for the type of data, and the data word of
// the interface. The word hides its target from escape analysis, so that data
// can stay on the stack. The caller must not pass the target to other code.
func argumentOf(data any) (*argument, mem.Ptr) {
	word, p := mem.HideAny(data)
	a := arguments.Home(word)
	if a == nil || a.word != word {
		a = otherArgument(word, data)
	}
	return a, p
}

// otherArgument returns the argument if it is not the first with its hash, or makes it.
func otherArgument(word mem.TypeWord, data any) *argument {
	if a := arguments.Get(word); a != nil {
		return a
	}
	if data == nil {
		return &argument{}
	}
	a := newArgument(reflect.TypeOf(data))
	argumentMu.Lock()
	defer argumentMu.Unlock()
	if other := arguments.Get(word); other != nil { // another goroutine was faster
		return other
	}
	arguments.Add(a)
	return a
}

// Word returns the word of the type, for the table of arguments.
func (a *argument) Word() mem.TypeWord { return a.word }

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
	if a.form <= byPointer {
		a.number, a.ops = full.number, full.ops
	}
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

// values returns the address of the values and their number. ok is false if the
// type is not fixed-size or a pointer is nil. However, a nil pointer to a basic
// type is returned as it is, because encoding/binary dereferences it too.
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

// single returns the size of the argument if it is one number or bool, and the class
// of the order. Otherwise, or if the order is a custom one, the size is 0.
func (a *argument) single(word mem.Ptr, order ByteOrder) (size int, e endian) {
	if e = endianOf(order); e == custom || word.IsNil() {
		return 0, e
	}
	return a.number, e
}

// target is like values but for decoding, which requires a variable.
func (a *argument) target(word mem.Ptr) (p mem.Ptr, n int, ok bool) {
	if a.form == byValue {
		return p, 0, false
	}
	return a.values(word)
}
