package mem

import "unsafe"

// SizeOf returns the size of a T in bytes.
func SizeOf[T any]() int { var v T; return int(unsafe.Sizeof(v)) }

// SliceBytes returns the memory of s as bytes, without copying. The caller
// guarantees that T has no pointers, and that bytes stored in the result are
// valid for a T.
func SliceBytes[T any](s []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(s))), len(s)*SizeOf[T]())
}

// SliceOf returns the memory of b as a slice of T, without copying. A partial
// value at the end is not included. The caller guarantees that T has no
// pointers, that all bytes are valid for a T, and that b is aligned for T.
func SliceOf[T any](b []byte) []T {
	return unsafe.Slice((*T)(unsafe.Pointer(unsafe.SliceData(b))), len(b)/SizeOf[T]())
}

// SliceStart returns the address of the first element of s, or nil for a nil
// slice.
func SliceStart[T any](s []T) Ptr { return Ptr{unsafe.Pointer(unsafe.SliceData(s))} }

// IsAligned reports whether p is a multiple of T's alignment.
func IsAligned[T any](p Ptr) bool { var v T; return uintptr(p.p)%unsafe.Alignof(v) == 0 }

// Misalignment returns p modulo n. n must be a power of two.
func Misalignment(p Ptr, n int) int { return int(uintptr(p.p) & uintptr(n-1)) }

// SliceAt returns the address of the first element and the length of the slice
// stored at p. The caller guarantees that a slice, of any type, is stored at p.
func SliceAt(p Ptr) (Ptr, int) {
	s := *(*[]byte)(p.p)
	return Ptr{unsafe.Pointer(unsafe.SliceData(s))}, len(s)
}

// Copy copies n bytes. The ranges may overlap. The caller guarantees that each
// lies within one object.
func Copy(dst, src Ptr, n int) { copy(Slice(dst, n), Slice(src, n)) }

// Clear stores n zero bytes at p. The caller guarantees that they lie within
// one object.
func Clear(p Ptr, n int) { clear(Slice(p, n)) }

// HideBytes returns b hidden from escape analysis, so that its array may stay
// on the stack. The caller guarantees the same as for [Hide].
func HideBytes(b []byte) []byte { return Slice(Hide(Bytes(b)), len(b)) }

// HideSlice is [HideBytes] for slices of any type.
func HideSlice[T any](s []T) []T {
	return unsafe.Slice((*T)(Hide(SliceStart(s)).p), len(s))
}
