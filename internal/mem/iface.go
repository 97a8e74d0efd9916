package mem

import (
	"reflect"
	"unsafe"
)

// A TypeWord identifies a Go type: two types are identical if their words are
// equal. It is the first word of an interface value. It is cheaper to obtain
// and to compare than a reflect.Type.
type TypeWord struct{ t unsafe.Pointer }

// eface is the memory layout of an interface without methods.
type eface struct {
	typ  TypeWord
	data Ptr
}

// TypeWordOf returns the word of v's dynamic type, or zero if v is nil.
func TypeWordOf(v any) TypeWord { return (*eface)(unsafe.Pointer(&v)).typ }

// WordOf returns the word of t.
func WordOf(t reflect.Type) TypeWord {
	return TypeWord{reflect.ValueOf(t).UnsafePointer()}
}

// Hash returns a 64-bit hash of the word. The high bits are mixed best.
func (w TypeWord) Hash() uint64 { return uint64(uintptr(w.t)) * 0x9e3779b97f4a7c15 }

// HideAny returns the dynamic type of v, and the data word, which holds the
// value or points at it (see [IsDirect]). The data word is hidden from escape
// analysis.
func HideAny(v any) (TypeWord, Ptr) {
	// The compiler has the word of the type as a uintptr. If it is loaded as one,
	// it stays in its register instead of taking a detour through memory.
	typ := *(*uintptr)(unsafe.Pointer(&v))
	return TypeWord{pointer(typ)}, Hide((*eface)(unsafe.Pointer(&v)).data)
}

// MakeAny returns an interface of the type w with the data word p. The caller
// guarantees that p is a pointer if w is a pointer type. Otherwise it guarantees
// that the type is not direct, that p points at a value of the type in the heap,
// and that the value never changes once others can see the interface.
func MakeAny(w TypeWord, p Ptr) (v any) {
	*(*eface)(unsafe.Pointer(&v)) = eface{w, p}
	return v
}

// InterfaceWord returns the first word of a variable of the interface type that holds a
// value of type t: that of t if the interface has no methods, otherwise that of a table of
// methods.
func InterfaceWord(iface, t reflect.Type) TypeWord {
	v := reflect.New(iface)
	v.Elem().Set(reflect.Zero(t))
	return *At[TypeWord](PtrOf(v))
}

// SetInterface stores a value in the interface variable at p. The caller guarantees that
// w is the [InterfaceWord] of the type of the variable and that of the value, and that
// data is the data word, as for [MakeAny].
func SetInterface(p Ptr, w TypeWord, data Ptr) { *(*eface)(p.p) = eface{w, data} }

// IsDirect reports whether an interface holds values of type t in its data word
// instead of a pointer to them. This is so for pointers, maps and types that
// consist of exactly one of them.
func IsDirect(t reflect.Type) bool {
	if t.Size() != unsafe.Sizeof(Ptr{}) {
		return false // avoids the allocation of a large zero value
	}
	zero := reflect.Zero(t).Interface()
	return t.Kind() != reflect.Interface && (*eface)(unsafe.Pointer(&zero)).data.IsNil()
}

// kept is always nil, because keep is always false. The compiler knows neither, so it
// must assume that the functions below keep their arguments.
var (
	keep bool
	kept unsafe.Pointer //lint:ignore U1000 it is only assigned to
)

// Escape moves the array of b to the heap. It is for code that stores b through
// hidden pointers and later passes b to users' methods.
func Escape(b []byte) {
	if keep {
		kept = unsafe.Pointer(unsafe.SliceData(b))
	}
}

// EscapeBelow moves everything that the value in v points at to the heap,
// directly or indirectly. The value itself may stay on the stack, hidden by
// [HideAny]. But copies of it may be stored in the heap, which must not contain
// pointers to the stack.
func EscapeBelow(v any) {
	EscapeTarget((*eface)(unsafe.Pointer(&v)).data)
}

// EscapeTarget is [EscapeBelow] for a pointer: it moves what the value at p points
// at to the heap, but not the value itself.
func EscapeTarget(p Ptr) {
	if keep {
		kept = *(*unsafe.Pointer)(p.p)
	}
}
