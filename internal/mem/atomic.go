package mem

import (
	"sync/atomic"
	"unsafe"
)

// StoreAtomic64 stores 8 bytes, in the byte order of the machine, so that no
// other goroutine sees only some of them. The caller guarantees that p is a multiple of 8
// and that the bytes lie within one object.
func StoreAtomic64(p Ptr, v uint64) { atomic.StoreUint64((*uint64)(p.p), v) }

// Contains reports whether address is the address of one of the bytes of b.
func Contains(b []byte, address uintptr) bool {
	return address-uintptr(unsafe.Pointer(unsafe.SliceData(b))) < uintptr(len(b))
}
