package mem

import (
	"reflect"
	"unsafe"
)

// A Ptr points into a Go object, at a value of a type that the holder knows.
type Ptr struct{ p unsafe.Pointer }

// PtrTo returns a Ptr to *v. The Ptr keeps it alive.
func PtrTo[T any](v *T) Ptr { return Ptr{unsafe.Pointer(v)} }

// At returns p as a *T. The caller guarantees that p points at a T.
func At[T any](p Ptr) *T { return (*T)(p.p) }

// Add returns a Ptr n bytes further on, which the caller guarantees to be
// inside the same object.
func (p Ptr) Add(n uintptr) Ptr { return Ptr{unsafe.Add(p.p, n)} }

// Next returns the element after *p, which the caller guarantees to be inside
// the same array.
func Next[T any](p *T) *T { return (*T)(unsafe.Add(unsafe.Pointer(p), unsafe.Sizeof(*p))) }

// Distance returns how many bytes q is beyond p.
func Distance(p, q Ptr) int { return int(uintptr(q.p) - uintptr(p.p)) }

// IsNil reports whether p points nowhere.
func (p Ptr) IsNil() bool { return p.p == nil }

// Deref returns the pointer stored at p. The caller guarantees that p is the
// address of a pointer, map or other pointer-shaped value.
func (p Ptr) Deref() Ptr { return Ptr{*(*unsafe.Pointer)(p.p)} }

// SetPtr stores v as the pointer at p. The caller guarantees that p is the
// address of a pointer to the type that v points at, and that v points to the
// heap.
func (p Ptr) SetPtr(v Ptr) { *(*unsafe.Pointer)(p.p) = v.p }

// New allocates a zero value of type t and returns where it is.
func New(t reflect.Type) Ptr { return Ptr{reflect.New(t).UnsafePointer()} }

// NewPlain allocates zeroed memory for values without pointers, aligned for any
// of them. The size is one that a sum of int or uintptr could have lost on its
// way, where these have 32 bits.
func NewPlain(size uint64) Ptr {
	return Ptr{unsafe.Pointer(unsafe.SliceData(make([]uint64, (size+7)/8)))}
}

// Value returns the variable of type t at p, settable. The caller guarantees
// the type, and that a hidden p is not kept by what it does with the result.
func Value(t reflect.Type, p Ptr) reflect.Value { return reflect.NewAt(t, p.p).Elem() }

// Variable is [Value] for the type that w's type, a pointer type, points to. It
// is for loops: to go from a type to its pointer type takes a look-up.
func Variable(w TypeWord, p Ptr) (v reflect.Value) {
	var pointer any
	*(*eface)(unsafe.Pointer(&pointer)) = eface{w, p}
	return reflect.ValueOf(pointer).Elem()
}

// nothing is what empty slices point at.
var nothing uint64

// Nothing returns a Ptr for a slice of any type that is empty but not nil.
func Nothing() Ptr { return PtrTo(&nothing) }

// PtrOf returns where the pointer, slice or map in v points. The caller
// guarantees that v is of such a kind.
func PtrOf(v reflect.Value) Ptr { return Ptr{v.UnsafePointer()} }

// Hide returns p unseen by escape analysis: what p points at may stay on the
// stack although p is passed to functions the compiler cannot follow. The
// duties of the package comment are the caller's from here on.
//
// The goroutine's stack cannot move while the address is a number: it moves only
// in calls, and there are none in between.
func Hide(p Ptr) Ptr { return Ptr{pointer(uintptr(p.p))} }

// pointer turns the number back by a conversion that the compiler sees. Were the
// number merely read as a pointer, from memory, the compiler might keep it as
// a number across later calls, and then it is not updated when the stack moves.
// The type parameter is for vet, which takes the conversion for a mistake.
//
//go:nocheckptr
func pointer[N ~uintptr](address N) unsafe.Pointer { return unsafe.Pointer(address) }
