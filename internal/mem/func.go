package mem

import "unsafe"

// Recast returns f as a func of another type. The types may differ only in that one has
// a Ptr where the other has a pointer, which are passed in the same way.
func Recast[To, From any](f From) To { return *(*To)(unsafe.Pointer(&f)) }
