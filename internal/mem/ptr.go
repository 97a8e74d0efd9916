package mem

import (
	"reflect"
	"unsafe"
)

// A Ptr points at a value inside a Go object. The code that holds it knows the
// type of the value.
type Ptr struct{ p unsafe.Pointer }

// PtrTo returns a Ptr to *v. The Ptr keeps it alive.
func PtrTo[T any](v *T) Ptr { return Ptr{unsafe.Pointer(v)} }

// At returns p as a *T. The caller guarantees that p points at a T.
func At[T any](p Ptr) *T { return (*T)(p.p) }

// Add returns p plus n bytes. The caller guarantees that the result is inside
// the same object.
func (p Ptr) Add(n uintptr) Ptr { return Ptr{unsafe.Add(p.p, n)} }

// Next returns the address of the element after *p. The caller guarantees that
// it is inside the same array.
func Next[T any](p *T) *T { return (*T)(unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(*p))) }

// Skip returns the address of the element n elements after *p. The caller guarantees
// that it is inside the same array.
func Skip[T any](p *T, n int) *T {
	return (*T)(unsafe.Add(unsafe.Pointer(p), n*int(unsafe.Sizeof(*p))))
}

// Distance returns the number of bytes from p to q.
func Distance(p, q Ptr) int { return int(uintptr(q.p) - uintptr(p.p)) }

// IsNil reports whether p is nil.
func (p Ptr) IsNil() bool { return p.p == nil }

// Deref returns the pointer stored at p. The caller guarantees that a pointer,
// map or other pointer-shaped value is stored at p.
func (p Ptr) Deref() Ptr { return Ptr{*(*unsafe.Pointer)(p.p)} }

// SetPtr stores the pointer v at p. The caller guarantees that p is the address
// of a pointer to the type of *v, and that v points to the heap.
func (p Ptr) SetPtr(v Ptr) { *(*unsafe.Pointer)(p.p) = v.p }

// New allocates a zero value of type t and returns its address.
func New(t reflect.Type) Ptr { return Ptr{reflect.New(t).UnsafePointer()} }

// NewPlain allocates zeroed memory for values without pointers, aligned for any
// type. The size is a uint64 because a sum of sizes could overflow int or
// uintptr on 32-bit machines.
func NewPlain(size uint64) Ptr {
	return Ptr{unsafe.Pointer(unsafe.SliceData(make([]uint64, (size+7)/8)))}
}

// NewPointers allocates zeroed memory for n values of types that are a pointer, such as
// pointers and maps.
func NewPointers(n int) Ptr { return Ptr{unsafe.Pointer(unsafe.SliceData(make([]unsafe.Pointer, n)))} }

// NewSlices allocates zeroed memory for n slices of any types.
func NewSlices(n int) Ptr { return Ptr{unsafe.Pointer(unsafe.SliceData(make([]SliceHeader, n)))} }

// Value returns the variable of type t at p. It is settable. The caller
// guarantees the type. If p is hidden, the caller also guarantees that the
// result does not retain it.
func Value(t reflect.Type, p Ptr) reflect.Value { return reflect.NewAt(t, p.p).Elem() }

// Variable is like [Value], but w is the word of the pointer type *t. It is for
// loops, because finding the pointer type of a type takes a lookup.
func Variable(w TypeWord, p Ptr) (v reflect.Value) {
	var pointer any
	*(*eface)(unsafe.Pointer(&pointer)) = eface{w, p}
	return reflect.ValueOf(pointer).Elem()
}

// nothing is the target of empty slices.
var nothing uint64

// Nothing returns the address for a slice that is empty but not nil, of any
// type.
func Nothing() Ptr { return PtrTo(&nothing) }

// PtrOf returns the pointer in v. The caller guarantees that v is a pointer,
// slice or map.
func PtrOf(v reflect.Value) Ptr { return Ptr{v.UnsafePointer()} }

// Hide returns p hidden from escape analysis: the target of p may stay on the
// stack although p is passed to functions that the compiler cannot analyze. The
// caller guarantees the rules in the package documentation.
//
// The stack cannot move while the address is a number, because stacks move only
// during calls, and there are none in between.
func Hide(p Ptr) Ptr { return Ptr{pointer(uintptr(p.p))} }

// pointer converts the number to a pointer with a conversion that the compiler
// sees. If the code reinterpreted the memory of the number as a pointer
// instead, the compiler might keep it as a number across later calls, and would
// then not update it when the stack moves. The type parameter prevents a false
// warning from vet.
//
//go:nocheckptr
func pointer[N ~uintptr](address N) unsafe.Pointer { return unsafe.Pointer(address) }
