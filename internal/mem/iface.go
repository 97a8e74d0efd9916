package mem

import (
	"reflect"
	"unsafe"
)

// A TypeWord identifies a Go type: equal words, identical types. It is the
// first word of an interface value, cheaper to get and compare than a
// reflect.Type.
type TypeWord struct{ t unsafe.Pointer }

// eface is how an interface without methods lies in memory.
type eface struct {
	typ  TypeWord
	data Ptr
}

// TypeWordOf returns the word of v's dynamic type, zero for nil.
func TypeWordOf(v any) TypeWord { return (*eface)(unsafe.Pointer(&v)).typ }

// WordOf returns the word of t.
func WordOf(t reflect.Type) TypeWord {
	return TypeWord{reflect.ValueOf(t).UnsafePointer()}
}

// Hash spreads the word over 64 bits, the high ones the best mixed.
func (w TypeWord) Hash() uint64 { return uint64(uintptr(w.t)) * 0x9e3779b97f4a7c15 }

// HideAny takes an interface apart: its dynamic type, and the word that holds
// the value or points at it (see [IsDirect]), unseen by escape analysis.
func HideAny(v any) (TypeWord, Ptr) {
	// Word by word: loading both at once would wait for the stores that have just
	// put v in memory.
	e := (*eface)(unsafe.Pointer(&v))
	return TypeWord{Hide(Ptr{e.typ.t}).p}, Hide(e.data)
}

// MakeAny returns an interface of the type that w identifies. The caller
// guarantees that the type is not direct, that p points at a value of it in
// the heap, and that nobody changes that value from now on.
func MakeAny(w TypeWord, p Ptr) (v any) {
	*(*eface)(unsafe.Pointer(&v)) = eface{w, p}
	return v
}

// IsDirect reports whether an interface holds values of type t in its data
// word itself, as it does for pointers, maps and what consists of one of them,
// rather than a pointer to them.
func IsDirect(t reflect.Type) bool {
	if t.Size() != unsafe.Sizeof(Ptr{}) {
		return false // and spare the making of a large zero value
	}
	zero := reflect.Zero(t).Interface()
	return t.Kind() != reflect.Interface && (*eface)(unsafe.Pointer(&zero)).data.IsNil()
}

// keep is nobody, but the compiler has to assume that it keeps what it is given.
var keep func(unsafe.Pointer)

// Escape makes escape analysis put b's array on the heap, for code that hides
// the pointers it stores b behind but later hands b to users' methods.
func Escape(b []byte) {
	if keep != nil {
		keep(unsafe.Pointer(unsafe.SliceData(b)))
	}
}

// EscapeBelow makes escape analysis put on the heap whatever the value in v
// points at, or what v points at does in its turn: v's own value may lie on the
// stack, unseen by [HideAny], but copies of it may then be kept in the heap,
// which must not hold pointers to the stack.
func EscapeBelow(v any) {
	if keep != nil {
		keep(*(*unsafe.Pointer)((*eface)(unsafe.Pointer(&v)).data.p))
	}
}
