package mem

import "unsafe"

// SizeOf returns how many bytes a T takes in memory.
func SizeOf[T any]() int { var v T; return int(unsafe.Sizeof(v)) }

// SliceBytes returns the memory of s as bytes: writing to one changes the
// other. The caller guarantees that T holds no pointers, and that bytes stored
// in it are valid for a T.
func SliceBytes[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*SizeOf[T]())
}

// SliceOf returns the memory of b as values, as many as fit whole. The caller
// guarantees that T holds no pointers, that any bytes are valid for a T, and
// that b is aligned for it.
func SliceOf[T any](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/SizeOf[T]())
}

// SliceStart returns where the array of s begins, nil for a nil slice.
func SliceStart[T any](s []T) Ptr { return Ptr{unsafe.Pointer(unsafe.SliceData(s))} }

// IsAligned reports whether p is a multiple of T's alignment.
func IsAligned[T any](p Ptr) bool { var v T; return uintptr(p.p)%unsafe.Alignof(v) == 0 }

// Misalignment returns how far p is beyond a multiple of n, a power of two.
func Misalignment(p Ptr, n int) int { return int(uintptr(p.p) & uintptr(n-1)) }

// SliceAt takes apart the slice stored at p: where its array begins and how
// many elements it has. The caller guarantees that p is the address of a slice,
// of any type.
func SliceAt(p Ptr) (Ptr, int) {
	s := *(*[]byte)(p.p)
	return Ptr{unsafe.Pointer(unsafe.SliceData(s))}, len(s)
}

// Copy copies n bytes, from the lowest address or the highest as overlap
// demands. The caller guarantees that both lie within one object each.
func Copy(dst, src Ptr, n int) { copy(Slice(dst, n), Slice(src, n)) }

// Clear stores n zero bytes. The caller guarantees that they lie within one
// object.
func Clear(p Ptr, n int) { clear(Slice(p, n)) }

// HideBytes returns b unseen by escape analysis, so that its array may stay on
// the stack. The duties that come with [Hide] are the caller's.
func HideBytes(b []byte) []byte { return Slice(Hide(Bytes(b)), len(b)) }
